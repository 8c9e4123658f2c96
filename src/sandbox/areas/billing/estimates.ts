// Price estimates from the rate cards in force: section "Billing, usage, wallet, coupons, rates".
import type { JsonObject } from '../../../base/json.ts'
import { exactJson } from '../../metering/money.ts'
import { hourlyOf, unitOf, unitRateAt } from '../../metering/rate-cards.ts'
import { area } from '../../request/area.ts'
import type { Exchange } from '../../request/exchange.ts'
import { rule } from '../../request/rules.ts'
import type { Part } from '../../store/billing-rows.ts'
import { nowMs } from '../../world.ts'
import { PRIVATE_CLOUD } from '../machines/placement.ts'

type Asked = Exchange<'estimatePrice'>['body']['parts'][number]

/** "monthly_price (= hourly_rate * 672)" */
const HOURS_OF_MONTH = 672n

const rules = [
  rule({
    id: 'estimate.region',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: 'region (required), parts (required, object[] discriminated by `type`)',
    assumed: true,
    routes: ['estimatePrice'],
    status: 400,
    field: 'region',
    message: 'no such region',
    broken: ({ world, body: { region } }) => region !== PRIVATE_CLOUD && world.tables.regions.get(region) === undefined,
  }),
  rule({
    id: 'estimate.rate',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: 'The rate card in force is the entry with the latest effective_from at or before the billing instant.',
    assumed: true,
    routes: ['estimatePrice'],
    status: 400,
    field: 'parts',
    message: 'no rate card is in force for a part',
    broken: ({ world, body }) => body.parts.some((asked) => unitRateAt(world, body.region, partOf(asked), nowMs(world)) === undefined),
  }),
]

/** What parts would cost in a region now. */
export const estimatesArea = area(
  {
    estimatePrice({ world, body }) {
      const priced = body.parts.map((asked) => {
        const part = partOf(asked)
        const unitRate = unitRateAt(world, body.region, part, nowMs(world)) ?? 0
        return { type: asked.type, quantity: part.amount / unitOf(part.type, world.readings), unitRate, hourly: hourlyOf(part, unitRate, world.readings) }
      })
      const hourly = priced.reduce((sum, one) => sum + one.hourly, 0n)
      const parts = priced.map((one) => ({ type: one.type, quantity: one.quantity, unit_rate: one.unitRate, ...pricesOf(one.hourly) }))
      return { kind: 'record', view: { ...pricesOf(hourly), parts }, status: 200 }
    },
  },
  { rules },
)

function pricesOf(hourly: bigint): JsonObject {
  return { hourly_rate: exactJson(hourly), monthly_price: exactJson(hourly * HOURS_OF_MONTH) }
}

function partOf(asked: Asked): Part {
  if (asked.type === 'CPU') return { type: 'CPU', amount: asked.cpu, qualifiers: given({ service_group: asked.service_group, cpu_model: asked.cpu_model }) }
  if (asked.type === 'MEMORY') return { type: 'MEMORY', amount: asked.memory_bytes, qualifiers: {} }
  if (asked.type === 'STORAGE') return { type: 'STORAGE', amount: asked.storage_bytes, qualifiers: given({ storage_backing: asked.storage_backing }) }
  if (asked.type === 'BANDWIDTH') return { type: 'BANDWIDTH', amount: asked.speed_bytes_sec, qualifiers: { direction: asked.direction } }
  return { type: 'IP', amount: 1, qualifiers: asked.family === 'IPv4' ? { family: asked.family, ddos: asked.ddos } : { family: asked.family } }
}

function given(qualifiers: Readonly<Record<string, string | undefined>>): Part['qualifiers'] {
  return Object.fromEntries(Object.entries(qualifiers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
