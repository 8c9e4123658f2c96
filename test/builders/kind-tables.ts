// Where the sandbox keeps the objects of each managed kind, for checks that look past the API.
import type { Tables } from '../../src/sandbox/store/tables.ts'

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
  SshKey: 'sshKeys',
  WorkspaceInvite: 'invites',
  Disk: 'disks',
  FloatingIp: 'ips',
  DhcpSettings: 'dhcpSettings',
} as const

/** A table that holds what projects make. */
export type KindTable = (typeof tableOf)[keyof typeof tableOf]

/** The kind of each such table. */
export const kindOfTable: ReadonlyMap<string, string> = new Map(Object.entries(tableOf).map(([kind, table]) => [table, kind]))

/** The words of an object that is on its way out. */
const leavingWords: ReadonlySet<string> = new Set(['DELETING', 'DEPROVISIONING', 'DRAINING'])

/** An object at the service; `id` is the one that its resource has: of a membership the pair, of all others the row's. */
export interface StandingObject {
  readonly table: KindTable
  readonly kind: string
  readonly rowId: string
  readonly id: string
  readonly leaving: boolean
  /** The instance of a membership. */
  readonly memberOf: string | undefined
}

/** What comes with something else: the disk that an instance boots from, addresses that no call of their own has made, and how an owner is a member. */
export function isPart(tables: Tables, table: string, row: { readonly id: string }): boolean {
  if (table === 'disks') return 'boot' in row && row.boot === true
  if (table === 'invites') return 'accessLevel' in row && row.accessLevel === 'OWNER'
  return table === 'ips' && !tables.workflows.all().some((one) => one.operation === 'ip.create' && one.subject.id === row.id)
}

/** Everything of a managed kind that stands at the service by itself, leaving or not. */
export function standingObjects(tables: Tables): readonly StandingObject[] {
  return Object.values(tableOf).flatMap((table) => {
    const rows: readonly { readonly id: string }[] = tables[table].all()
    return rows
      .filter((row) => !isPart(tables, table, row))
      .map((row): StandingObject => {
        const pair = table === 'memberships' ? tables.memberships.get(row.id) : undefined
        const id = pair ? `${pair.instanceId}/${pair.vpcId}` : table === 'dhcpSettings' ? (tables.dhcpSettings.get(row.id)?.instanceId ?? '') : row.id
        return { table, kind: kindOfTable.get(table) ?? '', rowId: row.id, id, leaving: isLeaving(row), memberOf: pair?.instanceId }
      })
  })
}

/** The word for how an object is, whatever its kind calls it; empty where it has none. */
export function wordOf(row: object): string {
  const word: unknown = Reflect.get(row, 'state') ?? Reflect.get(row, 'status')
  return typeof word === 'string' ? word : ''
}

/** Whether an object is on its way out. */
export function isLeaving(row: object): boolean {
  return leavingWords.has(wordOf(row))
}
