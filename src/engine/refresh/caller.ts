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

/** Asked once in a run: who calls stays the same. */
const known = new WeakMap<object, Promise<string | undefined>>()

/** The id of that account; undefined where the caller has none. */
export function callerId(client: Pick<Client, 'read'>): Promise<string | undefined> {
  const asked = known.get(client) ?? callerOf(client).then(itemId)
  known.set(client, asked)
  asked.catch(() => known.delete(client))
  return asked
}
