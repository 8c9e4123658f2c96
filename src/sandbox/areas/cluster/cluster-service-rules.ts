// What services of the managed cluster must be, and when they take a change: section "Managed cluster".
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import type { ClusterServiceRow } from '../../store/rows.ts'
import type { Tables } from '../../store/tables.ts'
import type { World } from '../../world.ts'
import { hostPortOf, isEverywhere, portsEverywhere, takenPorts } from '../host-ports.ts'

const rollingOut: ReadonlySet<ClusterServiceRow['status'] | undefined> = new Set(['DEPLOYING', 'UPDATING'])

/** As many as one answer can show without harm. */
const MOST_REPLICAS = 1000

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
    id: 'k3s.service-capacity',
    section: 'Managed cluster',
    quote: 'replicas (integer, SPREAD only, default 1)',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 400,
    field: 'replicas',
    message: `at most ${MOST_REPLICAS} replicas`,
    broken: ({ body }) => 'replicas' in body && (body.replicas ?? 0) > MOST_REPLICAS,
  }),
  rule({
    id: 'k3s.service-workspace',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 404,
    open: 'reference',
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
    id: 'k3s.service-targets-ready',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['createK3sService', 'updateK3sService'],
    status: 409,
    field: 'target_instances',
    message: 'a node of the cluster is not READY',
    broken: ({ world, body }) =>
      world.readings.serviceTargets === 'node' &&
      body.target_instances.some((id) => (world.tables.clusterNodes.first('instance', id)?.status ?? 'READY') !== 'READY'),
  }),
  rule({
    id: 'k3s.service-targets-leaving',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['createK3sService', 'updateK3sService'],
    status: 409,
    field: 'target_instances',
    message: 'an instance is being deleted',
    broken: ({ world, body }) => body.target_instances.some((id) => world.tables.instances.get(id)?.state === 'DELETING'),
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
    broken({ world, params, body }) {
      const own = 'id' in params ? found(world.tables.clusterServices.get(params.id), 'service') : undefined
      const ports = (body.ports ?? []).map((port) => hostPortOf(port.protocol, port.host_port))
      const wanted = { ports, targetIds: body.target_instances, mode: 'mode' in body ? body.mode : own?.mode, ownId: own?.id }
      return world.readings.hostPorts === 'refuse' && clashes(world.tables, params.wid, wanted)
    },
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
    routes: ['updateK3sService', 'redeployK3sService', 'rollbackK3sService', 'deleteK3sService'],
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
    id: 'k3s.service-revision-targets',
    section: 'Managed cluster',
    quote: 'reverts to previous revision',
    assumed: true,
    routes: ['rollbackK3sService'],
    status: 409,
    message: 'a target of the previous revision cannot run it any more',
    broken: ({ world, params }) => world.tables.clusterServices.get(params.id)?.previous?.targetIds.some((id) => !canRun(world, params.wid, id)) === true,
  }),
  rule({
    id: 'k3s.service-revision-ports',
    section: 'Managed cluster',
    quote: 'reverts to previous revision',
    assumed: true,
    routes: ['rollbackK3sService'],
    status: 409,
    message: 'a host port of the previous revision is taken by now',
    broken({ world, params }) {
      const { previous, mode, id } = found(world.tables.clusterServices.get(params.id), 'service')
      if (previous === null || world.readings.hostPorts === 'accept') return false
      const ports = previous.ports.map((port) => hostPortOf(port.protocol, port.hostPort))
      return clashes(world.tables, params.wid, { ports, targetIds: previous.targetIds, mode, ownId: id })
    },
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

/** Whether an instance may be a target, as it may in a full update: it is in the workspace, stays, and is a node that is READY where it must be one. */
function canRun({ tables, readings }: World, workspaceId: string, instanceId: string): boolean {
  const instance = tables.instances.get(instanceId)
  if (instance?.workspaceId !== workspaceId || instance.state === 'DELETING') return false
  return readings.serviceTargets === 'instance' || tables.clusterNodes.first('instance', instanceId)?.status === 'READY'
}

/** What a service is to listen on, and where; `ownId` is its own, if it is there already. */
interface Wanted {
  readonly ports: readonly string[]
  readonly targetIds: readonly string[]
  readonly mode: ClusterServiceRow['mode'] | undefined
  readonly ownId: string | undefined
}

/** Whether a host port is asked for twice, or taken by an app or another service where this one is to run. */
function clashes(tables: Tables, workspaceId: string, { ports, targetIds, mode, ownId }: Wanted): boolean {
  if (new Set(ports).size < ports.length) return true
  const everywhere = isEverywhere(mode, targetIds)
  const hosts = everywhere ? tables.clusterNodes.by('workspace', workspaceId).map((node) => node.instanceId) : targetIds
  const taken = [...hosts.map((id) => takenPorts(tables, id, ownId)), ...(everywhere ? [portsEverywhere(tables, workspaceId, ownId)] : [])]
  return taken.some((held) => ports.some((port) => held.has(port)))
}
