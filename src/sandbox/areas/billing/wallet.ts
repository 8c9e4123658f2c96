// The prepaid wallet of a user: section "Billing, usage, wallet, coupons, rates".
import { instantMs } from '../../../base/instant.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { WalletState } from '../../metering/balance.ts'
import { walletAt } from '../../metering/balance.ts'
import { monthStart } from '../../metering/charges.ts'
import { creditCoupon } from '../../metering/credit.ts'
import { exactJson } from '../../metering/money.ts'
import { area } from '../../request/area.ts'
import { userAt } from '../../request/caller.ts'
import { listing } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { GrantRow, MovementRow } from '../../store/billing-rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs } from '../../world.ts'
import { isWindow, segmentsOf } from './wallet-windows.ts'

const MOST_SEGMENTS = 1_000
const section = 'Billing, usage, wallet, coupons, rates'

const rules = [
  rule({
    id: 'wallet.window',
    section,
    quote: 'window (`DAY` default, `MONTH`, other granularities)',
    assumed: true,
    routes: ['listWalletHistory'],
    status: 400,
    field: 'window',
    message: 'one of HOUR, DAY, WEEK, MONTH',
    broken: ({ query }) => !isWindow(query.window ?? 'DAY'),
  }),
  rule({
    id: 'wallet.segments',
    section,
    quote: 'array of history segments',
    assumed: true,
    routes: ['listWalletHistory'],
    status: 400,
    field: 'window',
    message: `more than ${MOST_SEGMENTS} segments`,
    broken: ({ world, query }) => historyOf(world, query, MOST_SEGMENTS + 1).length > MOST_SEGMENTS,
  }),
  rule({
    id: 'wallet.adjust-zero',
    section,
    quote: 'amount (required, signed)',
    assumed: true,
    routes: ['adjustWallet'],
    status: 400,
    field: 'amount',
    message: 'an adjustment by nothing',
    broken: ({ body }) => body.amount === 0,
  }),
  rule({
    id: 'wallet.empty',
    section: 'Billing and wallet records',
    quote: '`overage` (spend beyond grants)',
    assumed: true,
    routes: ['createInstance', 'createDisk', 'createFloatingIp'],
    status: 403,
    message: 'the wallet of the owner is empty',
    broken({ world, params }) {
      if (world.readings.emptyWallet === 'accept') return false
      const { ownerId } = found(world.tables.workspaces.get(params.wid), 'workspace')
      return walletAt(world, ownerId, [nowMs(world)])(nowMs(world)).balance <= 0n
    },
  }),
]

/** Shows wallets; tops them up, adjusts and refunds them. */
export const walletArea = area(
  {
    getWallet: ({ world, caller, params }) => ({ kind: 'record', view: walletView(world, userAt(world, caller, params.uid).id) }),
    listWalletGrants({ world, caller, params }) {
      const rows = world.tables.grants.by('user', userAt(world, caller, params.uid).id)
      return { kind: 'record', views: rows.map(grantView) }
    },
    listWalletHistory({ world, caller, params, query }) {
      const segments = historyOf(world, query, MOST_SEGMENTS)
      const instants = segments.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
      const stateAt = walletAt(world, userAt(world, caller, params.uid).id, instants)
      return { kind: 'record', views: segments.map(({ fromMs, toMs }) => segmentView(fromMs, toMs, stateAt(fromMs), stateAt(toMs))) }
    },
    listWalletMovements({ world, caller, params }) {
      return listing('movement', world.tables.movements.by('user', userAt(world, caller, params.uid).id), movementView)
    },
    topUpWallet({ world, caller, params, body }) {
      const userId = userAt(world, caller, params.uid).id
      const known = body.payment_ref === undefined ? undefined : world.tables.grants.first('payment', `${userId}/${body.payment_ref}`)
      return { kind: 'record', view: grantView(known ?? topUp(world, userId, body.amount, body.payment_ref ?? null)) }
    },
    adjustWallet({ world, caller, params, body }) {
      const userId = userAt(world, caller, params.uid).id
      const { amount, memo = null } = body
      const { id: movementId } = world.tables.movements.insert({ userId, type: 'ADJUSTMENT', amount, memo, reference: null })
      if (amount > 0) world.tables.grants.insert({ ...permanent(world, userId, amount), type: 'adjustment', movementId })
      return { kind: 'record', view: walletView(world, userId) }
    },
    refundWallet({ world, caller, params, body }) {
      const userId = userAt(world, caller, params.uid).id
      const { amount, memo = null, reference = null } = body
      world.tables.movements.insert({ userId, type: 'REFUND', amount: -amount, memo, reference })
      return { kind: 'record', view: walletView(world, userId) }
    },
    creditWalletCoupon({ world, caller, params, body }) {
      const userId = userAt(world, caller, params.uid).id
      return { kind: 'record', view: grantView(creditCoupon(world, userId, { amount: body.amount, code: body.code, expiryDays: body.expiry_days })) }
    },
  },
  { rules },
)

function topUp(world: World, userId: string, amount: number, paymentRef: string | null): GrantRow {
  const { id: movementId } = world.tables.movements.insert({ userId, type: 'TOP_UP', amount, memo: null, reference: paymentRef })
  return world.tables.grants.insert({ ...permanent(world, userId, amount), type: 'topup', movementId, paymentRef })
}

function permanent(world: World, userId: string, amount: number) {
  return { userId, amount, effectiveAtMs: nowMs(world), expiresAtMs: null, code: null, paymentRef: null }
}

/** What has passed of the period, window by window. */
function historyOf(world: World, query: { readonly from: string; readonly to: string; readonly window?: string | undefined }, most: number) {
  return segmentsOf(query.window ?? 'DAY', instantMs(query.from), Math.min(instantMs(query.to), nowMs(world)), most)
}

function walletView(world: World, userId: string): JsonObject {
  const now = nowMs(world)
  const stateAt = walletAt(world, userId, [monthStart(now), now])
  const { spent, balance, overage } = stateAt(now)
  return { balance: exactJson(balance), usage: exactJson(spent - stateAt(monthStart(now)).spent), overage: exactJson(overage) }
}

function segmentView(fromMs: number, toMs: number, before: WalletState, { spent, balance, remaining }: WalletState): JsonObject {
  const left = Object.fromEntries([...remaining].map(([id, amount]) => [id, exactJson(amount)]))
  return { from: isoOf(fromMs), to: isoOf(toMs), usage: exactJson(spent - before.spent), balance: exactJson(balance), grant_balances: left }
}

function grantView({ id, type, amount, effectiveAtMs, expiresAtMs, code, paymentRef }: GrantRow): JsonObject {
  const expires = expiresAtMs === null ? null : isoOf(expiresAtMs)
  return { id, type, amount, effective_at: isoOf(effectiveAtMs), expires_at: expires, code, payment_ref: paymentRef }
}

function movementView({ id, type, amount, memo, reference, createdAt }: MovementRow): JsonObject {
  return { id, type, amount, memo, reference, created_at: createdAt }
}
