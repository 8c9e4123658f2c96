// Circles of dependencies, against what reachability says.
import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { fc } from '../../../test/builders/properties.ts'
import { findCycles } from './cycles.ts'

const graph = (edges: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(edges))

test('each circle once, in order, beginning with its first address', () => {
  expect(findCycles(graph({ c: ['a'], a: ['b'], b: ['c'], d: ['a'], e: [] }))).toEqual([['a', 'b', 'c']])
  expect(findCycles(graph({ a: ['b'], b: ['a'], x: ['y'], y: ['x'] }))).toHaveLength(2)
  expect(findCycles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([])
})

test('a long chain needs no recursion and little time', () => {
  const size = 100_000
  const edges = new Map(Array.from({ length: size }, (_, at) => [`n${at}`, at + 1 < size ? [`n${at + 1}`] : []] as const))
  const { result, spentMs } = cpuTime(() => findCycles(edges))
  expect(result).toEqual([])
  expect(spentMs).toBeLessThan(3000)
}, 60_000)

test('found if and only if something reaches itself, and every step is an edge', () => {
  const node = fc.integer({ min: 0, max: 7 }).map(String)
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 16 }), (pairs) => {
      const edges = new Map<string, string[]>(Array.from({ length: 8 }, (_, at) => [String(at), []]))
      for (const [from, to] of pairs) if (from !== to) edges.get(from)?.push(to)
      const circles = findCycles(edges)
      for (const circle of circles) for (const [at, one] of circle.entries()) expect(edges.get(one)).toContain(circle[(at + 1) % circle.length])
      expect(circles.length > 0).toBe([...edges.keys()].some((one) => reaches(edges, one)))
    }),
  )
})

function reaches(edges: ReadonlyMap<string, readonly string[]>, start: string): boolean {
  const seen = new Set<string>()
  const open = [...(edges.get(start) ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === start) return true
    if (!seen.has(next)) open.push(...(edges.get(next) ?? []))
    seen.add(next)
  }
  return false
}
