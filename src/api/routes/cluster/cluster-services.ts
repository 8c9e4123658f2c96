// Services and secrets of the managed cluster: section "Managed cluster".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { filled, flagQuery, id, idsQuery, image, integerQuery, known, open, port, record, secret, transport, whole } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Managed cluster'
const mode = lazy(() => z.enum(['PINNED', 'SPREAD']))
const updateStrategy = lazy(() => z.enum(['ROLLING', 'START_FIRST']))
const serviceStatus = lazy(() => z.enum(['DEPLOYING', 'RUNNING', 'UPDATING', 'DELETING', 'FAILED', 'STOPPED']))

const replicas = lazy(() => whole.min(0).optional())
const portMapping = lazy(() => z.strictObject({ host_port: port, container_port: port, protocol: transport, http: z.boolean().optional() }))
const common = lazy(() => ({
  image,
  target_instances: z.array(id),
  ports: z.array(portMapping()).optional(),
  volumes: z.array(z.strictObject({ host_path: filled, container_path: filled })).optional(),
  environment: secret(z.record(z.string(), z.string())).optional(),
  secret_refs: z.array(filled).optional(),
  update_strategy: updateStrategy().optional(),
}))
const serviceBody = lazy(() =>
  z.discriminatedUnion('mode', [
    z.strictObject({ name: filled, mode: z.literal('PINNED'), ...common() }),
    z.strictObject({ name: filled, mode: z.literal('SPREAD'), ...common(), replicas: replicas() }),
  ]),
)

const service = lazy(() =>
  record({
    name: z.string(),
    image: z.string(),
    mode: known(mode()),
    target_instances: z.array(z.unknown()).nullable(),
    replicas: z.number().nullable(),
    ports: z.array(z.looseObject({})).nullable(),
    volumes: z.array(z.looseObject({})).nullable(),
    secret_refs: z.array(z.unknown()).nullable(),
    update_strategy: known(updateStrategy()).nullable(),
    status: known(serviceStatus()),
  }),
)
const count = lazy(() => z.number().nullable())
const pod = lazy(() => open({ name: z.string(), phase: z.string(), restart_count: count(), ready: z.boolean().nullable(), node_name: z.string().nullable() }))
const live = lazy(() =>
  open({
    desired_replicas: count(),
    available_replicas: count(),
    unavailable_replicas: count(),
    updated_replicas: count(),
    updating: z.boolean().nullable(),
    pods: z.array(pod()).nullable(),
  }),
)
const serviceDetail = lazy(() => open({ service: service(), live: live().nullable() }))
const keptSecret = lazy(() => record({ name: z.string(), keys: z.array(z.string()) }))
const data = lazy(() => secret(z.record(filled, z.string())))

export const clusterServices = {
  // Whether items of this list are wrapped as the detail is stays open.
  listK3sServices: route(section, 'GET', '/v1/workspaces/{wid}/k3s/services', {
    ...paged(
      lazy(() => z.union([service(), serviceDetail()])),
      () => ({ q: z.string(), id: idsQuery, name: z.string(), mode: mode(), status: serviceStatus() }),
    ),
    access: 'viewer',
  }),
  createK3sService: route(section, 'POST', '/v1/workspaces/{wid}/k3s/services', {
    body: serviceBody,
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  getK3sService: route(section, 'GET', '/v1/workspaces/{wid}/k3s/services/{id}', { answer: { shape: 'object', item: serviceDetail }, access: 'viewer' }),
  updateK3sService: route(section, ['PUT', 'PATCH'], '/v1/workspaces/{wid}/k3s/services/{id}', {
    body: lazy(() => z.strictObject({ ...common(), replicas: replicas() })),
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  deleteK3sService: route(section, 'DELETE', '/v1/workspaces/{wid}/k3s/services/{id}', { answer: { shape: 'workflow' }, access: 'editor' }),
  getK3sServiceLogs: route(section, 'GET', '/v1/workspaces/{wid}/k3s/services/{id}/logs', {
    query: lazy(() => z.strictObject({ tail: integerQuery(0), since_seconds: integerQuery(0), pod_index: integerQuery(0), follow: flagQuery }).partial()),
    answer: { shape: 'text' },
    access: 'viewer',
  }),
  redeployK3sService: route(section, 'POST', '/v1/workspaces/{wid}/k3s/services/{id}/redeploy', { answer: { shape: 'workflow' }, access: 'editor' }),
  rollbackK3sService: route(section, 'POST', '/v1/workspaces/{wid}/k3s/services/{id}/rollback', { answer: { shape: 'workflow' }, access: 'editor' }),
  listK3sSecrets: route(section, 'GET', '/v1/workspaces/{wid}/k3s/secrets', { ...paged(keptSecret, () => ({})), access: 'viewer' }),
  createK3sSecret: route(section, 'POST', '/v1/workspaces/{wid}/k3s/secrets', {
    body: lazy(() => z.strictObject({ name: filled, data: data() })),
    answer: { shape: 'object', item: keptSecret },
    access: 'editor',
  }),
  updateK3sSecret: route(section, ['PUT', 'PATCH'], '/v1/workspaces/{wid}/k3s/secrets/{id}', {
    body: lazy(() => z.strictObject({ data: data() })),
    answer: { shape: 'object', item: keptSecret },
    access: 'editor',
  }),
  deleteK3sSecret: route(section, 'DELETE', '/v1/workspaces/{wid}/k3s/secrets/{id}', {
    answer: { shape: 'empty' },
    statuses: [204],
    access: 'editor',
  }),
}
