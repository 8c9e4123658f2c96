// What may begin now: a node is ready when all it waits for is done; longest remaining path first.
import type { Graph } from '../model/graph/graph.ts'
import { topological } from '../model/graph/topological.ts'

export interface Schedule {
  /** Takes the most urgent node that may begin; undefined when none is ready. */
  next(): string | undefined
  /** Said again, it changes nothing. */
  done(id: string): void
  isDone(id: string): boolean
  /** Puts back a node that was taken: it may begin at once. */
  again(id: string): void
  /** Marks a node, which may be done, as failed and returns every node that will not be begun because of it, each with the one it waited for. */
  failed(id: string): readonly { readonly id: string; readonly because: string }[]
}

/** First in, first out; what was taken stays, since taking from the front of a long list moves all of it. */
interface Queue {
  readonly ids: string[]
  taken: number
}

/** A schedule over a graph; all operations together cost O(nodes + edges). Throws for a circle, which plans are refused for: what is in it would never begin, and nothing would say so. */
export function createSchedule(graph: Pick<Graph, 'after' | 'barriers'> & { readonly nodes: ReadonlyMap<string, unknown> }): Schedule {
  const { nodes, barriers } = graph
  const { order, stuck } = topological([...nodes.keys(), ...barriers], graph.after)
  const circle = [...stuck].filter((id) => nodes.has(id))
  if (circle.length > 0) throw new Error(`these operations wait for each other: ${circle.slice(0, 20).join(', ')}`)
  const { followers, open } = edgesOf(graph, order)
  const length = pathLengths(order, followers, barriers)
  const buckets = new Map<number, Queue>()
  let longest = 0
  const state = new Map<string, 'begun' | 'done' | 'failed' | 'skipped'>()
  const done = (id: string): void => {
    if (state.get(id) === 'done') return
    state.set(id, 'done')
    for (const next of followers.get(id) ?? []) {
      const left = (open.get(next) ?? 0) - 1
      open.set(next, left)
      if (left === 0 && !state.has(next)) ready(next)
    }
  }
  const ready = (id: string): void => {
    if (barriers.has(id)) return done(id)
    const rank = length.get(id) ?? 0
    longest = Math.max(longest, rank)
    const bucket = buckets.get(rank)
    if (bucket) bucket.ids.push(id)
    else buckets.set(rank, { ids: [id], taken: 0 })
  }
  for (const id of order) if (open.get(id) === 0) ready(id)
  return {
    next() {
      for (; longest > 0; longest -= 1) {
        const id = takenFrom(buckets.get(longest), state)
        if (id === undefined) continue
        state.set(id, 'begun')
        return id
      }
      return undefined
    },
    done,
    isDone: (id) => state.get(id) === 'done',
    again(id) {
      state.delete(id)
      ready(id)
    },
    failed(id) {
      state.set(id, 'failed')
      const skipped: { id: string; because: string }[] = []
      // Of what a barrier stops the cause is what stopped the barrier.
      const queue = [{ id, because: id }]
      for (const one of queue) {
        for (const next of followers.get(one.id) ?? []) {
          if (state.has(next)) continue
          state.set(next, 'skipped')
          if (!barriers.has(next)) skipped.push({ id: next, because: one.because })
          queue.push({ id: next, because: barriers.has(next) ? one.because : next })
        }
      }
      return skipped
    },
  }
}

/** By node what waits for it, and how many it waits for itself. */
function edgesOf({ nodes, barriers, after }: Parameters<typeof createSchedule>[0], order: readonly string[]) {
  const followers = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const id of order) {
    let count = 0
    for (const one of after.get(id) ?? []) {
      if (!nodes.has(one) && !barriers.has(one)) continue
      count += 1
      const list = followers.get(one)
      if (list) list.push(id)
      else followers.set(one, [id])
    }
    open.set(id, count)
  }
  return { followers, open }
}

/** The next one that is still to begin: what it waited for may have been done, and failed after all. */
function takenFrom(queue: Queue | undefined, state: ReadonlyMap<string, unknown>): string | undefined {
  for (; queue && queue.taken < queue.ids.length;) {
    const id = queue.ids[queue.taken++]
    if (id !== undefined && !state.has(id)) return id
  }
  return undefined
}

/** How many operations the longest path from each one has, itself included; a barrier is none. */
function pathLengths(order: readonly string[], followers: ReadonlyMap<string, readonly string[]>, barriers: ReadonlySet<string>): ReadonlyMap<string, number> {
  const length = new Map<string, number>()
  for (const id of order.toReversed()) {
    let longestAfter = 0
    for (const one of followers.get(id) ?? []) longestAfter = Math.max(longestAfter, length.get(one) ?? 0)
    length.set(id, (barriers.has(id) ? 0 : 1) + longestAfter)
  }
  return length
}
