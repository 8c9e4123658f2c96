// Which workspace the page shows while nobody has chosen one: where something happens.
import type { PageModel } from './page-model.ts'

const WORKSPACE_PATH = /^\/v1\/workspaces\/(\d+)\//

/** The one that was chosen; else the one that is shown, once there is something in it; else the one where something happened last. */
export function shownWorkspace(model: PageModel, chosen: string, before: string): string {
  const { workspaces } = model.rows
  if (workspaces.has(chosen)) return chosen
  if (workspaces.has(before) && !isBare(model, before)) return before
  return activeWorkspace(model) ?? ''
}

/** The workspace of the newest workflow or request; of several without any the fullest, the first of them. */
function activeWorkspace(model: PageModel): string | undefined {
  const { workspaces, workflows } = model.rows
  const moments = [
    ...[...workflows.values()].map((one) => ({ workspace: one.workspace_id, atMs: one.queued_at_ms })),
    ...model.requests.map(({ path, at }) => ({ workspace: WORKSPACE_PATH.exec(path)?.[1] ?? '', atMs: Date.parse(at) })),
  ].filter(({ workspace }) => workspaces.has(workspace))
  const newest = moments.reduce<(typeof moments)[number] | undefined>((last, one) => (last && last.atMs > one.atMs ? last : one), undefined)
  if (newest) return newest.workspace
  const [first] = [...workspaces.keys()].toSorted((a, b) => countIn(model, b) - countIn(model, a))
  return first
}

/** What stands in workspaces, and what was done there. */
function tablesOf({ rows }: PageModel) {
  return [rows.instances, rows.disks, rows.ips, rows.dediboxes, rows.vpcs, rows.clusters, rows.sshKeys, rows.bgpConfigurations, rows.workflows]
}

/** How much there is to see of a workspace. */
function countIn(model: PageModel, workspace: string): number {
  return tablesOf(model).reduce((sum, table) => sum + [...table.values()].filter((row) => row.workspace_id === workspace).length, 0)
}

/** Whether there is nothing to see; asked at every drawing, so it ends at the first row. */
function isBare(model: PageModel, workspace: string): boolean {
  for (const table of tablesOf(model)) for (const row of table.values()) if (row.workspace_id === workspace) return false
  return true
}
