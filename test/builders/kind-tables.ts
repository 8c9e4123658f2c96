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

/** Everything of a managed kind that stands at the service, leaving or not. */
export function standingObjects(tables: Tables): readonly StandingObject[] {
  return Object.values(tableOf).flatMap((table) =>
    tables[table].all().map((row): StandingObject => {
      const pair = 'vpcId' in row && 'instanceId' in row ? row : undefined
      const id = pair ? `${pair.instanceId}/${pair.vpcId}` : row.id
      return { table, kind: kindOfTable.get(table) ?? '', rowId: row.id, id, leaving: isLeaving(row), memberOf: pair?.instanceId }
    }),
  )
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
