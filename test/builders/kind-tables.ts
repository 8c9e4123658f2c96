// Where the sandbox keeps the objects of each managed kind, for checks that look past the API.

/** The table of each managed kind. */
export const tableOf = {
  Workspace: 'workspaces',
  Vpc: 'vpcs',
  Instance: 'instances',
  VpcAttachment: 'memberships',
  FirewallRule: 'firewallRules',
  BgpConfiguration: 'bgpConfigurations',
  BgpPrefix: 'bgpPrefixes',
  K3sCluster: 'clusters',
  K3sNode: 'clusterNodes',
  K3sService: 'clusterServices',
  K3sSecret: 'clusterSecrets',
} as const

/** A table that holds what projects make. */
export type KindTable = (typeof tableOf)[keyof typeof tableOf]

/** The kind of each such table. */
export const kindOfTable: ReadonlyMap<string, string> = new Map(Object.entries(tableOf).map(([kind, table]) => [table, kind]))

/** The words of an object that is on its way out. */
export const leavingWords: ReadonlySet<string> = new Set(['DELETING', 'DEPROVISIONING', 'DRAINING'])
