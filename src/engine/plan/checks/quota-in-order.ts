// Whether there is room under a limit at every step, where what comes may wait for what goes.
import type { Graph } from '../../model/graph/graph.ts'
import { push } from '../../model/graph/needs.ts'
import type { Node } from '../../model/graph/node.ts'
import { isArrival } from '../../model/graph/node.ts'

/**
 * Whether the operations can run in an order in which no arrival takes more than there is: each comes as soon as it fits, after all that goes by then.
 * `amountOf` is what a node counts for the limit, `free` what is left of it at first. Linear in nodes and edges, but for arrivals that wait.
 */
export function fitsInOrder({ nodes, barriers, after }: Graph, free: number, amountOf: (node: Node) => number): boolean {
  const followers = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const id of [...nodes.keys(), ...barriers]) {
    const waitsFor = [...(after.get(id) ?? [])].filter((one) => nodes.has(one) || barriers.has(one))
    open.set(id, waitsFor.length)
    for (const one of waitsFor) push(followers, one, id)
  }
  const ready = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []))
  const waiting: (readonly [id: string, amount: number])[] = []
  let left = free
  const done = (id: string): void => {
    for (const next of followers.get(id) ?? []) {
      const count = (open.get(next) ?? 0) - 1
      open.set(next, count)
      if (count === 0) ready.push(next)
    }
  }
  for (;;) {
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      const node = nodes.get(id)
      const amount = node ? amountOf(node) : 0
      if (node && isArrival(node) && amount > 0) waiting.push([id, amount])
      else {
        if (node?.task === 'remove') left += amount
        done(id)
      }
    }
    const at = waiting.findLastIndex(([, amount]) => amount <= left)
    const [fitting] = at < 0 ? [] : waiting.splice(at, 1)
    if (!fitting) return waiting.length === 0
    left -= fitting[1]
    done(fitting[0])
  }
}
