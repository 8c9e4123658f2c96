// What the page knows: rows by table and id, taken over from one look after the other.
import type { ClockView, MoneyView, PageView, RequestView, RowOf, TableName } from '../view-wire.ts'

type Rows = { readonly [T in TableName]: ReadonlyMap<string, RowOf<T>> }

/** Everything that is drawn; a new one for each look, with the tables that did not change taken over as they are. */
export interface PageModel {
  readonly event: number
  readonly clock: ClockView
  readonly rows: Rows
  readonly requests: readonly RequestView[]
  readonly presets: PageView['presets']
  readonly faults: PageView['faults']
  readonly money: MoneyView
  readonly tenantChanges: number
}

/** The most requests that are kept. */
const MOST_REQUESTS = 500

/** The model after a look; without one before it the look has to be complete. */
export function seen(before: PageModel | undefined, look: PageView): PageModel {
  const rows = look.complete ? undefined : before?.rows
  const kept = (before?.requests ?? []).filter((one) => one.id >= look.first_request)
  const known = kept.at(-1)?.id ?? 0
  return {
    event: look.event,
    clock: look.clock,
    rows: {
      workspaces: merged(rows?.workspaces, look.rows.workspaces, look.gone['workspaces']),
      plans: merged(rows?.plans, look.rows.plans, look.gone['plans']),
      instances: merged(rows?.instances, look.rows.instances, look.gone['instances']),
      disks: merged(rows?.disks, look.rows.disks, look.gone['disks']),
      ips: merged(rows?.ips, look.rows.ips, look.gone['ips']),
      dhcpSettings: merged(rows?.dhcpSettings, look.rows.dhcpSettings, look.gone['dhcpSettings']),
      installedKeys: merged(rows?.installedKeys, look.rows.installedKeys, look.gone['installedKeys']),
      apps: merged(rows?.apps, look.rows.apps, look.gone['apps']),
      recipes: merged(rows?.recipes, look.rows.recipes, look.gone['recipes']),
      dediboxes: merged(rows?.dediboxes, look.rows.dediboxes, look.gone['dediboxes']),
      dediboxIps: merged(rows?.dediboxIps, look.rows.dediboxIps, look.gone['dediboxIps']),
      vpcs: merged(rows?.vpcs, look.rows.vpcs, look.gone['vpcs']),
      memberships: merged(rows?.memberships, look.rows.memberships, look.gone['memberships']),
      firewallRules: merged(rows?.firewallRules, look.rows.firewallRules, look.gone['firewallRules']),
      bgpConfigurations: merged(rows?.bgpConfigurations, look.rows.bgpConfigurations, look.gone['bgpConfigurations']),
      bgpPrefixes: merged(rows?.bgpPrefixes, look.rows.bgpPrefixes, look.gone['bgpPrefixes']),
      clusters: merged(rows?.clusters, look.rows.clusters, look.gone['clusters']),
      clusterNodes: merged(rows?.clusterNodes, look.rows.clusterNodes, look.gone['clusterNodes']),
      clusterServices: merged(rows?.clusterServices, look.rows.clusterServices, look.gone['clusterServices']),
      clusterSecrets: merged(rows?.clusterSecrets, look.rows.clusterSecrets, look.gone['clusterSecrets']),
      users: merged(rows?.users, look.rows.users, look.gone['users']),
      members: merged(rows?.members, look.rows.members, look.gone['members']),
      invites: merged(rows?.invites, look.rows.invites, look.gone['invites']),
      tokens: merged(rows?.tokens, look.rows.tokens, look.gone['tokens']),
      sshKeys: merged(rows?.sshKeys, look.rows.sshKeys, look.gone['sshKeys']),
      mails: merged(rows?.mails, look.rows.mails, look.gone['mails']),
      workflows: merged(rows?.workflows, look.rows.workflows, look.gone['workflows']),
    },
    requests: [...kept, ...look.requests.filter((one) => one.id > known)].slice(-MOST_REQUESTS),
    presets: look.presets,
    faults: look.faults,
    money: look.money ?? before?.money ?? { wallets: [], prices: {} },
    tenantChanges: look.tenant_changes,
  }
}

type Table<R> = ReadonlyMap<string, R>

function merged<R extends { readonly id: string }>(before: Table<R> | undefined, rows: readonly R[] = [], gone: readonly string[] = []): Table<R> {
  if (before && rows.length === 0 && gone.length === 0) return before
  const table = new Map(before)
  for (const row of rows) table.set(row.id, row)
  for (const id of gone) table.delete(id)
  return table
}

/** Rows by what `keyOf` says of them, each list in the order of the table; a row without a key is in none. */
export function grouped<R>(rows: Iterable<R>, keyOf: (row: R) => string | null): ReadonlyMap<string, readonly R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

/** The rows of one workspace. */
export function within<R extends { readonly workspace_id: string }>(table: ReadonlyMap<string, R>, workspace: string): readonly R[] {
  return [...table.values()].filter((row) => row.workspace_id === workspace)
}

/** Whether an address is one that moves between instances. */
export function isFloating({ granted_with }: RowOf<'ips'>): boolean {
  return granted_with === null
}

/** The name of an instance, its id where it went; null for none. */
export function nameOfInstance({ rows }: PageModel, id: string | null): string | null {
  return id === null ? null : (rows.instances.get(id)?.name ?? id)
}
