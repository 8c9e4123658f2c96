// Estimates: every rule, sums, units and roundings; and that what is metered costs what was estimated.
import { describe, expect, test } from 'vitest'
import { createBillingBench, period } from '../../../../test/builders/billing-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { estimatesArea } from './estimates.ts'

const GIB = 1024 ** 3
const MBIT = 125_000

function estimate(parts: readonly object[], region = 'fra-1') {
  return { method: 'POST', path: '/v1/billing/estimate', body: { region, parts } }
}

describeRules('estimates', estimatesArea.rules, [
  { rule: 'estimate.region', accepted: 200, arrange: () => estimate([], 'mars-1') },
  {
    rule: 'estimate.rate',
    accepted: 200,
    arrange(bench) {
      for (const { id } of bench.tables.rates.by('type', 'MEMORY')) bench.tables.rates.update(id, { deletedAtMs: 0 })
      return estimate([{ type: 'MEMORY', memory_bytes: GIB }])
    },
  },
])

describe('an estimate', () => {
  test('shows each part, and their sum; a month is 672 hours', async () => {
    const bench = createBillingBench()
    const parts = [
      { type: 'CPU', cpu: 2, service_group: 'RYZEN' },
      { type: 'CPU', cpu: 1, cpu_model: 'unheard-of' },
      { type: 'MEMORY', memory_bytes: 1.5 * GIB },
      { type: 'STORAGE', storage_bytes: 10 * GIB, storage_backing: 'CEPH' },
      { type: 'STORAGE', storage_bytes: 10 * GIB },
      { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: 100 * MBIT },
      { type: 'FLOATING_IP', family: 'IPv4', ddos: true },
      { type: 'FLOATING_IP', family: 'IPv4', ddos: false },
      { type: 'FLOATING_IP', family: 'IPv6' },
    ]
    const { status, body } = await bench.call({ ...estimate(parts), token: bench.token({ grants: { DISK: 'READ' } }) })
    const shown = [
      ['CPU', 2, 3_750, 7_500],
      ['CPU', 1, 3_750, 3_750],
      ['MEMORY', 1.5, 1_500, 2_250],
      ['STORAGE', 10, 40, 400],
      ['STORAGE', 10, 25, 250],
      ['BANDWIDTH', 100, 2, 200],
      ['FLOATING_IP', 1, 6_000, 6_000],
      ['FLOATING_IP', 1, 3_000, 3_000],
      ['FLOATING_IP', 1, 300, 300],
    ] as const
    expect([status, body]).toEqual([
      200,
      {
        hourly_rate: 23_650,
        monthly_price: 23_650 * 672,
        parts: shown.map(([type, quantity, unit_rate, hourly_rate]) => ({ type, quantity, unit_rate, hourly_rate, monthly_price: hourly_rate * 672 })),
      },
    ])
  })
  test('of nothing is nothing; of very much is exact', async () => {
    const bench = createBillingBench()
    expect(await bench.call(estimate([]))).toMatchObject({ body: { hourly_rate: 0, monthly_price: 0, parts: [] } })
    const { body } = await bench.call(estimate([{ type: 'CPU', cpu: 2 ** 53 - 1 }]))
    expect(body).toMatchObject({ hourly_rate: (2n ** 53n - 1n) * 3_750n, monthly_price: (2n ** 53n - 1n) * 3_750n * 672n })
  })
  test.each([
    ['gigabytes', { rateUnitBytes: 1_000_000_000 }, { type: 'MEMORY', memory_bytes: 2_000_000_000 }, 2, 3_000],
    ['megabytes per second', { rateUnitBytesSec: 1_000_000 }, { type: 'BANDWIDTH', direction: 'DOWNLOAD', speed_bytes_sec: 5_000_000 }, 5, 5],
  ])('counts in %s where units are', async (_, readings, part, quantity, rate) => {
    const { body } = await createBillingBench({ readings }).call(estimate([part]))
    expect(body).toMatchObject({ hourly_rate: rate, parts: [{ quantity }] })
  })
  test.each([
    [{ type: 'DISK' }],
    [{ type: 'CPU' }],
    [{ type: 'FLOATING_IP', family: 'IPv6', ddos: true }],
    [{ type: 'BANDWIDTH', direction: 'SIDEWAYS', speed_bytes_sec: 1 }],
  ])('of %j is refused', async (part) => {
    expect((await createBillingBench().call(estimate([part]))).status).toBe(400)
  })
  test('needs a token that is known', async () => {
    const bench = createBillingBench()
    expect((await bench.call({ ...estimate([]), token: null })).status).toBe(403)
    expect((await bench.call({ ...estimate([]), token: 'nobody' })).status).toBe(401)
  })
  test('goes by the entry in force now', async () => {
    const bench = createBillingBench()
    const entry = (unit_rate: number, day: string) => ({ type: 'MEMORY', region: 'fra-1', unit_rate, effective_from: `2026-01-${day}T00:00:00Z` })
    await bench.operate('POST', '/v1/prices', entry(20, '02'))
    await bench.operate('POST', '/v1/prices', entry(30, '03'))
    const rate = async () => (await bench.call(estimate([{ type: 'MEMORY', memory_bytes: GIB }]))).body
    expect(await rate()).toMatchObject({ hourly_rate: 1_500 })
    await bench.advanceHours(24)
    expect(await rate()).toMatchObject({ hourly_rate: 20 })
    await bench.advanceHours(24)
    expect(await rate()).toMatchObject({ hourly_rate: 30 })
  })
})

