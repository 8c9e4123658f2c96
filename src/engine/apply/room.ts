// Room under a quota: what is refused for want of it waits for a delete of the same run that leaves some.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Graph } from '../model/graph/graph.ts'
import type { Node } from '../model/graph/node.ts'
import type { Schedule } from './schedule.ts'

/** Who waits for room, and for which removals. */
export interface Rooms {
  /** Whether it has waited for room: it is asked for again, whatever was refused meanwhile. */
  hasWaited(node: Node): boolean
  /** Puts a refused arrival off until a removal is done that leaves room, and that nobody else waits for; that one, or undefined where none is to come. */
  await(node: Node): Node | undefined
}

/** Of one run; a search for each refusal looks through the removals of the room, and what those wait for. */
export function createRooms({ nodes, after }: Pick<Graph, 'nodes' | 'after'>, schedule: Schedule, kindOf: (name: string) => AnyKind): Rooms {
  const waited = new Set<string>()
  const awaited = new Set<string>()
  return {
    hasWaited: ({ id }) => waited.has(id),
    await(node) {
      const rooms = new Set(roomsOf(node, kindOf))
      const isShared = (one: Node): boolean => roomsOf(one, kindOf).some((room) => rooms.has(room))
      const leaves = (one: Node): boolean =>
        one.task === 'remove' && one.change.action !== 'forget' && !awaited.has(one.id) && schedule.isOpen(one.id) && isShared(one)
      for (const one of nodes.values()) {
        if (!leaves(one) || waitsFor(after, one.id, node.id)) continue
        awaited.add(one.id)
        waited.add(node.id)
        schedule.postpone(node.id, one.id)
        return one
      }
      return undefined
    },
  }
}

function waitsFor(after: Graph['after'], from: string, other: string): boolean {
  const seen = new Set([from])
  for (const id of seen) {
    if (id === other) return true
    for (const next of after.get(id) ?? []) seen.add(next)
  }
  return false
}

/** Every limit that an object counts for, in its place. */
function roomsOf(node: Node, kindOf: (name: string) => AnyKind): readonly string[] {
  const { change, spec } = node
  const uses = kindOf(change.kind).quota?.(spec, () => undefined) ?? {}
  const place = change.workspace_id ?? change.workspace_address
  return [roomOf(node), ...Object.entries(uses).flatMap(([name, amount]) => (amount > 0 ? [`${name} ${place}`] : []))]
}

/** What shares a limit: the objects of a kind in a workspace, or in one of its groups. */
export function roomOf({ change, group }: Node): string {
  return [change.kind, change.workspace_id ?? change.workspace_address, group ?? ''].join(' ')
}
