// Rate cards as operators keep them: section "Billing, usage, wallet, coupons, rates".
import { instantMs } from '../../../base/instant.ts'
import type { JsonObject } from '../../../base/json.ts'
import { followedBy } from '../../metering/rate-cards.ts'
import { area } from '../../request/area.ts'
import type { Exchange } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { RateRow } from '../../store/billing-rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs } from '../../world.ts'
import { PRIVATE_CLOUD } from '../machines/placement.ts'

const section = 'Billing, usage, wallet, coupons, rates'
const TYPES = ['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP'] as const
const QUALIFIERS = ['service_group', 'cpu_model', 'storage_backing', 'direction', 'family', 'ddos'] as const

const rules = [
  rule({
    id: 'prices.type',
    section,
    quote: 'operator; type is `CPU`, `MEMORY`, `STORAGE`, `BANDWIDTH`, `IP`',
    routes: ['listPricesOfType'],
    status: 400,
    field: 'type',
    message: `one of ${TYPES.join(', ')}`,
    broken: ({ params }) => !TYPES.some((type) => type === params.type),
  }),
  rule({
    id: 'prices.region',
    section,
    quote: 'operator; type, region, unit_rate (required)',
    assumed: true,
    routes: ['createPrice'],
    status: 400,
    field: 'region',
    message: 'no such region',
    broken: ({ world, body: { region } }) => region !== PRIVATE_CLOUD && world.tables.regions.get(region) === undefined,
  }),
  rule({
    id: 'prices.twice',
    section,
    quote: 'the entry with the latest effective_from at or before the billing instant',
    assumed: true,
    routes: ['createPrice'],
    status: 409,
    field: 'effective_from',
    message: 'the rate card has an entry from that instant on',
    broken: ({ world, body }) => isTaken(world, cardOf(body.type, body.region, qualifiersOf(body)), fromOf(world, body), undefined),
  }),
  rule({
    id: 'prices.moved',
    section,
    quote: 'the entry with the latest effective_from at or before the billing instant',
    assumed: true,
    routes: ['updatePrice'],
    status: 409,
    field: 'effective_from',
    message: 'the rate card has an entry from that instant on',
    broken({ world, params, body }) {
      const row = found(world.tables.rates.get(params.pid), 'rate')
      return body.effective_from !== undefined && isTaken(world, cardOf(row.type, row.region, row.qualifiers), fromOf(world, body), row.id)
    },
  }),
]

/** Lists, makes, changes and deletes rates; what was billed by one stays billed. */
export const pricesArea = area(
  {
    listPrices({ world }) {
      const rates = world.tables.rates.all().filter((row) => row.deletedAtMs === null)
      const latest = new Map(rates.toSorted(oldestFirst).map((row) => [cardOf(row.type, row.region, row.qualifiers), row]))
      return { kind: 'price', views: [...latest.values()].map(rateView) }
    },
    listPricesOfType({ world, params }) {
      return { kind: 'price', views: world.tables.rates.by('type', params.type).toSorted(oldestFirst).toReversed().map(rateView) }
    },
    createPrice({ world, body }) {
      const { type, region, unit_rate: unitRateMicroUsd } = body
      const since = { effectiveFromMs: fromOf(world, body), knownFromMs: nowMs(world) }
      const row = world.tables.rates.insert({ type, region, qualifiers: qualifiersOf(body), unitRateMicroUsd, ...since, earlier: [], deletedAtMs: null })
      return { kind: 'price', view: rateView(row) }
    },
    updatePrice({ world, params, body }) {
      const row = found(world.tables.rates.get(params.pid), 'rate')
      const version = {
        unitRateMicroUsd: body.unit_rate ?? row.unitRateMicroUsd,
        effectiveFromMs: body.effective_from === undefined ? row.effectiveFromMs : instantMs(body.effective_from),
        knownFromMs: nowMs(world),
      }
      return { kind: 'price', view: rateView(world.tables.rates.update(row.id, followedBy(row, version))) }
    },
    deletePrice({ world, params }) {
      world.tables.rates.update(params.pid, { deletedAtMs: nowMs(world) })
      return undefined
    },
  },
  { rules },
)

/** Entries of one type, region and set of qualifiers make one card. */
function cardOf(type: string, region: string, qualifiers: RateRow['qualifiers']): string {
  return JSON.stringify([type, region, ...QUALIFIERS.map((name) => qualifiers[name] ?? null)])
}

function isTaken({ tables }: World, card: string, effectiveFromMs: number, exceptId: string | undefined): boolean {
  const others = tables.rates.all().filter((row) => row.deletedAtMs === null && row.id !== exceptId)
  return others.some((row) => row.effectiveFromMs === effectiveFromMs && cardOf(row.type, row.region, row.qualifiers) === card)
}

function fromOf(world: World, body: { readonly effective_from?: string | undefined }): number {
  return body.effective_from === undefined ? nowMs(world) : instantMs(body.effective_from)
}

function qualifiersOf(body: Exchange<'createPrice'>['body']): RateRow['qualifiers'] {
  const sent = new Map<string, unknown>(Object.entries(body))
  const qualifiers: Record<string, string | boolean> = {}
  for (const name of QUALIFIERS) {
    const value = sent.get(name)
    if (typeof value === 'string' || typeof value === 'boolean') qualifiers[name] = value
  }
  return qualifiers
}

/** Sorting is stable, and rows come in order of their making. */
function oldestFirst(a: RateRow, b: RateRow): number {
  return a.effectiveFromMs - b.effectiveFromMs
}

function rateView(row: RateRow): JsonObject {
  const { unitRateMicroUsd, effectiveFromMs } = row
  const qualifiers = Object.fromEntries(QUALIFIERS.map((name) => [name, row.qualifiers[name] ?? null]))
  return { id: row.id, type: row.type, region: row.region, ...qualifiers, unit_rate: unitRateMicroUsd, effective_from: isoOf(effectiveFromMs) }
}
