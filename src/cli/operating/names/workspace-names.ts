// What the workspaces that the caller sees are called, by their ids.
import { itemId, objectOf } from '../../../api/answers/answer.ts'
import { call } from '../../../api/calls/call.ts'
import type { Client } from '../../../api/client.ts'
import { routes } from '../../../api/routes/routes.ts'

/** The names by id; one without a name is left out. */
export async function workspaceNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const all = await client.all(call(routes.listWorkspaces, {}))
  return new Map(
    all.flatMap((one) => {
      const [id, name] = [itemId(one), objectOf(one)?.['name']]
      return id !== undefined && typeof name === 'string' ? [[id, name] as const] : []
    }),
  )
}
