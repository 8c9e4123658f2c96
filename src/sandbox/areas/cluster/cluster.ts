// The managed k3s cluster of a workspace: section "Managed cluster".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { levelIn } from '../../request/caller.ts'
import type { Caller } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { ClusterRow } from '../../store/rows.ts'
import { clusterRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { nowMs } from '../../world.ts'

const moving: ReadonlySet<ClusterRow['status'] | undefined> = new Set(['PROVISIONING', 'DEPROVISIONING'])

const rules = [
  rule({
    id: 'k3s.single',
    section: 'What the service does',
    quote: 'run a managed k3s cluster per workspace with worker nodes, deployed services and secrets',
    assumed: true,
    routes: ['createK3s'],
    status: 409,
    open: 'taken',
    message: 'the workspace has a cluster already',
    broken: ({ world, params }) => clusterOf(world, params.wid) !== undefined,
  }),
  rule({
    id: 'k3s.state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['deleteK3s'],
    status: 409,
    message: 'the cluster is on its way to another status',
    broken: ({ world, params }) => moving.has(clusterOf(world, params.wid)?.status),
  }),
  rule({
    id: 'k3s.active',
    section: 'Managed cluster',
    quote: 'poll the cluster until ACTIVE',
    assumed: true,
    routes: ['createK3sNode', 'createK3sService', 'createK3sSecret'],
    status: 409,
    message: 'the cluster is not ACTIVE',
    broken: ({ world, params }) => (clusterOf(world, params.wid)?.status ?? 'ACTIVE') !== 'ACTIVE',
  }),
  rule({
    id: 'k3s.leaving',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['deleteK3sNode', 'updateK3sService', 'deleteK3sService', 'redeployK3sService', 'rollbackK3sService', 'updateK3sSecret', 'deleteK3sSecret'],
    status: 409,
    message: 'the cluster is being removed',
    broken: ({ world, params }) => clusterOf(world, params.wid)?.status === 'DEPROVISIONING',
  }),
]

/** What a removal that fails without a trace puts back. */
const before = clusterRow.pick({ status: true })

const effects: Effects = {
  'k3s.create': {
    done: ({ tables }, { subject: { id } }) => patchRow(tables.clusters, id, { status: 'ACTIVE' }),
    failed(world, { subject: { id } }, leaves) {
      if (leaves === 'nothing') world.tables.clusters.delete(id)
      else patchRow(world.tables.clusters, id, { status: 'FAILED' })
    },
  },
  'k3s.delete': {
    done(world, { subject: { id }, workspaceId }) {
      removeCluster(world, id, workspaceId)
      return undefined
    },
    failed: ({ tables }, { subject: { id }, input }, leaves) => patchRow(tables.clusters, id, leaves === 'failed' ? { status: 'FAILED' } : before.parse(input)),
  },
}

/** One cluster per workspace. */
export const clusterArea = area(
  {
    getK3s: ({ world, caller, params }) => ({ kind: 'cluster', view: clusterView(world, caller, found(clusterOf(world, params.wid), 'cluster')) }),
    createK3s({ world, params: { wid } }) {
      const row = world.tables.clusters.insert({ workspaceId: wid, name: `ws-${wid}`, status: 'PROVISIONING' })
      return { workflow: startWorkflow(world, startOf('create', row)) }
    },
    deleteK3s({ world, params }) {
      const row = found(clusterOf(world, params.wid), 'cluster')
      world.tables.clusters.update(row.id, { status: 'DEPROVISIONING' })
      return { workflow: startWorkflow(world, { ...startOf('delete', row), input: { status: row.status } }) }
    },
  },
  { rules, effects },
)

/** The cluster of a workspace. */
export function clusterOf(world: World, workspaceId: string): ClusterRow | undefined {
  return world.tables.clusters.first('workspace', workspaceId)
}

const LIVE_DELAY_MS = 5000

/** Whether there is a live part of what has been so since `sinceMs`: only with a control plane that answers, and as the readings have it. */
export function hasLivePart(world: World, workspaceId: string, sinceMs: number): boolean {
  const { liveParts } = world.readings
  if (liveParts === 'null' || (liveParts === 'late' && isRecent(world, sinceMs))) return false
  return clusterOf(world, workspaceId)?.status === 'ACTIVE'
}

/** Whether pods are still to come up, as one reading has it for a while after a rollout. */
export function isGrowing(world: World, sinceMs: number): boolean {
  return world.readings.liveParts === 'growing' && isRecent(world, sinceMs)
}

/** When, after now, the first of what has been so since these instants is recent no longer, in ms since 1970; undefined where none is recent. */
export function nextSettledMs(world: World, since: readonly number[]): number | undefined {
  const recent = since.filter((one) => isRecent(world, one))
  return recent.length === 0 ? undefined : Math.min(...recent) + LIVE_DELAY_MS
}

function isRecent(world: World, sinceMs: number): boolean {
  return nowMs(world) - sinceMs < LIVE_DELAY_MS
}

/** "removes all nodes, services and secrets, then the cluster". */
function removeCluster({ tables }: World, id: string, workspaceId: string): void {
  for (const node of tables.clusterNodes.by('workspace', workspaceId)) tables.clusterNodes.delete(node.id)
  for (const service of tables.clusterServices.by('workspace', workspaceId)) tables.clusterServices.delete(service.id)
  for (const secret of tables.clusterSecrets.by('workspace', workspaceId)) tables.clusterSecrets.delete(secret.id)
  tables.clusters.delete(id)
}

function startOf(verb: 'create' | 'delete', { id, workspaceId }: ClusterRow) {
  return { operation: `k3s.${verb}`, workspaceId, subject: { table: 'clusters', id } }
}

/** `owner` is a workspace summary: "`id`, `name`, `access_level` (caller's level)" (section "Workspace"). */
function clusterView(world: World, caller: Caller, { id, workspaceId, name, status }: ClusterRow): JsonObject {
  const owner = { ...summaryOf(world.tables.workspaces, workspaceId), access_level: found(levelIn(world, caller, workspaceId), 'workspace') }
  return { id, owner, name, status }
}
