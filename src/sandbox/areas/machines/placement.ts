// Where things stand: regions and private clouds, and the storage there.
import type { JsonObject } from '../../../json.ts'
import type { World } from '../../world.ts'

/** The region of a workspace's own nodes. */
export const PRIVATE_CLOUD = 'PRIVATE_CLOUD'

/** Whether something of the workspace can be placed in a region. */
export function isPlace({ tables }: World, workspaceId: string, region: string): boolean {
  return region === PRIVATE_CLOUD ? tables.nodes.by('owner', workspaceId).length > 0 : tables.regions.get(region) !== undefined
}

/** A private cloud has local storage; what a region offers stands in its row. */
export function backingsAt({ tables }: World, region: string): readonly string[] {
  return tables.regions.get(region)?.backends ?? ['LOCAL']
}

/** A region as a summary. */
export function regionView({ tables }: World, code: string): JsonObject {
  return { code, name: tables.regions.get(code)?.name ?? code }
}
