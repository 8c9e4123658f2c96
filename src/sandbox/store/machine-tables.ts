// The tables of what instances are given beside disks and addresses: SSH keys and DHCP settings.
import * as rows from './machine-rows.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'

/** SSH keys, where they were installed, and DHCP settings. */
export function machineTables(context: TableContext) {
  return {
    sshKeys: createTable({ name: 'sshKeys', number: 22, ids: 'integer', schema: rows.sshKeyRow, indexes: { workspace: (row) => row.workspaceId } }, context),
    dhcpSettings: createTable(
      { name: 'dhcpSettings', number: 23, ids: 'integer', schema: rows.dhcpSettingsRow, indexes: { instance: (row) => row.instanceId } },
      context,
    ),
    installedKeys: createTable(
      { name: 'installedKeys', number: 24, ids: 'integer', schema: rows.installedKeyRow, indexes: { instance: (row) => row.instanceId } },
      context,
    ),
  }
}
