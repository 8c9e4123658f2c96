// Coupons as credit: how it comes into a wallet, by an operator or by a code that a user redeems, and what else a code brings.
import type { JsonObject } from '../../base/json.ts'
import type { CouponRow, GrantRow } from '../store/billing-rows.ts'
import type { WorkspaceRow } from '../store/rows.ts'
import type { World } from '../world.ts'
import { isoOf, nowMs } from '../world.ts'

/** "Coupon expiry default | 30 days" (Limits). */
export const COUPON_DAYS = 30
const DAY_MS = 86_400_000

/** Puts coupon credit into a wallet; it expires after `expiryDays`. */
export function creditCoupon(
  world: World,
  userId: string,
  coupon: { readonly amount: number; readonly code?: string | undefined; readonly expiryDays?: number | undefined },
): GrantRow {
  const { amount, code = null, expiryDays = COUPON_DAYS } = coupon
  const effectiveAtMs = nowMs(world)
  const { id: movementId } = world.tables.movements.insert({ userId, type: 'COUPON', amount, memo: null, reference: code })
  const expiresAtMs = effectiveAtMs + expiryDays * DAY_MS
  return world.tables.grants.insert({ userId, type: 'coupon', amount, effectiveAtMs, expiresAtMs, movementId, code, paymentRef: null })
}

/** Gives a user a coupon's credit, and the workspaces they own its flags; answers as a redemption does. */
export function redeemCoupon(world: World, userId: string, coupon: CouponRow): JsonObject {
  const { tables } = world
  const { id: couponId, amount, code, expiryDays, flags } = coupon
  const owned = flags.length === 0 ? [] : tables.workspaces.all().filter((workspace) => workspace.ownerId === userId)
  tables.redemptions.insert({ couponId, userId, flags: [...flags], workspaceIds: owned.map((workspace) => workspace.id) })
  const { expiresAtMs } = creditCoupon(world, userId, { amount, code, expiryDays })
  return { amount, expires_at: expiresAtMs === null ? null : isoOf(expiresAtMs), flags, workspaces: owned.length }
}

/** How many more users can redeem a coupon. */
export function usesLeft({ tables }: World, { id, maxUses }: CouponRow): number {
  return maxUses - tables.redemptions.by('coupon', id).length
}

/** The flags that coupons gave a workspace, each once. */
export function couponFlags({ tables }: World, { id, ownerId }: WorkspaceRow): readonly string[] {
  const redeemed = tables.redemptions.by('user', ownerId).filter((one) => one.workspaceIds.includes(id))
  return [...new Set(redeemed.flatMap((one) => one.flags))]
}
