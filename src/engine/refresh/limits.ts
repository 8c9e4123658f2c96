// The quota of workspaces, asked for where it is needed; a service that does not tell leaves it open.
import { ApiError, call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonObject } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import type { Run } from '../model/run.ts'

/** The limits of each workspace that tells them, by its id. */
export async function readLimits(run: Run, workspaceIds: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
  const found = await Promise.all(
    workspaceIds.map(async (wid) => {
      const limits = await orNothing(run.client.read(call(routes.getQuota, { wid })))
      return limits !== undefined && limits !== null && isObject(limits) ? [[wid, limits] as const] : []
    }),
  )
  return new Map(found.flat())
}

/** What a reading answers; undefined where the service refuses or cannot be reached. */
export async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ApiError || (error instanceof Error && error.name === 'UnreachableError')) return undefined
    throw error
  }
}
