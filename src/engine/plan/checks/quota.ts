// Counts what is used of a workspace's quota now and after a plan: pure, from lists and desired specs.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { holdsToken } from '../../../kinds/definition/token.ts'
import type { Graph } from '../../model/graph/graph.ts'
import type { Node } from '../../model/graph/node.ts'
import { freesQuota } from '../../model/graph/node.ts'
import type { LiveObject } from '../../model/live.ts'
import type { QuotaNow, QuotaUse } from '../../model/plan-data.ts'
import type { Planned } from '../../model/planned-resource.ts'
import type { ParentAtLimit } from './limits-per-parent.ts'
import { fitsInOrder } from './quota-in-order.ts'

type Lookup = (kind: string, id: string) => Readonly<Record<string, JsonValue>> | undefined

export interface Counting {
  readonly workspaceId: string
  readonly limits: JsonObject
  readonly planned: readonly Planned[]
  /** Places with a limit of their own, and what the plan changes there. */
  readonly atLimit?: readonly ParentAtLimit[]
  readonly createFirst: ReadonlySet<string>
  /** The operations of the plan. */
  readonly graph: () => Graph
  readonly lookup: Lookup
  /** Undefined where the list was not read. */
  listed(kind: string): readonly LiveObject[] | undefined
}

/** One row for each limit that the plan touches; a null limit is none, and a create-first replacement needs one more meanwhile. */
export function quotaUse(kinds: readonly AnyKind[], counting: Counting): QuotaUse[] {
  const used = new Map<string, number>()
  const after = new Map<string, number>()
  const peak = new Map<string, number>()
  const touched = new Set<string>()
  const coming = new Map<string, number>()
  for (const [name, amount] of listedUse(kinds, counting)) {
    used.set(name, amount)
    after.set(name, amount)
  }
  const grow = (name: string, amount: number): void => {
    touched.add(name)
    add(after, { [name]: amount }, 1)
  }
  for (const one of counting.planned) {
    if (!one.kind.quota) continue
    const now = one.object ? one.kind.quota(one.object.seen, counting.lookup) : {}
    const then = one.desired ? one.kind.quota(one.desired, counting.lookup) : {}
    if (one.action === 'create' || one.action === 'replace' || one.action === 'delete') for (const name of Object.keys({ ...now, ...then })) touched.add(name)
    if (one.action === 'create' || one.action === 'replace') add(after, then, 1)
    if (one.action === 'create') add(coming, then, 1)
    if (one.action === 'delete' || one.action === 'replace') add(after, now, -1)
    if (one.action === 'update' || one.action === 'import') for (const [name, amount] of growthOf(one, now, counting)) grow(name, amount)
    if (one.action === 'replace' && counting.createFirst.has(one.address)) add(peak, now, 1)
  }
  const wide = [...touched].toSorted().flatMap((name): QuotaUse[] => {
    const limit = counting.limits[name]
    if (typeof limit !== 'number') return []
    const uses = { used: used.get(name) ?? 0, after: after.get(name) ?? 0 }
    const most = uses.after + (peak.get(name) ?? 0)
    const isStuck = most <= limit && uses.used + (coming.get(name) ?? 0) > limit && !fitsInOrder(counting.graph(), limit - uses.used, amountFor(name, counting))
    if (uses.used === uses.after && most === uses.after && !isStuck) return []
    return [{ workspace: counting.workspaceId, name, ...uses, limit, exceeded: isStuck || (most > limit && most > uses.used) }]
  })
  return [...wide, ...fullest(counting)]
}

/** What an operation adds to what is used of a limit, or takes from it. */
function amountFor(name: string, { planned, workspaceId, lookup }: Counting): (node: Node) => number {
  const byAddress = new Map(planned.map((one) => [`${one.address} ${one.deposed ? one.objectId : ''}`, one]))
  return (node) => {
    const { task, change } = node
    if (task === 'remove' && !freesQuota(node)) return 0
    const one = change.workspace_id === workspaceId ? byAddress.get(`${change.address} ${change.deposed ? change.id : ''}`) : undefined
    const spec = task === 'make' ? one?.desired : one?.object?.seen
    return (spec && one?.kind.quota?.(spec, lookup)[name]) ?? 0
  }
}

/** What the fields that change make of what an object counts for now; one that nobody may see, or knows yet, leaves it as it is. */
function growthOf({ kind, object, differences }: Planned, now: Readonly<Record<string, number>>, { lookup }: Counting): readonly (readonly [string, number])[] {
  if (!object || !kind.quota) return []
  const changed = differences.flatMap(({ field, after, effect }) =>
    effect === 'note' || after === undefined || holdsToken(after) ? [] : [[field, after] as const],
  )
  const then = kind.quota({ ...object.seen, ...Object.fromEntries(changed) }, lookup)
  return Object.entries(then).flatMap(([name, amount]) => (amount === (now[name] ?? 0) ? [] : [[name, amount - (now[name] ?? 0)] as const]))
}

/** One row for each limit that the service names, in its order: what is used of it now. */
export function usedNow(kinds: readonly AnyKind[], counting: Omit<Counting, 'planned' | 'createFirst' | 'graph'>): QuotaNow[] {
  const used = listedUse(kinds, counting)
  return Object.entries(counting.limits).flatMap(([name, limit]) =>
    limit === null || typeof limit === 'number' ? [{ workspace: counting.workspaceId, name, used: used.get(name) ?? null, limit }] : [],
  )
}

/** What is there, by the limit that it counts for; 0 where a kind counts for one and nothing of it is there. */
function listedUse(kinds: readonly AnyKind[], { listed, lookup }: Pick<Counting, 'listed' | 'lookup'>): Map<string, number> {
  const used = new Map<string, number>()
  for (const kind of kinds) {
    if (!kind.quota) continue
    const elsewhere = Object.entries(kind.quotaListedIn ?? {}).flatMap(([name, other]) => (listed(other) ? [name] : []))
    const own = (uses: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(uses).filter(([name]) => !elsewhere.includes(name)))
    add(used, kind.quota({}, lookup), 0)
    for (const object of listed(kind.name) ?? []) add(used, own(kind.quota(object.seen, lookup)), 1)
  }
  return used
}

/** One row for each limit that holds for each place apart: the place that it is tightest in. */
function fullest({ workspaceId, atLimit = [], createFirst }: Counting): QuotaUse[] {
  const rows = new Map<string, { readonly row: QuotaUse; readonly left: number }>()
  for (const { limitName, limit, now, members } of atLimit) {
    const count = (fits: (one: Planned) => boolean): number => members.filter(fits).length
    const after = now + count((one) => one.action === 'create') - count((one) => one.action === 'delete')
    const most = after + count((one) => one.action === 'replace' && createFirst.has(one.address))
    const row = { workspace: workspaceId, name: limitName, used: now, after, limit, exceeded: most > limit && most > now }
    const known = rows.get(limitName)
    if (!known || limit - most < known.left) rows.set(limitName, { row, left: limit - most })
  }
  return [...rows.values()].map((one) => one.row)
}

function add(into: Map<string, number>, uses: Readonly<Record<string, number>>, sign: number): void {
  for (const [name, amount] of Object.entries(uses)) into.set(name, (into.get(name) ?? 0) + sign * amount)
}
