// The two accounts that every sandbox begins with: their tokens and password, drawn from its secret.
import { createHash, randomBytes } from 'node:crypto'
import { hashOfCode } from '../request/caller.ts'
import { addSession } from '../seed/seed.ts'
import { firstIds } from '../store/table.ts'
import type { World } from '../world.ts'
import { secretOf } from '../world.ts'
import { hashPassword, isPassword, isSaltedBy } from './passwords.ts'

const SECRET_BYTES = 20

/** What a sandbox's secret looks like. */
export const secretPattern = /^[0-9a-f]{40}$/

/** What may be fixed as a token: a shell, a header and an address take it as it is. */
export const tokenPattern = /^[\w-]{1,200}$/

/** How the codes of a sandbox begin; `label` tells them from those of another sandbox that has the same secret and seed. */
export interface CallerOptions {
  readonly token?: string
  readonly password?: string
  readonly tokenLabel?: string
}

/** What lets the two accounts in. */
export interface Callers {
  readonly owner: string
  readonly operator: string
  readonly password: string
  /** The password as rows keep it. */
  passwordHash(): string
  /** Lets them in where the rows come from a sandbox with other codes. */
  claim(): void
}

/** A secret that nobody else has. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex')
}

/** The secret of tests that fix a token: with it every other code is always the same. */
export function secretFrom(token: string): string {
  return createHash('sha256')
    .update(token)
    .digest('hex')
    .slice(0, 2 * SECRET_BYTES)
}

/** The codes of both accounts; they stay the same whatever rows come and go. */
export function callersOf(world: World, options: CallerOptions): Callers {
  const { tokenLabel: label = '' } = options
  const { token: owner = secretOf(world, `token/owner${label}`), password = secretOf(world, `password${label}`) } = options
  const operator = secretOf(world, `token/operator${label}`)
  const passwordHash = (): string => hashPassword(password, saltLabel(world))
  function claim(): void {
    const [ownerId = '', operatorId = ''] = firstIds(world.store.seed, world.tables.users.stored.number, 2)
    for (const [name, code, userId] of [['sandbox', owner, ownerId] as const, ['operator', operator, operatorId] as const]) {
      claimSession(world, name, code, userId)
      const user = world.tables.users.get(userId)
      // A password that was changed since is the user's own.
      if (!user || !isSaltedBy(saltLabel(world), user.passwordHash) || isPassword(password, user.passwordHash)) continue
      world.tables.users.update(userId, { passwordHash: passwordHash() })
    }
  }
  return { owner, operator, password, passwordHash, claim }
}

function claimSession({ tables }: World, name: 'sandbox' | 'operator', code: string, userId: string): void {
  const row = tables.tokens.all().find((one) => one.origin === 'SESSION' && one.name === name)
  // A new password has ended all sessions of its user, this one, too.
  if (row === undefined && tables.users.get(userId)) addSession(tables, userId, name, hashOfCode(code))
  if (row && row.codeHash !== hashOfCode(code)) tables.tokens.update(row.id, { codeHash: hashOfCode(code) })
}

/** Salts follow from labels, so that a sandbox replays exactly; that of a change has another label. */
function saltLabel(world: World): string {
  return String(world.store.seed)
}
