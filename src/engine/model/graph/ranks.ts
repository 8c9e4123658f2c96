// Ranks that no edge contradicts: what a lower rank waits for is brought forward with it, what waits for a higher one is kept back.
import { push } from './needs.ts'
import { topological } from './topological.ts'

/** A pair of ranks: nodes begin by the first, then by the second. */
export type Level = readonly [number, number]

/**
 * The level of every node that is in no circle; `rankOf` is undefined where a node has no rank of its own.
 * First the lowest rank among its own and those of all that wait for it; then the highest among its own and those it waits for that have the same first.
 * Along an edge no level falls, so that waiting for all of a lower level closes no circle. Linear in nodes and edges.
 */
export function levelsOf(
  ids: Iterable<string>,
  after: ReadonlyMap<string, ReadonlySet<string>>,
  rankOf: (id: string) => number | undefined,
): ReadonlyMap<string, Level> {
  const { order } = topological(ids, after)
  const known = new Set(order)
  const followers = new Map<string, string[]>()
  const before = (id: string): readonly string[] => [...(after.get(id) ?? [])].filter((one) => known.has(one))
  for (const id of order) for (const one of before(id)) push(followers, one, id)
  const first = new Map<string, number>()
  for (const id of order.toReversed()) {
    let lowest = rankOf(id) ?? Infinity
    for (const one of followers.get(id) ?? []) lowest = Math.min(lowest, first.get(one) ?? Infinity)
    first.set(id, lowest)
  }
  const levels = new Map<string, Level>()
  for (const id of order) {
    const own = first.get(id) ?? Infinity
    let highest = rankOf(id) ?? -Infinity
    for (const one of before(id)) {
      const [urgency, rank] = levels.get(one) ?? [own, -Infinity]
      if (urgency === own) highest = Math.max(highest, rank)
    }
    levels.set(id, [own, highest])
  }
  return levels
}
