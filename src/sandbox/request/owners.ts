// Which workspace owns what a path names: the words between /v1 and the first placeholder, and how to look it up.
import { recordAt } from '../people/members.ts'
import type { RouteName, routes } from '../served-routes.ts'
import type { Tables } from '../store/tables.ts'
import type { World } from '../world.ts'

/** The workspace of the object with this id; undefined when there is no such object, null for one that belongs to no workspace. */
export type OwnerOf = (world: World, id: string) => string | null | undefined

/** The words of every path that names an object and asks for a role in its workspace. */
type OwnedWords<N = RouteName> = N extends RouteName ? WordsOf<(typeof routes)[N]> : never
type WordsOf<R> = R extends { readonly access: 'viewer' | 'editor' | 'administrator' | 'owner'; readonly path: `/v1/${infer Words}/{${string}` } ? Words : never

/** A path that asks for a role does not compile without its words; others that are not here are their handlers' own business. */
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
  users: ofNobody(({ users }, id) => id === '@me' || users.get(id) !== undefined),
  wallet: ofNobody(({ users }, id) => id === '@me' || users.get(id) !== undefined),
  'app-templates': ofNobody(({ appTemplates }, id) => appTemplates.get(id) !== undefined),
} satisfies Readonly<Record<OwnedWords, OwnerOf>> & Readonly<Record<string, OwnerOf>>)

/** Whether the second object of a path, by its id, belongs to the first. */
export type PartOf = (tables: Tables, holderId: string, id: string) => boolean

/** By the path as far as the second object, its placeholders empty. What is only read is looked for by its handler. */
export const parts: Readonly<Record<string, PartOf>> = Object.freeze({
  '/v1/workspaces/{}/bgp/prefixes/{}': ({ bgpPrefixes }, wid, id) => bgpPrefixes.get(id)?.workspaceId === wid,
  '/v1/workspaces/{}/k3s/nodes/{}': ({ clusterNodes }, wid, id) => clusterNodes.get(id)?.workspaceId === wid,
  '/v1/workspaces/{}/k3s/services/{}': ({ clusterServices }, wid, id) => clusterServices.get(id)?.workspaceId === wid,
  '/v1/workspaces/{}/k3s/secrets/{}': ({ clusterSecrets }, wid, id) => clusterSecrets.get(id)?.workspaceId === wid,
  '/v1/dedibox/{}/ips/{}': ({ dediboxIps }, dediboxId, id) => dediboxIps.get(id)?.dediboxId === dediboxId,
  '/v1/prices/{}/{}': ({ rates }, type, id) => rates.get(id)?.type === type && rates.get(id)?.deletedAtMs === null,
} satisfies Record<string, PartOf>)

/** An object that belongs to no workspace. */
function ofNobody(isThere: (tables: Tables, id: string) => boolean): OwnerOf {
  return ({ tables }, id) => (isThere(tables, id) ? null : undefined)
}
