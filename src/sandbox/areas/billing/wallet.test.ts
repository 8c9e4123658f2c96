// Wallets: every rule, what operators put in and take out, and their history.
import { describe, expect, test } from 'vitest'
import { createBillingBench, period } from '../../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../../test/builders/billing-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { walletArea } from './wallet.ts'

const SEED = 10_000_000_000
const history = (query: string) => ({ method: 'GET', path: `/v1/wallet/@me/history?${query}` })
const withoutCredit = { readings: { emptyWallet: 'refuse' } } as const

function spend({ tables }: Bench): void {
  for (const { id } of tables.grants.all()) tables.grants.delete(id)
}
function create(bench: Bench, what: string, body: object) {
  spend(bench)
  return { method: 'POST', path: `/v1/workspaces/${bench.wid}/${what}`, body }
}

describeRules('wallets', walletArea.rules, [
  { rule: 'wallet.window', accepted: 200, arrange: () => history('window=EON&from=2025-01-01&to=2026-01-01') },
  { rule: 'wallet.segments', accepted: 200, arrange: () => history('window=HOUR&from=2025-01-01&to=2026-01-01') },
  {
    rule: 'wallet.adjust-zero',
    accepted: 200,
    arrange: ({ sandbox }) => ({ method: 'POST', path: '/v1/wallet/@me/adjust', body: { amount: 0 }, token: sandbox.operatorToken }),
  },
  {
    rule: 'wallet.empty',
    accepted: 202,
    options: withoutCredit,
    arrange: (bench) => create(bench, 'instances', { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(bench.tables.plans.all()[0]?.id ?? 0) }),
  },
  {
    rule: 'wallet.empty',
    accepted: 202,
    options: withoutCredit,
    arrange: (bench) => create(bench, 'disks', { name: 'data', region: 'fra-1', size: 10 * 1024 ** 3, backend: 'LOCAL' }),
  },
  {
    rule: 'wallet.empty',
    accepted: 202,
    options: withoutCredit,
    arrange: (bench) => create(bench, 'ips', { type: 'IPv4', region: 'fra-1', ddos: false }),
  },
])

test('an empty wallet refuses nothing by default, and one with credit nothing at all', async () => {
  const plan = (bench: Bench) => ({ type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(bench.tables.plans.all()[0]?.id ?? 0) })
  const empty = createBillingBench()
  expect((await empty.call(create(empty, 'instances', plan(empty)))).status).toBe(202)
  const full = createBillingBench(withoutCredit)
  expect((await full.call({ method: 'POST', path: `/v1/workspaces/${full.wid}/instances`, body: plan(full) })).status).toBe(202)
})

describe('a wallet', () => {
  test('has credit in the beginning, and shows what was spent this month', async () => {
    const bench = createBillingBench()
    expect(await bench.get('/v1/wallet/@me')).toEqual({ balance: SEED, usage: 0, overage: 0 })
    bench.server()
    await bench.advanceHours(744)
    expect(await bench.get('/v1/wallet/@me')).toEqual({ balance: SEED - 672 * 15_000, usage: 0, overage: 0 })
    await bench.advanceHours(2)
    expect(await bench.get(`/v1/wallet/${bench.ownerId}`)).toEqual({ balance: SEED - 674 * 15_000, usage: 30_000, overage: 0 })
    spend(bench)
    expect((await bench.operate('GET', `/v1/wallet/${bench.ownerId}`)).body).toEqual({ balance: -674 * 15_000, usage: 30_000, overage: 674 * 15_000 })
  })
  test('is topped up once for a payment', async () => {
    const bench = createBillingBench()
    const topUp = (body: object, user = bench.ownerId) => bench.operate('POST', `/v1/wallet/${user}/topup`, body)
    const first = await topUp({ amount: 7, payment_ref: 'p-1' })
    expect(first).toMatchObject({
      status: 201,
      body: { type: 'topup', amount: 7, effective_at: '2026-01-01T00:00:00.000Z', expires_at: null, code: null, payment_ref: 'p-1' },
    })
    expect((await topUp({ amount: 9, payment_ref: 'p-1' })).body).toEqual(first.body)
    expect((await topUp({ amount: 5, payment_ref: 'p-1' }, '@me')).body).toMatchObject({ amount: 5 })
    await topUp({ amount: 2 })
    await topUp({ amount: 2 })
    expect(await bench.get('/v1/wallet/@me')).toMatchObject({ balance: SEED + 11 })
  })
  test('shows grants as they came, and movements newest first', async () => {
    const bench = createBillingBench()
    const post = (verb: string, body: object) => bench.operate('POST', `/v1/wallet/${bench.ownerId}/${verb}`, body)
    expect(await post('adjust', { amount: 40, memo: 'sorry' })).toMatchObject({ status: 200, body: { balance: SEED + 40, usage: 0, overage: 0 } })
    await bench.advanceHours(1)
    expect((await post('adjust', { amount: -10 })).body).toMatchObject({ balance: SEED + 30 })
    expect(await post('refund', { amount: 5, reference: 'r-1', memo: 'back' })).toMatchObject({ status: 200, body: { balance: SEED + 25, usage: 0 } })
    expect((await post('coupon', { amount: 100 })).body).toMatchObject({ type: 'coupon', code: null, expires_at: '2026-01-31T01:00:00.000Z' })
    await post('coupon', { amount: 50, code: 'GIFT', expiry_days: 2 })
    expect(await bench.get('/v1/wallet/@me/grants')).toMatchObject([
      { type: 'topup', amount: SEED, payment_ref: 'seed' },
      { type: 'adjustment', amount: 40 },
      { type: 'coupon', amount: 100 },
      { type: 'coupon', amount: 50, code: 'GIFT', expires_at: '2026-01-03T01:00:00.000Z', effective_at: '2026-01-01T01:00:00.000Z' },
    ])
    const blank = { memo: null, reference: null }
    expect(await bench.get('/v1/wallet/@me/movements')).toMatchObject({
      items: [
        { type: 'COUPON', amount: 50, ...blank, reference: 'GIFT' },
        { type: 'COUPON', amount: 100, ...blank },
        { type: 'REFUND', amount: -5, memo: 'back', reference: 'r-1' },
        { type: 'ADJUSTMENT', amount: -10, ...blank, created_at: '2026-01-01T01:00:00.000Z' },
        { type: 'ADJUSTMENT', amount: 40, ...blank, memo: 'sorry' },
        { type: 'TOP_UP', amount: SEED, ...blank, reference: 'seed' },
      ],
      hasNext: false,
    })
    expect(await bench.get('/v1/wallet/@me/movements?limit=2&page=2')).toMatchObject({
      items: [{ type: 'REFUND' }, { type: 'ADJUSTMENT', amount: -10 }],
      hasNext: true,
    })
    expect(await bench.get(`/v1/wallet/@me/usage?${period(0, 9)}`)).toMatchObject({ total_cost: 0 })
  })
  test('is exact beyond what a double can say', async () => {
    const bench = createBillingBench()
    for (let count = 0; count < 3; count += 1) await bench.operate('POST', `/v1/wallet/${bench.ownerId}/topup`, { amount: 2 ** 53 - 1 })
    expect(await bench.get('/v1/wallet/@me')).toMatchObject({ balance: 3n * (2n ** 53n - 1n) + BigInt(SEED) })
  })
})

