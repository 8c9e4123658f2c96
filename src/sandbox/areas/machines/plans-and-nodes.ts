// Server plans and compute nodes: section "Plans and nodes".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import type { Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered, identified } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import type { NodeRow, PlanRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

/** The catalogue: plans for everyone, nodes for staff and for private clouds. */
export const plansAndNodesArea = area({
  listPlans({ world, query }) {
    const rows = filtered(world.tables.plans.all(), [
      ...identified<PlanRow>(world, query),
      equals(query.group, (row) => row.group),
      query.rate === undefined ? undefined : upTo(query.rate),
      (query.disabled ?? world.readings.disabledPlans === 'shown') ? undefined : (row) => !row.disabled,
    ])
    return listing('plan', rows, planView, 'oldest')
  },
  getPlan({ world, params }) {
    const row = found(world.tables.plans.get(params.id), 'plan')
    return { kind: 'plan', view: { ...planView(row), io_limits: ioLimitsView(row.ioLimits) } }
  },
  listNodes: ({ world, query }) => nodesOf(world, world.tables.nodes.all(), query),
  getNode: ({ world, params }) => ({ kind: 'node', view: nodeView(world, found(world.tables.nodes.get(params.id), 'node')) }),
  listWorkspaceNodes: ({ world, params, query }) => nodesOf(world, world.tables.nodes.by('owner', params.wid), query),
})

function upTo(rate: number) {
  return (row: PlanRow): boolean => row.rateMicroUsd <= rate
}

function nodesOf(world: World, nodes: readonly NodeRow[], query: Exchange<'listNodes' | 'listWorkspaceNodes'>['query']) {
  const rows = filtered(nodes, [
    ...identified<NodeRow>(world, query),
    among(query.owner, (row) => row.ownerWorkspaceId),
    equals(query.group, (row): string => row.group),
    equals(query.region, (row) => row.region),
  ])
  return listing('node', rows, (row) => nodeView(world, row), 'oldest')
}

function planView(row: PlanRow): JsonObject {
  return {
    id: row.id,
    name: row.name,
    group: row.group,
    cpu: row.cpu,
    memory: row.memoryBytes,
    disk_size: row.diskBytes,
    upload: row.uploadBytesSec,
    download: row.downloadBytesSec,
    rate: row.rateMicroUsd,
    disabled: row.disabled,
    backup_plan: row.backupPlan,
  }
}

function ioLimitsView(limits: PlanRow['ioLimits']): JsonObject | null {
  if (limits === null) return null
  return { read_bytes_sec: limits.readBytesSec, write_bytes_sec: limits.writeBytesSec, read_iops: limits.readIops, write_iops: limits.writeIops }
}

function nodeView(world: World, row: NodeRow): JsonObject {
  return {
    id: row.id,
    name: row.name,
    owner: summaryOrNull(world.tables.workspaces, row.ownerWorkspaceId),
    group: row.group,
    region: row.region,
    max_memory: row.maxMemoryBytes,
    cores: row.cores,
    flags: row.flags,
  }
}
