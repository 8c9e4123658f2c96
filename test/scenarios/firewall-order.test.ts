// A model check of the order in which rules of one instance change: every state that any interleaving passes through, packet by packet.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrContains, parseCidr } from '../../src/base/cidr.ts'
import { buildGraph } from '../../src/engine/model/graph.ts'
import type { Graph } from '../../src/engine/model/graph.ts'
import type { Change } from '../../src/engine/model/plan-data.ts'
import { kindFinder } from '../../src/engine/plan/plan.ts'
import { kinds } from '../../src/kinds/registry.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { changeFor } from '../builders/change.ts'
import { recordOf } from '../builders/journal.ts'

interface Rule {
  readonly action: 'ACCEPT' | 'DROP'
  readonly port_start?: number
  readonly remote?: string
  readonly priority: number
}
type Rules = readonly Rule[]

const kindOf = kindFinder(kinds)
const kind = kindOf('FirewallRule')
const packets = [22, 80].flatMap((port) => ['10.0.0.1', '192.0.2.1'].map((source) => ({ port, source })))
type Packet = (typeof packets)[number]

const contained = new Map<string, boolean>()

function isWithin(source: string, remote: string): boolean {
  const key = `${source} ${remote}`
  const [network, address] = contained.has(key) ? [] : [parseCidr(remote), parseCidr(`${source}/32`)]
  const found = contained.get(key) ?? (network !== undefined && address !== undefined && cidrContains(network, address))
  contained.set(key, found)
  return found
}

function matches({ port_start: port, remote }: Rule, packet: Packet): boolean {
  return (port === undefined || port === packet.port) && (remote === undefined || isWithin(packet.source, remote))
}

/** What becomes of a packet: with any rule present what no ACCEPT matches is dropped, the highest priority decides; between equals the document is silent. */
function fate(rules: Rules, packet: Packet): 'in' | 'out' | 'open' {
  if (rules.length === 0) return 'in'
  const matching = rules.filter((one) => matches(one, packet))
  const highest = Math.max(...matching.map((one) => one.priority))
  const actions = new Set(matching.filter((one) => one.priority === highest).map((one) => one.action))
  if (actions.size === 0) return 'out'
  return actions.size > 1 ? 'open' : actions.has('ACCEPT') ? 'in' : 'out'
}

const nameOf = (one: Rule): string => `${one.action} ${one.port_start ?? 'all'} ${one.remote ?? 'any'} ${one.priority}`
const specOf = (one: Rule) => ({ instance: '1', type: 'IPv4', protocol: 'TCP', ...one }) as const

function change(one: Rule, action: 'create' | 'delete'): Change {
  const spec = specOf(one)
  const place = kind.place?.(spec, 'new') ?? { group: null, rank: 0 }
  const made = { action, after: spec, ...place } as const
  const gone = { action, reason: 'removed', id: nameOf(one) } as const
  return changeFor({ address: `FirewallRule/${nameOf(one)}`, kind: 'FirewallRule', workspace_id: '9', ...(action === 'create' ? made : gone) })
}

function record(one: Rule): ResourceRecord {
  return recordOf(nameOf(one), { address: `FirewallRule/${nameOf(one)}`, kind: 'FirewallRule', workspace_id: '9', spec: specOf(one) })
}

/** Every set of operations that may be over at one moment, whatever order they end in. */
function reachable({ nodes, barriers, after }: Graph): ReadonlySet<string>[] {
  const found = new Map<string, ReadonlySet<string>>()
  const open: ReadonlySet<string>[] = [new Set()]
  const isDone = (done: ReadonlySet<string>, id: string): boolean =>
    barriers.has(id) ? [...(after.get(id) ?? [])].every((one) => isDone(done, one)) : !nodes.has(id) || done.has(id)
  for (let done = open.pop(); done; done = open.pop()) {
    const key = [...done].toSorted().join('|')
    if (found.has(key)) continue
    found.set(key, done)
    for (const id of nodes.keys()) if (!done.has(id) && [...(after.get(id) ?? [])].every((one) => isDone(done, one))) open.push(new Set([...done, id]))
  }
  return [...found.values()]
}

/** The rules in place at every moment between two wholes. */
function statesBetween(before: Rules, wanted: Rules): Rules[] {
  const [old, new_] = [new Map(before.map((one) => [nameOf(one), one])), new Map(wanted.map((one) => [nameOf(one), one]))]
  const going = [...old.values()].filter((one) => !new_.has(nameOf(one)))
  const coming = [...new_.values()].filter((one) => !old.has(nameOf(one)))
  const records = new Map([...old.values()].map((one) => [`FirewallRule/${nameOf(one)}`, record(one)]))
  const graph = buildGraph([...coming.map((one) => change(one, 'create')), ...going.map((one) => change(one, 'delete'))], records, kindOf)
  return reachable(graph).map((done) => [
    ...[...old.values()].filter((one) => !done.has(`FirewallRule/${nameOf(one)}#${nameOf(one)}`)),
    ...coming.filter((one) => done.has(`FirewallRule/${nameOf(one)}`)),
  ])
}

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
