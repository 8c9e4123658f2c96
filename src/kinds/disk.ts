// Block disks beside the boot disks of instances: made unattached, attached to one instance at a time, growing only.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { bytes, immutable, mark, ref, region } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Price, Problem, Seen, Step, Wanted } from './definition/kind.ts'
import { anyCase, filled, isSet, maybe, present, resourceStates, statusOf } from './definition/live-fields.ts'
import { defineShape, idOf, regionOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'

const spec = z.strictObject({
  name: z.string().min(1).describe('name'),
  size: mark(bytes(), { shown: true, grows: true }).describe('size in bytes, or as `100GiB`; it can grow, never shrink'),
  backend: immutable(z.enum(['LOCAL', 'CEPH'])).describe('where it is kept: `LOCAL` on one node, `CEPH` in the cluster'),
  region: immutable(region()).describe('code of its region'),
  instance: mark(ref('Instance'), { shown: true, clearable: true, released: true, disruptive: 'interruption' })
    .nullable()
    .optional()
    .describe('the instance that it is attached to; null or removed detaches it'),
})
type Spec = z.output<typeof spec>

const live = defineShape('Disk', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    size: maybe(z.number()),
    backend: maybe(anyCase(['LOCAL', 'CEPH'])),
    region: maybe(regionOf),
    instance: maybe(idOf),
    boot: maybe(z.boolean()),
    state: maybe(z.string()),
  }),
)
type Live = z.output<typeof live.schema>

const GiB = 2 ** 30
const created = ['name', 'size', 'backend', 'region'] as const

export const Disk = defineKind({
  name: 'Disk',
  plural: 'disks',
  about: 'A disk of its own, attached to an instance or to none; the boot disks of instances belong to these.',
  section: 'Disks',
  scope: 'workspace',
  confirmedByLists: true,
  calls: {
    making: [routes.createDisk, routes.updateDisk, routes.resizeDisk, routes.attachDisk, routes.detachDisk],
    removing: [routes.detachDisk, routes.deleteDisk],
  },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the disk' },
    state: { type: 'string', about: 'its state: PENDING, AVAILABLE, FAILED, SUSPENDED, DELETING or UNPLACED' },
    size: { type: 'integer', about: 'its size', form: 'bytes' },
  },
  examples: [
    {
      title: 'A disk for the data of a server',
      spec: { name: 'data', size: 20 * GiB, backend: 'LOCAL', region: 'fra-1', instance: 'web' },
      beside: ['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      changes: { name: 'data-2', size: 40 * GiB, backend: 'CEPH', instance: 'api' },
    },
    {
      title: 'A disk that waits for a server',
      spec: { name: 'archive', size: 100 * GiB, backend: 'CEPH', region: 'fra-1' },
      changes: { backend: 'LOCAL', region: 'ams-1' },
    },
  ],
  list: (api, at) => api.all(call(routes.listDisks, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getDisk, { did: id }), live),
  id: (one) => one.id,
  // What forces replacement is carried only where it is filled.
  toSpec: (one) => ({ ...pick(one, ['name', 'size', 'instance']), ...filled(one, ['backend', 'region']) }),
  outputsOf: (one) => present({ id: one.id, state: one.state, size: one.size }),
  status: (one, { fresh }) => statusOf(resourceStates, one.state, fresh),
  naturalKey: (one) => `${one.name}`,
  ours: (one) => one.boot !== true,
  whose: ({ instance }) =>
    `is the boot disk of ${isSet(instance) ? `the Instance with id ${instance}` : 'an Instance'}, whose own fields manage it (plan, image, storage)`,
  refuse: refuseShrinking,
  price: priceOfDisk,
  quota: ({ size }) => ({ max_storage_bytes: typeof size === 'number' ? size : 0 }),
  steps: (view) => [...(view.live ? [] : [create(view)]), ...change(view), ...move(view)],
  removal({ id, live: there }) {
    const detached: Step<Spec>[] = isSet(there?.instance) ? [detach(id)] : []
    return [...detached, { name: 'delete', removes: true, disruption: 'data_loss', call: call(routes.deleteDisk, { did: id }), sets: {} }]
  },
})

function create({ workspaceId, desired }: Wanted<Spec, Live>): Step<Spec> {
  const sets = pick(desired, created)
  return { name: 'create', creates: true, call: call(routes.createDisk, { wid: workspaceId }, sets), sets }
}

function change({ id, desired, live: there, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  if (!there) return []
  const { name, size } = desired
  return [
    ...(changed('name') ? [{ name: 'rename', call: call(routes.updateDisk, { did: id }, { name }), sets: { name } }] : []),
    ...(changed('size') ? [{ name: 'resize', call: call(routes.resizeDisk, { did: id }, { size }), sets: { size } }] : []),
  ]
}

/** From one instance to another it goes by way of none. */
function move({ id, desired, live: there, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  if (there && !changed('instance')) return []
  const { instance } = desired
  const detached: Step<Spec>[] = isSet(there?.instance) ? [detach(id)] : []
  if (!isSet(instance)) return detached
  return [...detached, { name: 'attach', call: call(routes.attachDisk, { did: id }, { instance_id: instance }), sets: { instance } }]
}

function detach(did: string): Step<Spec> {
  return { name: 'detach', disruption: 'interruption', call: call(routes.detachDisk, { did }), sets: {}, clears: ['instance'] }
}

function refuseShrinking({ desired, live: there, changed }: Wanted<Spec, Live>): Problem[] {
  const size = there?.size ?? undefined
  const wanted: unknown = desired.size
  // One that nobody may see says nothing here.
  if (size === undefined || typeof wanted !== 'number' || wanted >= size || !changed('size') || changed('backend', 'region')) return []
  const hint = `declare the size it has (${size}), or lose its data: plan with --replace and its address`
  return [{ path: ['size'], message: `a disk cannot shrink: it has ${size} bytes`, hint }]
}

/** The estimate of its storage; undefined where a part of it is not known. */
function priceOfDisk({ size, backend, region }: Seen<Spec>): Price | undefined {
  const [code, backing] = [knownText(region), knownText(backend)]
  if (typeof size !== 'number' || code === undefined || backing === undefined) return undefined
  return { rateMicroUsd: 0, estimate: { region: code, parts: [{ type: 'STORAGE', storage_bytes: size, storage_backing: backing }] } }
}
