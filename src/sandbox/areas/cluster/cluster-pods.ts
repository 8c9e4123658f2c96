// What of a service runs where: its pods and its live part, derived from record, nodes and instances whenever someone looks.
import type { JsonObject } from '../../../json.ts'
import type { ClusterServiceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { hasLivePart, isGrowing } from './cluster.ts'
import { isReady } from './cluster-nodes.ts'

/** One container of a service; `nodeName` is null while no node takes it. */
export interface Pod {
  readonly name: string
  readonly phase: 'Pending' | 'Running' | 'Failed'
  readonly ready: boolean
  readonly restartCount: number
  readonly nodeName: string | null
}

const RESTARTS_OF_FAILED = 5

/** The pods of a service: one on each target (PINNED), or its replicas in turn over the targets that are ready (SPREAD). */
export function podsOf(world: World, row: ClusterServiceRow): readonly Pod[] {
  if (row.status === 'STOPPED') return []
  const growing = isGrowing(world, row.rolledOutAtMs)
  return placesOf(world, row).map((nodeName, index) => {
    const isUp = nodeName !== null && !growing && row.status !== 'DEPLOYING' && row.status !== 'FAILED'
    const isFailed = row.status === 'FAILED'
    return {
      name: `${row.name}-${row.rollout}-${index}`,
      phase: isFailed ? 'Failed' : isUp ? 'Running' : 'Pending',
      ready: isUp,
      restartCount: isFailed ? RESTARTS_OF_FAILED : 0,
      nodeName,
    }
  })
}

/** The live part of a service; null when the control plane does not answer. */
export function liveOf(world: World, row: ClusterServiceRow): JsonObject | null {
  if (!hasLivePart(world, row.workspaceId, row.rolledOutAtMs)) return null
  const pods = podsOf(world, row)
  const available = pods.filter((pod) => pod.ready).length
  const isUpdating = row.status === 'UPDATING' || row.status === 'DEPLOYING'
  return {
    desired_replicas: pods.length,
    available_replicas: available,
    unavailable_replicas: pods.length - available,
    updated_replicas: isUpdating ? 0 : available,
    updating: isUpdating,
    pods: pods.map(({ name, phase, ready, restartCount, nodeName }) => ({ name, phase, restart_count: restartCount, ready, node_name: nodeName })),
  }
}

function placesOf(world: World, { workspaceId, revision: { targetIds, replicas } }: ClusterServiceRow): readonly (string | null)[] {
  const ready = world.tables.clusterNodes.by('workspace', workspaceId).filter((node) => isReady(world, node))
  if (replicas === null) return targetIds.map((id) => ready.find((node) => node.instanceId === id)?.nodeName ?? null)
  const hosts = targetIds.length === 0 ? ready : ready.filter((node) => targetIds.includes(node.instanceId))
  return Array.from({ length: replicas }, (_, index) => hosts[index % hosts.length]?.nodeName ?? null)
}
