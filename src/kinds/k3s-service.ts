// Services of the managed cluster: containers on worker nodes, always updated in full.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { clearable, mark, ref, unordered } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Problem, Seen, Status, View, Wanted } from './definition/kind.ts'
import { allOrNone, anyCase, maybe, present, statusOf } from './definition/live-fields.ts'
import { codeOf, defineShape, idOf } from './definition/shape.ts'
import { isToken } from './definition/token.ts'
import { hasCluster } from './k3s-cluster.ts'
import { checkHostPorts, checkService, hostPortsOf } from './k3s-service-checks.ts'
import { k3sServiceExamples } from './k3s-service-examples.ts'
import { k3sServiceOperations } from './k3s-service-operations.ts'

const portNumber = z.int().min(1).max(65535)
const port = z.strictObject({
  host_port: portNumber.describe('port of the instance'),
  container_port: portNumber.describe('port of the container'),
  protocol: z.enum(['TCP', 'UDP']).describe('protocol'),
  http: z.boolean().optional().describe('whether it can have a custom subdomain; false when omitted'),
})
const volume = z.strictObject({
  host_path: z.string().min(1).describe('path on the instance'),
  container_path: z.string().min(1).describe('path in the container'),
})
const secretRef = mark(ref('K3sSecret'), { output: 'name' })
const optional = { clearable: true, shown: true } as const

const spec = z.strictObject({
  name: mark(z.string().min(1), { immutable: true, shown: true }).describe('name, unique in the workspace'),
  image: mark(z.string().min(1), { shown: true }).describe('container image with its tag'),
  mode: mark(z.enum(['PINNED', 'SPREAD']), { immutable: true, shown: true }).describe('one replica on each target, or replicas spread over them'),
  target_instances: mark(unordered(z.array(ref('Instance'))), { shown: true }).describe('instances it runs on; each is a node of the cluster'),
  replicas: mark(z.int().min(0), { ...optional, usual: 1 })
    .optional()
    .describe('how many replicas; with SPREAD, 1 when omitted'),
  ports: mark(unordered(z.array(port)), optional)
    .optional()
    .describe('ports of the instance that lead into the container'),
  volumes: mark(unordered(z.array(volume)), { ...optional, by: 'container_path' })
    .optional()
    .describe('paths of the instance mounted into the container'),
  environment: clearable(z.record(z.string(), z.string())).optional().describe('environment variables in plain text; secrets belong into a K3sSecret'),
  secret_refs: mark(unordered(z.array(secretRef)), optional)
    .optional()
    .describe('secrets whose values it gets as environment variables'),
  update_strategy: mark(z.enum(['ROLLING', 'START_FIRST']), { ...optional, usual: 'ROLLING' })
    .optional()
    .describe('how replicas are exchanged; ROLLING when omitted'),
})
type Spec = z.output<typeof spec>
type Port = z.output<typeof port>

const runtime = z.object({ desired_replicas: maybe(z.number()), available_replicas: maybe(z.number()), updating: maybe(z.boolean()) })
const livePort = z.object({
  host_port: z.number(),
  container_port: z.number(),
  protocol: anyCase(['TCP', 'UDP']),
  http: z
    .boolean()
    .nullish()
    .transform((http) => http ?? false),
})
const live = defineShape('K3sService', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    image: maybe(z.string()),
    mode: maybe(anyCase(['PINNED', 'SPREAD'])),
    target_instances: maybe(z.array(idOf)),
    replicas: maybe(z.number()),
    ports: maybe(z.array(livePort)),
    volumes: maybe(z.array(z.object({ host_path: z.string(), container_path: z.string() }))),
    secret_refs: maybe(z.array(codeOf)),
    update_strategy: maybe(anyCase(['ROLLING', 'START_FIRST'])),
    status: maybe(z.string()),
    runtime: maybe(runtime),
  }),
)
type Live = z.output<typeof live.schema>

const states: Readonly<Record<string, Status>> = {
  DEPLOYING: 'pending',
  UPDATING: 'pending',
  RUNNING: 'ready',
  STOPPED: 'stopped',
  DELETING: 'leaving',
  FAILED: 'failed',
}
const required = ['image', 'target_instances'] as const
const readable = ['replicas', 'ports', 'volumes', 'secret_refs', 'update_strategy'] as const
const optionals = [...readable, 'environment'] as const

