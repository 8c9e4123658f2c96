// Firewall rules of instances: section "Firewall rules".
import * as z from 'zod'
import { parseCidr } from '../../../base/cidr.ts'
import { lazy } from '../../../base/lazy.ts'
import { cidr, family, known, open, port, record, summary, transport, whole } from '../fields.ts'
import { arrayOf, paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Firewall rules'
const protocol = lazy(() => z.enum([...transport.options, 'ICMP']))
const action = lazy(() => z.enum(['ACCEPT', 'DROP']))
const rate = lazy(() => whole.min(1).max(10_000_000_000))

const fields = lazy(() =>
  z.strictObject({
    type: family,
    protocol: protocol(),
    action: action(),
    port_start: port.optional(),
    port_end: port.optional(),
    remote: cidr.optional(),
    local: cidr.optional(),
    bps_limit: rate().optional(),
    pps_limit: rate().optional(),
    priority: whole.min(1).max(100).optional(),
    description: z.string().max(255).optional(),
  }),
)
type Rule = z.output<ReturnType<typeof fields>>

const fits = (type: Rule['type'], range: string | undefined) => range === undefined || parseCidr(range)?.family === (type === 'IPv6' ? 6 : 4)

// bps_limit beside pps_limit is not refused: the document lets pps_limit win.
const body = lazy(() =>
  fields()
    .refine((rule) => rule.protocol !== 'ICMP' || (rule.port_start ?? rule.port_end) === undefined, {
      error: 'ports go with TCP and UDP only',
      path: ['port_start'],
    })
    .refine((rule) => rule.port_end === undefined || rule.port_start !== undefined, { error: 'required when port_end is set', path: ['port_start'] })
    .refine((rule) => (rule.port_end ?? 65535) >= (rule.port_start ?? 1), { error: 'at least port_start', path: ['port_end'] })
    .refine((rule) => fits(rule.type, rule.remote), { error: 'a range of the other family', path: ['remote'] })
    .refine((rule) => fits(rule.type, rule.local), { error: 'a range of the other family', path: ['local'] }),
)

const rule = lazy(() =>
  record({
    type: known(family),
    protocol: known(protocol()),
    action: known(action()),
    port_start: z.number().nullable(),
    port_end: z.number().nullable(),
    remote: z.string().nullable(),
    local: z.string().nullable(),
    bps_limit: z.number().nullable(),
    pps_limit: z.number().nullable(),
    priority: z.number().nullable(),
    description: z.string().nullable(),
  }),
)

const count = lazy(() => open({ instance: z.union([summary, z.unknown()]), name: z.string(), rules: z.number() }))

export const firewallRules = {
  createFirewallRule: route(section, 'POST', '/v1/instances/{id}/firewall-rules', {
    body,
    answer: { shape: 'workflow+resource', item: rule },
    statuses: [201],
    access: 'editor',
  }),
  listInstanceFirewallRules: route(section, 'GET', '/v1/instances/{iid}/firewall-rules', {
    ...paged(rule, () => ({ type: family, protocol: protocol(), action: action() })),
    access: 'viewer',
  }),
  getFirewallRule: route(section, 'GET', '/v1/firewall-rules/{id}', { answer: { shape: 'object', item: rule }, access: 'viewer' }),
  deleteFirewallRule: route(section, 'DELETE', '/v1/firewall-rules/{id}', { answer: { shape: 'workflow' }, access: 'editor' }),
  listFirewallCounts: route(section, 'GET', '/v1/workspaces/{wid}/firewall-rules', {
    ...arrayOf(count, () => ({})),
    access: 'viewer',
  }),
}
