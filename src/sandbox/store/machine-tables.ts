// The tables of what instances have beside disks and addresses: SSH keys, DHCP settings, and when they were switched.
import * as rows from './machine-rows.ts'
import * as keys from './row-keys.ts'
import type { TableContext } from './table.ts'
import { tablesIn } from './table.ts'

/** SSH keys, where they were installed, DHCP settings, and when instances went on and off. */
export function machineTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    sshKeys: table('sshKeys', 22, rows.sshKeyRow, { workspace: keys.workspace }),
    dhcpSettings: table('dhcpSettings', 23, rows.dhcpSettingsRow, { instance: keys.instance }),
    installedKeys: table('installedKeys', 24, rows.installedKeysRow, { instance: keys.instance }),
    switches: table('switches', 48, rows.switchRow, { instance: keys.instance }),
  }
}
