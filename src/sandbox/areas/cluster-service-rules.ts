// What services of the managed cluster must be, and when they take a change: section "Managed cluster".
import type { Exchange } from '../request/exchange.ts'
import { found } from '../request/refusal.ts'
import type { ClusterServiceRow } from '../store/rows.ts'
import { NOT_ALLOWED, rule } from '../request/rules.ts'
import { hostPortOf, isEverywhere, portsEverywhere, takenPorts } from './host-ports.ts'

type Change = Exchange<'createK3sService' | 'updateK3sService'>

const rollingOut: ReadonlySet<ClusterServiceRow['status'] | undefined> = new Set(['DEPLOYING', 'UPDATING'])

const bodyRules = [
  rule({
    id: 'k3s.service-name',
    section: 'Managed cluster',
    quote: 'name (required, unique in workspace), image (required, with tag)',
    routes: ['createK3sService'],
    status: 409,
    open: 'taken',
    field: 'name',
    message: 'a service of the workspace has this name',
    broken: ({ world, params, body }) => world.tables.clusterServices.first('name', `${params.wid}/${body.name}`) !== undefined,
  }),
  rule({
    id: 'k3s.service-replicas',
    section: 'Managed cluster',
    quote: 'replicas (integer, SPREAD only, default 1)',
    routes: ['updateK3sService'],
    status: 400,
    field: 'replicas',
    message: 'only SPREAD services have replicas',
    broken: ({ world, params, body }) => body.replicas !== undefined && world.tables.clusterServices.get(params.id)?.mode === 'PINNED',
  }),
  rule({
    id: 'k3s.service-workspace',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 400,
    field: 'target_instances',
    message: 'no such instance in the workspace',
    broken: ({ world, params, body }) => body.target_instances.some((id) => world.tables.instances.get(id)?.workspaceId !== params.wid),
  }),
  rule({
    id: 'k3s.service-targets',
    section: 'Managed cluster',
    quote: 'target_instances (integer[], required)',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 400,
    field: 'target_instances',
    message: 'an instance is no node of the cluster',
    broken: ({ world, params, body }) =>
      world.readings.serviceTargets === 'node' &&
      body.target_instances.some((id) => world.tables.instances.get(id)?.workspaceId === params.wid && !world.tables.clusterNodes.first('instance', id)),
  }),
  rule({
    id: 'k3s.service-secrets',
    section: 'Managed cluster',
    quote: 'secret_refs (string[] of secret names)',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 400,
    field: 'secret_refs',
    message: 'no such secret in the workspace',
    broken: ({ world, params, body: { secret_refs: names = [] } }) =>
      names.some((name) => world.tables.clusterSecrets.first('name', `${params.wid}/${name}`) === undefined),
  }),
  rule({
    id: 'k3s.service-ports',
    section: 'Managed cluster',
    quote: '`host_port`, `container_port`, `protocol` (`TCP` or `UDP`)',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 409,
    field: 'ports',
    message: 'a host port is taken on an instance where the service is to run',
    broken: (exchange) => exchange.world.readings.hostPorts === 'refuse' && clashes(exchange),
  }),
]

const stateRules = [
  rule({
    id: 'k3s.service-deleting',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['updateK3sService', 'redeployK3sService', 'rollbackK3sService', 'deleteK3sService'],
    status: 409,
    message: 'the service is being deleted',
    broken: ({ world, params }) => world.tables.clusterServices.get(params.id)?.status === 'DELETING',
  }),
  rule({
    id: 'k3s.service-busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['updateK3sService', 'redeployK3sService', 'rollbackK3sService'],
    status: 409,
    message: 'the service is being rolled out',
    broken: ({ world, params }) => world.readings.busyServices === 'refuse' && rollingOut.has(world.tables.clusterServices.get(params.id)?.status),
  }),
  rule({
    id: 'k3s.service-revision',
    section: 'Managed cluster',
    quote: 'reverts to previous revision',
    assumed: true,
    routes: ['rollbackK3sService'],
    status: 409,
    message: 'the service has no previous revision',
    broken: ({ world, params }) => world.tables.clusterServices.get(params.id)?.previous === null,
  }),
  rule({
    id: 'k3s.service-revision-secrets',
    section: 'Managed cluster',
    quote: 'secret_refs (string[] of secret names)',
    assumed: true,
    routes: ['rollbackK3sService'],
    status: 409,
    message: 'a secret of the previous revision is gone',
    broken({ world, params }) {
      const names = world.tables.clusterServices.get(params.id)?.previous?.secretRefs ?? []
      return names.some((name) => world.tables.clusterSecrets.first('name', `${params.wid}/${name}`) === undefined)
    },
  }),
]

/** The rules of services. */
export const serviceRules = [...bodyRules, ...stateRules]

/** Whether a host port is asked for twice, or taken by an app or another service where this one is to run. */
function clashes(exchange: Change): boolean {
  const { ports = [], target_instances: targets } = exchange.body
  const { tables } = exchange.world
  const { wid } = exchange.params
  const wanted = ports.map((port) => hostPortOf(port.protocol, port.host_port))
  if (new Set(wanted).size < wanted.length) return true
  const own = 'id' in exchange.params ? found(tables.clusterServices.get(exchange.params.id), 'service') : undefined
  const everywhere = isEverywhere(modeOf(exchange.body, own), targets)
  const hosts = everywhere ? tables.clusterNodes.by('workspace', wid).map((node) => node.instanceId) : targets
  const taken = [...hosts.map((id) => takenPorts(tables, id, own?.id)), ...(everywhere ? [portsEverywhere(tables, wid, own?.id)] : [])]
  return taken.some((held) => wanted.some((port) => held.has(port)))
}

function modeOf(body: Change['body'], own: ClusterServiceRow | undefined): ClusterServiceRow['mode'] | undefined {
  return 'mode' in body ? body.mode : own?.mode
}