export const K3sService = defineKind({
  name: 'K3sService',
  plural: 'k3sservices',
  about: 'Containers that run on worker nodes of the managed cluster.',
  section: 'Managed cluster',
  scope: 'workspace',
  confirmedByLists: true,
  calls: { making: [routes.createK3sService, routes.updateK3sService, routes.redeployK3sService], removing: [routes.deleteK3sService] },
  unique: ['name'],
  claims: (one) => hostPortsOf(one).map((port) => ['ports', port]),
  spec,
  billed: true,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the service' },
    name: { type: 'string', about: 'its name' },
    status: {
      type: 'string',
      about: 'its status: DEPLOYING, RUNNING, UPDATING, DELETING, FAILED or STOPPED',
      follows: [...required, ...optionals],
      settlesAt: 'RUNNING',
    },
  },
  examples: k3sServiceExamples,
  list: (api, at) => allOrNone(api, call(routes.listK3sServices, { wid: at.workspaceId }), live, () => hasCluster(api, at.workspaceId)),
  read: (api, id, at) => api.one(call(routes.getK3sService, { wid: at.workspaceId, id }), live),
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name', 'mode', ...required, ...readable]),
  outputsOf: (one) => present({ id: one.id, name: one.name, status: one.status }),
  status: statusOfService,
  naturalKey: (one) => `${one.name}`,
  normalise: (one) => (Array.isArray(one.ports) ? { ...one, ports: one.ports.map(withHttp) } : one),
  check: checkService,
  checkAll: checkHostPorts,
  refuse: refuseBlind,
  lastWords: (api, id, at) => api.text(call(routes.getK3sServiceLogs, { wid: at.workspaceId, id }, undefined, { tail: 10 })),
  operations: k3sServiceOperations,
  needs: (one, workspaceId) => [`k3s:${workspaceId}`, ...(Array.isArray(one.target_instances) ? one.target_instances : []).map((id) => `node:${id}`)],
  steps(view) {
    const { id, workspaceId, desired, live, recorded, changed } = view
    if (!live) return [{ name: 'create', creates: true, call: call(routes.createK3sService, { wid: workspaceId }, desired), sets: desired }]
    if (!changed(...required, ...optionals)) return []
    const sets = pick(desired, [...required, ...optionals])
    // What live does not show is cleared by the full update, whether it was recorded or not.
    const shown = new Set<string>(readable)
    const clears = optionals.filter((name) => desired[name] === undefined && (recorded[name] !== undefined || changed(name) || !shown.has(name)))
    const disruption = desired.mode === 'PINNED' ? ({ disruption: 'interruption' } as const) : {}
    return [{ name: 'update', ...disruption, call: call(routes.updateK3sService, { wid: workspaceId, id }, { ...kept(view, live), ...sets }), sets, clears }]
  },
  removal: ({ id, workspaceId }) => [
    { name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteK3sService, { wid: workspaceId, id }), sets: {} },
  ],
  restart: ({ id, workspaceId, recorded }) => ({
    name: 'redeploy',
    ...(recorded.mode === 'PINNED' ? ({ disruption: 'interruption' } as const) : {}),
    call: call(routes.redeployK3sService, { wid: workspaceId, id }),
    sets: {},
  }),
})

/** A full update would clear what was never declared: it is sent as it is there. */
function kept({ desired, recorded, changed }: Wanted<Spec, Live>, live: Live): Seen<Spec> {
  const undeclared = readable.filter((name) => desired[name] === undefined && recorded[name] === undefined && live[name] !== null && !changed(name))
  return pick(live, desired.mode === 'SPREAD' ? undeclared : undeclared.filter((name) => name !== 'replicas'))
}

/** A port, or a token in its place, with `http` said. */
function withHttp(port: Port): Port {
  return isToken(port) ? port : { ...port, http: port.http ?? false }
}

function statusOfService(one: Live, { fresh }: View<Spec, Live>): Status {
  const status = statusOf(states, one.status, fresh)
  if (status !== 'ready' || !one.runtime) return status
  const { desired_replicas, available_replicas, updating } = one.runtime
  return updating === true || (available_replicas ?? 0) < (desired_replicas ?? 0) ? 'pending' : 'ready'
}

/** The environment cannot be read: an update or a replacement of an imported service would wipe it unseen. */
function refuseBlind({ desired, recorded, live, blind, changed }: Wanted<Spec, Live>): Problem[] {
  const isUpdate = live !== undefined
  const unknown = (isUpdate && recorded.name === undefined) || blind?.includes('environment') === true
  if (!unknown || desired.environment !== undefined || (isUpdate && !changed(...required, ...optionals))) return []
  const message = `the service cannot show the environment that this ${isUpdate ? 'update would replace' : 'replacement would lose'}`
  return [{ path: ['environment'], message, hint: 'declare environment, `{}` for none' }]
}
