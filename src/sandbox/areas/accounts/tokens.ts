// Tokens of users, workspaces and resources: section "Tokens".
import { instantMs } from '../../../base/instant.ts'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { hashOfCode, isAccount, isSession } from '../../request/caller.ts'
import type { Caller, Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { equals, filtered, identified } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import type { TokenRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs, secretOf } from '../../world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** "SESSION token lifetime: 1 day; refresh only in the last 6 hours". */
export const SESSION_LIFETIME_MS = DAY_MS
const REFRESH_WINDOW_MS = 6 * HOUR_MS

const rules = [
  rule({
    id: 'tokens.expires',
    section: 'Authentication',
    quote:
      '`expires` must be at least 7 days and at most 365 days from now, otherwise the request fails with the reason `expires must be between <min> and <max>`.',
    routes: ['createToken', 'createUserToken', 'createWorkspaceToken'],
    status: 400,
    field: 'expires',
    message: ({ world }) => `expires must be between ${isoOf(nowMs(world) + 7 * DAY_MS)} and ${isoOf(nowMs(world) + 365 * DAY_MS)}`,
    broken({ world, body }) {
      const inMs = instantMs(body.expires) - nowMs(world)
      return inMs < 7 * DAY_MS || inMs > 365 * DAY_MS
    },
  }),
  rule({
    id: 'tokens.resource',
    section: 'Tokens',
    quote: 'resource must belong to the workspace and be of kind INSTANCE, DEDIBOX or APP',
    routes: ['createWorkspaceToken'],
    status: 404,
    open: 'reference',
    field: 'subject_id',
    message: 'no such resource in the workspace',
    broken({ world: { tables }, params, body }) {
      if (body.subject !== 'RESOURCE') return false
      const kinds = [tables.instances, tables.dediboxes, tables.apps]
      return !kinds.some((table) => table.get(body.subject_id)?.workspaceId === params.wid)
    },
  }),
  rule({
    id: 'tokens.workspace',
    section: 'Tokens',
    quote: 'subject_id (integer; required when subject is RESOURCE; resource must belong to the workspace',
    assumed: true,
    routes: ['createWorkspaceToken'],
    status: 400,
    field: 'subject_id',
    message: 'not the id of the workspace, which is the subject',
    broken: ({ params, body }) => body.subject !== 'RESOURCE' && (body.subject_id ?? params.wid) !== params.wid,
  }),
  rule({
    id: 'tokens.own',
    section: 'Tokens',
    quote: 'USER tokens visible to their owner',
    routes: ['getToken', 'deleteToken'],
    status: 404,
    message: 'token not found',
    broken({ world, params, caller }) {
      const token = world.tables.tokens.get(params.id)
      return token?.subject === 'USER' && !caller.staff && !(isAccount(caller) && token.userId === caller.user.id)
    },
  }),
  rule({
    id: 'tokens.session',
    section: 'Authentication',
    quote: "a token's grants limit the resource kinds it may read (READ) or write (WRITE)",
    assumed: true,
    routes: ['deleteToken'],
    status: 403,
    message: 'a login session is ended by a login session',
    broken: ({ world, params, caller }) =>
      world.readings.accountTokens === 'name' && !isSession(caller) && world.tables.tokens.get(params.id)?.origin === 'SESSION',
  }),
  rule({
    id: 'tokens.refresh-unknown',
    section: 'Tokens',
    quote: 'code (string, required; session token)',
    assumed: true,
    routes: ['refreshToken'],
    status: 400,
    field: 'code',
    message: 'the code is not recognized',
    broken: ({ world, body }) => tokenOf(world, body.code) === undefined,
  }),
  rule({
    id: 'tokens.refresh-session',
    section: 'Authentication',
    quote: 'POST /v1/tokens/refresh extends only SESSION tokens',
    routes: ['refreshToken'],
    status: 400,
    field: 'code',
    message: 'only session tokens can be refreshed',
    broken: ({ world, body }) => (tokenOf(world, body.code)?.origin ?? 'SESSION') !== 'SESSION',
  }),
  rule({
    id: 'tokens.refresh-expired',
    section: 'Authentication',
    quote: 'only when unexpired and within the last 6 hours of the lifetime',
    routes: ['refreshToken'],
    status: 400,
    field: 'code',
    message: 'the session has expired',
    broken: ({ world, body }) => remainingMs(world, body.code) <= 0,
  }),
  rule({
    id: 'tokens.refresh-early',
    section: 'Authentication',
    quote: 'only when unexpired and within the last 6 hours of the lifetime',
    routes: ['refreshToken'],
    status: 400,
    field: 'code',
    message: 'the session is not within the last 6 hours of its lifetime',
    broken: ({ world, body }) => tokenOf(world, body.code) !== undefined && remainingMs(world, body.code) > REFRESH_WINDOW_MS,
  }),
]

/** Makes, lists, refreshes and revokes tokens. */
export const tokensArea = area(
  {
    createToken: ({ world, caller, body }) => userToken(world, caller, body),
    createUserToken: ({ world, caller, body }) => userToken(world, caller, body),
    createWorkspaceToken({ world, caller, params, body }) {
      const subject =
        body.subject === 'RESOURCE' ? { subject: body.subject, subjectId: body.subject_id } : ({ subject: 'WORKSPACE', subjectId: params.wid } as const)
      return tokenReply(world, { ...subject, ...settingsOf(body), origin: 'API', userId: null, workspaceId: params.wid, createdById: caller.user.id })
    },
    listUserTokens({ world, caller, params, query }) {
      const tokens = world.tables.tokens.by('user', params.uid === '@me' ? caller.user.id : params.uid)
      return listOf(
        world,
        tokens.filter((row) => row.origin === 'SESSION' || row.origin === 'API'),
        query,
      )
    },
    listWorkspaceTokens: ({ world, params, query }) => listOf(world, world.tables.tokens.by('workspace', params.wid), query),
    getToken: ({ world, params }) => ({ kind: 'token', view: tokenView(world, found(world.tables.tokens.get(params.id), 'token')) }),
    deleteToken({ world, params }) {
      world.tables.tokens.delete(params.id)
      return undefined
    },
    deleteSessions({ world, caller, params }) {
      revokeSessions(world, params.uid === '@me' ? caller.user.id : params.uid)
      return undefined
    },
    refreshToken({ world, body }) {
      const token = found(tokenOf(world, body.code), 'session')
      const expiresAtMs = nowMs(world) + SESSION_LIFETIME_MS
      world.tables.tokens.update(token.id, { expiresAtMs })
      return { kind: 'record', view: { expires: isoOf(expiresAtMs) }, status: 200 }
    },
  },
  { rules },
)

/** "all active sessions invalidated". */
export function revokeSessions(world: World, userId: string): void {
  for (const { id, origin } of world.tables.tokens.by('user', userId)) if (origin === 'SESSION') world.tables.tokens.delete(id)
}

/** Makes a token and its answer, the only one that holds the code. */
export function tokenReply(world: World, fields: Omit<TokenRow, 'id' | 'createdAt' | 'codeHash' | 'lastUsedMs'>) {
  const { id } = world.tables.tokens.insert({ ...fields, codeHash: '', lastUsedMs: null })
  const code = secretOf(world, `token/${id}`)
  const row = world.tables.tokens.update(id, { codeHash: hashOfCode(code) })
  return { kind: 'token', view: { ...metadata(row), code } } as const
}

function userToken(world: World, caller: Caller, body: Exchange<'createToken'>['body']) {
  const { id } = caller.user
  return tokenReply(world, { ...settingsOf(body), origin: 'API', subject: 'USER', subjectId: id, userId: id, workspaceId: null, createdById: id })
}

/** "A kind set to NONE is dropped (same as omitted)". */
function settingsOf({ name, expires, grants }: Exchange<'createToken'>['body']) {
  const kept: Record<string, 'READ' | 'WRITE'> = {}
  for (const [kind, level] of Object.entries(grants)) if (level === 'READ' || level === 'WRITE') kept[kind] = level
  return { name, expiresAtMs: instantMs(expires), grants: kept }
}

function tokenOf(world: World, code: string): TokenRow | undefined {
  return world.tables.tokens.first('codeHash', hashOfCode(code))
}

function remainingMs(world: World, code: string): number {
  const token = tokenOf(world, code)
  return token === undefined || token.expiresAtMs === null ? Infinity : token.expiresAtMs - nowMs(world)
}

function listOf(world: World, tokens: readonly TokenRow[], query: Exchange<'listUserTokens' | 'listWorkspaceTokens'>['query']) {
  const rows = filtered(tokens, [...identified<TokenRow>(world, query), equals(query.origin, (row) => row.origin), equals(query.subject, (row) => row.subject)])
  return listing('token', rows, (row) => tokenView(world, row), 'oldest')
}

function metadata(row: TokenRow): JsonObject {
  return {
    id: row.id,
    name: row.name,
    created: row.createdAt,
    expires: row.expiresAtMs === null ? null : isoOf(row.expiresAtMs),
    origin: row.origin,
    subject: row.subject,
    subject_id: row.subjectId,
    workspace_id: row.workspaceId,
    grants: row.grants,
  }
}

function tokenView(world: World, row: TokenRow): JsonObject {
  const { users } = world.tables
  return {
    ...metadata(row),
    ...(row.userId === null ? {} : { user: summaryOf(users, row.userId) }),
    created_by: summaryOf(users, row.createdById),
    ...(row.lastUsedMs === null ? {} : { last_ip: '127.0.0.1', last_used: isoOf(row.lastUsedMs) }),
  }
}
