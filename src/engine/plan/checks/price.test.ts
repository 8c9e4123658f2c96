// What a plan adds to the price where one side of it cannot be told in full.
import { expect, test } from 'vitest'
import type { Bill, Estimate, Side } from './price.ts'
import { costOf, costRows } from './price.ts'

interface Thing {
  /** Micro-USD of its part; undefined where it has none. */
  readonly part?: number
  readonly rate?: number
  readonly region?: string
  /** Nobody can tell what it costs. */
  readonly untold?: true
}
type Things = Readonly<Record<string, Thing>>

/** A bill of these; each region but those that are refused is estimated, its parts told apart or not. */
function side(things: Things, { refused = [], apart = true }: { readonly refused?: readonly string[]; readonly apart?: boolean } = {}): Side {
  const rates = new Map<string, number[]>()
  const lines = Object.entries(things).map(([address, { part, rate = 0, region = 'a', untold }]): Bill['lines'][number] => {
    const line = { address, kind: 'Kind', rateMicroUsd: rate }
    if (untold) return { ...line, unpriced: 'nobody knows' }
    if (part === undefined) return line
    const inRegion = rates.get(region) ?? []
    rates.set(region, inRegion)
    inRegion.push(part)
    return { ...line, estimate: { region, first: inRegion.length - 1, count: 1 } }
  })
  const told = [...rates].filter(([region]) => !refused.includes(region))
  const estimates = new Map(
    told.map(([region, parts]): [string, Estimate] => [
      region,
      { rateMicroUsd: parts.reduce((sum, one) => sum + one, 0), partRates: apart ? parts : undefined },
    ]),
  )
  const parts = new Map([...rates].map(([region, all]) => [region, all.map((part) => ({ part }))]))
  return { bill: { lines, parts }, estimates }
}

const [one, two, other] = [{ part: 10 }, { part: 20 }, { part: 400, region: 'b' }]
const refused = { refused: ['a'] }
const priced = (before: Side, after: Side): unknown => {
  const { hourly_before: from, hourly_after: to, unpriced } = costOf(before, after)
  return [from, to, ...unpriced]
}

test.each<readonly [string, Side, Side, readonly string[]]>([
  ['what is refused after', side({ one, other }), side({ one, two, other }, refused), ['400', '400', 'one', 'two']],
  ['what is refused before', side({ one, two, other }, refused), side({ one, other }), ['400', '400', 'one', 'two']],
  ['what is refused on both sides', side({ one, other }, refused), side({ one, two, other }, refused), ['400', '400', 'one', 'two']],
  ['what goes to a region that is refused', side({ one: { part: 10, region: 'b' }, other }), side({ one, other }, refused), ['400', '400', 'one']],
  ['what is not known on one side', side({ one: { rate: 7 }, two }), side({ one: { untold: true }, two }), ['20', '20', 'one']],
  ['what has a rate of its own that becomes parts', side({ one: { rate: 7 }, other }), side({ one, other }, refused), ['400', '400', 'one']],
])('%s counts on neither side', (_, before, after, expected) => {
  expect(priced(before, after)).toEqual(expected)
})

test.each<readonly [string, Side, Side, readonly string[]]>([
  ['what is new where another one was refused before', side({ one }, refused), side({ two }), ['0', '20', 'one']],
  ['a rate of its own that it has on both sides', side({ one: { part: 10, rate: 7 } }), side({ one: { part: 10, rate: 9 } }, refused), ['7', '9', 'one']],
  ['a rate of its own of what is made', side({}), side({ one: { part: 10, rate: 9 } }, refused), ['0', '9', 'one']],
  ['what is told together with nothing that is refused', side({ one, other }, { apart: false }), side({ one, two, other }, { apart: false }), ['410', '430']],
])('%s counts', (_, before, after, expected) => {
  expect(priced(before, after)).toEqual(expected)
})

test('an estimate that is not told apart counts no more than what is in it, which is said', () => {
  const [before, after] = [side({ one, two, other }, { apart: false }), side({ one, other, third: { part: 5 } }, { ...refused, apart: false })]
  expect(priced(before, after)).toEqual(['400', '400', 'one', 'third', 'two'])
  expect(costRows(before, after).map((row) => [row.address, row.hourly_before, row.hourly_after, row.unpriced])).toEqual([
    ['one', null, null, expect.stringContaining('does not estimate')],
    ['two', null, null, expect.stringContaining('one estimate tells its price together with')],
    ['other', null, null, expect.stringContaining('it counts in the total')],
    ['third', null, null, expect.stringContaining('does not estimate')],
  ])
})
