// Who calls, as far as the service tells: the person, the token, and the role in each workspace.
import { ApiError, call } from '../../api/calls/call.ts'
import type { Call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import { idOf, recentlyUsed, textOf, textsOf, tokenRecord } from '../../api/token-record.ts'
import type { TokenRecord } from '../../api/token-record.ts'
import type { JsonValue } from '../../base/json.ts'
import type { NamedProfile } from '../surroundings/credentials.ts'

export interface CallerUser {
  readonly id: string | null
  readonly name: string | null
  readonly email: string | null
  readonly verified: boolean
}

export interface CallerWorkspace {
  readonly id: string | null
  readonly name: string | null
  /** VIEWER, EDITOR, ADMINISTRATOR or OWNER. */
  readonly role: string | null
}

export interface Caller {
  /** Null for the token of a workspace or a resource, which is nobody's. */
  readonly user: CallerUser | null
  readonly token: TokenRecord | null
  /** Whether the token is known by its id; else it is the only one that was used a moment ago. */
  readonly isCertain: boolean
  readonly workspaces: readonly CallerWorkspace[]
}

/** Asks the service who calls. Throws the ApiError of a token that it does not take, and what stands in the way of asking. */
export async function callerOf(client: Pick<Client, 'read' | 'all' | 'serverNow'>, stored: NamedProfile | undefined): Promise<Caller> {
  const [person, listed] = await Promise.all([
    allowed(() => client.read(call(routes.getUser, { id: '@me' }))),
    allowed(() => client.all(call(routes.listWorkspaces, {}))),
  ])
  const workspaces = (listed ?? []).map((one) => ({ id: idOf(one, 'id'), name: textOf(one, 'name'), role: textOf(one, 'access_level') }))
  const user = idOf(person, 'id') === null ? null : userIn(person)
  const id = stored?.profile.token_id
  const known = id === undefined ? undefined : await allowed(() => client.read(call(routes.getToken, { id })))
  if (idOf(known, 'id') !== null) return { user, token: tokenRecord(known), isCertain: true, workspaces }
  return { user, token: await lastUsed(client, user, workspaces), isCertain: false, workspaces }
}

function userIn(person: JsonValue | undefined): CallerUser {
  return { id: idOf(person, 'id'), name: textOf(person, 'name'), email: textOf(person, 'email'), verified: textsOf(person, 'flags').includes('EMAIL_VERIFIED') }
}

/** What a token may not ask is not known; one that the service does not take is an error. */
async function allowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

/** The token that was used a moment ago, where it is one alone: nothing else tells which token a call came with. */
async function lastUsed(
  client: Pick<Client, 'all' | 'serverNow'>,
  user: CallerUser | null,
  workspaces: readonly CallerWorkspace[],
): Promise<TokenRecord | null> {
  const list = user === null ? tokensOfOnly(workspaces) : call(routes.listUserTokens, { uid: '@me' })
  const items = list === undefined ? [] : ((await allowed(() => client.all(list))) ?? [])
  const [used, other] = recentlyUsed(items.map(tokenRecord), client.serverNow())
  return used !== undefined && other === undefined ? used : null
}

/** A token of a workspace sees that one alone. */
function tokensOfOnly(workspaces: readonly CallerWorkspace[]): Call | undefined {
  const [id, more] = workspaces.map((one) => one.id)
  return id === undefined || id === null || more !== undefined ? undefined : call(routes.listWorkspaceTokens, { wid: id })
}
