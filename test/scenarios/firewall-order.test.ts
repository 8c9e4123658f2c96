// A model check of the order in which rules of one instance change: every state that any interleaving passes through, packet by packet.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildGraph } from '../../src/engine/model/graph/graph.ts'
import { change, fate, kindOf, nameOf, packets, statesBetween } from './firewall-model.ts'
import type { Rule, Rules } from './firewall-model.ts'

/** What is wrong in some state between two wholes that both have rules, in words. */
function faults(before: Rules, wanted: Rules): string[] {
  return statesBetween(before, wanted).flatMap((state) =>
    packets.flatMap((packet) => {
      const [was, willBe, is] = [fate(before, packet), fate(wanted, packet), fate(state, packet)]
      if (was !== willBe || was === 'open' || is === was) return []
      return [
        `${packet.source} to ${packet.port} is ${is} with [${state.map(nameOf).join(', ')}] between [${before.map(nameOf).join(', ')}] and [${wanted.map(nameOf).join(', ')}]`,
      ]
    }),
  )
}

const admitsSsh = (one: Rule): boolean => one.action === 'ACCEPT' && (one.port_start ?? 22) === 22
const shapes: readonly Omit<Rule, 'action' | 'priority'>[] = [{ port_start: 22 }, {}, { remote: '10.0.0.0/8' }]
const universe: Rules = (['ACCEPT', 'DROP'] as const).flatMap((action) =>
  shapes.flatMap((shape) => [1, 2].map((priority): Rule => ({ ...shape, action, priority }))),
)
const small: readonly Rules[] = universe.flatMap((a, at) => [[a], ...universe.slice(at + 1).map((b) => [a, b])])

describe('while the rules of an instance change', () => {
  test('every state lets in what old and new rules let in, and nothing that neither does: all sets of up to two rules', () => {
    expect(small.flatMap((before) => small.flatMap((wanted) => faults(before, wanted))).slice(0, 5)).toEqual([])
  })

  test('the same of larger sets, drawn', () => {
    const rule = fc.record(
      {
        action: fc.constantFrom('ACCEPT' as const, 'DROP' as const),
        priority: fc.integer({ min: 1, max: 5 }),
        port_start: fc.constantFrom(22, 80),
        remote: fc.constantFrom('10.0.0.0/8', '192.0.2.0/24'),
      },
      { requiredKeys: ['action', 'priority'] },
    )
    const rules = fc.array(rule, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(rules, rules, (before, wanted) => {
        expect(faults(before, wanted)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('from no rule and to none, when everything is let in before or after, SSH is let in first and last', () => {
    for (const rules of small) {
      const ssh = rules.filter(admitsSsh)
      if (ssh.length === 0) continue
      for (const state of [...statesBetween([], rules), ...statesBetween(rules, [])]) expect(state.length === 0 || state.some(admitsSsh)).toBe(true)
    }
  })

  test('rules of one action begin together, however their priorities differ', () => {
    const many = (action: Rule['action'], count: number, first: number): Rules =>
      Array.from({ length: count }, (_, at) => ({ action, port_start: first + at, priority: 1 + at }))
    const [four, drops] = [many('ACCEPT', 4, 80), many('DROP', 2, 90)]
    expect(statesBetween([], four)).toHaveLength(16)
    expect(statesBetween([{ action: 'ACCEPT', priority: 9 }], four)).toHaveLength(16 + 1)
    expect(statesBetween([{ action: 'ACCEPT', priority: 9 }, ...drops], four)).toHaveLength(16 + 3 + 1)
  })

  test('their order has no more edges than there are rules, twice', () => {
    const changes = ['ACCEPT', 'DROP'].flatMap((action) =>
      Array.from({ length: 1000 }, (_, at) =>
        change({ action: action === 'DROP' ? 'DROP' : 'ACCEPT', port_start: 1 + at, priority: 1 + (at % 100) }, 'create'),
      ),
    )
    const { after } = buildGraph(changes, new Map(), kindOf)
    expect([...after.values()].reduce((sum, one) => sum + one.size, 0)).toBeLessThanOrEqual(2 * changes.length)
  })
})
