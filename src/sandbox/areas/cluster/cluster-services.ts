// Services of the managed cluster: section "Managed cluster".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import type { Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, contains, equals, filtered, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { summaryOf } from '../../request/summaries.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { ClusterServiceRow, ServiceRevision, WorkflowRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { nowMs } from '../../world.ts'
import { serviceBefore } from '../service-revisions.ts'
import { dataOf } from '../workflow-data.ts'
import { followLog, logText } from './cluster-logs.ts'
import { isUnplaced, liveOf, podAt, podCount } from './cluster-pods.ts'
import { serviceRules } from './cluster-service-rules.ts'
import { clusterOf, nextSettledMs } from './cluster.ts'

type Verb = 'create' | 'update' | 'redeploy' | 'rollback' | 'delete'

const rollOut: Effects[string] = {
  done(world, workflow, atMs) {
    const { id } = workflow.subject
    const row = world.tables.clusterServices.get(id)
    if (!row) return undefined
    const status = othersOn(world, workflow).length > 0 ? row.status : 'RUNNING'
    world.tables.clusterServices.update(id, { status, rollout: row.rollout + 1, rolledOutAtMs: atMs })
    return dataOf(world, 'service', id)
  },
  failed(world, workflow, leaves) {
    const { id } = workflow.subject
    const row = world.tables.clusterServices.get(id)
    if (!row) return
    const { status, ...content } = serviceBefore.parse(workflow.input)
    const others = othersOn(world, workflow)
    // A later rollout has put its own revision in the place of this one's.
    const isReplaced = others.some((other) => other.operation !== 'k3s.service.delete')
    const kept = leaves === 'failed' || isReplaced ? {} : content
    if (others.length > 0) world.tables.clusterServices.update(id, { ...kept, status: row.status })
    else if (leaves === 'nothing') world.tables.clusterServices.update(id, { ...kept, status: settled(status) })
    // What failed are the pods of this rollout, which were started with it.
    else world.tables.clusterServices.update(id, { status: 'FAILED', rollout: row.rollout + 1, rolledOutAtMs: workflow.queuedAtMs })
  },
  misses: isGone,
}

const effects: Effects = {
  'k3s.service.create': {
    ...rollOut,
    failed(world, { subject: { id } }, leaves) {
      if (leaves === 'nothing') world.tables.clusterServices.delete(id)
      else patchRow(world.tables.clusterServices, id, { status: 'FAILED' })
    },
  },
  'k3s.service.update': rollOut,
  'k3s.service.redeploy': rollOut,
  'k3s.service.rollback': rollOut,
  'k3s.service.delete': {
    done(world, { subject: { id } }) {
      world.tables.clusterServices.delete(id)
      return undefined
    },
    failed(world, workflow, leaves) {
      const { status } = serviceBefore.parse(workflow.input)
      const left = othersOn(world, workflow).length > 0 ? status : settled(status)
      patchRow(world.tables.clusterServices, workflow.subject.id, { status: leaves === 'failed' ? 'FAILED' : left })
    },
  },
}

/** It goes with the cluster, whatever is under way on it. */
function isGone({ tables }: World, { subject }: WorkflowRow): boolean {
  return !tables.clusterServices.get(subject.id)
}

/** A status that a rollout gave, once the rollout has ended. */
function settled(status: ClusterServiceRow['status']): ClusterServiceRow['status'] {
  return status === 'DEPLOYING' || status === 'UPDATING' ? 'RUNNING' : status
}

