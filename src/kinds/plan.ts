// Server plans: looked up by name, never managed.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { defineKind } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { codeOf, defineShape, idOf } from './definition/shape.ts'

const spec = z.strictObject({
  name: z.string().describe('name of the plan'),
})

const live = defineShape('Plan', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    group: maybe(codeOf),
    cpu: maybe(z.number()),
    memory: maybe(z.number()),
    disk_size: maybe(z.number()),
    upload: maybe(z.number()),
    download: maybe(z.number()),
    rate: maybe(z.number()),
    disabled: maybe(z.boolean()),
  }),
)

export const Plan = defineKind({
  name: 'Plan',
  plural: 'plans',
  about: 'A server plan: what an Instance of type PLAN gets, and what it costs.',
  section: 'Plans and nodes',
  scope: 'account',
  managed: false,
  columns: ['cpu', 'memory', 'disk_size', 'rate', 'group'],
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the plan' },
    name: { type: 'string', about: 'its name' },
    group: { type: 'string', about: 'LIGHTNING, RYZEN or DEDICATED' },
    cpu: { type: 'integer', about: 'vCPU cores' },
    memory: { type: 'integer', about: 'memory in bytes', form: 'bytes' },
    disk_size: { type: 'integer', about: 'size of the boot disk in bytes', form: 'bytes' },
    upload: { type: 'integer', about: 'upload cap in bytes per second', unit: 'bytes/s' },
    download: { type: 'integer', about: 'download cap in bytes per second', unit: 'bytes/s' },
    rate: { type: 'integer', about: 'price per hour in micro-USD', unit: 'micro-USD/h' },
    disabled: { type: 'boolean', about: 'whether it is unavailable for new instances' },
  },
  examples: [],
  list: (api) => api.all(call(routes.listPlans, {}, undefined, { disabled: true }), live),
  read: (api, id) => api.one(call(routes.getPlan, { id }), live),
  offered: (one) => one.disabled !== true,
  id: (one) => one.id,
  toSpec: (one) => ({ name: one.name }),
  outputsOf: (one) => present(one),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps: () => [],
  removal: () => [],
})
