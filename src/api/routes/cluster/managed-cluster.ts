// The managed k3s cluster of a workspace and its nodes: section "Managed cluster".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { id, idOut, idsQuery, known, open, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Managed cluster'
const clusterStatus = lazy(() => z.enum(['PROVISIONING', 'ACTIVE', 'DEPROVISIONING', 'FAILED']))
const nodeStatus = lazy(() => z.enum(['JOINING', 'READY', 'DRAINING', 'FAILED']))

const cluster = lazy(() => record({ owner: summary.nullable(), name: z.string(), status: known(clusterStatus()) }))
const reference = lazy(() => z.union([summary, idOut]))
const node = lazy(() =>
  open({
    node: record({ workspace: reference(), instance: reference(), node_name: z.string().nullable(), status: known(nodeStatus()) }),
    live: open({ ready: z.boolean().nullable(), conditions: z.looseObject({}).nullable(), allocatable: z.looseObject({}).nullable() }).nullable(),
  }),
)

export const managedCluster = {
  getK3s: route(section, 'GET', '/v1/workspaces/{wid}/k3s', { answer: { shape: 'object', item: cluster }, access: 'viewer' }),
  createK3s: route(section, 'POST', '/v1/workspaces/{wid}/k3s', { answer: { shape: 'workflow' }, access: 'editor' }),
  deleteK3s: route(section, 'DELETE', '/v1/workspaces/{wid}/k3s', { answer: { shape: 'workflow' }, access: 'editor' }),
  listK3sNodes: route(section, 'GET', '/v1/workspaces/{wid}/k3s/nodes', {
    ...paged(node, () => ({ id: idsQuery, status: nodeStatus(), instance: idsQuery })),
    access: 'viewer',
  }),
  createK3sNode: route(section, 'POST', '/v1/workspaces/{wid}/k3s/nodes', {
    body: lazy(() => z.strictObject({ instance_id: id })),
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  getK3sNode: route(section, 'GET', '/v1/workspaces/{wid}/k3s/nodes/{id}', { answer: { shape: 'object', item: node }, access: 'viewer' }),
  deleteK3sNode: route(section, 'DELETE', '/v1/workspaces/{wid}/k3s/nodes/{id}', { answer: { shape: 'workflow' }, access: 'editor' }),
  getInstanceK3sNode: route(section, 'GET', '/v1/instances/{iid}/k3s', { answer: { shape: 'object', item: node }, access: 'viewer' }),
}
