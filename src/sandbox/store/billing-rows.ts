// The rows of billing: rate cards, what is metered and when, and what wallets and coupons hold, as schemas.
import * as z from 'zod'
import { baseColumns } from './base-columns.ts'

const rateType = z.enum(['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP'])
/** What narrows a rate or a part, by the document's names; one that is not there is unscoped. */
const qualifiers = z.record(z.string(), z.union([z.string(), z.boolean()]))

const version = z.strictObject({ unitRateMicroUsd: z.number(), effectiveFromMs: z.number(), knownFromMs: z.number() })

/** A rate as answers show it, and as it was known before: what was billed keeps to the version that was known then. */
export const rateRow = z.strictObject({
  ...baseColumns,
  type: rateType,
  region: z.string(),
  qualifiers,
  ...version.shape,
  earlier: z.array(version),
  deletedAtMs: z.number().nullable(),
})

/** A billing subject, by the id of its resource; `name` is as it was when the subject came. It stays when the resource goes. */
export const subjectRow = z.strictObject({
  ...baseColumns,
  kind: z.enum(['INSTANCE', 'DISK', 'FLOATING_IP', 'DEDIBOX']),
  workspaceId: z.string(),
  name: z.string(),
  state: z.enum(['ACTIVE', 'SUSPENDED', 'TERMINATED']),
  /** Whether it was online when it was suspended. */
  wasOnline: z.boolean(),
})

/** What a rate applies to: cores, bytes, bytes per second, or addresses. */
const part = z.strictObject({ type: rateType, amount: z.number(), qualifiers })

/** What is metered of a subject: an hourly rate in micro-USD for the whole, null where the parts are what is paid for. */
const meter = z.strictObject({ region: z.string(), rateMicroUsd: z.number().nullable(), parts: z.array(part) })

/** A time in which a subject was metered by one meter; `toMs` is null while it lasts. */
export const spanRow = z.strictObject({ ...baseColumns, subjectId: z.string(), fromMs: z.number(), toMs: z.number().nullable(), meter })

/** Credit of a wallet; `amount` in micro-USD. Its movement is its place among what happened at the same instant; null, unknown, is before all of it. */
export const grantRow = z.strictObject({
  ...baseColumns,
  userId: z.string(),
  type: z.enum(['topup', 'coupon', 'adjustment']),
  amount: z.number(),
  effectiveAtMs: z.number(),
  expiresAtMs: z.number().nullable(),
  movementId: z.string().nullable().default(null),
  code: z.string().nullable(),
  paymentRef: z.string().nullable(),
})
export const movementRow = z.strictObject({
  ...baseColumns,
  userId: z.string(),
  type: z.enum(['COUPON', 'TOP_UP', 'ADJUSTMENT', 'REFUND']),
  amount: z.number(),
  memo: z.string().nullable(),
  reference: z.string().nullable(),
})

export const couponRow = z.strictObject({
  ...baseColumns,
  code: z.string(),
  amount: z.number(),
  expiryDays: z.number(),
  flags: z.array(z.string()),
  note: z.string().nullable(),
  maxUses: z.number(),
})
/** A coupon that a user redeemed; `flags` went to these workspaces. */
export const redemptionRow = z.strictObject({
  ...baseColumns,
  couponId: z.string(),
  userId: z.string(),
  flags: z.array(z.string()),
  workspaceIds: z.array(z.string()),
})

export type RateRow = z.output<typeof rateRow>
export type SubjectRow = z.output<typeof subjectRow>
export type SpanRow = z.output<typeof spanRow>
export type Meter = z.output<typeof meter>
export type Part = z.output<typeof part>
export type GrantRow = z.output<typeof grantRow>
export type MovementRow = z.output<typeof movementRow>
export type CouponRow = z.output<typeof couponRow>
