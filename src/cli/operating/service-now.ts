// What time it is at the service.
import { ApiError, call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'

/** Milliseconds since 1970 by the service's clock, which any answer tells: it is asked for one, and that a token may not see it is an answer, too. */
export async function serviceNow(client: Pick<Client, 'read' | 'serverNow'>): Promise<number> {
  try {
    await client.read(call(routes.getUser, { id: '@me' }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
  }
  return client.serverNow()
}
