// Dedicated servers: there already, taken over by their name, and never made or deleted here.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { dediboxOperations } from './dedibox-operations.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf, refOf, regionOf } from './definition/shape.ts'

const spec = z.strictObject({
  name: mark(z.string().min(4).max(32), { shown: true }).describe('name, 4 to 32 characters; while it is in no state, the one that it is found by'),
})

const live = defineShape('Dedibox', () =>
  z.object({ id: idOf, name: maybe(z.string()), region: maybe(regionOf), online: maybe(z.boolean()), plan: maybe(refOf) }),
)

export const Dedibox = defineKind({
  name: 'Dedibox',
  plural: 'dediboxes',
  about: 'A dedicated server. It is there already and is taken over by its name; without its manifest it is forgotten, never deleted.',
  section: 'Dediboxes',
  scope: 'workspace',
  adopted: 'by name',
  calls: { making: [routes.updateDedibox], removing: [] },
  spec,
  billed: true,
  operations: dediboxOperations,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the dedibox' },
    name: { type: 'string', about: 'its name' },
    region: { type: 'string', about: 'region where it stands' },
    online: { type: 'boolean', about: 'whether it runs' },
    plan: { type: 'string', about: 'id of its plan', ref: 'Plan' },
  },
  examples: [{ title: 'A dedicated server that is there, taken over by its name', spec: { name: 'metal-1' }, changes: { name: 'database-1' } }],
  list: (api, at) => api.all(call(routes.listDediboxes, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getDedibox, { id }), live),
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name']),
  outputsOf: (one) => present(one),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps({ id, live: there, desired, changed }) {
    const sets = pick(desired, ['name'])
    return there && changed('name') ? [{ name: 'update', call: call(routes.updateDedibox, { id }, sets), sets }] : []
  },
  removal: () => [],
})
