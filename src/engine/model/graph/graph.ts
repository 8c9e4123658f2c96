// The graph of operations: tasks that make and remove, and what each waits for. Built from a plan and the records alone.
import type { JsonObject } from '../../../base/json.ts'
import { equalJson } from '../../../base/json.ts'
import { lazy } from '../../../base/lazy.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { claimsAlike, claimsOf, letGo, placeOf, taken } from '../claims.ts'
import type { Change } from '../plan-data.ts'
import type { Alteration } from './alterations.ts'
import { alterationsIn, awaitedBy } from './alterations.ts'
import { addGroups } from './groups.ts'
import { madeFirst } from './made-first.ts'
import type { MadeFirst } from './made-first.ts'
import { heldIds, heldValues, push } from './needs.ts'
import type { Node } from './node.ts'
import { inCircles, topological } from './topological.ts'

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>
  /** What is no operation, and done once all that it waits for is. */
  readonly barriers: ReadonlySet<string>
  /** Node or barrier → the nodes and barriers it waits for. */
  readonly after: ReadonlyMap<string, ReadonlySet<string>>
}

interface Builder {
  readonly nodes: Map<string, Node>
  readonly after: Map<string, Set<string>>
  readonly barriers: Set<string>
  readonly makes: Map<string, Node>
  readonly removes: Map<string, Node[]> // by kind and object id
  readonly leaving: Map<string, Node[]> // by address
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly providers: () => ReadonlyMap<string, readonly string[]> // recorded addresses, by what their kinds provide
  readonly yielding: (readonly [string, string])[] // edges that give way where they would close a circle
  readonly takers: Map<string, Node[]> // what goes and takes others along, by their kind and workspace
}

/** Nodes and edges of a plan; linear in changes, recorded dependencies and references. `last` are ids of objects whose removal ends what the run may do, those that end the most behind the others. */
export function buildGraph(
  changes: readonly Change[],
  records: ReadonlyMap<string, ResourceRecord>,
  kindOf: (name: string) => AnyKind,
  last: readonly ReadonlySet<string>[] = [],
): Graph {
  const built: Builder = {
    nodes: new Map(),
    after: new Map(),
    barriers: new Set(),
    makes: new Map(),
    removes: new Map(),
    leaving: new Map(),
    records,
    providers: lazy(() => providersIn(records, kindOf)),
    yielding: [],
    takers: new Map(),
  }
  for (const change of changes) addNodes(built, change, records, kindOf)
  const required = lazy(() => new Set(changes.flatMap((one) => one.requires)))
  for (const change of changes) addMakeEdges(built, change, (address) => required().has(address), kindOf(change.kind))
  addTwins(built, kindOf)
  // Where nothing goes, nothing is to be let go of before.
  if (built.removes.size > 0) {
    for (const record of records.values()) addHolds(built, record, kindOf)
    addTaken(built, kindOf)
    for (const change of changes) addShownHolds(built, change, kindOf)
  }
  addContents(built, kindOf)
  addYielding(built, [...built.yielding, ...addFirst(built, kindOf)])
  const altered = alterationsIn(built.nodes, records, kindOf)
  addYielding(
    built,
    changes.flatMap((change) => [...triggerEdges(built, change), ...readerEdges(built, change, altered)]),
  )
  for (const one of addGroups({ nodes: built.nodes, after: built.after, barriers: built.barriers, records, kindOf })) built.barriers.add(one)
  for (const [at, ids] of last.entries()) putLast(built, ids, `all the rest ${at + 1}`)
  return { nodes: built.nodes, barriers: built.barriers, after: built.after }
}

/** The operations of a graph in an order in which they could run; `stuck` are those that wait for each other in a circle, or for one that does. */
export function orderOf({ nodes, barriers, after }: Graph): { readonly order: readonly string[]; readonly stuck: ReadonlySet<string> } {
  const { order, stuck } = topological([...nodes.keys(), ...barriers], after)
  const isNode = (id: string): boolean => nodes.has(id)
  return { order: order.filter(isNode), stuck: new Set([...stuck].filter(isNode)) }
}

/** The addresses whose old half and new one both stand in a circle of operations, or between two. */
export function circling({ nodes, barriers, after }: Graph): ReadonlySet<string> {
  const within = inCircles([...nodes.keys(), ...barriers], after)
  return new Set([...within].flatMap((id) => (nodes.get(id)?.task === 'remove' ? (nodes.get(id)?.change.address ?? []) : [])).filter((one) => within.has(one)))
}

function providersIn(records: ReadonlyMap<string, ResourceRecord>, kindOf: (name: string) => AnyKind): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const { address, kind, spec, workspace_id } of records.values())
    for (const name of kindOf(kind).provides?.(spec, workspace_id ?? '') ?? []) push(out, name, address)
  return out
}

