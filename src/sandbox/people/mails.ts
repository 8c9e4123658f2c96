// Mails as side effects, and the codes in them: section "Events".
import { hashOfCode } from '../request/caller.ts'
import type { CodeRow, MailRow } from '../store/people-rows.ts'
import type { UserRow } from '../store/rows.ts'
import type { World } from '../world.ts'
import { nowMs, secretOf } from '../world.ts'

const subjects: Readonly<Record<MailRow['kind'], string>> = {
  LOGIN: 'New login to your account',
  EMAIL_VERIFICATION: 'Verify your email address',
  PASSWORD_RESET: 'Reset your password',
  INVITE: 'You are invited to a workspace',
  EMAIL_CHANGE: 'Confirm your new email address',
}

/** Puts a mail with a code into the outbox. */
export function sendMail(world: World, kind: MailRow['kind'], to: string, code: string): void {
  world.tables.mails.insert({ to, subject: subjects[kind], kind, code, atMs: nowMs(world) })
}

/** Makes a code for a user and mails it; one that locks the account does not expire. */
export function mailCode(world: World, kind: CodeRow['kind'], user: UserRow, to = user.email): void {
  const expiresAtMs = kind === 'LOGIN' ? null : nowMs(world) + world.readings.mailedCodeMs
  const { id } = world.tables.codes.insert({ userId: user.id, kind, email: to, codeHash: '', expiresAtMs })
  const code = secretOf(world, `code/${id}`)
  world.tables.codes.update(id, { codeHash: hashOfCode(code) })
  sendMail(world, kind, to, code)
}

/** The row of a mailed code of one of these kinds. */
export function mailedCode(world: World, code: string, kinds: readonly CodeRow['kind'][]): CodeRow | undefined {
  const row = world.tables.codes.first('codeHash', hashOfCode(code))
  return row && kinds.includes(row.kind) ? row : undefined
}

/** Takes a user's codes of these kinds out of use; without kinds all of them. */
export function dropCodes(world: World, userId: string, kinds?: readonly CodeRow['kind'][]): void {
  for (const { id, kind } of world.tables.codes.by('user', userId)) if (kinds === undefined || kinds.includes(kind)) world.tables.codes.delete(id)
}
