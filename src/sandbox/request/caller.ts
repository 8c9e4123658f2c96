// Who calls: from the Authorization header to user, token, and level in a workspace.
import { hash } from 'node:crypto'
import type { AccessLevel, TokenRow, UserRow } from '../store/rows.ts'
import type { World } from '../world.ts'
import { nowMs } from '../world.ts'
import type { Caller } from './exchange.ts'
import { found } from './refusal.ts'

const LAST_USED_STEP_MS = 60_000

// One caller asks many times in a row.
let last = { code: '', hash: hash('sha256', '') }

/** What of a token is stored: only a hash of the code (section "Token"). */
export function hashOfCode(code: string): string {
  if (last.code !== code) last = { code, hash: hash('sha256', code) }
  return last.hash
}

/** The code of `Authorization: Bearer CODE`; undefined without the header, empty for any other scheme. */
export function codeOf(headers: Readonly<Record<string, string>>): string | undefined {
  const header = headers['authorization']
  if (header === undefined) return undefined
  return /^bearer /i.test(header) ? header.slice(7).trim() : ''
}

/** The caller behind a code; without a token that is known, the workspace owner of the seed, whom only a relaxed sandbox lets in. */
export function callerOf(world: World, code: string | undefined): Caller | undefined {
  const { tokens, users } = world.tables
  const token = code === undefined ? undefined : tokens.first('codeHash', hashOfCode(code))
  const user: UserRow | undefined = token === undefined ? users.all()[0] : users.get(token.userId ?? token.createdById)
  if (user === undefined) return undefined
  if (token) markUsed(world, token)
  return { user, token, staff: user.staff && (token === undefined || token.origin === 'SESSION' || token.origin === 'SYSTEM') }
}

/** Whether the caller is a person: a token of a workspace or resource is nobody's account. */
export function isAccount({ token }: Caller): boolean {
  return (token?.subject ?? 'USER') === 'USER'
}

/** Whether the caller has logged in; so counts who comes without a token, which only a relaxed sandbox lets in. */
export function isSession({ token }: Caller): boolean {
  return token === undefined || token.origin === 'SESSION'
}

/** The user that a path names by id or as `@me`; throws a Refusal when there is none. */
export function userAt(world: World, caller: Caller, id: string): UserRow {
  return found(world.tables.users.get(id === '@me' ? caller.user.id : id), 'user')
}

/** The caller's level in a workspace; undefined when it is not visible to the caller. */
export function levelIn(world: World, { user, token, staff }: Caller, workspaceId: string): AccessLevel | undefined {
  if (staff) return 'OWNER'
  if (token !== undefined && token.subject !== 'USER') return token.workspaceId === workspaceId ? 'ADMINISTRATOR' : undefined
  return world.tables.members.first('pair', `${workspaceId}/${user.id}`)?.accessLevel
}

function markUsed(world: World, token: TokenRow): void {
  const now = nowMs(world)
  if (now - (token.lastUsedMs ?? -Infinity) >= LAST_USED_STEP_MS) world.tables.tokens.update(token.id, { lastUsedMs: now })
}
