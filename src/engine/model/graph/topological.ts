// Nodes in an order in which each comes after all that it waits for.
/** Kahn's order; `stuck` holds the nodes that wait for each other in a circle, or for one that does. */
export function topological(
  ids: Iterable<string>,
  after: ReadonlyMap<string, Iterable<string>>,
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
      const list = followers.get(one)
      if (list) list.push(id)
      else followers.set(one, [id])
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

/** Those that stand in a circle, or between two. */
export function inCircles(ids: Iterable<string>, after: ReadonlyMap<string, Iterable<string>>): ReadonlySet<string> {
  const { stuck } = topological(ids, after)
  const before = new Map<string, Set<string>>()
  for (const id of stuck) for (const one of after.get(id) ?? []) before.set(one, (before.get(one) ?? new Set()).add(id))
  // What nothing in a circle waits for only hangs on it.
  return topological(stuck, before).stuck
}
