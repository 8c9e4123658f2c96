// The limits of a workspace: section "Limits", "Workspace quotas".
import type { World } from '../world.ts'
import type { Quota } from './seed.ts'

/** One of them; Infinity where there is none. */
export function limitOf({ tables }: World, workspaceId: string, key: keyof Quota): number {
  return tables.workspaces.get(workspaceId)?.quota[key] ?? Infinity
}
