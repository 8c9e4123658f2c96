// Entries of rate cards: what a unit of something costs per hour, from an instant on.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import { lazy } from '../base/lazy.ts'
import { immutable, mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Reader, Step } from './definition/kind.ts'
import { anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf, regionOf } from './definition/shape.ts'
import { checkPrice, checkPriceTwins, priceKey, qualifiers } from './price-checks.ts'

const types = ['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP'] as const
const qualifier = <T extends z.ZodType>(schema: T) => mark(schema, { immutable: true, shown: true, clearable: true, absentSays: true }).optional()

const spec = z.strictObject({
  type: immutable(z.enum(types)).describe('what is billed'),
  region: mark(z.string().min(1), { immutable: true, shown: true }).describe('code of the region that it holds in'),
  service_group: qualifier(z.string().min(1)).describe('group of instances, with CPU; all when omitted'),
  cpu_model: qualifier(z.string().min(1)).describe('model of the processor, with CPU; all when omitted'),
  storage_backing: qualifier(z.string().min(1)).describe('backing of the storage, with STORAGE; all when omitted'),
  direction: qualifier(z.enum(['UPLOAD', 'DOWNLOAD'])).describe('direction, with BANDWIDTH; both when omitted'),
  family: qualifier(z.enum(['IPv4', 'IPv6'])).describe('address family, with IP; both when omitted'),
  ddos: qualifier(z.boolean()).describe('whether addresses are protected, with IP; all when omitted'),
  unit_rate: mark(z.int().min(0), { shown: true, unit: 'micro-USD/h' }).describe('micro-USD per unit and hour (1 USD = 1,000,000)'),
  effective_from: mark(z.string(), { form: 'instant', shown: true }).optional().describe('since when it is in force; from its creation on when omitted'),
})
type Spec = z.output<typeof spec>

const shown = lazy(() =>
  z.object({
    id: idOf,
    region: maybe(regionOf),
    service_group: maybe(z.string()),
    cpu_model: maybe(z.string()),
    storage_backing: maybe(z.string()),
    direction: maybe(anyCase(['UPLOAD', 'DOWNLOAD'])),
    family: maybe(anyCase(['IPv4', 'IPv6'])),
    ddos: maybe(z.boolean()),
    unit_rate: maybe(z.number()),
    effective_from: maybe(z.string()),
  }),
)
const answer = defineShape('Price', shown)
// Its list is of one type, whether the answer says so or not.
const live = defineShape('Price', () => shown().extend({ type: z.enum(types) }))

const changing = ['unit_rate', 'effective_from'] as const

export const Price = defineKind({
  name: 'Price',
  plural: 'prices',
  about: 'An entry of a rate card, for operators: in force is the latest one of its type, region and qualifiers that has begun.',
  section: 'Billing, usage, wallet, coupons, rates',
  scope: 'account',
  calls: { making: [routes.createPrice, routes.updatePrice], removing: [routes.deletePrice] },
  singleRead: false,
  columns: ['type', 'region', 'unit_rate', ...qualifiers],
  unique: ['type', 'region', ...qualifiers, 'effective_from'],
  createFirst: true,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'type and id, `<type>/<id>`' },
    effective_from: { type: 'string', about: 'since when it is in force' },
  },
  examples: [
    {
      title: 'Cores of one group and model',
      spec: { type: 'CPU', region: 'fra-1', service_group: 'RYZEN', cpu_model: '9950X', unit_rate: 4_000, effective_from: '2027-01-01T00:00:00Z' },
      changes: { region: 'ams-1', service_group: 'DEDICATED', cpu_model: '9950X3D', unit_rate: 4_200, effective_from: '2027-02-01T00:00:00Z' },
    },
    {
      title: 'Memory of a region',
      spec: { type: 'MEMORY', region: 'fra-1', unit_rate: 1_600, effective_from: '2027-01-01T00:00:00Z' },
      changes: { type: 'CPU' },
    },
    {
      title: 'Storage on the network',
      spec: { type: 'STORAGE', region: 'fra-1', storage_backing: 'CEPH', unit_rate: 45, effective_from: '2027-01-01T00:00:00Z' },
      changes: { storage_backing: 'LOCAL' },
    },
    {
      title: 'Uploads',
      spec: { type: 'BANDWIDTH', region: 'fra-1', direction: 'UPLOAD', unit_rate: 3, effective_from: '2027-01-01T00:00:00Z' },
      changes: { direction: 'DOWNLOAD' },
    },
    {
      title: 'Protected addresses',
      spec: { type: 'IP', region: 'fra-1', family: 'IPv4', ddos: true, unit_rate: 6_500, effective_from: '2027-01-01T00:00:00Z' },
      changes: { family: 'IPv6', ddos: false },
    },
  ],
  // The list of all holds the latest entry of each card alone.
  list: async (api) => (await inTurns(types, (type) => listOf(api, type))).flat(),
  async read(api, id) {
    const type = types.find((one) => id.startsWith(`${one}/`))
    return type && (await listOf(api, type)).find((one) => id === `${type}/${one.id}`)
  },
  idForm: /^[A-Z_]+\/[1-9]\d{0,18}$/,
  id: wholeId,
  toSpec: (one) => pick(one, ['type', 'region', ...qualifiers, ...changing]),
  outputsOf: (one) => present({ id: wholeId(one), effective_from: one.effective_from }),
  status: () => 'ready',
  naturalKey: priceKey,
  idOfMade: (id, { type }) => `${type}/${id}`,
  check: checkPrice,
  checkAll: checkPriceTwins,
  steps({ id, desired, live: there, nowMs, changed }): Step<Spec>[] {
    // Named in any case: by its instant alone an entry whose answer was lost is found again.
    const sets = { effective_from: new Date(Math.floor(nowMs / 1000) * 1000).toISOString(), ...desired }
    if (!there) return [{ name: 'create', creates: true, call: call(routes.createPrice, {}, sets), sets }]
    const patch = pick(
      desired,
      changing.filter((name) => changed(name)),
    )
    return Object.keys(patch).length === 0 ? [] : [{ name: 'update', call: call(routes.updatePrice, partsOf(id), patch), sets: patch }]
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.deletePrice, partsOf(id)), sets: {} }],
})

/** Of what the state says of it the id is whole already. */
function wholeId({ type, id }: z.output<typeof live.schema>): string {
  return id.includes('/') ? id : `${type}/${id}`
}

async function listOf(api: Reader, type: (typeof types)[number]) {
  const found = await api.all(call(routes.listPricesOfType, { type }), answer)
  return found.map((one) => ({ ...one, type }))
}

function partsOf(id: string): { readonly type: string; readonly pid: string } {
  const [type = '', pid = ''] = id.split('/')
  return { type, pid }
}
