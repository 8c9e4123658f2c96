// Workflows under way and done: section "Workflows".
import { instantMs } from '../../base/instant.ts'
import { area } from '../request/area.ts'
import type { Exchange } from '../request/exchange.ts'
import { listing } from '../request/exchange.ts'
import { among, filtered, named, search } from '../request/lists/filters.ts'
import { found, missing } from '../request/refusal.ts'
import type { WorkflowRow } from '../store/rows.ts'
import { workflowView } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'

type Lists = 'listWorkflows' | 'listWorkspaceWorkflows' | 'listInstanceWorkflows'

/** All five ways to look at workflows. */
export const workflowsArea = area({
  listWorkflows: ({ world, query }) => listOf(world, world.tables.workflows.all(), query),
  getWorkflow: ({ world, params }) => single(world, world.tables.workflows.get(params.wfid)),
  listWorkspaceWorkflows: ({ world, params, query }) => listOf(world, world.tables.workflows.by('workspace', params.wid), query),
  getWorkspaceWorkflow({ world, params }) {
    const workflow = world.tables.workflows.get(params.wfid)
    return single(world, workflow?.workspaceId === params.wid ? workflow : undefined)
  },
  listInstanceWorkflows({ world, params, query }) {
    const rows = world.tables.workflows.by('instance', params.iid).filter((row) => row.workspaceId === params.wid)
    // The workflows of an instance outlive it.
    if (world.tables.instances.get(params.iid)?.workspaceId !== params.wid && rows.length === 0) throw missing('instance')
    return listOf(world, rows, query)
  },
})

function single(world: World, row: WorkflowRow | undefined) {
  return { kind: 'workflow', view: workflowView(world, found(row, 'workflow'), true) } as const
}

function listOf(world: World, rows: readonly WorkflowRow[], query: Exchange<Lists>['query']) {
  const kept = filtered(rows, [
    among(
      query.id?.map((id) => id.toLowerCase()),
      (row) => row.id,
    ),
    named(world, query.name),
    among(query.instance, (row) => row.instanceId),
    among(query.workspace, (row) => row.workspaceId),
    among(statesOf(query.status), (row) => row.state),
    since(query.started_after),
    until(query.started_before),
    search(query.q, (row) => [row.id, row.name]),
  ])
  return listing('workflow', kept, (row) => workflowView(world, row, false))
}

/** "Filtering workflow lists by QUEUED alone has no effect." */
function statesOf(states: readonly string[] | undefined): readonly string[] | undefined {
  return states?.every((state) => state === 'QUEUED') ? undefined : states
}

function since(instant: string | undefined) {
  if (instant === undefined) return undefined
  const atMs = instantMs(instant)
  return (row: WorkflowRow): boolean => row.queuedAtMs >= atMs
}

function until(instant: string | undefined) {
  if (instant === undefined) return undefined
  const atMs = instantMs(instant)
  return (row: WorkflowRow): boolean => row.queuedAtMs <= atMs
}
