// Every table of the service with its number and its indexes; a new table takes the next free number.
import { billingTables } from './billing-tables.ts'
import { dediboxTables } from './dedibox-tables.ts'
import { machineTables } from './machine-tables.ts'
import { peopleTables } from './people-tables.ts'
import * as keys from './row-keys.ts'
import * as rows from './rows.ts'
import { softwareTables } from './software-tables.ts'
import type { TableContext } from './table.ts'
import { createTable, tablesIn } from './table.ts'

/** Makes all tables, empty. Numbers are kept in ids and files: they never change. */
export function createTables(context: TableContext) {
  return {
    ...accountTables(context),
    ...peopleTables(context),
    ...catalogueTables(context),
    ...computeTables(context),
    ...networkTables(context),
    ...clusterTables(context),
    ...billingTables(context),
    ...machineTables(context),
    ...softwareTables(context),
    ...dediboxTables(context),
  }
}

export type Tables = ReturnType<typeof createTables>

/** A workflow holds what it is about until its effect shows: whoever acted before would act on what was. */
const isOpen = ({ endedAtMs, effectShown }: rows.WorkflowRow): boolean => endedAtMs === null || !effectShown

/** People, their workspaces and tokens, what is under way, and what was done. */
function accountTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    workspaces: table('workspaces', 1, rows.workspaceRow, { name: (row) => row.name }),
    members: table('members', 2, rows.memberRow, { workspace: keys.workspace, user: keys.user, pair: (row) => `${row.workspaceId}/${row.userId}` }),
    users: table('users', 3, rows.userRow, { email: (row) => row.email.toLowerCase() }),
    tokens: table('tokens', 4, rows.tokenRow, {
      codeHash: (row) => row.codeHash,
      user: (row) => row.userId ?? undefined,
      workspace: (row) => row.workspaceId ?? undefined,
    }),
    workflows: createTable(
      {
        name: 'workflows',
        number: 16,
        ids: 'uuid',
        schema: rows.workflowRow,
        indexes: {
          workspace: keys.workspace,
          instance: keys.attached,
          open: (row) => (isOpen(row) ? 'open' : undefined),
          busy: (row) => (isOpen(row) ? `${row.subject.table}/${row.subject.id}` : undefined),
          busyInstance: (row) => (isOpen(row) ? (row.instanceId ?? undefined) : undefined),
        },
      },
      context,
    ),
    auditEntries: table('auditEntries', 47, rows.auditEntryRow, {}),
  }
}

/** What there is to choose from. */
function catalogueTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    plans: table('plans', 5, rows.planRow, {}),
    regions: createTable({ name: 'regions', number: 6, ids: 'natural', schema: rows.regionRow, indexes: {} }, context),
    images: table('images', 7, rows.imageRow, {}),
    nodes: table('nodes', 8, rows.nodeRow, { owner: (row) => row.ownerWorkspaceId ?? undefined }),
  }
}

/** Instances and what belongs to them. */
function computeTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    instances: table('instances', 9, rows.instanceRow, { workspace: keys.workspace }),
    disks: table('disks', 10, rows.diskRow, { workspace: keys.workspace, instance: keys.attached }),
    ips: table('ips', 11, rows.ipRow, { workspace: keys.workspace, instance: keys.attached, address: (row) => row.address }),
    firewallRules: table('firewallRules', 17, rows.firewallRuleRow, { workspace: keys.workspace, instance: keys.instance }),
  }
}

/** Private networks and BGP. */
function networkTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    vpcs: table('vpcs', 12, rows.vpcRow, { workspace: keys.workspace }),
    memberships: table('memberships', 13, rows.membershipRow, {
      vpc: (row) => row.vpcId,
      instance: keys.instance,
      pair: (row) => `${row.instanceId}/${row.vpcId}`,
      address: (row) => `${row.vpcId}/${row.address}`,
    }),
    bgpConfigurations: table('bgpConfigurations', 14, rows.bgpConfigurationRow, { workspace: keys.workspace }),
    bgpPrefixes: table('bgpPrefixes', 15, rows.bgpPrefixRow, { workspace: keys.workspace }),
  }
}

/** The managed cluster. */
function clusterTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    clusters: table('clusters', 18, rows.clusterRow, { workspace: keys.workspace }),
    clusterNodes: table('clusterNodes', 19, rows.clusterNodeRow, { workspace: keys.workspace, instance: keys.instance }),
    clusterServices: table('clusterServices', 20, rows.clusterServiceRow, { workspace: keys.workspace, name: keys.nameInWorkspace }),
    clusterSecrets: table('clusterSecrets', 21, rows.clusterSecretRow, { workspace: keys.workspace, name: keys.nameInWorkspace }),
  }
}
