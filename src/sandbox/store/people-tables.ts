// The tables of invites, mails and codes, with their numbers and indexes.
import { codeRow, inviteRow, mailRow } from './people-rows.ts'
import * as keys from './row-keys.ts'
import type { TableContext } from './table.ts'
import { tablesIn } from './table.ts'

/** Who was invited, what was mailed, and the codes that were mailed. */
export function peopleTables(context: TableContext) {
  const table = tablesIn(context)
  return {
    invites: table('invites', 26, inviteRow, {
      workspace: keys.workspace,
      email: (row) => row.email.toLowerCase(),
      codeHash: (row) => row.codeHash ?? undefined,
      accepted: (row) => (row.acceptedById === null ? undefined : `${row.workspaceId}/${row.acceptedById}`),
    }),
    mails: table('mails', 27, mailRow, { to: (row) => row.to.toLowerCase() }),
    codes: table('codes', 28, codeRow, { codeHash: (row) => row.codeHash, user: keys.user }),
  }
}
