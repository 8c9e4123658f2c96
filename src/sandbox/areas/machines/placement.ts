// Where things stand: regions and private clouds, and the storage there.
import type { JsonObject } from '../../../base/json.ts'
import type { NodeRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

/** The region of a workspace's own nodes. */
export const PRIVATE_CLOUD = 'PRIVATE_CLOUD'

/** Whether something of the workspace can be placed in a region. */
export function isPlace({ tables }: World, workspaceId: string, region: string): boolean {
  return region === PRIVATE_CLOUD ? tables.nodes.by('owner', workspaceId).length > 0 : tables.regions.get(region) !== undefined
}

/** Where a create wants to stand: in a region, in the private cloud, or on one node. */
export interface Place {
  readonly workspaceId: string
  readonly region?: string | undefined
  readonly node?: string | undefined
}

/** The machines of a place, whatever their group; none where there is no such place. */
export function nodesAt({ tables }: World, { workspaceId, region, node }: Place): readonly NodeRow[] {
  if (region === undefined) return tables.nodes.all().filter((one) => one.id === node)
  if (region === PRIVATE_CLOUD) return tables.nodes.by('owner', workspaceId)
  return tables.nodes.all().filter((one) => one.ownerWorkspaceId === null && one.region === region)
}

/** The groups of machines that a place has; undefined where there is no such place. */
export function groupsAt(world: World, place: Place): readonly string[] | undefined {
  const region = world.tables.regions.get(place.region ?? '')
  const groups = region ? region.groups : nodesAt(world, place).map((node) => node.group)
  return region || groups.length > 0 ? groups : undefined
}

/** What a region offers stands in its row; a private cloud has local storage, and what its nodes are flagged for. */
export function backingsAt({ tables }: World, workspaceId: string, region: string): readonly string[] {
  const flags = tables.nodes.by('owner', workspaceId).flatMap((node) => node.flags)
  return tables.regions.get(region)?.backends ?? ['LOCAL', ...new Set(flags)]
}

/** A region as a summary. */
export function regionView({ tables }: World, code: string): JsonObject {
  return { code, name: tables.regions.get(code)?.name ?? code }
}
