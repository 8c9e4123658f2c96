// What metered time costs: rounding, months and their cap, rates that change, and periods that add up.
import { describe, expect, test } from 'vitest'
import { createBillingBench } from '../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../test/builders/billing-bench.ts'
import { fc } from '../../../test/builders/properties.ts'
import { chargesOf, monthStart, nextMonth, usedUntil } from './charges.ts'
import { hourlyOf } from './rate-cards.ts'

const GIB = 1024 ** 3
const START_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const at = (hours: number): number => START_MS + hours * HOUR_MS

function costs({ sandbox }: BillingBench, id: string, hours: readonly number[]): number[] {
  return hours.map((hour) => Number(usedUntil(chargesOf(sandbox.world, id, at(hour)), at(hour)).cost))
}
function storageRate({ tables }: BillingBench) {
  const rate = tables.rates.by('place', 'STORAGE/fra-1').find((one) => Object.keys(one.qualifiers).length === 0)
  if (!rate) throw new Error('no rate')
  return rate
}

describe('costs', () => {
  test('are by the millisecond, rounded down', () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    const charges = chargesOf(bench.sandbox.world, id, START_MS + 59_999)
    expect(usedUntil(charges, START_MS + 59_999)).toEqual({ cost: 249n, minutes: 0 })
    expect(usedUntil(chargesOf(bench.sandbox.world, id, START_MS + 60_000), START_MS + 60_000)).toEqual({ cost: 250n, minutes: 1 })
    expect(usedUntil(charges, START_MS - 1)).toEqual({ cost: 0n, minutes: 0 })
  })
  test('end at 672 hours of a month, and begin again with the next; minutes go on', () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    const full = 672 * 15_000
    expect(costs(bench, id, [671, 672, 673, 744, 745])).toEqual([full - 15_000, full, full, full, full + 15_000])
    expect(usedUntil(chargesOf(bench.sandbox.world, id, at(744)), at(744)).minutes).toBe(744 * 60)
  })
  test('count the hours of a month over a pause', async () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    await bench.advanceHours(400)
    bench.tables.instances.update(id, { state: 'FAILED' })
    await bench.advanceHours(50)
    bench.tables.instances.update(id, { state: 'AVAILABLE' })
    expect(costs(bench, id, [400, 450, 500, 721, 722, 740])).toEqual([400, 400, 450, 671, 672, 672].map((hours) => hours * 15_000))
  })

  test('are nothing for all that comes after the cap, also where the rate changes then', async () => {
    const bench = createBillingBench()
    const { id } = bench.disk()
    for (const hours of [680, 700]) {
      await bench.operate('POST', '/v1/prices', { type: 'STORAGE', region: 'fra-1', unit_rate: 1_000, effective_from: new Date(at(hours)).toISOString() })
    }
    const full = 672 * 2_500
    expect(costs(bench, id, [672, 690, 744, 745])).toEqual([full, full, full, full + 100_000])
    expect(usedUntil(chargesOf(bench.sandbox.world, id, at(744)), at(744)).minutes).toBe(744 * 60)
  })
  test('are for all hours where there is no cap', () => {
    const bench = createBillingBench({ strains: { monthlyCap: 'none' } })
    expect(costs(bench, bench.server().id, [744, 2000])).toEqual([744 * 15_000, 2000 * 15_000])
  })
  test('of a plan hold the addresses that came with it where these are priced', () => {
    const costOf = (planAddresses: 'included' | 'priced'): number[] => {
      const bench = createBillingBench({ readings: { planAddresses } })
      const ip = bench.address({ grantedWith: '5' })
      const { id } = bench.server({ ipIds: [ip.id] })
      bench.tables.ips.update(ip.id, { grantedWith: id, instanceId: id })
      return costs(bench, id, [2])
    }
    expect([costOf('included'), costOf('priced')]).toEqual([[30_000], [36_000]])
  })
})

