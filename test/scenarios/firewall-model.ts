// A model of the rules of one instance: what becomes of packets, and every state that any interleaving of a change passes through.
import { cidrContains, parseCidr } from '../../src/base/cidr.ts'
import { buildGraph } from '../../src/engine/model/graph/graph.ts'
import type { Graph } from '../../src/engine/model/graph/graph.ts'
import { kindFinder } from '../../src/engine/model/kind-finder.ts'
import type { Change } from '../../src/engine/model/plan-data.ts'
import type { Planned } from '../../src/engine/model/planned-resource.ts'
import { waiting } from '../../src/engine/plan/checks/limits-per-parent.ts'
import { kinds } from '../../src/kinds/registry.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { changeFor } from '../builders/change.ts'
import { recordOf } from '../builders/journal.ts'

export interface Rule {
  readonly action: 'ACCEPT' | 'DROP'
  readonly port_start?: number
  readonly remote?: string
  readonly priority: number
}
export type Rules = readonly Rule[]

export const kindOf = kindFinder(kinds)
const kind = kindOf('FirewallRule')
export const packets = [22, 80].flatMap((port) => ['10.0.0.1', '192.0.2.1'].map((source) => ({ port, source })))
type Packet = (typeof packets)[number]

const contained = new Map<string, boolean>()

function isWithin(source: string, remote: string): boolean {
  const key = `${source} ${remote}`
  const [network, address] = contained.has(key) ? [] : [parseCidr(remote), parseCidr(`${source}/32`)]
  const found = contained.get(key) ?? (network !== undefined && address !== undefined && cidrContains(network, address))
  contained.set(key, found)
  return found
}

function matches({ port_start: port, remote }: Rule, packet: Packet): boolean {
  return (port === undefined || port === packet.port) && (remote === undefined || isWithin(packet.source, remote))
}

/** What becomes of a packet: with any rule present what no ACCEPT matches is dropped, the highest priority decides; between equals the document is silent. */
export function fate(rules: Rules, packet: Packet): 'in' | 'out' | 'open' {
  if (rules.length === 0) return 'in'
  const matching = rules.filter((one) => matches(one, packet))
  const highest = Math.max(...matching.map((one) => one.priority))
  const actions = new Set(matching.filter((one) => one.priority === highest).map((one) => one.action))
  if (actions.size === 0) return 'out'
  return actions.size > 1 ? 'open' : actions.has('ACCEPT') ? 'in' : 'out'
}

export const nameOf = (one: Rule): string => `${one.action} ${one.port_start ?? 'all'} ${one.remote ?? 'any'} ${one.priority}`
const specOf = (one: Rule) => ({ instance: '1', type: 'IPv4', protocol: 'TCP', ...one }) as const

export function change(one: Rule, action: 'create' | 'delete'): Change {
  const spec = specOf(one)
  const place = kind.place?.(spec, 'new') ?? { group: null, rank: 0 }
  const made = { action, after: spec, ...place } as const
  const gone = { action, reason: 'removed', id: nameOf(one) } as const
  return changeFor({ address: `FirewallRule/${nameOf(one)}`, kind: 'FirewallRule', workspace_id: '9', ...(action === 'create' ? made : gone) })
}

function record(one: Rule, address = `FirewallRule/${nameOf(one)}`): ResourceRecord {
  return recordOf(nameOf(one), { address, kind: 'FirewallRule', workspace_id: '9', spec: specOf(one) })
}

/** Every set of operations that may be over at one moment, whatever order they end in. */
function reachable({ nodes, barriers, after }: Graph): ReadonlySet<string>[] {
  const found = new Map<string, ReadonlySet<string>>()
  const open: ReadonlySet<string>[] = [new Set()]
  const isDone = (done: ReadonlySet<string>, id: string): boolean =>
    barriers.has(id) ? [...(after.get(id) ?? [])].every((one) => isDone(done, one)) : !nodes.has(id) || done.has(id)
  for (let done = open.pop(); done; done = open.pop()) {
    const key = [...done].toSorted().join('|')
    if (found.has(key)) continue
    found.set(key, done)
    for (const id of nodes.keys()) if (!done.has(id) && [...(after.get(id) ?? [])].every((one) => isDone(done, one))) open.push(new Set([...done, id]))
  }
  return [...found.values()]
}

