// People in tests of the sandbox: the codes in their mails, members who came by an invite, and 2FA that is on.
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import type { InviteRow, MailRow } from '../../src/sandbox/store/people-rows.ts'
import type { UserRow } from '../../src/sandbox/store/rows.ts'
import type { Answer, Bench } from './sandbox-bench.ts'
import { SANDBOX_PASSWORD } from './sandbox-bench.ts'

/** A secret of 2FA, as a user's row has it when `turnTotpOn` was called. */
export const TOTP_SECRET = 'JBSWY3DPEHPK3PXP'

/** The code of the newest mail of a kind. */
export function lastCode({ tables }: Bench, kind: MailRow['kind']): string {
  const mail = tables.mails.all().findLast((one) => one.kind === kind)
  if (!mail) throw new Error(`no mail of the kind ${kind}`)
  return mail.code
}

/** The user behind a token. */
export function userOf({ tables }: Bench, token: string): UserRow {
  const user = tables.users.get(tables.tokens.first('codeHash', hashOfCode(token))?.userId ?? '')
  if (!user) throw new Error('no user')
  return user
}

/** Makes an invite of the owner with the code `invite`, open for a week unless `fields` say otherwise. */
export function addInvite({ tables, wid, clock }: Bench, fields: Partial<InviteRow> = {}): InviteRow {
  const base = { workspaceId: wid, creatorId: tables.users.all()[0]?.id ?? '', email: 'owner@sandbox.test', accessLevel: 'VIEWER' } as const
  return tables.invites.insert({ ...base, codeHash: hashOfCode('invite'), expiresAtMs: clock.wall() + 7 * 86_400_000, acceptedById: null, ...fields })
}

/** Turns 2FA on for the user behind a token. */
export function turnTotpOn(bench: Bench, token: string, active = true): void {
  bench.tables.users.update(userOf(bench, token).id, { totp: { secret: TOTP_SECRET, reset: 'reset-token', active } })
}

/** Signs the owner of the seed in, by an email in other letter case. */
export async function signIn({ call }: Bench, mfa?: string): Promise<Answer> {
  return call({
    method: 'POST',
    path: '/v1/login',
    token: null,
    body: { email: 'OWNER@sandbox.test', password: SANDBOX_PASSWORD, ...(mfa === undefined ? {} : { mfa }) },
  })
}

/** Another workspace of the owner; gives its id. */
export function otherWorkspace({ tables, wid }: Bench): string {
  const first = tables.workspaces.get(wid)
  if (!first) throw new Error('no workspace')
  const { id, ownerId } = tables.workspaces.insert({ ...first, id: '77', name: 'other' })
  tables.members.insert({ workspaceId: id, userId: ownerId, accessLevel: 'OWNER' })
  return id
}
