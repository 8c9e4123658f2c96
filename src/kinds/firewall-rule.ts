// Firewall rules: stateless, one instance each, never updated; their order keeps an instance reachable while they change.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import type { Compat } from '../api/calls/compat.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import { cidr, mark, ref } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { At, Id, Lookup, Reader, Seen } from './definition/kind.ts'
import { allOrNone, anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { admitsSsh, adviseRules, checkRule, checkTwins, everywhere, isEverywhere, ruleKey } from './firewall-rule-checks.ts'
import { firewallRuleExamples } from './firewall-rule-examples.ts'
import { placeRule, ranksOfRules } from './firewall-rule-order.ts'
import { isInstanceGone } from './instance-state.ts'

const fixed = <T extends z.ZodType>(schema: T): T => mark(schema, { immutable: true, shown: true })
/** Removing it means another rule, so it replaces the rule as well. */
const removable = <T extends z.ZodType>(schema: T): T => mark(schema, { immutable: true, shown: true, clearable: true })
/** Left out it matches everything: a rule that shows it is another one. */
const narrowing = <T extends z.ZodType>(schema: T): T => mark(removable(schema), { absentSays: true })
const port = z.int().min(1).max(65535)
const limit = z.int().min(1).max(10_000_000_000)

const spec = z.strictObject({
  instance: mark(ref('Instance'), { immutable: true, endsWith: true, expand: true }).describe('the instance; a list makes one rule for each entry'),
  type: fixed(z.enum(['IPv4', 'IPv6'])).describe('address family'),
  protocol: fixed(z.enum(['TCP', 'UDP', 'ICMP'])).describe('protocol'),
  action: fixed(z.enum(['ACCEPT', 'DROP'])).describe('what happens to what it matches; with any rule present, what no ACCEPT matches is dropped'),
  port_start: narrowing(port).optional().describe('first port, or the only one; TCP and UDP; all ports when omitted'),
  port_end: narrowing(port).optional().describe('last port, at least port_start'),
  remote: narrowing(cidr()).optional().describe('network of the source; everywhere (0.0.0.0/0 or ::/0) when omitted'),
  local: narrowing(cidr()).optional().describe('network of the destination; all when omitted'),
  bps_limit: narrowing(limit).optional().describe('limit on bandwidth (bps), 1 to 10,000,000,000; excludes pps_limit'),
  pps_limit: narrowing(limit).optional().describe('limit on packets per second, 1 to 10,000,000,000; excludes bps_limit'),
  priority: fixed(z.int().min(1).max(100)).default(1).describe('1 to 100; the highest is decided first'),
  description: removable(z.string().max(255)).optional().describe('what it is for, up to 255 characters'),
})
type Spec = z.output<typeof spec>

const live = defineShape('FirewallRule', () =>
  z.object({
    id: idOf,
    instance: maybe(idOf),
    type: maybe(anyCase(['IPv4', 'IPv6'])),
    protocol: maybe(anyCase(['TCP', 'UDP', 'ICMP'])),
    action: maybe(anyCase(['ACCEPT', 'DROP'])),
    port_start: maybe(z.number()),
    port_end: maybe(z.number()),
    remote: maybe(z.string()),
    local: maybe(z.string()),
    bps_limit: maybe(z.number()),
    pps_limit: maybe(z.number()),
    priority: maybe(z.number()),
    description: maybe(z.string()),
  }),
)
type Live = z.output<typeof live.schema>

const count = defineShape('FirewallCount', () => z.object({ instance: idOf, rules: z.number() }))
const posted = ['type', 'protocol', 'action', 'port_start', 'port_end', 'remote', 'local', 'bps_limit', 'pps_limit', 'priority', 'description'] as const

export const FirewallRule = defineKind({
  name: 'FirewallRule',
  plural: 'firewallrules',
  about: 'A stateless firewall rule of an instance; enforced while `firewall_enabled` of the instance is on.',
  section: 'Firewall rules',
  scope: 'parent',
  columns: ['instance', 'action', 'protocol', 'port_start', 'port_end', 'remote', 'type'],
  parentField: 'instance',
  confirmedByLists: true,
  calls: { making: [routes.createFirewallRule], removing: [routes.deleteFirewallRule] },
  counts: count,
  createFirst: true,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the rule' },
  },
  examples: firewallRuleExamples,
  list: listRules,
  read: (api, id) => api.one(call(routes.getFirewallRule, { id }), live),
  id: (one) => one.id,
  toSpec,
  outputsOf: (one) => present({ id: one.id }),
  status: () => 'ready',
  naturalKey: ruleKey,
  normalise,
  check: checkRule,
  checkAll: checkTwins,
  advise: adviseRules,
  place: placeRule,
  ranks: ranksOfRules,
  limitPerParent: {
    limit: 'firewall_rules_per_ip',
    gap: (one) => (admitsSsh(one) ? 'if the new rule is refused, SSH may stay shut until a run makes it' : undefined),
    counts: ({ firewall_quota }) => firewall_quota !== 'off',
    at: roomAt,
  },
  steps({ desired, live }) {
    if (live) return []
    const body = pick(desired, posted)
    return [{ name: 'create', creates: true, call: call(routes.createFirewallRule, { id: desired.instance }, body), sets: desired }]
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.deleteFirewallRule, { id }), sets: {} }],
})

