// Levels of ranks: what an edge contradicts moves, and nothing else does.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { levelsOf } from './ranks.ts'
import type { Level } from './ranks.ts'

type Ranks = Readonly<Record<string, number | undefined>>
type Edges = Readonly<Record<string, readonly string[]>>

function levels(ranks: Ranks, edges: Edges): ReadonlyMap<string, Level> {
  const after = new Map(Object.entries(edges).map(([id, others]) => [id, new Set(others)]))
  return levelsOf(Object.keys(ranks), after, (id) => ranks[id])
}

/** Nodes `NAME: RANK` by level, those of one level together; edges are `NAME: what it waits for`. */
function leveled(ranks: Ranks, edges: Edges = {}): string {
  const sorted = [...levels(ranks, edges)].toSorted(([a, x], [b, y]) => compare(x, y) || a.localeCompare(b))
  return sorted.map(([id, level], at) => (at === 0 ? id : compare(sorted[at - 1]?.[1] ?? level, level) === 0 ? `+${id}` : ` ${id}`)).join('')
}

const sign = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
const compare = (a: Level, b: Level): number => sign(a[0], b[0]) || sign(a[1], b[1])

describe('levels', () => {
  test.each([
    ['are the ranks', leveled({ b: 1, a: 1, late: 7, first: 0 }), 'first a+b late'],
    ['bring forward what a lower rank waits for, behind its equals', leveled({ http: 1, ssh: 0, key: 0, drop: 2 }, { ssh: ['http'] }), 'key http+ssh drop'],
    ['do so through what has no rank of its own', leveled({ z: 9, net: undefined, low: 0, mid: 5 }, { low: ['net'], net: ['z'] }), 'low+net+z mid'],
    ['are not moved by what has none', leveled({ net: undefined, low: 0, other: 0 }, { low: ['net'] }), 'net low+other'],
    ['keep back what waits for a higher rank alone', leveled({ a: 0, b: 3, c: 5 }, { b: ['c'] }), 'a b+c'],
    ['leave out a circle and what waits for it', leveled({ a: 0, b: 0, c: 1, d: 2 }, { a: ['b'], b: ['a'], c: ['a'] }), 'd'],
    ['know only their own nodes', leveled({ a: 0 }, { a: ['elsewhere'] }), 'a'],
  ])('%s', (_, order, expected) => {
    expect(order).toBe(expected)
  })

  test('never fall along an edge', () => {
    const graph = fc.array(fc.tuple(fc.option(fc.nat(5), { nil: undefined }), fc.array(fc.nat(20), { maxLength: 3 })), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(graph, (drawn) => {
        const ranks = Object.fromEntries(drawn.map(([rank], at) => [`n${at}`, rank]))
        const edges = Object.fromEntries(drawn.map(([, others], at) => [`n${at}`, at === 0 ? [] : others.map((one) => `n${one % at}`)]))
        const found = levels(ranks, edges)
        expect(found.size).toBe(drawn.length)
        for (const [id, others] of Object.entries(edges))
          for (const one of others) expect(compare(found.get(one) ?? [9, 9], found.get(id) ?? [-1, -1])).toBeLessThanOrEqual(0)
      }),
    )
  })
})
