// Virtual servers and their metrics: section "Instances".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { amount, booleanQuery, family, filled, id, idText, idsQuery, instanceGroup, integerQuery, known, record, resourceState, secret } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Instances'
const boot = lazy(() => z.enum(['DISK', 'ISO']))

const common = lazy(() => ({
  name: filled,
  region: filled.optional(),
  node: id.optional(),
  image: id.optional(),
  ips: z.array(z.strictObject({ family, ddos: z.boolean() })).optional(),
  vpcs: z.array(id).optional(),
  boot: boot().optional(),
  cloud_init: secret(z.string()).optional(),
  disable_cloud_init: z.boolean().optional(),
  start: z.boolean().optional(),
}))
const placed = (body: { region?: string | undefined; node?: string | undefined }) => (body.region === undefined) !== (body.node === undefined)
const placement = { error: 'exactly one of region and node', path: ['region'] }

const storage = lazy(() =>
  z
    .array(z.strictObject({ size_bytes: amount, boot: z.boolean(), backing: filled }))
    .refine((entries) => entries.filter((entry) => entry.boot).length === 1, 'exactly one entry has boot true'),
)
const byPlan = lazy(() => z.strictObject({ type: z.literal('PLAN'), ...common(), plan: id }))
const custom = lazy(() =>
  z.strictObject({
    type: z.literal('CUSTOM'),
    ...common(),
    group: instanceGroup,
    cpu: amount,
    memory_bytes: amount,
    storage: storage(),
    bandwidth: z.strictObject({ upload_bytes_sec: amount, download_bytes_sec: amount }).optional(),
  }),
)

// Detail: fields not shown beyond these; names of specs and networking are open.
const instance = lazy(() => record({ name: z.string(), state: known(resourceState), online: z.boolean(), plan: z.unknown() }))

const action = lazy(() => z.enum(['POWER_ON', 'POWER_OFF', 'SHUTDOWN', 'POWER_CYCLE']))

export const instances = {
  listInstances: route(section, 'GET', '/v1/workspaces/{wid}/instances', {
    ...paged(instance, () => ({
      q: z.string(),
      ip: z.string(),
      id: idsQuery,
      name: z.string(),
      node: idsQuery,
      plan: idsQuery,
      iso: idsQuery,
      online: booleanQuery,
      state: resourceState,
    })),
    access: 'viewer',
  }),
  createInstance: route(section, 'POST', '/v1/workspaces/{wid}/instances', {
    body: lazy(() => z.discriminatedUnion('type', [byPlan().refine(placed, placement), custom().refine(placed, placement)])),
    answer: { shape: 'workflow+resource', item: instance },
    access: 'administrator',
  }),
  getInstance: route(section, 'GET', '/v1/instances/{id}', { answer: { shape: 'object', item: instance }, access: 'viewer' }),
  updateInstance: route(section, 'PATCH', '/v1/instances/{id}', {
    body: lazy(() =>
      z
        .strictObject({
          name: filled,
          boot: boot(),
          uefi: z.boolean(),
          secure_boot: z.boolean(),
          attach_virtio_cd: z.boolean(),
          sync_hostname: z.boolean(),
          firewall_enabled: z.boolean(),
          os_name: z.string(),
        })
        .partial(),
    ),
    answer: { shape: 'object', item: instance },
    access: 'editor',
  }),
  powerInstance: route(section, 'POST', '/v1/instances/{id}/power', {
    body: lazy(() => z.strictObject({ action: action() })),
    answer: { shape: 'workflow' },
    statuses: [202],
    access: 'editor',
  }),
  deleteInstance: route(section, 'DELETE', '/v1/instances/{id}', { answer: { shape: 'workflow' }, access: 'editor' }),
  // The format of the series is not shown.
  getMetrics: route(section, 'GET', '/v1/metrics', {
    query: lazy(() => z.strictObject({ instance: idText, start: integerQuery(0), end: integerQuery(0), step: integerQuery(15) })),
    answer: { shape: 'object', item: lazy(() => z.unknown()) },
    access: 'viewer',
  }),
}
