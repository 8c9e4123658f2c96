// The tables of billing: rate cards, subjects and their metered spans, wallets, coupons.
import * as rows from './billing-rows.ts'
import * as keys from './row-keys.ts'
import type { TableContext } from './table.ts'
import { createTable, tablesIn } from './table.ts'

/** Prices, metering and wallets; rates that were deleted are in no list, but price what they priced. */
export function billingTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    rates: table('rates', 40, rows.rateRow, {
      type: (row) => (row.deletedAtMs === null ? row.type : undefined),
      place: (row) => `${row.type}/${row.region}`,
    }),
    subjects: createTable({ name: 'subjects', number: 41, ids: 'natural', schema: rows.subjectRow, indexes: { workspace: keys.workspace } }, context),
    spans: table('spans', 42, rows.spanRow, { subject: (row) => row.subjectId, open: (row) => (row.toMs === null ? row.subjectId : undefined) }),
    grants: table('grants', 43, rows.grantRow, {
      user: keys.user,
      payment: (row) => (row.paymentRef === null ? undefined : `${row.userId}/${row.paymentRef}`),
    }),
    movements: table('movements', 44, rows.movementRow, { user: keys.user }),
    coupons: table('coupons', 45, rows.couponRow, { code: (row) => row.code }),
    redemptions: table('redemptions', 46, rows.redemptionRow, {
      coupon: (row) => row.couponId,
      user: keys.user,
      pair: (row) => `${row.couponId}/${row.userId}`,
    }),
  }
}
