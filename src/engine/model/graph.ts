// The graph of operations: making and removing halves, and what each waits for. Built from a plan and the records alone.
import type { JsonObject } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { heldIds, heldValues, push } from './needs.ts'
import type { Change } from './plan-data.ts'
import { byRank } from './ranks.ts'

export interface Node {
  readonly id: string // `ADDRESS` or `ADDRESS#OBJECT` for what goes
  readonly half: 'make' | 'remove'
  readonly change: Change
  readonly objectId: string | null
  readonly group: string | undefined
  readonly rank: number
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>
  /** Node → the nodes it waits for. */
  readonly after: ReadonlyMap<string, ReadonlySet<string>>
}

interface Builder {
  readonly nodes: Map<string, Node>
  readonly after: Map<string, Set<string>>
  readonly makes: Map<string, Node>
  readonly removes: Map<string, Node[]> // by kind and object id
  readonly leaving: Map<string, Node[]> // by address
  readonly chained: Map<string, Set<string>> // edges that only a group's order asked for
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly providers: ReadonlyMap<string, readonly string[]> // recorded addresses, by what their kinds provide
}

/** Nodes and edges of a plan; linear in changes, recorded dependencies and references. */
export function buildGraph(changes: readonly Change[], records: ReadonlyMap<string, ResourceRecord>, kindOf: (name: string) => AnyKind): Graph {
  const built: Builder = {
    nodes: new Map(),
    after: new Map(),
    makes: new Map(),
    removes: new Map(),
    leaving: new Map(),
    chained: new Map(),
    records,
    providers: providersIn(records, kindOf),
  }
  for (const change of changes) addNodes(built, change, records, kindOf)
  for (const change of changes) addMakeEdges(built, change)
  for (const record of records.values()) addHolds(built, record, kindOf)
  addContents(built, kindOf)
  addGroups(built)
  return { nodes: built.nodes, after: built.after }
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
      half: 'make',
      change,
      objectId: change.action === 'replace' ? null : change.id,
      group: change.group ?? undefined,
      rank: change.rank,
    }
    built.nodes.set(node.id, node)
    built.makes.set(change.address, node)
  }
  if (removes && change.id !== null) {
    const place = kind.place?.(recordedSpec(records.get(change.address), change.id), 'old')
    const node: Node = { id: `${change.address}#${change.id}`, half: 'remove', change, objectId: change.id, group: place?.group, rank: place?.rank ?? 0 }
    built.nodes.set(node.id, node)
    const key = `${change.kind} ${change.id}`
    push(built.removes, key, node)
    // Nothing that depends on the address was ever begun upon an object that failed.
    if (change.reason !== 'failed') push(built.leaving, change.address, node)
  }
}

/** What is recorded of an object of an address, the current one or an old half. */
export function recordedSpec(record: ResourceRecord | undefined, id: string): JsonObject {
  if (!record || record.id === id) return record?.spec ?? {}
  return record.deposed.find((old) => old.id === id)?.spec ?? record.spec
}

function edge(built: Builder, from: string, waitsFor: string): void {
  if (from === waitsFor) return
  const set = built.after.get(from)
  if (set) set.add(waitsFor)
  else built.after.set(from, new Set([waitsFor]))
}

function addMakeEdges(built: Builder, change: Change): void {
  const make = built.makes.get(change.address)
  // An old half goes only once what takes its place is there.
  if (change.deposed && make && change.id !== null && make.change.action !== 'forget') return edge(built, `${change.address}#${change.id}`, make.id)
  if (!make || change.action === 'forget') return
  for (const address of change.requires) if (built.makes.has(address)) edge(built, make.id, address)
  if (change.action !== 'replace' || change.id === null) return
  const remove = `${change.address}#${change.id}`
  if (change.create_before_destroy) edge(built, remove, make.id)
  else edge(built, make.id, remove)
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
    for (const remove of built.leaving.get(other) ?? []) if (gone || (make && isHeldBy(built, kind, holder, make, remove))) wait(remove, false)
  }
}

