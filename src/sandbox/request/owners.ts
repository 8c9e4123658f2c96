// Which workspace owns what a path names: the words between /v1 and the first placeholder, and how to look it up.
import { recordAt } from '../people/members.ts'
import type { World } from '../world.ts'

/** The workspace of the object with this id; undefined when there is no such object, null for one that belongs to no workspace. */
export type OwnerOf = (world: World, id: string) => string | null | undefined

/** Paths that are not here are their handlers' own business. */
export const owners: Readonly<Record<string, OwnerOf>> = Object.freeze({
  workspaces: (world, id) => world.tables.workspaces.get(id)?.id,
  invites: (world, id) => recordAt(world, id)?.workspaceId,
  tokens: (world, id) => world.tables.tokens.get(id)?.workspaceId,
  instances: (world, id) => world.tables.instances.get(id)?.workspaceId,
  disks: (world, id) => world.tables.disks.get(id)?.workspaceId,
  ssh: (world, id) => world.tables.sshKeys.get(id)?.workspaceId,
  ips: (world, id) => world.tables.ips.get(id)?.workspaceId,
  'networking/ips': (world, id) => world.tables.ips.get(id)?.workspaceId,
  'firewall-rules': (world, id) => world.tables.firewallRules.get(id)?.workspaceId,
  vpcs: (world, id) => world.tables.vpcs.get(id)?.workspaceId,
  recipes: (world, id) => world.tables.recipes.get(id)?.ownerId,
  dedibox: (world, id) => world.tables.dediboxes.get(id)?.workspaceId,
  nodes: (world, id) => world.tables.nodes.get(id)?.ownerWorkspaceId,
  workflows: (world, id) => world.tables.workflows.get(id)?.workspaceId,
} satisfies Record<string, OwnerOf>)