/** Services from deployment to removal, their logs and their rollouts. */
export const clusterServicesArea = area(
  {
    listK3sServices({ world, params, query }) {
      const rows = filtered(world.tables.clusterServices.by('workspace', params.wid), [
        among(query.id, (row) => row.id),
        contains(query.name, (row) => row.name),
        equals(query.mode, (row) => row.mode),
        equals(query.status, (row) => shownStatus(world, row)),
        search(query.q, (row) => [row.name, row.revision.image, row.id]),
      ])
      const isWrapped = world.readings.serviceItems === 'wrapped'
      return listing('service', rows, (row) => (isWrapped ? detailView(world, row) : serviceView(world, row)), 'oldest')
    },
    createK3sService({ world, params: { wid }, body }) {
      found(clusterOf(world, wid), 'cluster')
      const { name, mode } = body
      const revision = revisionOf(mode, body)
      const fields = { workspaceId: wid, name, mode, status: 'DEPLOYING', revision, previous: null, rollout: 0, rolledOutAtMs: nowMs(world) } as const
      return started(world, 'create', world.tables.clusterServices.insert(fields))
    },
    getK3sService: ({ world, params }) => ({ kind: 'service', view: detailView(world, serviceIn(world, params)) }),
    updateK3sService({ world, params, body }) {
      const row = serviceIn(world, params)
      world.tables.clusterServices.update(row.id, { status: 'UPDATING', revision: revisionOf(row.mode, body), previous: row.revision })
      return started(world, 'update', row)
    },
    deleteK3sService({ world, params }) {
      const row = serviceIn(world, params)
      world.tables.clusterServices.update(row.id, { status: 'DELETING' })
      return started(world, 'delete', row)
    },
    getK3sServiceLogs({ world, params, query, request }) {
      const row = serviceIn(world, params)
      const podIndex = query.pod_index ?? 0
      const pod = podAt(world, row, podIndex)
      if (podCount(row) > 0) found(pod, 'pod')
      if (query.follow === true) return { stream: followLog(world, { serviceId: row.id, podIndex }, query, request.signal) }
      return { text: logText(world, row, pod, query) }
    },
    redeployK3sService({ world, params }) {
      const row = serviceIn(world, params)
      world.tables.clusterServices.update(row.id, { status: 'UPDATING' })
      return started(world, 'redeploy', row)
    },
    rollbackK3sService({ world, params }) {
      const row = serviceIn(world, params)
      world.tables.clusterServices.update(row.id, { status: 'UPDATING', revision: row.previous ?? row.revision, previous: row.revision })
      return started(world, 'rollback', row)
    },
  },
  { rules: serviceRules, effects, nextMs: nextLiveMs },
)

/** When, after now, the next live part comes, or the pods in one that is there. */
function nextLiveMs(world: World): number | undefined {
  const { liveParts } = world.readings
  if (liveParts !== 'late' && liveParts !== 'growing') return undefined
  return nextSettledMs(
    world,
    world.tables.clusterServices.all().map((row) => row.rolledOutAtMs),
  )
}

/** The other workflows that are under way on the same service: its status is theirs. */
function othersOn({ tables }: World, { id, subject }: WorkflowRow): readonly WorkflowRow[] {
  return tables.workflows.by('busy', `clusterServices/${subject.id}`).filter((other) => other.id !== id)
}

/** `row` is the service as it was before. */
function started(world: World, verb: Verb, row: ClusterServiceRow) {
  const { id, workspaceId, status, revision, previous } = row
  return {
    workflow: startWorkflow(world, {
      operation: `k3s.service.${verb}`,
      workspaceId,
      subject: { table: 'clusterServices', id },
      input: { status, revision, previous },
    }),
  }
}

function serviceIn({ tables }: World, { wid, id }: { readonly wid: string; readonly id: string }): ClusterServiceRow {
  const row = tables.clusterServices.get(id)
  return found(row?.workspaceId === wid ? row : undefined, 'service')
}

/** "full desired state, omitted optional fields are cleared". */
function revisionOf(mode: ClusterServiceRow['mode'], body: Exchange<'createK3sService' | 'updateK3sService'>['body']): ServiceRevision {
  const replicas = 'replicas' in body ? body.replicas : undefined
  return {
    image: body.image,
    targetIds: [...new Set(body.target_instances)],
    replicas: mode === 'SPREAD' ? (replicas ?? 1) : null,
    ports: (body.ports ?? []).map((port) => ({
      hostPort: port.host_port,
      containerPort: port.container_port,
      protocol: port.protocol,
      http: port.http ?? false,
    })),
    volumes: (body.volumes ?? []).map((volume) => ({ hostPath: volume.host_path, containerPath: volume.container_path })),
    environment: body.environment ?? {},
    secretRefs: body.secret_refs ?? [],
    updateStrategy: body.update_strategy ?? 'ROLLING',
  }
}

function detailView(world: World, row: ClusterServiceRow): JsonObject {
  return { service: serviceView(world, row), live: liveOf(world, row) }
}

/** What is rolled out is not yet running while no node takes any of it, as one reading has it. */
function shownStatus(world: World, row: ClusterServiceRow): ClusterServiceRow['status'] {
  const waits = row.status === 'RUNNING' && world.readings.unplacedServices === 'deploying' && isUnplaced(world, row)
  return waits ? 'DEPLOYING' : row.status
}

/** The record; `environment` does not come back. */
function serviceView(world: World, row: ClusterServiceRow): JsonObject {
  const { id, name, mode, revision } = row
  return {
    id,
    name,
    image: revision.image,
    mode,
    target_instances: revision.targetIds.map((target) => summaryOf(world.tables.instances, target)),
    replicas: revision.replicas,
    ports: revision.ports.map(({ hostPort, containerPort, protocol, http }) => ({ host_port: hostPort, container_port: containerPort, protocol, http })),
    volumes: revision.volumes.map(({ hostPath, containerPath }) => ({ host_path: hostPath, container_path: containerPath })),
    secret_refs: revision.secretRefs,
    update_strategy: revision.updateStrategy,
    status: shownStatus(world, row),
  }
}
