// Orders by rank: what an edge contradicts moves, and nothing else does.
import { describe, expect, test } from 'vitest'
import { byRank } from './ranks.ts'

/** The order of nodes `NAME RANK`, with edges `NAME: what it waits for`. */
function ordered(ranks: Readonly<Record<string, number>>, edges: Readonly<Record<string, readonly string[]>> = {}): string {
  const after = new Map(Object.entries(edges).map(([id, others]) => [id, new Set(others)]))
  return byRank(Object.keys(ranks), after, (id) => ranks[id] ?? 0).join(' ')
}

describe('an order by rank', () => {
  test.each([
    ['is that of the ranks, then of the names', ordered({ b: 1, a: 1, late: 7, first: 0 }), 'first a b late'],
    ['brings forward what a lower rank waits for, behind its equals', ordered({ http: 1, ssh: 0, key: 0, drop: 2 }, { ssh: ['http'] }), 'key http ssh drop'],
    ['does so through what has no rank of its own', ordered({ z: 9, net: 99, low: 0, mid: 5 }, { low: ['net'], net: ['z'] }), 'z net low mid'],
    ['keeps back what waits for a higher rank alone', ordered({ a: 0, b: 3, c: 5 }, { b: ['c'] }), 'a c b'],
    ['leaves out a circle and what waits for it', ordered({ a: 0, b: 0, c: 1, d: 2 }, { a: ['b'], b: ['a'], c: ['a'] }), 'd'],
    ['knows only its own nodes', ordered({ a: 0 }, { a: ['elsewhere'] }), 'a'],
  ])('%s', (_, order, expected) => {
    expect(order).toBe(expected)
  })
})