function addNodes(built: Builder, change: Change, records: ReadonlyMap<string, ResourceRecord>, kindOf: (name: string) => AnyKind): void {
  const kind = kindOf(change.kind)
  const makes = !change.deposed && ['create', 'update', 'replace', 'import', 'forget'].includes(change.action)
  const removes = change.action === 'delete' || change.action === 'replace' || (change.deposed && change.action === 'forget')
  if (makes) {
    const node: Node = {
      id: change.address,
      task: 'make',
      change,
      objectId: change.action === 'replace' ? null : change.id,
      group: change.group ?? undefined,
      rank: change.rank,
      spec: change.after ?? {},
    }
    built.nodes.set(node.id, node)
    built.makes.set(change.address, node)
  }
  if (removes && change.id !== null) {
    const spec = recordedSpec(records.get(change.address), change.id)
    const place = kind.place?.(spec, 'old')
    const node: Node = { id: `${change.address}#${change.id}`, task: 'remove', change, objectId: change.id, group: place?.group, rank: place?.rank ?? 0, spec }
    built.nodes.set(node.id, node)
    const key = `${change.kind} ${change.id}`
    push(built.removes, key, node)
    for (const taken of kind.takes) push(built.takers, `${taken} ${change.workspace_id}`, node)
    // Nothing that depends on the address was ever begun upon an object that failed.
    if (change.reason !== 'failed' && !hasFailed(records.get(change.address), change.id)) push(built.leaving, change.address, node)
  }
}

/** What is recorded of an object of an address, the current one or an old half. */
export function recordedSpec(record: ResourceRecord | undefined, id: string): JsonObject {
  if (!record || record.id === id) return record?.spec ?? {}
  return record.deposed.find((old) => old.id === id)?.spec ?? record.spec
}

function hasFailed(record: ResourceRecord | undefined, id: string): boolean {
  return record?.deposed.find((old) => old.id === id)?.status === 'failed'
}

function edge(built: Builder, from: string, waitsFor: string): void {
  if (from === waitsFor) return
  const set = built.after.get(from)
  if (set) set.add(waitsFor)
  else built.after.set(from, new Set([waitsFor]))
}

/** Whether the service allows no second one of these unique fields, or of what it claims besides, beside an old one. */
export function isInTheWay(kind: AnyKind, old: JsonObject, next: JsonObject): boolean {
  const { unique } = kind
  if (unique === 'singleton' || claimsAlike(kind, old, next)) return true
  return unique !== undefined && unique.every((field) => equalJson(old[field] ?? null, next[field] ?? null))
}

/** Who takes what only one may have waits for whoever has it and goes or lets go of it: the service would refuse it, or take it for the old one, and it would go with that. */
function addTwins(built: Builder, kindOf: (name: string) => AnyKind): void {
  const leaving = new Map<string, Node[]>()
  for (const node of built.nodes.values()) {
    const { task, change, spec } = node
    const kind = kindOf(change.kind)
    for (const claim of (task === 'remove' ? claimsOf(kind, placeOf(change), spec) : letGo(kind, change)).keys()) push(leaving, claim, node)
  }
  if (leaving.size === 0) return
  for (const make of built.makes.values()) {
    const { change } = make
    for (const claim of taken(kindOf(change.kind), change).keys())
      for (const one of leaving.get(claim) ?? []) if (one.change.address !== change.address) edge(built, make.id, one.id)
  }
}

function addMakeEdges(built: Builder, change: Change, isRequired: (address: string) => boolean, kind: AnyKind): void {
  const make = built.makes.get(change.address)
  const successor = `${change.address}#${built.records.get(change.address)?.id}`
  // Forgotten before its successor has gone, it would leave that in its place, to be retained.
  if (change.deposed && change.action === 'forget' && built.nodes.has(successor)) return edge(built, `${change.address}#${change.id}`, successor)
  if (change.deposed && make && change.id !== null) {
    const old = `${change.address}#${change.id}`
    // What is forgotten takes the place along in which an old half is recorded.
    if (make.change.action === 'forget') return edge(built, make.id, old)
    const record = built.records.get(change.address)
    const failed = hasFailed(record, change.id)
    // An old half goes only once what takes its place is there, unless it is in the way of that, or never had the place: then nothing can need it to stay.
    if ((failed || !isRequired(change.address)) && isInTheWay(kind, recordedSpec(record, change.id), make.change.after ?? {})) return edge(built, make.id, old)
    return failed ? undefined : edge(built, old, make.id)
  }
  if (!make || change.action === 'forget') return
  for (const address of change.requires) if (built.makes.has(address)) edge(built, make.id, address)
  if (change.action !== 'replace' || change.id === null) return
  const remove = `${change.address}#${change.id}`
  if (change.create_before_destroy) return edge(built, remove, make.id)
  edge(built, make.id, remove)
  // Nothing goes before what its successor needs is there: that may come to nothing.
  for (const address of change.requires) if (built.makes.has(address)) built.yielding.push([remove, address])
}

