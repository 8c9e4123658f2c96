// A wallet for people and spreadsheets: its balance, credit, history and movements.
import { counted } from '../text/counted.ts'
import { csvText } from '../text/csv.ts'
import { exactMoneyText } from '../text/money-text.ts'
import { safeLine } from '../text/sanitise.ts'
import { tableText } from '../text/tables.ts'
import type { Balance, CreditGrant, Movement, Segment, Wallet } from './billing-records.ts'
import { dayText } from './usage-text.ts'

const AMOUNT = 'amount (USD)'
const BALANCE = 'balance (USD)'
const USED = 'used (USD)'
/** Of an overview. */
const LATEST = 5

type Row = readonly (string | null)[]

/** What was asked for, section by section; of several sections the movements are the latest alone. */
export function walletText({ balance, grants, history, movements }: Wallet): string {
  const isOverview = balance !== null && movements !== null
  const shown = isOverview ? movements.slice(0, LATEST) : movements
  return [
    balance && balanceText(balance),
    grants && (isOverview ? headed('Credit', grantTable(grants), 'no credit was given') : grantTable(grants)),
    history && historyTable(history),
    shown && (isOverview ? headed('Latest movements', movementTable(shown), 'none') : movementTable(shown)),
  ]
    .filter((one) => one !== null)
    .join('\n')
}

function balanceText({ balance, usage, overage }: Balance): string {
  const rows = [
    ['Balance', balance],
    ['Used in this billing period', usage],
    ['Spent beyond all credit', overage],
  ] as const
  return rows.map(([name, amount]) => `${`${name}:`.padEnd(29)}${exactMoneyText(amount)} USD\n`).join('')
}

function headed(title: string, table: string, otherwise: string): string {
  return table === '' ? `${title}: ${otherwise}\n` : `${title}:\n\n${table}`
}

function grantTable(grants: readonly CreditGrant[]): string {
  const rows = grants.map((one) => [
    one.type ?? '-',
    exactMoneyText(one.amount),
    instantText(one.effective_at),
    one.expires_at === null ? 'never' : instantText(one.expires_at),
    one.code ?? one.payment_ref ?? '-',
    one.id,
  ])
  return tableText(['type', AMOUNT, 'since', 'expires', 'reference', 'id'], rows, [AMOUNT])
}

/** The windows of a history, the oldest first. */
function historyTable(history: readonly Segment[]): string {
  const rows = history.map((one) => [dayText(one.from), dayText(one.to), exactMoneyText(one.usage), exactMoneyText(one.balance)])
  return tableText(['from', 'to', USED, BALANCE], rows, [USED, BALANCE])
}

function movementTable(movements: readonly Movement[]): string {
  const rows = movements.map((one) => [instantText(one.created_at), one.type ?? '-', exactMoneyText(one.amount), one.reference ?? '-', one.memo ?? '-', one.id])
  return tableText(['time', 'type', AMOUNT, 'reference', 'memo', 'id'], rows, [AMOUNT])
}

function instantText(instant: string | null): string {
  return instant === null ? '-' : dayText(instant)
}

/** The rows of one section, amounts in micro-USD; of a balance its one row. */
export function walletCsv({ balance, grants, history, movements }: Wallet): string {
  if (history) {
    const rows = history.map((one): Row => [one.from, one.to, digits(one.usage), digits(one.balance)])
    return csvText(['from', 'to', 'usage_micro_usd', 'balance_micro_usd'], rows)
  }
  if (movements) {
    const rows = movements.map((one): Row => [one.id, one.created_at, one.type, digits(one.amount), one.reference, one.memo])
    return csvText(['id', 'created_at', 'type', 'amount_micro_usd', 'reference', 'memo'], rows)
  }
  if (grants) {
    const rows = grants.map((one): Row => [one.id, one.type, digits(one.amount), one.effective_at, one.expires_at, one.code, one.payment_ref])
    return csvText(['id', 'type', 'amount_micro_usd', 'effective_at', 'expires_at', 'code', 'payment_ref'], rows)
  }
  const { balance: left = null, usage = null, overage = null } = balance ?? {}
  return csvText(['balance_micro_usd', 'usage_micro_usd', 'overage_micro_usd'], [[left, usage, overage].map(digits)])
}

/** The document of `wallet --json`: amounts in digits. */
export function walletDocument(user: string, { balance, grants, history, movements }: Wallet) {
  return {
    currency: 'USD' as const,
    unit: 'micro' as const,
    user,
    balance: balance && balanceDocument(balance),
    grants: grants && grants.map((one) => ({ ...one, amount: digits(one.amount) })),
    history: history && history.map((one) => ({ ...one, usage: digits(one.usage), balance: digits(one.balance) })),
    movements: movements && movements.map((one) => ({ ...one, amount: digits(one.amount) })),
  }
}

/** A balance with its amounts in digits. */
export function balanceDocument({ balance, usage, overage }: Balance) {
  return { balance: digits(balance), usage: digits(usage), overage: digits(overage) }
}

/** The document of a grant that was just given. */
export function grantDocument({ id, amount, expires_at }: CreditGrant, reference: string | null) {
  return { currency: 'USD' as const, unit: 'micro' as const, id, amount: digits(amount), reference, expires_at }
}

/** What a coupon gave. */
export interface Redeemed {
  readonly amount: bigint | null
  readonly expires_at: string | null
  readonly flags?: readonly string[] | null | undefined
  readonly workspaces?: number | null | undefined
}

/** What a coupon gave, for people. */
export function redeemedText({ amount, expires_at, flags, workspaces }: Redeemed): string {
  const until = expires_at === null ? 'it does not expire' : `it expires ${instantText(expires_at)} (UTC)`
  const marked = (workspaces ?? 0) > 0 ? `Marked with ${(flags ?? []).map(safeLine).join(', ')}: ${counted(workspaces ?? 0, 'workspace')}.\n` : ''
  return `Redeemed: ${exactMoneyText(amount)} USD, ${until}.\n${marked}`
}

/** The document of `coupons redeem --json`. */
export function redeemedDocument({ amount, expires_at, flags, workspaces }: Redeemed) {
  return { currency: 'USD' as const, unit: 'micro' as const, amount: digits(amount), expires_at, flags: flags ?? [], workspaces: workspaces ?? null }
}

function digits(microUsd: bigint | null): string | null {
  return microUsd === null ? null : String(microUsd)
}
