// Who calls: the account that a run's token is of, where the service tells.
import { itemId } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonValue } from '../../base/json.ts'

/** The caller's account; null where the caller has none, as the token of a workspace or of a resource, which is nobody's. */
export async function callerOf(client: Pick<Client, 'read'>): Promise<JsonValue> {
  try {
    return (await client.read(call(routes.getUser, { id: '@me' }))) ?? null
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return null
    throw error
  }
}

/** The id of that account; undefined where the caller has none. */
export async function callerId(client: Pick<Client, 'read'>): Promise<string | undefined> {
  return itemId(await callerOf(client))
}
