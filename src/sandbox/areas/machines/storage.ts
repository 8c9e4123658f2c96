// How much storage a workspace takes, for its quota: `max_storage_bytes` in section "Limits".
import * as z from 'zod'
import type { DiskRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

/** What the workflow of a resize carries: the new size in bytes. */
export const resizeInput = z.object({ size: z.number() })

/** The bytes of all disks of a workspace, boot disks included. */
export function storedBytes(world: World, workspaceId: string): number {
  return world.tables.disks.by('workspace', workspaceId).reduce((sum, disk) => sum + takenBytes(world, disk), 0)
}

/** The bytes that a disk takes; one that is being resized takes its new size already. */
export function takenBytes({ tables }: World, { id, sizeBytes }: DiskRow): number {
  const workflow = tables.workflows.first('busy', `disks/${id}`)
  return workflow?.operation === 'disk.resize' ? Math.max(sizeBytes, resizeInput.parse(workflow.input).size) : sizeBytes
}
