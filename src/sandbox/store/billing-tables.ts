// The tables of billing: rate cards, subjects and their metered spans, wallets, coupons.
import * as rows from './billing-rows.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'

/** Prices, metering and wallets; rates that were deleted are in no list, but price what they priced. */
export function billingTables(context: TableContext) {
  return { ...meteringTables(context), ...walletTables(context) }
}

function meteringTables(context: TableContext) {
  return {
    rates: createTable(
      {
        name: 'rates',
        number: 40,
        ids: 'integer',
        schema: rows.rateRow,
        indexes: { type: (row) => (row.deletedAtMs === null ? row.type : undefined), place: (row) => `${row.type}/${row.region}` },
      },
      context,
    ),
    subjects: createTable({ name: 'subjects', number: 41, ids: 'natural', schema: rows.subjectRow, indexes: { workspace: (row) => row.workspaceId } }, context),
    spans: createTable(
      {
        name: 'spans',
        number: 42,
        ids: 'integer',
        schema: rows.spanRow,
        indexes: { subject: (row) => row.subjectId, open: (row) => (row.toMs === null ? row.subjectId : undefined) },
      },
      context,
    ),
  }
}

function walletTables(context: TableContext) {
  return {
    grants: createTable(
      {
        name: 'grants',
        number: 43,
        ids: 'integer',
        schema: rows.grantRow,
        indexes: { user: (row) => row.userId, payment: (row) => (row.paymentRef === null ? undefined : `${row.userId}/${row.paymentRef}`) },
      },
      context,
    ),
    movements: createTable({ name: 'movements', number: 44, ids: 'integer', schema: rows.movementRow, indexes: { user: (row) => row.userId } }, context),
    coupons: createTable({ name: 'coupons', number: 45, ids: 'integer', schema: rows.couponRow, indexes: { code: (row) => row.code } }, context),
    redemptions: createTable(
      {
        name: 'redemptions',
        number: 46,
        ids: 'integer',
        schema: rows.redemptionRow,
        indexes: { coupon: (row) => row.couponId, user: (row) => row.userId, pair: (row) => `${row.couponId}/${row.userId}` },
      },
      context,
    ),
  }
}
