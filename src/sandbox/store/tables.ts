// Every table of the service with its number and its indexes; a new table takes the next free number.
import { billingTables } from './billing-tables.ts'
import { dediboxTables } from './dedibox-tables.ts'
import { machineTables } from './machine-tables.ts'
import { softwareTables } from './software-tables.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'
import { peopleTables } from './people-tables.ts'
import * as rows from './rows.ts'

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

/** People, their workspaces and tokens, and what is under way. */
function accountTables(context: TableContext) {
  return {
    workspaces: createTable({ name: 'workspaces', number: 1, ids: 'integer', schema: rows.workspaceRow, indexes: { name: (row) => row.name } }, context),
    members: createTable(
      {
        name: 'members',
        number: 2,
        ids: 'integer',
        schema: rows.memberRow,
        indexes: { workspace: (row) => row.workspaceId, user: (row) => row.userId, pair: (row) => `${row.workspaceId}/${row.userId}` },
      },
      context,
    ),
    users: createTable({ name: 'users', number: 3, ids: 'integer', schema: rows.userRow, indexes: { email: (row) => row.email.toLowerCase() } }, context),
    tokens: createTable(
      {
        name: 'tokens',
        number: 4,
        ids: 'integer',
        schema: rows.tokenRow,
        indexes: { codeHash: (row) => row.codeHash, user: (row) => row.userId ?? undefined, workspace: (row) => row.workspaceId ?? undefined },
      },
      context,
    ),
    workflows: createTable(
      {
        name: 'workflows',
        number: 16,
        ids: 'uuid',
        schema: rows.workflowRow,
        indexes: {
          workspace: (row) => row.workspaceId,
          instance: (row) => row.instanceId ?? undefined,
          open: (row) => (row.endedAtMs === null || !row.effectShown ? 'open' : undefined),
          busy: (row) => (row.endedAtMs === null ? `${row.subject.table}/${row.subject.id}` : undefined),
        },
      },
      context,
    ),
  }
}

/** What there is to choose from. */
function catalogueTables(context: TableContext) {
  return {
    plans: createTable({ name: 'plans', number: 5, ids: 'integer', schema: rows.planRow, indexes: {} }, context),
    regions: createTable({ name: 'regions', number: 6, ids: 'natural', schema: rows.regionRow, indexes: {} }, context),
    images: createTable({ name: 'images', number: 7, ids: 'integer', schema: rows.imageRow, indexes: {} }, context),
    nodes: createTable(
      { name: 'nodes', number: 8, ids: 'integer', schema: rows.nodeRow, indexes: { owner: (row) => row.ownerWorkspaceId ?? undefined } },
      context,
    ),
  }
}

/** Instances and what belongs to them. */
function computeTables(context: TableContext) {
  return {
    instances: createTable(
      { name: 'instances', number: 9, ids: 'integer', schema: rows.instanceRow, indexes: { workspace: (row) => row.workspaceId } },
      context,
    ),
    disks: createTable(
      {
        name: 'disks',
        number: 10,
        ids: 'integer',
        schema: rows.diskRow,
        indexes: { workspace: (row) => row.workspaceId, instance: (row) => row.instanceId ?? undefined },
      },
      context,
    ),
    ips: createTable(
      {
        name: 'ips',
        number: 11,
        ids: 'integer',
        schema: rows.ipRow,
        indexes: { workspace: (row) => row.workspaceId, instance: (row) => row.instanceId ?? undefined, address: (row) => row.address },
      },
      context,
    ),
    firewallRules: createTable(
      {
        name: 'firewallRules',
        number: 17,
        ids: 'integer',
        schema: rows.firewallRuleRow,
        indexes: { workspace: (row) => row.workspaceId, instance: (row) => row.instanceId },
      },
      context,
    ),
  }
}

/** Private networks and BGP. */
function networkTables(context: TableContext) {
  return {
    vpcs: createTable({ name: 'vpcs', number: 12, ids: 'integer', schema: rows.vpcRow, indexes: { workspace: (row) => row.workspaceId } }, context),
    memberships: createTable(
      {
        name: 'memberships',
        number: 13,
        ids: 'integer',
        schema: rows.membershipRow,
        indexes: {
          vpc: (row) => row.vpcId,
          instance: (row) => row.instanceId,
          pair: (row) => `${row.instanceId}/${row.vpcId}`,
          address: (row) => `${row.vpcId}/${row.address}`,
        },
      },
      context,
    ),
    bgpConfigurations: createTable(
      { name: 'bgpConfigurations', number: 14, ids: 'integer', schema: rows.bgpConfigurationRow, indexes: { workspace: (row) => row.workspaceId } },
      context,
    ),
    bgpPrefixes: createTable(
      { name: 'bgpPrefixes', number: 15, ids: 'integer', schema: rows.bgpPrefixRow, indexes: { workspace: (row) => row.workspaceId } },
      context,
    ),
  }
}

/** The managed cluster. */
function clusterTables(context: TableContext) {
  return {
    clusters: createTable({ name: 'clusters', number: 18, ids: 'integer', schema: rows.clusterRow, indexes: { workspace: (row) => row.workspaceId } }, context),
    clusterNodes: createTable(
      {
        name: 'clusterNodes',
        number: 19,
        ids: 'integer',
        schema: rows.clusterNodeRow,
        indexes: { workspace: (row) => row.workspaceId, instance: (row) => row.instanceId },
      },
      context,
    ),
    clusterServices: createTable(
      {
        name: 'clusterServices',
        number: 20,
        ids: 'integer',
        schema: rows.clusterServiceRow,
        indexes: { workspace: (row) => row.workspaceId, name: (row) => `${row.workspaceId}/${row.name}` },
      },
      context,
    ),
    clusterSecrets: createTable(
      {
        name: 'clusterSecrets',
        number: 21,
        ids: 'integer',
        schema: rows.clusterSecretRow,
        indexes: { workspace: (row) => row.workspaceId, name: (row) => `${row.workspaceId}/${row.name}` },
      },
      context,
    ),
  }
}
