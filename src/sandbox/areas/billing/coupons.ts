// Coupons and their redemption: section "Billing, usage, wallet, coupons, rates".
import type { JsonObject } from '../../../base/json.ts'
import { COUPON_DAYS, redeemCoupon, usesLeft } from '../../metering/credit.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { CouponRow } from '../../store/billing-rows.ts'
import type { World } from '../../world.ts'
import { secretOf } from '../../world.ts'

const section = 'Billing, usage, wallet, coupons, rates'
const USES = 'uses (required; distinct redeeming users)'
const CODE_LENGTH = 12
/** A hundred years: beyond some thousands of them there are no dates. */
const MOST_DAYS = 36_500

const rules = [
  rule({
    id: 'coupons.twice',
    section,
    quote: USES,
    assumed: true,
    routes: ['redeemCoupon'],
    status: 409,
    message: 'the coupon was redeemed already',
    broken({ world, caller, body }) {
      const coupon = world.tables.coupons.first('code', body.code)
      return coupon !== undefined && world.tables.redemptions.first('pair', `${coupon.id}/${caller.user.id}`) !== undefined
    },
  }),
  rule({
    id: 'coupons.used-up',
    section,
    quote: USES,
    assumed: true,
    routes: ['redeemCoupon'],
    status: 409,
    message: 'the coupon is used up',
    broken({ world, body }) {
      const coupon = world.tables.coupons.first('code', body.code)
      return coupon !== undefined && usesLeft(world, coupon) <= 0
    },
  }),
  rule({
    id: 'coupons.code',
    section,
    quote: 'code (auto-generated when omitted)',
    assumed: true,
    routes: ['createCoupon'],
    status: 409,
    field: 'code',
    message: 'the code is taken',
    broken: ({ world, body: { code } }) => code !== undefined && world.tables.coupons.first('code', code) !== undefined,
  }),
  rule({
    id: 'coupons.expiry',
    section,
    quote: 'expiry_days (default 30)',
    assumed: true,
    routes: ['createCoupon', 'creditWalletCoupon'],
    status: 400,
    field: 'expiry_days',
    message: `at most ${MOST_DAYS} days`,
    broken: ({ body }) => (body.expiry_days ?? COUPON_DAYS) > MOST_DAYS,
  }),
  rule({
    id: 'coupons.delete',
    section,
    quote: 'only unredeemed coupons or those with remaining uses',
    routes: ['deleteCoupon'],
    status: 409,
    message: 'the coupon is used up',
    broken({ world, params }) {
      const coupon = world.tables.coupons.get(params.cid)
      return coupon !== undefined && usesLeft(world, coupon) <= 0
    },
  }),
]

/** Makes and deletes coupons, and lets users redeem them. */
export const couponsArea = area(
  {
    redeemCoupon({ world, caller, body }) {
      return { kind: 'record', view: redeemCoupon(world, caller.user.id, found(world.tables.coupons.first('code', body.code), 'coupon')), status: 200 }
    },
    listCoupons: ({ world }) => listing('coupon', world.tables.coupons.all(), (row) => couponView(world, row), 'oldest'),
    createCoupon({ world, body }) {
      const { amount, uses, code = newCode(world), expiry_days: expiryDays = COUPON_DAYS, flags = [], note = null } = body
      const row = world.tables.coupons.insert({ code, amount, expiryDays, flags: [...new Set(flags)], note, maxUses: uses })
      return { kind: 'coupon', view: couponView(world, row) }
    },
    getCoupon: ({ world, params }) => ({ kind: 'coupon', view: couponView(world, found(world.tables.coupons.get(params.cid), 'coupon')) }),
    deleteCoupon({ world, params }) {
      world.tables.coupons.delete(found(world.tables.coupons.get(params.cid), 'coupon').id)
      return undefined
    },
  },
  { rules },
)

function newCode(world: World): string {
  return secretOf(world, `coupon/${world.tables.coupons.stored.last()}`).slice(0, CODE_LENGTH).toUpperCase()
}

function couponView(world: World, row: CouponRow): JsonObject {
  const { id, code, amount, expiryDays, flags, note, maxUses, createdAt } = row
  const uses = { max_uses: maxUses, uses_remaining: usesLeft(world, row) }
  return { id, code, amount, expiry_days: expiryDays, flags, note, ...uses, created_at: createdAt }
}