/** Whether what stays holds what goes by more than a written dependency, which orders nothing but the holder's own end. */
function isHeldBy(built: Builder, kind: AnyKind, holder: Holder, make: Node, remove: Node): boolean {
  const { address, kind: name, create_before_destroy } = remove.change
  if (create_before_destroy && make.change.requires.includes(address)) return true
  if (kind.needs?.(holder.spec, holder.workspace_id ?? '').some((one) => built.providers.get(one)?.includes(address))) return true
  const record = built.records.get(address)
  const recorded = { ...record?.outputs, ...recordedSpec(record, remove.objectId ?? '') }
  return heldValues(kind, holder.spec).some((held) => held.kinds.includes(name) && recorded[held.output] === held.value)
}

/** What others stand in is forgotten last: a run cut short in between would leave them without it, and the next one would make a second one. */
function addContents(built: Builder, kindOf: (name: string) => AnyKind): void {
  const within = new Map<string, string[]>()
  for (const { id, change } of built.nodes.values()) if (change.workspace_id !== null) push(within, change.workspace_id, id)
  for (const { id, change } of built.nodes.values()) {
    if (change.action !== 'forget' || change.id === null || kindOf(change.kind).scope !== 'account') continue
    for (const other of within.get(change.id) ?? []) edge(built, id, other)
  }
}

/** Members of a group run one at a time in order of rank; an explicit edge that contradicts it wins, and moves no more than it must. */
function addGroups(built: Builder): void {
  const groups = new Map<string, Node[]>()
  for (const node of built.nodes.values()) {
    if (node.group === undefined) continue
    push(groups, node.group, node)
  }
  if (groups.size === 0) return
  for (const members of groups.values())
    chain(
      built,
      members.toSorted((a, b) => a.rank - b.rank || compare(a.id, b.id)),
    )
  const { stuck } = topological(built.nodes.keys(), built.after)
  if (stuck.size === 0) return
  const torn = [...groups.values()].filter((members) => members.some((one) => stuck.has(one.id)))
  for (const one of torn.flat()) for (const other of built.chained.get(one.id) ?? []) built.after.get(one.id)?.delete(other)
  const rankOf = (id: string): number => {
    const node = built.nodes.get(id)
    return node?.group === undefined ? Number.MAX_SAFE_INTEGER : node.rank
  }
  // One order of everything, so that what one group is given contradicts no other.
  const position = new Map(byRank(built.nodes.keys(), built.after, rankOf).map((id, index) => [id, index]))
  for (const members of torn)
    chain(
      built,
      members.toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0)),
    )
}

function chain(built: Builder, members: readonly Node[]): void {
  for (const [index, node] of members.entries()) {
    const before = members[index - 1]
    if (!before || built.after.get(node.id)?.has(before.id)) continue
    edge(built, node.id, before.id)
    const known = built.chained.get(node.id)
    if (known) known.add(before.id)
    else built.chained.set(node.id, new Set([before.id]))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Kahn's order; `stuck` holds the nodes that wait for each other in a circle, or for one that does. */
export function topological(
  ids: Iterable<string>,
  after: ReadonlyMap<string, ReadonlySet<string>>,
): { readonly order: readonly string[]; readonly stuck: ReadonlySet<string> } {
  const all = [...ids]
  const known = new Set(all)
  const waiting = new Map<string, number>()
  const followers = new Map<string, string[]>()
  for (const id of all) {
    let count = 0
    for (const one of after.get(id) ?? []) {
      if (!known.has(one)) continue
      count += 1
      push(followers, one, id)
    }
    waiting.set(id, count)
  }
  const order = all.filter((id) => waiting.get(id) === 0)
  for (let index = 0; index < order.length; index += 1) {
    for (const next of followers.get(order[index] ?? '') ?? []) {
      const left = (waiting.get(next) ?? 0) - 1
      waiting.set(next, left)
      if (left === 0) order.push(next)
    }
  }
  const done = new Set(order)
  return { order, stuck: new Set(all.filter((id) => !done.has(id))) }
}
