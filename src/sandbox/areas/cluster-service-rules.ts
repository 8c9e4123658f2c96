// What services of the managed cluster must be, and when they take a change: section "Managed cluster".
import type { Exchange } from '../exchange.ts'
import type { ClusterServiceRow } from '../rows.ts'
import { rule } from '../rules.ts'

type Change = Exchange<'createK3sService' | 'updateK3sService'>

const NOT_ALLOWED = 'resource state does not allow the action'

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
    routes: ['createK3sService', 'updateK3sService'],
    status: 409,
    field: 'ports',
    message: 'a host port is taken on a target instance',
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
    broken: ({ world, params }) =>
      world.readings.busyServices === 'refuse' && ['DEPLOYING', 'UPDATING'].includes(world.tables.clusterServices.get(params.id)?.status ?? ''),
  }),
  rule({
    id: 'k3s.service-revision',
    section: 'Managed cluster',
    quote: 'reverts to previous revision',
    routes: ['rollbackK3sService'],
    status: 409,
    message: 'the service has no previous revision',
    broken: ({ world, params }) => world.tables.clusterServices.get(params.id)?.previous === null,
  }),
]

/** The rules of services. */
export const serviceRules = [...bodyRules, ...stateRules]

/** Whether a host port is asked for twice, or taken by another service on one of the targets. */
function clashes({ world, params, body: { ports = [], target_instances: targets } }: Change): boolean {
  const wanted = ports.map((port) => `${port.protocol}/${port.host_port}`)
  if (new Set(wanted).size < wanted.length) return true
  const own = 'id' in params ? params.id : undefined
  const others = world.tables.clusterServices.by('workspace', params.wid).filter((row) => row.id !== own && row.status !== 'DELETING')
  return others.some((row) => meet(row, targets) && row.revision.ports.some((port) => wanted.includes(`${port.protocol}/${port.hostPort}`)))
}

function meet({ revision: { targetIds } }: ClusterServiceRow, targets: readonly string[]): boolean {
  return targetIds.length === 0 || targets.length === 0 || targets.some((id) => targetIds.includes(id))
}