describe('history', () => {
  const segments = (bench: BillingBench, query: string) => bench.get(`/v1/wallet/@me/history?${query}`)
  test('is by days unless asked otherwise, and ends now', async () => {
    const bench = createBillingBench()
    bench.server()
    await bench.advanceHours(30)
    const [grant] = bench.tables.grants.all()
    const row = (from: string, to: string, usage: number, spent: number) => ({
      from: `2026-01-${from}:00:00.000Z`,
      to: `2026-01-${to}:00:00.000Z`,
      usage,
      balance: SEED - spent,
      grant_balances: { [grant?.id ?? '']: SEED - spent },
    })
    expect(await segments(bench, 'from=2026-01-01T20:00:00Z&to=2027-01-01')).toEqual([
      row('01T20', '02T00', 60_000, 24 * 15_000),
      row('02T00', '02T06', 90_000, 30 * 15_000),
    ])
    expect(await segments(bench, 'from=2026-01-03&to=2026-01-04')).toEqual([])
  })
  test.each([
    ['HOUR', '2026-01-01T00:30:00Z', '2026-01-01T02:00:00Z', ['01-01T01:00', '01-01T02:00']],
    ['WEEK', '2026-01-01', '2026-01-14', ['01-05T00:00', '01-12T00:00', '01-14T00:00']],
    ['MONTH', '2026-01-30', '2026-03-02', ['02-01T00:00', '03-01T00:00', '03-02T00:00']],
  ])('by %s', async (window, from, to, ends) => {
    const bench = createBillingBench()
    await bench.advanceHours(2_000)
    expect(await segments(bench, `window=${window}&from=${from}&to=${to}`)).toMatchObject(ends.map((end) => ({ to: `2026-${end}:00.000Z` })))
  })
  test('adds up to the usage of the period', async () => {
    const bench = createBillingBench()
    bench.instance({ type: 'CUSTOM', cpu: 1, memoryBytes: 1_234_567_891 })
    bench.disk({ sizeBytes: 987_654_321 })
    await bench.clock.advance(1_000_000_007)
    const query = 'from=2026-01-02T03:04:05Z&to=2026-01-11T12:00:01Z'
    const rows = await segments(bench, query)
    const sum = Array.isArray(rows)
      ? rows.reduce((total: number, one) => total + (typeof one === 'object' && one && 'usage' in one ? Number(one.usage) : NaN), 0)
      : NaN
    expect(await bench.get(`/v1/wallet/@me/usage?${query}`)).toMatchObject({ total_cost: sum })
    expect(sum).toBeGreaterThan(0)
  })
})

describe('refusals', () => {
  test('of what is somebody else’s, of operators’ calls, of who is not there', async () => {
    const bench = createBillingBench()
    const [, operator] = bench.tables.users.all()
    for (const path of [`/v1/wallet/${operator?.id}`, `/v1/wallet/${operator?.id}/grants`, `/v1/wallet/5/movements`, `/v1/wallet/5/history?${period(0, 1)}`]) {
      expect((await bench.call({ method: 'GET', path })).status).toBe(403)
    }
    for (const path of ['/v1/wallet/5', '/v1/wallet/5/grants', '/v1/wallet/5/movements', `/v1/wallet/5/history?${period(0, 1)}`]) {
      expect((await bench.operate('GET', path)).status).toBe(404)
    }
    for (const verb of ['topup', 'adjust', 'refund', 'coupon']) {
      expect((await bench.call({ method: 'POST', path: `/v1/wallet/@me/${verb}`, body: { amount: 1 } })).status).toBe(403)
      expect((await bench.operate('POST', `/v1/wallet/5/${verb}`, { amount: 1 })).status).toBe(404)
      expect((await bench.operate('POST', `/v1/wallet/${bench.ownerId}/${verb}`, {})).status).toBe(400)
      expect((await bench.operate('POST', `/v1/wallet/${bench.ownerId}/${verb}`, { amount: 0.5 })).status).toBe(400)
    }
    expect((await bench.operate('POST', `/v1/wallet/${bench.ownerId}/refund`, { amount: -1 })).status).toBe(400)
  })
})