/** Whether the making of an address lets go of what its recorded object holds; one that is gone, and is made anew, holds nothing. */
function releases(change: Change): boolean {
  return change.action !== 'forget' && change.action !== 'create'
}

/** A delete waits for whatever recorded holds the object, be it deleted or released; an `endsWith` field turns the edge around. */
function addHolds(built: Builder, record: ResourceRecord, kindOf: (name: string) => AnyKind): void {
  const kind = kindOf(record.kind)
  const { address, workspace_id } = record
  holdsOf(built, kind, record)
  for (const old of record.deposed) holdsOf(built, kind, { ...old, address, workspace_id })
}

/** What an update lets go of may show alone, and be in no record: somebody else attached it. */
function addShownHolds(built: Builder, { action, kind, address, id, workspace_id, before }: Change, kindOf: (name: string) => AnyKind): void {
  if (action === 'update' && id !== null && before !== null) holdsOf(built, kindOf(kind), { address, id, workspace_id, spec: before, depends_on: [] })
}

type Holder = Pick<ResourceRecord, 'address' | 'id' | 'workspace_id' | 'spec' | 'depends_on'>

function holdsOf(built: Builder, kind: AnyKind, holder: Holder): void {
  const { address, id } = holder
  const gone = built.nodes.get(`${address}#${id}`)
  const make = built.makes.get(address)
  const ended = new Set<string>()
  const wait = (remove: Node, endsWith: boolean): void => {
    if (endsWith) {
      ended.add(remove.change.address)
      if (gone) edge(built, gone.id, remove.id)
    } else if (gone) edge(built, remove.id, gone.id)
    else if (make && releases(make.change)) edge(built, remove.id, make.id)
  }
  for (const held of heldIds(kind, holder.spec)) {
    for (const name of held.kinds) for (const remove of built.removes.get(`${name} ${held.id}`) ?? []) wait(remove, held.endsWith)
  }
  for (const other of holder.depends_on) {
    if (ended.has(other)) continue
    for (const remove of built.leaving.get(other) ?? []) {
      if (takersOf(built, kind, holder.workspace_id).includes(remove)) continue
      // What goes with something else goes when that does, which may wait for the other one.
      if (gone && (ended.size > 0 || takersOf(built, kind, holder.workspace_id).length > 0)) built.yielding.push([remove.id, gone.id])
      else if (gone || (make && isHeldBy(built, kind, holder, make, remove))) wait(remove, false)
    }
  }
}

/** What goes by this plan and takes an object of a kind along, without a call of that one's own. */
function takersOf({ takers }: Builder, { goesAlong, name }: AnyKind, place: string | null): readonly Node[] {
  return (goesAlong ? takers.get(`${name} ${place}`) : undefined) ?? []
}

/** What goes along waits for what takes it. */
function addTaken(built: Builder, kindOf: (name: string) => AnyKind): void {
  if (built.takers.size === 0) return
  for (const { task, id, change } of built.nodes.values())
    if (task === 'remove') for (const taker of takersOf(built, kindOf(change.kind), change.workspace_id)) edge(built, id, taker.id)
}

/** A barrier each, since the pairs would be thousands of thousands; gives them where a barrier would stand in a circle, or between two: of the pairs only those give way that do. */
function addFirst(built: Builder, kindOf: (name: string) => AnyKind): Builder['yielding'] {
  const all = [...madeFirst(built.makes, kindOf)].map(([name, one]) => ({ barrier: `first ${name}`, one }))
  if (all.length === 0) return []
  for (const { barrier, one } of all) addBarrier(built, barrier, one)
  const circles = inCircles([...built.nodes.keys(), ...built.barriers], built.after)
  return all.flatMap(({ barrier, one: { first, waiting } }) => {
    if (!circles.has(barrier)) return []
    built.barriers.delete(barrier)
    built.after.delete(barrier)
    for (const from of waiting) built.after.get(from)?.delete(barrier)
    return waiting.flatMap((from) => first.map((one) => [from, one] as const))
  })
}

