// Coupons: every rule, what operators make of them, and what users get by them.
import { describe, expect, test } from 'vitest'
import { createBillingBench } from '../../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../../test/builders/billing-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { couponsArea } from './coupons.ts'

function coupon({ tables }: Bench, fields: Partial<Parameters<Bench['tables']['coupons']['insert']>[0]> = {}) {
  return tables.coupons.insert({ code: 'GIFT', amount: 5_000_000, expiryDays: 10, flags: [], note: null, maxUses: 1, ...fields })
}
function redeemed({ tables }: Bench, couponId: string, userId: string): void {
  tables.redemptions.insert({ couponId, userId, flags: [], workspaceIds: [] })
}
const redeem = (code = 'GIFT') => ({ method: 'POST', path: '/v1/coupons/redeem', body: { code } })

describeRules('coupons', couponsArea.rules, [
  {
    rule: 'coupons.twice',
    accepted: 200,
    arrange(bench) {
      redeemed(bench, coupon(bench, { maxUses: 2 }).id, bench.tables.users.all()[0]?.id ?? '')
      return redeem()
    },
  },
  {
    rule: 'coupons.used-up',
    accepted: 200,
    arrange(bench) {
      redeemed(bench, coupon(bench).id, '5')
      return redeem()
    },
  },
  {
    rule: 'coupons.code',
    accepted: 201,
    arrange(bench) {
      coupon(bench)
      return { method: 'POST', path: '/v1/coupons', body: { amount: 1, uses: 1, code: 'GIFT' }, token: bench.sandbox.operatorToken }
    },
  },
  {
    rule: 'coupons.expiry',
    accepted: 201,
    arrange: ({ sandbox }) => ({ method: 'POST', path: '/v1/coupons', body: { amount: 1, uses: 1, expiry_days: 36_501 }, token: sandbox.operatorToken }),
  },
  {
    rule: 'coupons.expiry',
    accepted: 201,
    arrange: ({ sandbox }) => ({ method: 'POST', path: '/v1/wallet/@me/coupon', body: { amount: 1, expiry_days: 1e6 }, token: sandbox.operatorToken }),
  },
  {
    rule: 'coupons.delete',
    accepted: 204,
    arrange(bench) {
      const { id } = coupon(bench)
      redeemed(bench, id, '5')
      return { method: 'DELETE', path: `/v1/coupons/${id}`, token: bench.sandbox.operatorToken }
    },
  },
])

const make = (bench: BillingBench, body: object) => bench.operate('POST', '/v1/coupons', body)

describe('operators', () => {
  test('make, read, list and delete coupons', async () => {
    const bench = createBillingBench()
    const body = { amount: 7, uses: 3, code: 'SPRING', expiry_days: 5, flags: ['beta', 'beta'], note: 'for the fair' }
    const made = await make(bench, body)
    const id = bench.tables.coupons.all()[0]?.id ?? ''
    const view = { id, code: 'SPRING', amount: 7, expiry_days: 5, flags: ['beta'], note: 'for the fair', max_uses: 3, uses_remaining: 3 }
    expect(made).toMatchObject({ status: 201, body: { ...view, created_at: '2026-01-01T00:00:00.000Z' } })
    redeemed(bench, id, '5')
    expect((await bench.operate('GET', `/v1/coupons/${id}`)).body).toMatchObject({ ...view, uses_remaining: 2 })
    await make(bench, { amount: 1, uses: 1 })
    expect((await bench.operate('GET', '/v1/coupons')).body).toMatchObject({
      items: [{ id }, { amount: 1, expiry_days: 30, flags: [], note: null, max_uses: 1 }],
    })
    expect((await bench.operate('DELETE', `/v1/coupons/${id}`)).status).toBe(204)
    expect((await bench.operate('GET', `/v1/coupons/${id}`)).status).toBe(404)
    expect((await bench.operate('DELETE', `/v1/coupons/${id}`)).status).toBe(404)
  })
  test('get a code made for them, another each time', async () => {
    const bench = createBillingBench()
    await make(bench, { amount: 1, uses: 1 })
    await make(bench, { amount: 1, uses: 1 })
    bench.tables.coupons.delete(bench.tables.coupons.all()[0]?.id ?? '')
    await make(bench, { amount: 1, uses: 1 })
    const codes = bench.tables.coupons.all().map((row) => row.code)
    expect([new Set(codes).size, codes.every((code) => /^[0-9A-F]{12}$/.test(code))]).toEqual([2, true])
  })
  test('alone do so, and say what they mean', async () => {
    const bench = createBillingBench()
    for (const [method, path] of [
      ['GET', '/v1/coupons'],
      ['GET', '/v1/coupons/5'],
      ['DELETE', '/v1/coupons/5'],
      ['POST', '/v1/coupons'],
    ] as const) {
      expect((await bench.call({ method, path })).status).toBe(403)
    }
    expect((await make(bench, { amount: 1 })).status).toBe(400)
    expect((await make(bench, { amount: 0, uses: 1 })).status).toBe(400)
  })
})

describe('a user who redeems a code', () => {
  test('gets its credit, and the flags for the workspaces that they own', async () => {
    const bench = createBillingBench()
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })
    coupon(bench, { flags: ['beta', 'early'], maxUses: 2 })
    expect(await bench.call(redeem())).toMatchObject({
      status: 200,
      body: { amount: 5_000_000, expires_at: '2026-01-11T00:00:00.000Z', flags: ['beta', 'early'], workspaces: 2 },
    })
    expect(await bench.get('/v1/wallet/@me')).toMatchObject({ balance: 10_005_000_000 })
    expect(await bench.get('/v1/wallet/@me/movements?limit=1')).toMatchObject({ items: [{ type: 'COUPON', amount: 5_000_000, reference: 'GIFT' }] })
    coupon(bench, { code: 'MORE', flags: ['beta', 'late'] })
    await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body: { disable_ssh_password: true } })
    await bench.call(redeem('MORE'))
    expect(await bench.get(`/v1/workspaces/${bench.wid}`)).toMatchObject({ flags: ['DISABLE_SSH_PASSWORD', 'beta', 'early', 'late'] })
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'third' } })
    expect(await bench.get(`/v1/workspaces/${bench.tables.workspaces.all().at(-1)?.id}`)).toMatchObject({ flags: [] })
  })
  test('without flags changes no workspace', async () => {
    const bench = createBillingBench()
    coupon(bench)
    expect(await bench.call(redeem())).toMatchObject({ body: { flags: [], workspaces: 0 } })
  })
  test('whose credit can have no date keeps the code and the wallet as they are', async () => {
    const bench = createBillingBench()
    coupon(bench, { expiryDays: 1e12 })
    await bench.get('/v1/wallet/@me')
    const before = bench.sandbox.snapshot().tables
    const { method, path, body } = redeem()
    const headers = { authorization: `Bearer ${bench.sandbox.token}` }
    await expect(bench.sandbox.handle({ method, path, headers, body: JSON.stringify(body) })).rejects.toThrow('Invalid time value')
    expect(bench.sandbox.snapshot().tables).toEqual(before)
    expect(await bench.get('/v1/wallet/@me/grants')).toMatchObject([{ type: 'topup' }])
  })
  test('needs a session, and a code that there is', async () => {
    const bench = createBillingBench()
    expect((await bench.call({ ...redeem(), token: bench.token({ grants: { WORKSPACE: 'WRITE' } }) })).status).toBe(403)
    expect((await bench.call(redeem())).status).toBe(404)
    expect((await bench.call({ ...redeem(), body: {} })).status).toBe(400)
  })
})
