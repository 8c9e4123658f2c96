// Which tokens the calls of a run may come with, where the service tells: asked once, and never in the way of anything.
import { ApiError, call } from '../../api/calls/call.ts'
import type { Call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import type { Route } from '../../api/routes/route.ts'
import { routes } from '../../api/routes/routes.ts'
import { isSession, recentlyUsed, tokenRecord } from '../../api/token-record.ts'
import type { TokenRecord } from '../../api/token-record.ts'
import type { JsonValue } from '../../base/json.ts'
import { orNothing } from './limits.ts'

/** The tokens of which one is the caller's. */
export interface CallingTokens {
  /** At least one; more where others were used a moment ago as well. */
  readonly candidates: readonly [TokenRecord, ...TokenRecord[]]
  /** Whether the caller's account has no login session at all. */
  readonly isWithoutSession: boolean
}

/** The lists that tell; a plan is made without them. */
export const tokenLists: readonly Route[] = [routes.listUserTokens, routes.listWorkspaceTokens]

/** Where a list is longer, nothing is told of it. */
const MOST_PAGES = 2

/** The caller's own tokens that were used just now, or those of the only workspace that a token sees which is nobody's; undefined where that is not told. */
export async function callingTokens(client: Pick<Client, 'all' | 'serverNow'>, workspaceIds: readonly string[]): Promise<CallingTokens | undefined> {
  const own = await listed(client, call(routes.listUserTokens, { uid: '@me' }))
  const [wid, more] = workspaceIds
  const isAlone = own === 'refused' && wid !== undefined && more === undefined
  const found = isAlone ? await listed(client, call(routes.listWorkspaceTokens, { wid })) : own
  if (found === 'refused' || found === undefined) return undefined
  const tokens = found.map(tokenRecord)
  const [first, ...others] = recentlyUsed(tokens, client.serverNow())
  if (!first) return undefined
  return { candidates: [first, ...others], isWithoutSession: !isAlone && tokens.every((one) => isSession(one) === false) }
}

async function listed(client: Pick<Client, 'all'>, list: Call): Promise<readonly JsonValue[] | 'refused' | undefined> {
  const answer = client.all(list, { mostPages: MOST_PAGES }).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return 'refused' as const
    throw error
  })
  return await orNothing(answer)
}
