// Rate cards: section "Billing, usage, wallet, coupons, rates".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { direction, family, filled, known, record, timestamp, whole } from '../fields.ts'
import { arrayOf } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Billing, usage, wallet, coupons, rates'
const type = lazy(() => z.enum(['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP']))
const rate = lazy(() =>
  record({
    type: known(type()),
    region: z.string().nullable(),
    service_group: z.string().nullable(),
    cpu_model: z.string().nullable(),
    storage_backing: z.string().nullable(),
    direction: known(direction).nullable(),
    family: known(family).nullable(),
    ddos: z.boolean().nullable(),
    unit_rate: z.number(),
    effective_from: z.string(),
  }),
)

const unitRate = lazy(() => whole.min(0))
const common = lazy(() => ({ region: filled, unit_rate: unitRate(), effective_from: timestamp.optional() }))
const body = lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('CPU'), ...common(), service_group: filled.optional(), cpu_model: filled.optional() }),
    z.strictObject({ type: z.literal('MEMORY'), ...common() }),
    z.strictObject({ type: z.literal('STORAGE'), ...common(), storage_backing: filled.optional() }),
    z.strictObject({ type: z.literal('BANDWIDTH'), ...common(), direction: direction.optional() }),
    z.strictObject({ type: z.literal('IP'), ...common(), family: family.optional(), ddos: z.boolean().optional() }),
  ]),
)
const ofType = { params: { type: 'word' }, access: 'staff' } as const

export const prices = {
  listPrices: route(section, 'GET', '/v1/prices', { ...arrayOf(rate, () => ({})), access: 'staff' }),
  listPricesOfType: route(section, 'GET', '/v1/prices/{type}', { ...ofType, ...arrayOf(rate, () => ({})) }),
  createPrice: route(section, 'POST', '/v1/prices', { body, answer: { shape: 'object', item: rate }, statuses: [201], access: 'staff' }),
  updatePrice: route(section, 'PATCH', '/v1/prices/{type}/{pid}', {
    ...ofType,
    body: lazy(() => z.strictObject({ unit_rate: unitRate(), effective_from: timestamp }).partial()),
    answer: { shape: 'object', item: rate },
  }),
  deletePrice: route(section, 'DELETE', '/v1/prices/{type}/{pid}', { ...ofType, answer: { shape: 'empty' }, statuses: [204] }),
}
