// Rate cards: every rule, and what operators make of them.
import { describe, expect, test } from 'vitest'
import { createBillingBench } from '../../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../../test/builders/billing-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { pricesArea } from './prices.ts'

const since = '2020-01-01T00:00:00.000Z'
const create = (bench: Bench, body: object) => ({ method: 'POST', path: '/v1/prices', body, token: bench.sandbox.operatorToken })
const memory = { type: 'MEMORY', region: 'fra-1', unit_rate: 9 }

describeRules('prices', pricesArea.rules, [
  { rule: 'prices.type', accepted: 200, arrange: ({ sandbox }) => ({ method: 'GET', path: '/v1/prices/DISK', token: sandbox.operatorToken }) },
  { rule: 'prices.region', accepted: 201, arrange: (bench) => create(bench, { ...memory, region: 'mars-1' }) },
  { rule: 'prices.twice', accepted: 201, arrange: (bench) => create(bench, { ...memory, effective_from: since }) },
  {
    rule: 'prices.moved',
    accepted: 200,
    async arrange(bench) {
      await bench.call(create(bench, memory))
      const path = `/v1/prices/MEMORY/${bench.tables.rates.all().at(-1)?.id}`
      return { method: 'PATCH', path, body: { effective_from: since }, token: bench.sandbox.operatorToken }
    },
  },
])

const blank = { service_group: null, cpu_model: null, storage_backing: null, direction: null, family: null, ddos: null }
const lastOf = ({ tables }: BillingBench): string => tables.rates.all().at(-1)?.id ?? ''

describe('rates', () => {
  test.each([
    [{ type: 'CPU', service_group: 'RYZEN', cpu_model: 'x-1' }],
    [{ type: 'MEMORY' }],
    [{ type: 'STORAGE', storage_backing: 'LOCAL' }],
    [{ type: 'BANDWIDTH', direction: 'UPLOAD' }],
    [{ type: 'IP', family: 'IPv6', ddos: false }],
    [{ type: 'IP', region: 'PRIVATE_CLOUD' }],
  ])('are made: %j', async (fields) => {
    const bench = createBillingBench()
    const made = await bench.call(create(bench, { region: 'fra-1', unit_rate: 9, ...fields }))
    const view = { id: lastOf(bench), region: 'fra-1', ...blank, ...fields, unit_rate: 9, effective_from: '2026-01-01T00:00:00.000Z' }
    expect([made.status, made.body]).toEqual([201, view])
    expect((await bench.operate('GET', `/v1/prices/${fields.type}`)).body).toContainEqual(view)
  })
  test('of a type come latest first; of all types the latest of each card', async () => {
    const bench = createBillingBench()
    const { body: before } = await bench.operate('GET', '/v1/prices')
    expect(before).toHaveLength(36)
    for (const [unit_rate, month] of [
      [3, '03'],
      [2, '02'],
      [1, '01'],
    ] as const) {
      await bench.call(create(bench, { ...memory, unit_rate, effective_from: `2027-${month}-01T00:00:00+01:00` }))
    }
    const { body: ofType } = await bench.operate('GET', '/v1/prices/MEMORY')
    expect(ofType).toMatchObject([{ unit_rate: 3 }, { unit_rate: 2 }, { unit_rate: 1, effective_from: '2026-12-31T23:00:00.000Z' }, {}, {}, {}])
    const { body: after } = await bench.operate('GET', '/v1/prices')
    expect(after).toHaveLength(36)
    expect(after).toContainEqual(expect.objectContaining({ type: 'MEMORY', region: 'fra-1', unit_rate: 3 }))
    expect(after).toContainEqual(expect.objectContaining({ type: 'MEMORY', region: 'nyc-1', unit_rate: 1_500 }))
  })
  test('are changed and deleted', async () => {
    const bench = createBillingBench()
    await bench.call(create(bench, memory))
    const path = `/v1/prices/MEMORY/${lastOf(bench)}`
    expect((await bench.operate('PATCH', path, { unit_rate: 4 })).body).toMatchObject({ unit_rate: 4, effective_from: '2026-01-01T00:00:00.000Z' })
    expect((await bench.operate('PATCH', path, { effective_from: '2026-02-01' })).body).toMatchObject({
      unit_rate: 4,
      effective_from: '2026-02-01T00:00:00.000Z',
    })
    expect((await bench.operate('PATCH', path, {})).status).toBe(200)
    expect((await bench.operate('DELETE', path)).status).toBe(204)
    expect((await bench.operate('GET', '/v1/prices/MEMORY')).body).toHaveLength(3)
    expect((await bench.operate('GET', '/v1/prices')).body).toHaveLength(36)
    expect([(await bench.operate('PATCH', path, { unit_rate: 1 })).status, (await bench.operate('DELETE', path)).status]).toEqual([404, 404])
    expect((await bench.call(create(bench, memory))).status).toBe(201)
  })
  test('keep their type, region and qualifiers', async () => {
    const bench = createBillingBench()
    await bench.call(create(bench, memory))
    const id = lastOf(bench)
    expect((await bench.operate('PATCH', `/v1/prices/MEMORY/${id}`, { region: 'nyc-1' })).status).toBe(400)
    expect((await bench.operate('PATCH', `/v1/prices/CPU/${id}`, { unit_rate: 1 })).status).toBe(404)
    expect((await bench.operate('DELETE', `/v1/prices/CPU/${id}`)).status).toBe(404)
    expect((await bench.call(create(bench, { ...memory, direction: 'UPLOAD' }))).status).toBe(400)
    expect((await bench.call(create(bench, { ...memory, unit_rate: -1 }))).status).toBe(400)
  })
  test('are operators’ business', async () => {
    const bench = createBillingBench()
    for (const [method, path] of [
      ['GET', '/v1/prices'],
      ['GET', '/v1/prices/CPU'],
      ['POST', '/v1/prices'],
      ['PATCH', '/v1/prices/CPU/5'],
      ['DELETE', '/v1/prices/CPU/5'],
    ] as const) {
      expect((await bench.call({ method, path })).status).toBe(403)
    }
  })
})
