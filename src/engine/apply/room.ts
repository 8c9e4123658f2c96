// Room under a quota: what is refused for want of it waits for a delete of the same run that leaves some.
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
export function createRooms({ nodes, after }: Pick<Graph, 'nodes' | 'after'>, schedule: Schedule): Rooms {
  const waited = new Set<string>()
  const awaited = new Set<string>()
  return {
    hasWaited: ({ id }) => waited.has(id),
    await(node) {
      const room = roomOf(node)
      const leaves = (one: Node): boolean =>
        one.task === 'remove' && one.change.action !== 'forget' && roomOf(one) === room && !awaited.has(one.id) && schedule.isOpen(one.id)
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

/** One object more than there was: the new half of a destroy-first replacement takes the room of the old one. */
export function isArrival({ task, change }: Node): boolean {
  return task === 'make' && (change.action === 'create' || (change.action === 'replace' && change.create_before_destroy))
}

/** What shares a limit: the objects of a kind in a workspace, or in one of its groups. */
export function roomOf({ change, group }: Node): string {
  return [change.kind, change.workspace_id ?? change.workspace_address, group ?? ''].join(' ')
}
