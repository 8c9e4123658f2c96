// The prepaid wallet of a user: section "Billing, usage, wallet, coupons, rates".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { amount, filled, known, open, record, timestamp, whole } from '../fields.ts'
import { arrayOf, paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Billing, usage, wallet, coupons, rates'
const money = lazy(() => z.number())
const balance = lazy(() => open({ balance: money(), usage: money(), overage: money() }))
const grant = lazy(() =>
  record({
    type: known(z.enum(['topup', 'coupon', 'adjustment'])),
    amount: money(),
    effective_at: z.string(),
    expires_at: z.string().nullable(),
    code: z.string().nullable(),
    payment_ref: z.string().nullable(),
  }),
)
const segment = lazy(() => open({ from: z.string(), to: z.string(), usage: money(), balance: money(), grant_balances: z.record(z.string(), money()) }))
const movement = lazy(() =>
  record({
    type: known(z.enum(['COUPON', 'TOP_UP', 'ADJUSTMENT', 'REFUND'])),
    amount: money(),
    memo: z.string().nullable(),
    reference: z.string().nullable(),
    created_at: z.string(),
  }),
)

const own = { params: { uid: 'user' }, access: 'self' } as const
const operator = { params: { uid: 'user' }, access: 'staff' } as const

export const wallet = {
  getWallet: route(section, 'GET', '/v1/wallet/{uid}', { ...own, answer: { shape: 'object', item: balance } }),
  listWalletGrants: route(section, 'GET', '/v1/wallet/{uid}/grants', { ...own, ...arrayOf(grant, () => ({})) }),
  // Windows other than DAY and MONTH exist and are not named.
  listWalletHistory: route(section, 'GET', '/v1/wallet/{uid}/history', {
    ...own,
    ...arrayOf(segment, () => ({ from: timestamp, to: timestamp, window: filled.optional() })),
  }),
  listWalletMovements: route(section, 'GET', '/v1/wallet/{uid}/movements', { ...own, ...paged(movement, () => ({})) }),
  topUpWallet: route(section, 'POST', '/v1/wallet/{uid}/topup', {
    ...operator,
    body: lazy(() => z.strictObject({ amount, payment_ref: filled.optional() })),
    answer: { shape: 'object', item: grant },
  }),
  adjustWallet: route(section, 'POST', '/v1/wallet/{uid}/adjust', {
    ...operator,
    body: lazy(() => z.strictObject({ amount: whole, memo: z.string().optional() })),
    // The balance: nothing is created.
    answer: { shape: 'object', item: balance },
    statuses: [200],
  }),
  refundWallet: route(section, 'POST', '/v1/wallet/{uid}/refund', {
    ...operator,
    body: lazy(() => z.strictObject({ amount, reference: z.string().optional(), memo: z.string().optional() })),
    answer: { shape: 'object', item: balance },
    statuses: [200],
  }),
  creditWalletCoupon: route(section, 'POST', '/v1/wallet/{uid}/coupon', {
    ...operator,
    body: lazy(() => z.strictObject({ amount, code: filled.optional(), expiry_days: whole.positive().optional() })),
    answer: { shape: 'object', item: grant },
  }),
}
