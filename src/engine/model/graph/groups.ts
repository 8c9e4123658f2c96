// The order within groups: members of one rank run together, a rank begins when all before it have ended.
import type { AnyKind, Member } from '../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { push } from './needs.ts'
import type { Node } from './node.ts'
import { levelsOf } from './ranks.ts'
import { topological } from './topological.ts'

interface Grouping {
  readonly nodes: ReadonlyMap<string, Node>
  /** Node → what it waits for; what the groups ask for is added. */
  readonly after: Map<string, Set<string>>
  /** What is no node and has a place in the order already. */
  readonly barriers: ReadonlySet<string>
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly kindOf: (name: string) => AnyKind
}

/**
 * Adds the order of every group, by barriers: one waits for all of a rank, and all of the next rank wait for it. Gives their ids.
 * An edge that contradicts a rank wins, and moves no more than it must. Linear in nodes, edges and records.
 */
export function addGroups(grouping: Grouping): ReadonlySet<string> {
  const { nodes, after } = grouping
  const others = [...nodes.keys(), ...grouping.barriers]
  const groups = new Map<string, Node[]>()
  for (const node of nodes.values()) if (node.group !== undefined) push(groups, node.group, node)
  const barriers = new Map<string, readonly string[]>()
  if (groups.size === 0) return new Set()
  const ranks = ranksIn(grouping, groups)
  const rankOf = (id: string): number | undefined => ranks.get(id)
  for (const [group, members] of groups)
    barriers.set(
      group,
      addBarriers(after, group, members, (id) => [ranks.get(id) ?? 0]),
    )
  const { stuck } = topological([...others, ...[...barriers.values()].flat()], after)
  const torn = [...groups].filter(([, members]) => members.some((one) => stuck.has(one.id)))
  for (const [group, members] of torn) {
    for (const id of barriers.get(group) ?? []) {
      after.delete(id)
      for (const one of members) after.get(one.id)?.delete(id)
    }
    barriers.delete(group)
  }
  if (torn.length > 0) {
    // One order of everything, so that what one group is given contradicts no other.
    const levels = levelsOf([...others, ...[...barriers.values()].flat()], after, rankOf)
    for (const [group, members] of torn)
      barriers.set(
        group,
        addBarriers(after, group, members, (id) => levels.get(id) ?? [Infinity]),
      )
  }
  return new Set([...barriers.values()].flat())
}

/** The rank of every member, in view of its whole group where its kind looks at that. */
function ranksIn({ nodes, records, kindOf }: Grouping, groups: ReadonlyMap<string, readonly Node[]>): ReadonlyMap<string, number> {
  const staying = new Set<string>()
  const gone = new Set([...groups.values()].flatMap((members) => members.flatMap((one) => (leaves(one) ? [`${one.change.kind} ${one.objectId}`] : []))))
  for (const { kind: name, id, spec } of records.values()) {
    const group = kindOf(name).place?.(spec, 'old')?.group
    if (group !== undefined && groups.has(group) && !gone.has(`${name} ${id}`)) staying.add(`${name} ${group}`)
  }
  const out = new Map<string, number>()
  for (const [group, members] of groups) {
    const byKind = new Map<string, Node[]>()
    for (const one of members) push(byKind, one.change.kind, one)
    for (const [name, own] of byKind) {
      const kind = kindOf(name)
      const ranks = kind.ranks?.(
        own.map((one) => memberOf(one, nodes)),
        staying.has(`${name} ${group}`),
      )
      for (const [index, one] of own.entries()) out.set(one.id, ranks?.[index] ?? one.rank)
    }
  }
  return out
}

function leaves({ task, change }: Node): boolean {
  return task === 'remove' && change.action !== 'forget'
}

function memberOf(node: Node, nodes: Grouping['nodes']): Member<Record<string, unknown>> {
  const { id, task, spec, rank, change } = node
  const own = nodes.get(change.address)
  const awaitsOwn = task === 'remove' && own !== undefined && comes(own) && (change.deposed || change.create_before_destroy)
  return { id, address: change.address, awaitsOwn, spec, rank, does: comes(node) ? 'comes' : leaves(node) ? 'goes' : 'stays' }
}

function comes({ task, change }: Node): boolean {
  return task === 'make' && (change.action === 'create' || change.action === 'replace')
}

/** Barriers between members whose keys differ, in the order of the keys. */
function addBarriers(after: Map<string, Set<string>>, group: string, members: readonly Node[], keyOf: (id: string) => readonly number[]): readonly string[] {
  const sorted = members.toSorted((a, b) => compareKeys(keyOf(a.id), keyOf(b.id)))
  const out: string[] = []
  let barrier: string | undefined
  let open: string[] = []
  for (const [index, { id }] of sorted.entries()) {
    const last = sorted[index - 1]
    if (last && compareKeys(keyOf(last.id), keyOf(id)) !== 0) {
      barrier = `barrier ${out.length} of ${group}`
      out.push(barrier)
      after.set(barrier, new Set(open))
      open = []
    }
    open.push(id)
    if (barrier === undefined) continue
    const waits = after.get(id)
    if (waits) waits.add(barrier)
    else after.set(id, new Set([barrier]))
  }
  return out
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, one] of a.entries()) if (one !== b[index]) return one < (b[index] ?? Infinity) ? -1 : 1
  return 0
}