test('cores, memory and storage of each plan are estimated at its rate', async () => {
  const bench = createBillingBench()
  const plans = bench.tables.plans.all().filter((plan) => !plan.disabled)
  const answers = plans.map(async ({ group, cpu, memoryBytes, diskBytes }) => {
    const parts = [
      { type: 'CPU', cpu, service_group: group },
      { type: 'MEMORY', memory_bytes: memoryBytes },
      { type: 'STORAGE', storage_bytes: diskBytes, storage_backing: 'LOCAL' },
    ]
    return (await bench.call(estimate(parts, 'nyc-1'))).body
  })
  expect(await Promise.all(answers)).toMatchObject(plans.map((plan) => ({ hourly_rate: plan.rateMicroUsd })))
})

test('an instance of its own size costs what was estimated for its parts', async () => {
  const bench = createBillingBench({ profile: 'instant' })
  const parts = [
    { type: 'CPU', cpu: 3, service_group: 'DEDICATED' },
    { type: 'MEMORY', memory_bytes: 3 * GIB + 7 },
    { type: 'STORAGE', storage_bytes: 10 * GIB, storage_backing: 'LOCAL' },
    { type: 'STORAGE', storage_bytes: 7 * GIB, storage_backing: 'CEPH' },
    { type: 'BANDWIDTH', direction: 'UPLOAD', speed_bytes_sec: 3 * MBIT },
    { type: 'BANDWIDTH', direction: 'DOWNLOAD', speed_bytes_sec: 9 * MBIT },
    { type: 'FLOATING_IP', family: 'IPv4', ddos: true },
    { type: 'FLOATING_IP', family: 'IPv6' },
  ]
  const { body } = await bench.call(estimate(parts))
  const made = await bench.call({
    method: 'POST',
    path: `/v1/workspaces/${bench.wid}/instances`,
    body: {
      type: 'CUSTOM',
      name: 'db',
      region: 'fra-1',
      group: 'DEDICATED',
      cpu: 3,
      memory_bytes: 3 * GIB + 7,
      storage: [
        { size_bytes: 10 * GIB, boot: true, backing: 'LOCAL' },
        { size_bytes: 7 * GIB, boot: false, backing: 'CEPH' },
      ],
      bandwidth: { upload_bytes_sec: 3 * MBIT, download_bytes_sec: 9 * MBIT },
      ips: [
        { family: 'IPv4', ddos: true },
        { family: 'IPv6', ddos: false },
      ],
    },
  })
  expect(made.status).toBe(202)
  await bench.get('/v1/plans')
  await bench.advanceHours(100)
  const hourly = typeof body === 'object' && body !== null && 'hourly_rate' in body ? Number(body.hourly_rate) : 0
  expect(await bench.get(`/v1/workspaces/${bench.wid}/usage?${period(0, 100)}`)).toMatchObject({ total_cost: hourly * 100 })
})

test('a private cloud is estimated by its own rate cards, once it has some', async () => {
  const bench = createBillingBench()
  const asked = estimate([{ type: 'MEMORY', memory_bytes: 2 * GIB }], 'PRIVATE_CLOUD')
  expect(await bench.call(asked)).toMatchObject({ status: 400, headers: { 'x-message': 'no rate card is in force for a part' } })
  await bench.operate('POST', '/v1/prices', { type: 'MEMORY', region: 'PRIVATE_CLOUD', unit_rate: 7 })
  expect((await bench.call(asked)).body).toMatchObject({ hourly_rate: 14, monthly_price: 14 * 672 })
})
