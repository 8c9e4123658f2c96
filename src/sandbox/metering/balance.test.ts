// How a wallet is drawn down: in order of time and of credit, with expiries, debts, refunds.
import { describe, expect, test } from 'vitest'
import { createBillingBench } from '../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../test/builders/billing-bench.ts'
import { walletAt } from './balance.ts'

const START_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const at = (hours: number): number => START_MS + hours * HOUR_MS

/** A wallet without credit. */
function emptyBench(): BillingBench {
  const bench = createBillingBench()
  for (const { id } of bench.tables.grants.all()) bench.tables.grants.delete(id)
  return bench
}
function post(bench: BillingBench, verb: string, body: object) {
  return bench.operate('POST', `/v1/wallet/${bench.ownerId}/${verb}`, body)
}
/** What is left at an instant: of each grant in order of its making, then the balance and what is owed. */
function stateAt({ sandbox, tables, ownerId }: BillingBench, hours: number) {
  const { remaining, balance, overage } = walletAt(sandbox.world, ownerId, [at(hours)])(at(hours))
  return [tables.grants.by('user', ownerId).map(({ id }) => Number(remaining.get(id) ?? -1n)), Number(balance), Number(overage)]
}

describe('credit', () => {
  test('of coupons is used before permanent credit, what expires first before the rest, and is lost when it expires', async () => {
    const bench = emptyBench()
    await post(bench, 'topup', { amount: 1_000_000 })
    await post(bench, 'coupon', { amount: 100_000, expiry_days: 2 })
    await post(bench, 'coupon', { amount: 60_000, expiry_days: 1 })
    bench.server()
    expect(stateAt(bench, 0)).toEqual([[1_000_000, 100_000, 60_000], 1_160_000, 0])
    expect(stateAt(bench, 2)).toEqual([[1_000_000, 100_000, 30_000], 1_130_000, 0])
    expect(stateAt(bench, 6)).toEqual([[1_000_000, 70_000, 0], 1_070_000, 0])
    expect(stateAt(bench, 12)).toEqual([[980_000, 0, 0], 980_000, 0])
    await post(bench, 'coupon', { amount: 500_000, expiry_days: 1 })
    expect(stateAt(bench, 23)).toEqual([[1_000_000, 100_000, 0, 215_000], 1_315_000, 0])
    expect(stateAt(bench, 24)).toEqual([[1_000_000, 100_000, -1, -1], 1_100_000, 0])
  })
  test('of the same expiry is used in order of its making', async () => {
    const bench = emptyBench()
    await post(bench, 'topup', { amount: 20_000 })
    await post(bench, 'adjust', { amount: 20_000 })
    bench.server()
    expect(stateAt(bench, 2)).toEqual([[0, 10_000], 10_000, 0])
  })
  test('that comes later pays what is owed first', async () => {
    const bench = emptyBench()
    bench.server()
    await bench.advanceHours(10)
    expect(stateAt(bench, 10)).toEqual([[], -150_000, 150_000])
    await post(bench, 'topup', { amount: 100_000 })
    expect(stateAt(bench, 10)).toEqual([[0], -50_000, 50_000])
    await post(bench, 'coupon', { amount: 80_000 })
    expect(stateAt(bench, 11)).toEqual([[0, 15_000], 15_000, 0])
  })
  test('that is over when it comes is nothing', () => {
    const bench = emptyBench()
    const { ownerId, tables } = bench
    tables.grants.insert({
      userId: ownerId,
      type: 'coupon',
      amount: 5,
      effectiveAtMs: at(1),
      expiresAtMs: at(1),
      movementId: null,
      code: null,
      paymentRef: null,
    })
    expect(stateAt(bench, 2)).toEqual([[-1], 0, 0])
  })
})

describe('money that is taken out', () => {
  test('is taken from permanent credit first, and may make the balance negative', async () => {
    const bench = emptyBench()
    await post(bench, 'coupon', { amount: 50_000 })
    await post(bench, 'topup', { amount: 100_000 })
    await post(bench, 'refund', { amount: 70_000 })
    expect(stateAt(bench, 0)).toEqual([[50_000, 30_000], 80_000, 0])
    await post(bench, 'adjust', { amount: -60_000 })
    expect(stateAt(bench, 0)).toEqual([[20_000, 0], 20_000, 0])
    await post(bench, 'refund', { amount: 30_000 })
    expect(stateAt(bench, 0)).toEqual([[0, 0], -10_000, 0])
  })
  test('is no overage, and is owed after what was spent', async () => {
    const bench = emptyBench()
    await post(bench, 'refund', { amount: 10_000 })
    await post(bench, 'adjust', { amount: -20_000 })
    bench.server()
    await bench.advanceHours(2)
    expect(stateAt(bench, 2)).toEqual([[], -60_000, 30_000])
    await post(bench, 'topup', { amount: 35_000 })
    expect(stateAt(bench, 2)).toEqual([[0], -25_000, 0])
    await post(bench, 'topup', { amount: 40_000 })
    expect(stateAt(bench, 2)).toEqual([[0, 15_000], 15_000, 0])
  })
})

describe('what happens at one instant', () => {
  test.each([
    ['at once', 0],
    ['an hour later', 1],
  ])('happens in its order: a refund, and %s credit that comes after it', async (_, hours) => {
    const bench = emptyBench()
    await post(bench, 'coupon', { amount: 100, expiry_days: 1 })
    await post(bench, 'refund', { amount: 60 })
    await bench.advanceHours(hours)
    await post(bench, 'topup', { amount: 60 })
    expect(stateAt(bench, hours)).toEqual([[40, 60], 100, 0])
    expect(stateAt(bench, 48)).toEqual([[-1, 60], 60, 0])
  })
  test('what is beyond the credit of that moment is paid by what comes after it', async () => {
    const bench = emptyBench()
    await post(bench, 'adjust', { amount: -10 })
    await post(bench, 'coupon', { amount: 7 })
    await post(bench, 'topup', { amount: 30 })
    expect(stateAt(bench, 0)).toEqual([[0, 27], 27, 0])
  })
})

test('several instants say what each says alone', async () => {
  const bench = emptyBench()
  const { sandbox, ownerId } = bench
  await post(bench, 'coupon', { amount: 100_000, expiry_days: 1 })
  bench.server()
  const instants = [at(-1), at(0), at(5), at(24), at(800)]
  const stateAt = walletAt(sandbox.world, ownerId, instants)
  expect(instants.map(stateAt)).toEqual(instants.map((instant) => walletAt(sandbox.world, ownerId, [instant])(instant)))
})

test('only what is in their own workspaces is paid by a user', () => {
  const bench = emptyBench()
  const [first] = bench.tables.workspaces.all()
  if (!first) throw new Error('no workspace')
  bench.server({ workspaceId: bench.tables.workspaces.insert({ ...first, id: '77', ownerId: '5', name: 'other' }).id })
  expect(stateAt(bench, 5)).toEqual([[], 0, 0])
  expect(Number(walletAt(bench.sandbox.world, '5', [at(5)])(at(5)).balance)).toBe(-75_000)
})
