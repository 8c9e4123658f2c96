// Block disks: section "Disks".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { amount, booleanQuery, diskBackend, filled, id, idsQuery, known, listQuery, open, record, resourceState } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Disks'
// The attached instance stands under a name that is not shown; `region` is a code or an object with it.
const disk = lazy(() =>
  record({
    name: z.string(),
    backend: known(diskBackend),
    boot: z.boolean(),
    size: z.number(),
    state: known(resourceState),
    region: z.unknown(),
    live: open({ usage_pct: z.number().nullable() }).nullable(),
  }),
)
const filters = lazy(() => ({
  q: z.string(),
  id: idsQuery,
  instance: idsQuery,
  owner: idsQuery,
  name: z.string(),
  boot: booleanQuery,
  state: listQuery(resourceState),
  backend: listQuery(diskBackend),
}))
const step = { answer: { shape: 'workflow' }, statuses: [202], access: 'editor' } as const

export const disks = {
  listDisks: route(section, 'GET', '/v1/workspaces/{wid}/disks', { ...paged(disk, () => filters()), access: 'viewer' }),
  // "Administrator; all workspaces": no role in one workspace covers all of them.
  listAllDisks: route(section, 'GET', '/v1/disks', { ...paged(disk, () => filters()), access: 'staff' }),
  createDisk: route(section, 'POST', '/v1/workspaces/{wid}/disks', {
    body: lazy(() => z.strictObject({ name: filled, size: amount, backend: diskBackend, region: filled })),
    answer: { shape: 'workflow+resource', item: disk },
    access: 'editor',
  }),
  getDisk: route(section, 'GET', '/v1/disks/{did}', { answer: { shape: 'object', item: disk }, access: 'viewer' }),
  updateDisk: route(section, 'PATCH', '/v1/disks/{did}', {
    body: lazy(() => z.strictObject({ name: filled }).partial()),
    answer: { shape: 'object', item: disk },
    access: 'editor',
  }),
  attachDisk: route(section, 'POST', '/v1/disks/{did}/attach', { body: lazy(() => z.strictObject({ instance_id: id })), ...step }),
  detachDisk: route(section, 'POST', '/v1/disks/{did}/detach', step),
  resizeDisk: route(section, 'POST', '/v1/disks/{did}/resize', { body: lazy(() => z.strictObject({ size: amount })), ...step }),
  deleteDisk: route(section, 'DELETE', '/v1/disks/{did}', step),
}
