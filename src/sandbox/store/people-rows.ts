// The rows of invites, of mails that were sent, and of the codes in them, as schemas.
import * as z from 'zod'
import { baseColumns } from './base-columns.ts'
import { accessLevel } from './rows.ts'

/** A record of membership: an invite, or how the owner came. Owners have no code and no expiry; `acceptedById` is null until someone joins by it. */
export const inviteRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  creatorId: z.string(),
  email: z.string(),
  accessLevel,
  codeHash: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  acceptedById: z.string().nullable(),
})

/** A mail in the outbox, the only place where its code stands in plain text. */
export const mailRow = z.strictObject({
  ...baseColumns,
  to: z.string(),
  subject: z.string(),
  kind: z.enum(['LOGIN', 'EMAIL_VERIFICATION', 'PASSWORD_RESET', 'INVITE', 'EMAIL_CHANGE']),
  code: z.string(),
  atMs: z.number(),
})

/** What a mailed code is good for; `email` is the address that it was sent to. */
export const codeRow = z.strictObject({
  ...baseColumns,
  userId: z.string(),
  kind: mailRow.shape.kind.exclude(['INVITE']),
  email: z.string(),
  codeHash: z.string(),
  expiresAtMs: z.number().nullable(),
})

export type InviteRow = z.output<typeof inviteRow>
export type MailRow = z.output<typeof mailRow>
export type CodeRow = z.output<typeof codeRow>
