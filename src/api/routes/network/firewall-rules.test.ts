// The bodies of firewall rules: what they take, and what they refuse.
import { expect, test } from 'vitest'
import { describeBodies } from '../../../../test/builders/route-bodies.ts'
import { firewallRules } from './firewall-rules.ts'

const rule = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' }

describeBodies(firewallRules, {
  createFirewallRule: {
    takes: [
      rule,
      { ...rule, port_start: 22, port_end: 22, remote: '10.0.0.0/8', local: '192.0.2.1/32', bps_limit: 1e10, pps_limit: 1, priority: 100, description: 'x' },
      { ...rule, type: 'IPv6', protocol: 'ICMP', remote: '::/0' },
    ],
    refuses: [
      { ...rule, port_start: 443, port_end: 442 },
      { ...rule, port_end: 80 },
      { ...rule, port_start: 0 },
      { ...rule, port_start: 65536 },
      { ...rule, protocol: 'ICMP', port_start: 1 },
      { ...rule, remote: '::/0' },
      { ...rule, local: '2001:db8::/32' },
      { ...rule, remote: '10.0.0.0' },
      { ...rule, priority: 101 },
      { ...rule, priority: 0 },
      { ...rule, bps_limit: 1e10 + 1 },
      { ...rule, pps_limit: 0 },
      { ...rule, description: 'x'.repeat(256) },
      { ...rule, action: 'REJECT' },
    ],
  },
})

test('nobody refuses bps_limit beside pps_limit', () => {
  expect(firewallRules.createFirewallRule.body().safeParse({ ...rule, bps_limit: 1, pps_limit: 1 }).success).toBe(true)
})