/** What is better done in this order, and need not be: an address on a server that goes is let go of before the server, though a rule that ends with the server names it. */
function addYielding(built: Builder, edges: Builder['yielding']): void {
  // What must be so besides does not give way.
  const yielding = edges.filter(([from, waitsFor]) => built.after.get(from)?.has(waitsFor) !== true)
  if (yielding.length === 0) return
  for (const [from, waitsFor] of yielding) edge(built, from, waitsFor)
  // What waits for nothing is in no circle.
  if (!yielding.some(([, waitsFor]) => (built.after.get(waitsFor)?.size ?? 0) > 0)) return
  const circles = inCircles([...built.nodes.keys(), ...built.barriers], built.after)
  for (const [from, waitsFor] of yielding) if (circles.has(from) && circles.has(waitsFor)) built.after.get(from)?.delete(waitsFor)
}

/** What is replaced for others comes after them, and its old object stays until then: their change may fail. What holds the trigger, or comes before it, gives way by itself. */
function triggerEdges({ makes, nodes }: Builder, change: Change): Builder['yielding'] {
  const { address, action, id, replaced_for: triggers = [] } = change
  if (change.deposed || (action !== 'create' && action !== 'replace')) return []
  const own = action === 'replace' && id !== null && !change.create_before_destroy ? [address, `${address}#${id}`] : [address]
  const changing = triggers.filter((one) => one !== address && makes.has(one) && makes.get(one)?.change.action !== 'forget')
  // What runs by rank has that order for a reason: a door is opened before others are shut.
  const isRanked = (from: string, to: string): boolean => nodes.get(from)?.group !== undefined && nodes.get(from)?.group === nodes.get(to)?.group
  return changing.flatMap((one) => own.flatMap((from): [string, string][] => (isRanked(from, one) ? [] : [[from, one]])))
}

/** What reads an output that another one's operation changes comes after that, and so does the end of what it replaces for it. */
function readerEdges({ makes }: Builder, change: Change, altered: ReadonlyMap<string, Alteration>): Builder['yielding'] {
  const { address, action, id } = change
  if (change.deposed || !makes.has(address) || action === 'forget') return []
  const own = action === 'replace' && id !== null && !change.create_before_destroy ? [address, `${address}#${id}`] : [address]
  const before = awaitedBy(change, altered).flatMap((one) => altered.get(one)?.by ?? [])
  return before.filter((node) => node.change.address !== address).flatMap((node) => own.map((from): [string, string] => [from, node.id]))
}

/** Whether what stays holds what goes by more than a written dependency, which orders nothing but the holder's own end. */
function isHeldBy(built: Builder, kind: AnyKind, holder: Holder, make: Node, remove: Node): boolean {
  const { address, kind: name, create_before_destroy, deposed } = remove.change
  const isLast = deposed ? built.makes.get(address)?.change.create_before_destroy === true : create_before_destroy
  if (isLast && make.change.requires.includes(address)) return true
  if (kind.needs?.(holder.spec, holder.workspace_id ?? '').some((one) => built.providers().get(one)?.includes(address))) return true
  const record = built.records.get(address)
  const recorded = { ...record?.outputs, ...recordedSpec(record, remove.objectId ?? '') }
  return heldValues(kind, holder.spec).some((held) => held.kinds.includes(name) && recorded[held.output] === held.value)
}

/** What comes first ends before anything else begins. */
function addBarrier(built: Builder, barrier: string, { first, waiting }: MadeFirst): void {
  built.barriers.add(barrier)
  built.after.set(barrier, new Set(first))
  for (const one of waiting) edge(built, one, barrier)
}

/** What removes one of these waits for all that does not wait for it. */
function putLast(built: Builder, ids: ReadonlySet<string>, barrier: string): void {
  const ending = [...built.nodes.values()].filter((one) => one.task === 'remove' && one.objectId !== null && ids.has(one.objectId))
  if (ending.length === 0) return
  const followers = new Map<string, string[]>()
  for (const [id, before] of built.after) for (const one of before) push(followers, one, id)
  const following = new Set(ending.map((one) => one.id))
  for (const id of following) for (const one of followers.get(id) ?? []) following.add(one)
  const first = [...built.nodes.keys()].filter((id) => !following.has(id))
  addBarrier(built, barrier, { first, waiting: ending.map((one) => one.id) })
}

/** What others stand in is forgotten last: a run cut short in between would leave them without it, and the next one would make a second one. */
function addContents(built: Builder, kindOf: (name: string) => AnyKind): void {
  const within = new Map<string, string[]>()
  for (const { id, change } of built.nodes.values()) if (change.workspace_id !== null) push(within, change.workspace_id, id)
  for (const { id, change } of built.nodes.values()) {
    if (change.action !== 'forget' || change.id === null || !kindOf(change.kind).contains) continue
    for (const other of within.get(change.id) ?? []) edge(built, id, other)
  }
}
