// The tables of invites, mails and codes, with their numbers and indexes.
import { codeRow, inviteRow, mailRow } from './people-rows.ts'
import type { TableContext } from './table.ts'
import { createTable } from './table.ts'

/** Who was invited, what was mailed, and the codes that were mailed. */
export function peopleTables(context: TableContext) {
  return {
    invites: createTable(
      {
        name: 'invites',
        number: 26,
        ids: 'integer',
        schema: inviteRow,
        indexes: {
          workspace: (row) => row.workspaceId,
          email: (row) => row.email.toLowerCase(),
          codeHash: (row) => row.codeHash ?? undefined,
          accepted: (row) => (row.acceptedById === null ? undefined : `${row.workspaceId}/${row.acceptedById}`),
        },
      },
      context,
    ),
    mails: createTable({ name: 'mails', number: 27, ids: 'integer', schema: mailRow, indexes: { to: (row) => row.to.toLowerCase() } }, context),
    codes: createTable(
      { name: 'codes', number: 28, ids: 'integer', schema: codeRow, indexes: { codeHash: (row) => row.codeHash, user: (row) => row.userId } },
      context,
    ),
  }
}
