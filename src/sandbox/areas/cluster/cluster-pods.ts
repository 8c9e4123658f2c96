// What of a service runs where: its pods and its live part, derived from record, nodes and instances whenever someone looks.
import type { JsonObject } from '../../../base/json.ts'
import type { ClusterNodeRow, ClusterServiceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { isEverywhere } from '../host-ports.ts'
import { isReady } from './cluster-nodes.ts'
import { hasLivePart, isGrowing } from './cluster.ts'

/** One container of a service; `nodeName` is null while no node takes it. */
export interface Pod {
  readonly name: string
  readonly phase: 'Pending' | 'Running' | 'Failed'
  readonly ready: boolean
  readonly restartCount: number
  readonly nodeName: string | null
}

const RESTARTS_OF_FAILED = 5

/** How many pods a service is to have: one on each target (PINNED), or its replicas (SPREAD). */
export function podCount({ status, revision: { targetIds, replicas } }: ClusterServiceRow): number {
  return status === 'STOPPED' ? 0 : (replicas ?? targetIds.length)
}

/** The pod of an index, made alone; undefined where the service has none. */
export function podAt(world: World, row: ClusterServiceRow, index: number): Pod | undefined {
  return index < podCount(row) ? podMaker(world, row)(index) : undefined
}

/** Whether a service is to have pods and no node takes any of them. */
export function isUnplaced(world: World, row: ClusterServiceRow): boolean {
  return podCount(row) > 0 && hostsOf(world, row).length === 0
}

/** The pods of a service: on its targets (PINNED), or in turn over those that are ready (SPREAD). */
function podsOf(world: World, row: ClusterServiceRow): readonly Pod[] {
  const podOf = podMaker(world, row)
  return Array.from({ length: podCount(row) }, (_, index) => podOf(index))
}

function podMaker(world: World, row: ClusterServiceRow): (index: number) => Pod {
  const growing = isGrowing(world, row.rolledOutAtMs)
  const isFailed = row.status === 'FAILED'
  const nodeNameOf = placement(world, row)
  return (index) => {
    const nodeName = nodeNameOf(index)
    const isUp = nodeName !== null && !growing && row.status !== 'DEPLOYING' && !isFailed
    return {
      name: `${row.name}-${row.rollout}-${index}`,
      phase: isFailed ? 'Failed' : isUp ? 'Running' : 'Pending',
      ready: isUp,
      restartCount: isFailed ? RESTARTS_OF_FAILED : 0,
      nodeName,
    }
  }
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

/** The node of each pod by its index; null while no node takes it. */
function placement(world: World, row: ClusterServiceRow): (index: number) => string | null {
  const { targetIds, replicas } = row.revision
  const hosts = hostsOf(world, row)
  if (replicas === null) return (index) => hosts.find((node) => node.instanceId === targetIds[index])?.nodeName ?? null
  return (index) => hosts[index % hosts.length]?.nodeName ?? null
}

/** The nodes that are ready and may run pods of a service: its targets, or all where it is SPREAD and has none. */
function hostsOf(world: World, { workspaceId, mode, revision: { targetIds } }: ClusterServiceRow): readonly ClusterNodeRow[] {
  const ready = world.tables.clusterNodes.by('workspace', workspaceId).filter((node) => isReady(world, node))
  return isEverywhere(mode, targetIds) ? ready : ready.filter((node) => targetIds.includes(node.instanceId))
}
