// An order of a graph in which ranks hold wherever no edge contradicts them.
import { push } from './needs.ts'

/** Every node after what it waits for, of what may begin the most urgent first: by the lowest rank among its own and those that wait for it, then by its own; nodes in a circle are left out. Linear in nodes and edges for few ranks. */
export function byRank(ids: Iterable<string>, after: ReadonlyMap<string, ReadonlySet<string>>, rankOf: (id: string) => number): readonly string[] {
  const all = [...ids].toSorted()
  const known = new Set(all)
  const before = (id: string): readonly string[] => [...(after.get(id) ?? [])].filter((one) => known.has(one))
  const followers = new Map<string, string[]>()
  for (const id of all) for (const one of before(id)) push(followers, one, id)
  const waiting = new Map(all.map((id) => [id, before(id).length]))
  const urgency = urgencies(all, before, rankOf)
  const queue = createQueue(all, (id) => [urgency.get(id) ?? rankOf(id), rankOf(id)])
  for (const id of all) if (waiting.get(id) === 0) queue.add(id)
  const order: string[] = []
  for (let id = queue.next(); id !== undefined; id = queue.next()) {
    order.push(id)
    for (const one of followers.get(id) ?? []) {
      const left = (waiting.get(one) ?? 0) - 1
      waiting.set(one, left)
      if (left === 0) queue.add(one)
    }
  }
  return order
}

/** The lowest rank among a node's own and those of all that wait for it, however far off. */
function urgencies(all: readonly string[], before: (id: string) => readonly string[], rankOf: (id: string) => number): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  for (const first of all.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const open = [first]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (out.has(id)) continue
      out.set(id, rankOf(first))
      open.push(...before(id))
    }
  }
  return out
}

/** What may begin, the lowest key first and equals in the order they came. */
function createQueue(all: readonly string[], keyOf: (id: string) => readonly [number, number]) {
  const textOf = (id: string): string => keyOf(id).join(' ')
  const keys = new Map(all.map((id) => [textOf(id), keyOf(id)]))
  const sorted = [...keys].toSorted(([, a], [, b]) => a[0] - b[0] || a[1] - b[1])
  const places = new Map(sorted.map(([text], index) => [text, index]))
  const buckets = sorted.map(() => ({ ids: new Array<string>(), taken: 0 }))
  let lowest = 0
  return {
    add(id: string): void {
      const place = places.get(textOf(id)) ?? 0
      buckets[place]?.ids.push(id)
      lowest = Math.min(lowest, place)
    },
    next(): string | undefined {
      for (; lowest < buckets.length; lowest += 1) {
        const bucket = buckets[lowest]
        const id = bucket?.ids[bucket.taken]
        if (!bucket || id === undefined) continue
        bucket.taken += 1
        return id
      }
      return undefined
    },
  }
}
