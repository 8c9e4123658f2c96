// Coupons and their redemption: section "Billing, usage, wallet, coupons, rates".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { amount, filled, open, record, secret, whole } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Billing, usage, wallet, coupons, rates'
const coupon = lazy(() =>
  record({
    code: z.string(),
    amount: z.number(),
    expiry_days: z.number().nullable(),
    flags: z.array(z.string()),
    note: z.string().nullable(),
    max_uses: z.number().nullable(),
    uses_remaining: z.number().nullable(),
    created_at: z.string(),
  }),
)
const redeemed = lazy(() => open({ amount: z.number(), expires_at: z.string().nullable(), flags: z.array(z.string()), workspaces: z.number() }))

export const coupons = {
  redeemCoupon: route(section, 'POST', '/v1/coupons/redeem', {
    body: lazy(() => z.strictObject({ code: secret(filled) })),
    answer: { shape: 'object', item: redeemed },
    access: 'session',
  }),
  listCoupons: route(section, 'GET', '/v1/coupons', { ...paged(coupon, () => ({})), access: 'staff' }),
  createCoupon: route(section, 'POST', '/v1/coupons', {
    body: lazy(() =>
      z.strictObject({
        amount,
        uses: whole.positive(),
        code: filled.optional(),
        expiry_days: whole.positive().optional(),
        flags: z.array(z.string()).optional(),
        note: z.string().optional(),
      }),
    ),
    answer: { shape: 'object', item: coupon },
    access: 'staff',
  }),
  getCoupon: route(section, 'GET', '/v1/coupons/{cid}', { answer: { shape: 'object', item: coupon }, access: 'staff' }),
  deleteCoupon: route(section, 'DELETE', '/v1/coupons/{cid}', { answer: { shape: 'empty' }, statuses: [204], access: 'staff' }),
}
