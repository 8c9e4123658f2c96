// What the page is told: every row that it draws, or those that an event has touched since, with clock, requests, faults and money.
import type { PresetName } from '../faults/fault-presets.ts'
import { faultPresets, presetNames } from '../faults/fault-presets.ts'
import type { ListedFault } from '../faults/faults.ts'
import { walletAt } from '../metering/balance.ts'
import { hourlyOfMeter, monthStart } from '../metering/charges.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Place } from '../time/place.ts'
import { nowMs } from '../world.ts'
import { allRows, changedRows } from './shown-rows.ts'
import type { MoneyView, PageView, RequestView } from './view-wire.ts'

/** What a look asks for: rows touched since an event (all without it), requests after one, and money, which takes longer to sum up. */
export interface Look {
  readonly since?: number | undefined
  readonly request?: number | undefined
  readonly money?: boolean | undefined
}

/** Hours that a month is billed for at most: section "Billing, usage, wallet, coupons, rates". */
const HOURS_OF_MONTH = 672n

/** A look at a place; `tenantChanges` counts how often tenants of its host came or went. */
export function viewOfPlace({ sandbox, clock }: Place, { since, request = 0, money = false }: Look, tenantChanges: number): PageView {
  const { mode, scale } = clock.course
  const event = sandbox.hub.lastId
  const touched = since === undefined ? undefined : touchedSince(sandbox, since)
  const { tables } = sandbox.world
  const { faults } = sandbox
  return {
    event,
    complete: touched === undefined,
    clock: { mode, scale, now_ms: nowMs(sandbox.world), next_due_ms: sandbox.nextDueMs() ?? null },
    ...(touched === undefined ? { rows: allRows(tables), gone: {} } : changedRows(tables, touched)),
    requests: sandbox.log.list({ since: request }).map(requestOf),
    first_request: sandbox.log.firstId,
    presets: presetNames.map((name) => ({ name, about: aboutOf(name), ...stateOf(faults.list.filter((one) => one.preset === name).map(faults.hits)) })),
    faults: faults.list.flatMap((one) =>
      one.id === undefined || one.preset !== undefined ? [] : [{ id: one.id, about: wordsOf(one), hits: faults.hits(one) }],
    ),
    money: money ? moneyOf(sandbox) : null,
    tenant_changes: tenantChanges,
  }
}

/** The ids of rows by table; undefined where everything may be otherwise. */
function touchedSince({ hub }: Sandbox, since: number): ReadonlyMap<string, ReadonlySet<string>> | undefined {
  const { events, missed } = hub.since(since)
  if (missed || events.some((one) => one.type === 'reset')) return undefined
  const touched = new Map<string, Set<string>>()
  for (const { type, data } of events) {
    const { table, id } = data
    if (type !== 'row' || typeof table !== 'string' || typeof id !== 'string') continue
    touched.set(table, (touched.get(table) ?? new Set()).add(id))
  }
  return touched
}

function requestOf(one: ReturnType<Sandbox['log']['list']>[number]): RequestView {
  const { id, at, method, path, outcome, status, message, durationMs, fault } = one
  return { id, at, method, path, outcome, status, message, duration_ms: durationMs, fault }
}

function aboutOf(name: PresetName): string {
  return faultPresets[name].about
}

function stateOf(hits: readonly number[]): { on: boolean; hits: number } {
  return { on: hits.length > 0, hits: hits.reduce((sum, one) => sum + one, 0) }
}

/** A fault in one line: its members by name. */
function wordsOf(fault: ListedFault): string {
  const members = Object.entries(fault).filter(([name]) => name !== 'id')
  const words = members.map(([name, value]) => `${name} ${wordsOfValue(value)}`)
  return words.join(', ')
}

function wordsOfValue(value: ListedFault[keyof ListedFault]): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The wallets of who owns a workspace, and what each metered thing costs per hour. */
function moneyOf({ world }: Sandbox): MoneyView {
  const { workspaces, subjects, spans, users } = world.tables
  const now = nowMs(world)
  const prices = new Map<string, bigint>()
  const hourlyOf = new Map<string, bigint>()
  for (const { id, workspaceId } of subjects.all()) {
    const span = spans.first('open', id)
    if (!span) continue
    const price = hourlyOfMeter(world, span.meter, now)
    const owner = workspaces.get(workspaceId)?.ownerId ?? ''
    prices.set(id, price)
    hourlyOf.set(owner, (hourlyOf.get(owner) ?? 0n) + price)
  }
  const wallets = [...new Set(workspaces.all().map((one) => one.ownerId))].map((owner) => {
    const stateAt = walletAt(world, owner, [monthStart(now), now])
    const { spent, balance } = stateAt(now)
    const used = spent - stateAt(monthStart(now)).spent
    const hourly = hourlyOf.get(owner) ?? 0n
    const sums = { balance: String(balance), used: String(used), hourly: String(hourly), monthly: String(hourly * HOURS_OF_MONTH) }
    return { owner, email: users.get(owner)?.email ?? '', ...sums }
  })
  return { wallets, prices: Object.fromEntries([...prices].map(([id, price]) => [id, String(price)])) }
}