/** The rules in place at every moment between two wholes. */
export function statesBetween(before: Rules, wanted: Rules): Rules[] {
  const [old, new_] = [new Map(before.map((one) => [nameOf(one), one])), new Map(wanted.map((one) => [nameOf(one), one]))]
  const going = [...old.values()].filter((one) => !new_.has(nameOf(one)))
  const coming = [...new_.values()].filter((one) => !old.has(nameOf(one)))
  const records = new Map([...old.values()].map((one) => [`FirewallRule/${nameOf(one)}`, record(one)]))
  const graph = buildGraph([...coming.map((one) => change(one, 'create')), ...going.map((one) => change(one, 'delete'))], records, kindOf)
  return reachable(graph).map((done) => [
    ...[...old.values()].filter((one) => !done.has(`FirewallRule/${nameOf(one)}#${nameOf(one)}`)),
    ...coming.filter((one) => done.has(`FirewallRule/${nameOf(one)}`)),
  ])
}

/** A resource of a plan: its old rule, its new one, or both; one that stays has the same twice. */
export interface Resource {
  readonly old?: Rule
  readonly wanted?: Rule
}

/** The rules in place at every moment of a plan for an instance that takes so many of them; which resources have their old rule gone first is told, too. */
export function statesAtLimit(resources: readonly Resource[], limit: number): { readonly states: Rules[]; readonly destroyFirst: readonly Resource[] } {
  const named = resources.map((one, at) => ({ ...one, address: `FirewallRule/r${at}`, id: `${at}` }))
  const changing = named.filter(({ old, wanted }) => old !== wanted)
  const actionOf = ({ old, wanted }: Resource) => (old && wanted ? 'replace' : old ? 'delete' : 'create')
  const members = changing.map((one) => plannedRule(one.address, one.wanted, actionOf(one)))
  const going = changing.flatMap(({ address, id, old }) => {
    const rank = old && kind.place?.(specOf(old), 'old')?.rank
    return old ? [{ id: `${address}#${id}`, address, spec: specOf(old), rank: rank ?? 0, does: 'goes' as const, deposed: false }] : []
  })
  const createFirst = new Set(changing.filter((one) => actionOf(one) === 'replace').map((one) => one.address))
  const now = named.filter((one) => one.old).length
  const place = { workspaceId: '9', limitName: 'limit', limit, now, members, going, othersStay: changing.length < named.length }
  const { next, late, destroyFirst } = waiting([place], createFirst, new Set())
  const changes = changing.map((one) => {
    const { address, id, wanted, old } = one
    const turn = next.has(address) ? 'next' : late.has(address) ? 'late' : 'new'
    const made = wanted ? { after: specOf(wanted), ...kind.place?.(specOf(wanted), turn) } : {}
    const gone = old ? { id } : {}
    const isFirst = createFirst.has(address) && !destroyFirst.has(address)
    return changeFor({ address, kind: 'FirewallRule', workspace_id: '9', action: actionOf(one), create_before_destroy: isFirst, ...made, ...gone })
  })
  const records = new Map(named.flatMap(({ address, id, old }) => (old ? [[address, { ...record(old, address), id }] as const] : [])))
  const states = reachable(buildGraph(changes, records, kindOf)).map((done) =>
    named.flatMap(({ address, id, old, wanted }) => {
      if (old === wanted) return old ? [old] : []
      return [...(old && !done.has(`${address}#${id}`) ? [old] : []), ...(wanted && done.has(address) ? [wanted] : [])]
    }),
  )
  return { states, destroyFirst: named.filter((one) => destroyFirst.has(one.address)) }
}

function plannedRule(address: string, wanted: Rule | undefined, action: Planned['action']): Planned {
  const nothing = { previousAddress: null, declared: undefined, record: undefined, object: undefined, objectId: null, workspaceAddress: null }
  const plain = { resolved: undefined, differences: [], inDoubt: [], reason: null, restart: false, deposed: false, retained: false, leftOut: false }
  const desired = wanted && specOf(wanted)
  const situation = { kind, address, id: undefined, workspaceId: '9', recorded: {}, live: undefined, fresh: true, nowMs: 0 }
  return { ...nothing, ...plain, address, kind, action, desired, situation, workspaceId: '9', diagnostics: [] }
}
