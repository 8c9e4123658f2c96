// Coupons: credit under a code, never changed; one that is used up stays for ever.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { mark } from './definition/fields.ts'
import { defineKind } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const fixed = <T extends z.ZodType>(schema: T): T => mark(schema, { immutable: true, shown: true })

const spec = z.strictObject({
  code: fixed(z.string().min(1)).describe('what users redeem it by; no two coupons have the same'),
  amount: mark(fixed(z.int().positive()), { unit: 'micro-USD' }).describe('credit that each user gets, in micro-USD (1 USD = 1,000,000)'),
  uses: fixed(z.int().positive()).describe('how many users can redeem it'),
  expiry_days: fixed(z.int().positive()).default(30).describe('days after which what was redeemed expires'),
  flags: mark(z.array(z.string()), { immutable: true, shown: true, clearable: true, unordered: true })
    .optional()
    .describe('flags that the workspaces of who redeems it get'),
  note: mark(z.string(), { immutable: true, shown: true, clearable: true }).optional().describe('a note for operators'),
})

const live = defineShape('Coupon', () =>
  z.object({
    id: idOf,
    code: maybe(z.string()),
    amount: maybe(z.number()),
    expiry_days: maybe(z.number()),
    flags: maybe(z.array(z.string())),
    note: maybe(z.string()),
    max_uses: maybe(z.number()),
    uses_remaining: maybe(z.number()),
    created_at: maybe(z.string()),
  }),
)

export const Coupon = defineKind({
  name: 'Coupon',
  plural: 'coupons',
  about: 'A coupon that users redeem for credit; for operators. It is never changed: another one takes its place.',
  section: 'Billing, usage, wallet, coupons, rates',
  scope: 'account',
  handle: 'code',
  calls: { making: [routes.createCoupon], removing: [routes.deleteCoupon] },
  unique: ['code'],
  createFirst: true,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the coupon' },
    code: { type: 'string', about: 'what it is redeemed by' },
    uses_remaining: { type: 'integer', about: 'how many users can still redeem it' },
    created_at: { type: 'string', about: 'when it was made' },
  },
  examples: [
    {
      title: 'Ten dollars for the first hundred users',
      spec: { code: 'WELCOME-10', amount: 10_000_000, uses: 100, expiry_days: 60, flags: ['BETA', 'EARLY'], note: 'for the opening' },
      changes: { code: 'WELCOME-5', amount: 5_000_000, uses: 200, expiry_days: 90, flags: ['EARLY'], note: 'for the opening week' },
    },
  ],
  list: (api) => api.all(call(routes.listCoupons, {}), live),
  read: (api, id) => api.one(call(routes.getCoupon, { cid: id }), live),
  id: (one) => one.id,
  toSpec: ({ code, amount, max_uses, expiry_days, flags, note }) => ({ code, amount, uses: max_uses, expiry_days, flags, note }),
  outputsOf: ({ id, code, uses_remaining, created_at }) => present({ id, code, uses_remaining, created_at }),
  status: () => 'ready',
  naturalKey: (one) => `${one.code}`,
  steps({ desired, live: there }) {
    return there ? [] : [{ name: 'create', creates: true, call: call(routes.createCoupon, {}, desired), sets: desired }]
  },
  removal: ({ id, live: there }) => [
    {
      name: 'delete',
      removes: true,
      ...(there?.uses_remaining === 0 ? { orForgotten: 'a coupon that is used up cannot be deleted' } : {}),
      call: call(routes.deleteCoupon, { cid: id }),
      sets: {},
    },
  ],
})
