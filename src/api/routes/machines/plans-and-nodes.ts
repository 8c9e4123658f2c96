// Server plans and compute nodes: section "Plans and nodes".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { booleanQuery, idsQuery, instanceGroup, integerQuery, known, open, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Plans and nodes'
const listed = lazy(() => ({
  name: z.string(),
  group: known(instanceGroup),
  cpu: z.number(),
  memory: z.number(),
  disk_size: z.number(),
  upload: z.number().nullable(),
  download: z.number().nullable(),
  rate: z.number(),
  disabled: z.boolean(),
  backup_plan: summary.nullable(),
}))
const limit = lazy(() => z.number().nullable())
const plan = lazy(() =>
  record({ ...listed(), io_limits: open({ read_bytes_sec: limit(), write_bytes_sec: limit(), read_iops: limit(), write_iops: limit() }).nullable() }),
)

const node = lazy(() =>
  record({
    name: z.string(),
    owner: summary.nullable(),
    group: z.string(),
    region: z.unknown(),
    max_memory: z.number(),
    cores: z.number(),
    flags: z.array(known(z.enum(['CEPH']))),
  }),
)
const nodes = paged(node, () => ({ q: z.string(), id: idsQuery, owner: idsQuery, group: z.string(), region: z.string(), name: z.string() }))

export const plansAndNodes = {
  listPlans: route(section, 'GET', '/v1/plans', {
    ...paged(
      lazy(() => record(listed())),
      () => ({ q: z.string(), id: idsQuery, name: z.string(), group: instanceGroup, rate: integerQuery(0), disabled: booleanQuery }),
    ),
    access: 'any',
  }),
  getPlan: route(section, 'GET', '/v1/plans/{id}', { answer: { shape: 'object', item: plan }, access: 'any' }),
  listNodes: route(section, 'GET', '/v1/nodes', { ...nodes, access: 'staff' }),
  getNode: route(section, 'GET', '/v1/nodes/{id}', { answer: { shape: 'object', item: node }, access: 'viewer' }),
  listWorkspaceNodes: route(section, 'GET', '/v1/workspaces/{wid}/nodes', { ...nodes, access: 'viewer' }),
}