/** The workspace's counts first, unless each is to be asked: instances without rules cost no call. */
async function listRules(api: Reader, at: At): Promise<Live[]> {
  if (at.parents.length === 0) return []
  const ids = at.all === true ? at.parents : await ruledOf(api, at)
  return (await inTurns(ids, (id) => rulesOf(api, id))).flat()
}

async function ruledOf(api: Reader, at: At): Promise<readonly Id[]> {
  const counts = await api.all(call(routes.listFirewallCounts, { wid: at.workspaceId }), count)
  const ruled = new Set(counts.filter((one) => one.rules > 0).map((one) => one.instance))
  return at.parents.filter((id) => ruled.has(id))
}

async function rulesOf(api: Reader, instance: Id): Promise<Live[]> {
  const rules = await allOrNone(api, call(routes.listInstanceFirewallRules, { iid: instance }), live, async () => !(await isInstanceGone(api, instance)))
  return rules.map((one) => ofInstance(one, instance))
}

function ofInstance(one: Live, instance: Id): Live {
  return { ...one, instance }
}

/** A default that is carried counts as empty, as an absent field does in a manifest. */
function toSpec(one: Live): Seen<Spec> {
  return {
    ...pick(one, posted),
    instance: one.instance ?? undefined,
    ...(isEverywhere(one.remote) ? { remote: null } : {}),
    ...(isEverywhere(one.local) ? { local: null } : {}),
    ...(one.port_end === one.port_start && one.port_end !== undefined ? { port_end: null } : {}),
    ...(one.description === '' ? { description: null } : {}),
    ...(one.priority === null ? { priority: 1 } : {}),
  }
}

/** Absent where the value says no more than its absence. */
function normalise(one: Seen<Spec>): Seen<Spec> {
  const { remote, local, port_end, description, ...rest } = one
  const all = one.type ? everywhere[one.type] : undefined
  return {
    ...rest,
    ...(remote === undefined || remote === all ? {} : { remote }),
    ...(local === undefined || local === all ? {} : { local }),
    ...(port_end === undefined || (port_end !== null && port_end === one.port_start) ? {} : { port_end }),
    ...(description === undefined || description === '' ? {} : { description }),
  }
}

/** "Firewall rules per floating IP": by the addresses of the instance, or by the instance as if it had one. */
function roomAt({ instance }: Seen<Spec>, lookup: Lookup, { firewall_quota }: Pick<Compat, 'firewall_quota'>) {
  if (typeof instance !== 'string') return undefined
  if (firewall_quota === 'instance') return { place: instance, times: 1 }
  const addresses = lookup('Instance', instance)?.['ips']
  return Array.isArray(addresses) ? { place: instance, times: Math.max(1, addresses.length) } : undefined
}