describe('rates', () => {
  test('hold from when they are in force', async () => {
    const bench = createBillingBench()
    const { id } = bench.disk()
    const create = (unit_rate: number, hours: number) =>
      bench.operate('POST', '/v1/prices', { type: 'STORAGE', region: 'fra-1', unit_rate, effective_from: new Date(at(hours)).toISOString() })
    await create(50, 10)
    await create(10, 20)
    expect(costs(bench, id, [10, 20, 30])).toEqual([25_000, 75_000, 85_000])
  })
  test('that are changed or deleted leave what was billed as it is', async () => {
    const bench = createBillingBench()
    const { id } = bench.disk()
    const path = `/v1/prices/STORAGE/${storageRate(bench).id}`
    await bench.advanceHours(10)
    await bench.operate('PATCH', path, { unit_rate: 30 })
    await bench.advanceHours(10)
    await bench.operate('POST', '/v1/prices', { type: 'STORAGE', region: 'fra-1', unit_rate: 1_000, effective_from: new Date(at(5)).toISOString() })
    await bench.advanceHours(10)
    const dear = bench.tables.rates.all().at(-1)
    await bench.operate('DELETE', `/v1/prices/STORAGE/${dear?.id}`)
    await bench.advanceHours(10)
    await bench.operate('DELETE', path)
    expect(costs(bench, id, [10, 20, 30, 40, 50])).toEqual([25_000, 55_000, 1_055_000, 1_085_000, 1_085_000])
  })
  test('of the closest card count', () => {
    const bench = createBillingBench()
    const rate = (qualifiers: Record<string, string | boolean>, unitRateMicroUsd: number) => ({
      ...storageRate(bench),
      id: `${unitRateMicroUsd}`,
      qualifiers,
      unitRateMicroUsd,
    })
    const cpu = bench.tables.rates.by('place', 'CPU/nyc-1')
    for (const { id } of cpu) bench.tables.rates.delete(id)
    const place = { type: 'CPU', region: 'nyc-1' } as const
    bench.tables.rates.insert({ ...rate({}, 1), ...place })
    const { id } = bench.instance({ type: 'CUSTOM', region: 'nyc-1', cpu: 1, memoryBytes: 1 })
    expect(costs(bench, id, [1])).toEqual([1])
    bench.tables.rates.insert({ ...rate({ cpu_model: 'x' }, 2), ...place })
    expect(costs(bench, id, [1])).toEqual([1])
    bench.tables.rates.insert({ ...rate({ service_group: 'RYZEN' }, 3), ...place })
    bench.tables.rates.insert({ ...rate({}, 4), ...place })
    expect(costs(bench, id, [1])).toEqual([3])
  })
  test('of a unit are rounded to the nearest whole micro-USD, halves up', () => {
    const { readings } = createBillingBench().sandbox.world
    const hourly = (amount: number, rate: number): bigint => hourlyOf({ type: 'STORAGE', amount, qualifiers: {} }, rate, readings)
    expect([hourly(GIB / 2, 1), hourly(GIB / 2 - 1, 1), hourly(3 * GIB, 7)]).toEqual([1n, 0n, 21n])
    expect(hourly(2 ** 53 - GIB, 2 ** 53 - 1)).toBe((2n ** 23n - 1n) * (2n ** 53n - 1n))
  })
})

test('months begin and end in UTC', () => {
  expect([monthStart(at(800)), nextMonth(at(800)), nextMonth(Date.UTC(2026, 11, 31, 23))]).toEqual([
    Date.UTC(2026, 1, 1),
    Date.UTC(2026, 2, 1),
    Date.UTC(2027, 0, 1),
  ])
})

test('adjoining periods add up to the whole, at any cut', () => {
  const bench = createBillingBench()
  const { id } = bench.instance({ type: 'CUSTOM', cpu: 3, memoryBytes: 5 * GIB + 1 })
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000 * HOUR_MS }), { minLength: 2, maxLength: 8 }), (cuts) => {
      const instants = cuts.toSorted((a, b) => a - b).map((ms) => START_MS + ms)
      const used = instants.map((instant) => usedUntil(chargesOf(bench.sandbox.world, id, instant), instant))
      const far = chargesOf(bench.sandbox.world, id, at(3_000))
      // What is known later says the same of an earlier instant.
      expect(instants.map((instant) => usedUntil(far, instant))).toEqual(used)
      expect(used.every((one, index) => one.cost >= (used[index - 1]?.cost ?? 0n) && one.minutes >= (used[index - 1]?.minutes ?? 0))).toBe(true)
    }),
  )
})
