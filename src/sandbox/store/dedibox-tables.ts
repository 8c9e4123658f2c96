// The tables of dediboxes and their addresses, with their numbers and indexes.
import { dediboxIpRow, dediboxRow } from './dedibox-rows.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'

/** Dedicated servers, which no call makes, and their addresses. */
export function dediboxTables(context: TableContext) {
  return {
    dediboxes: createTable({ name: 'dediboxes', number: 36, ids: 'integer', schema: dediboxRow, indexes: { workspace: (row) => row.workspaceId } }, context),
    dediboxIps: createTable(
      {
        name: 'dediboxIps',
        number: 37,
        ids: 'integer',
        schema: dediboxIpRow,
        indexes: { workspace: (row) => row.workspaceId, dedibox: (row) => row.dediboxId, address: (row) => row.canonical },
      },
      context,
    ),
  }
}
