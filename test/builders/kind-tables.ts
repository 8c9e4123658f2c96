// Where the sandbox keeps the objects of each managed kind, for checks that look past the API.
import { virtualClock } from '../../src/base/clock.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
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
  ApiToken: 'tokens',
  Disk: 'disks',
  FloatingIp: 'ips',
  DhcpSettings: 'dhcpSettings',
  Recipe: 'recipes',
  AppTemplate: 'appTemplates',
  App: 'apps',
  Dedibox: 'dediboxes',
  DediboxIp: 'dediboxIps',
  Coupon: 'coupons',
  Price: 'rates',
  UserProfile: 'users',
} as const

/** A table that holds what projects make. */
export type KindTable = (typeof tableOf)[keyof typeof tableOf]

/** The kind of each such table. */
export const kindOfTable: ReadonlyMap<string, string> = new Map(Object.entries(tableOf).map(([kind, table]) => [table, kind]))

/** The words of an object that is on its way out. */
const leavingWords: ReadonlySet<string> = new Set(['DELETING', 'DEPROVISIONING', 'DRAINING'])

/** An object at the service; `id` is the one that its resource has, which need not be the row's. */
export interface StandingObject {
  readonly table: KindTable
  readonly kind: string
  readonly rowId: string
  readonly id: string
  readonly leaving: boolean
  /** The instance of a membership. */
  readonly memberOf: string | undefined
}

/** What is there no more though its row is kept, and what comes with something else: the disk that an instance boots from, addresses that no call of their own has made, how an owner is a member, and a login. */
export function isPart(tables: Tables, table: string, row: { readonly id: string }): boolean {
  if (table === 'rates') return 'deletedAtMs' in row && row.deletedAtMs !== null
  if (table === 'disks') return 'boot' in row && row.boot === true
  if (table === 'tokens') return 'origin' in row && row.origin === 'SESSION'
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
        const memberOf = table === 'memberships' ? tables.memberships.get(row.id)?.instanceId : undefined
        return {
          table,
          kind: kindOfTable.get(table) ?? '',
          rowId: row.id,
          id: stateIdOf(tables, table, row.id),
          leaving: isLeaving(row) || endsWithLeaving(tables, row),
          memberOf,
        }
      })
  })
}

/** The id that the resource of a row has. */
function stateIdOf({ memberships, dhcpSettings, rates, dediboxIps }: Tables, table: KindTable, id: string): string {
  if (table === 'memberships') return `${memberships.get(id)?.instanceId}/${memberships.get(id)?.vpcId}`
  if (table === 'dhcpSettings') return dhcpSettings.get(id)?.instanceId ?? ''
  if (table === 'dediboxIps') return `${dediboxIps.get(id)?.dediboxId}/${id}`
  return table === 'rates' ? `${rates.get(id)?.type}/${id}` : id
}

/** What a record is about, as `kind id` of a standing object: of an app whose number no answer told, by its instance and name. */
export function heldObject({ apps }: Tables, kind: string, id: string): string {
  const row = kind === 'App' && id.includes('/') ? apps.all().find((one) => `${one.instanceId}/${one.name}` === id) : undefined
  return `${kind} ${row?.id ?? id}`
}

let seeded: ReadonlySet<string> | undefined

/** What every sandbox begins with, as `table id`. */
export function seededObjects(): ReadonlySet<string> {
  seeded ??= new Set(standingObjects(createSandbox({ clock: virtualClock() }).world.tables).map((one) => `${one.table} ${one.rowId}`))
  return seeded
}

/** The word for how an object is, whatever its kind calls it; empty where it has none. */
export function wordOf(row: object): string {
  const word: unknown = Reflect.get(row, 'state') ?? Reflect.get(row, 'status')
  return typeof word === 'string' ? word : ''
}

/** Whether an app is on an instance that is on its way out: no call of its own deletes it. */
function endsWithLeaving({ apps, instances }: Tables, { id }: { readonly id: string }): boolean {
  const instance = instances.get(apps.get(id)?.instanceId ?? '')
  return instance !== undefined && isLeaving(instance)
}

/** Whether an object is on its way out. */
export function isLeaving(row: object): boolean {
  return leavingWords.has(wordOf(row))
}
