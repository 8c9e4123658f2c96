// The manifests that the documents show for firewall rules.
import type { Example } from './definition/kind.ts'

const web = (name: string) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })

/** The examples of the kind. */
export const firewallRuleExamples: readonly Example[] = Object.freeze([
  {
    title: 'SSH from one network',
    spec: {
      instance: 'web',
      type: 'IPv4',
      protocol: 'TCP',
      action: 'ACCEPT',
      port_start: 22,
      port_end: 23,
      remote: '203.0.113.0/24',
      local: '198.51.100.7/32',
      bps_limit: 1_000_000,
      priority: 100,
      description: 'administration',
    },
    beside: [web('web'), web('api')],
    changes: {
      instance: 'api',
      protocol: 'UDP',
      action: 'DROP',
      port_start: 21,
      port_end: 24,
      remote: '203.0.113.128/25',
      local: '198.51.100.8/32',
      bps_limit: 2_000_000,
      priority: 90,
      description: 'administration and more',
    },
  },
  {
    title: 'A limited number of pings over IPv6',
    spec: { instance: 'web', type: 'IPv6', protocol: 'ICMP', action: 'ACCEPT', pps_limit: 100 },
    beside: [web('web')],
    changes: { type: 'IPv4', pps_limit: 200 },
  },
])
