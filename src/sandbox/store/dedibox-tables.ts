// The tables of dediboxes and their addresses, with their numbers and indexes.
import { dediboxIpRow, dediboxRow } from './dedibox-rows.ts'
import * as keys from './row-keys.ts'
import type { TableContext } from './table.ts'
import { tablesIn } from './table.ts'

/** Dedicated servers, which no call makes, and their addresses. */
export function dediboxTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    dediboxes: table('dediboxes', 36, dediboxRow, { workspace: keys.workspace }),
    dediboxIps: table('dediboxIps', 37, dediboxIpRow, {
      workspace: keys.workspace,
      dedibox: (row) => row.dediboxId,
      address: (row) => row.canonical,
    }),
  }
}
