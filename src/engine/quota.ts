// How much of a workspace's quota is used now, counted in lists as plans count it.
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { failure } from '../base/diagnostic.ts'
import { isObject } from '../base/json.ts'
import { createReader } from './model/live.ts'
import type { Looking, Target } from './model/observation.ts'
import type { QuotaNow } from './model/plan-data.ts'
import type { Run } from './model/run.ts'
import { usedNow } from './plan/checks/quota.ts'
import { asFailure, fetchLists, indexed, lookupLists } from './refresh/lookups.ts'
import { observe } from './refresh/observe.ts'

/** Every limit of a workspace with what is used of it. Throws a Failure where the workspace is not visible, or the service refuses. */
export async function readQuota(run: Run, workspaceId: string): Promise<readonly QuotaNow[]> {
  const looking: Looking = { source: run.client, compat: run.compat, clock: run.clock, digest: () => '' }
  const reader = createReader(run.client, run.compat)
  const counted = run.kinds.filter((kind) => kind.quota !== undefined)
  const targets = counted.map((kind): Target => ({ kind, workspaceId, id: undefined, fields: [], parents: [] }))
  const [limits, observation, found] = await Promise.all([
    asFailure(run.client.read(call(routes.getQuota, { wid: workspaceId }))),
    asFailure(observe(looking, targets, reader)),
    fetchLists(
      reader,
      lookupLists(run, new Set(counted), [], () => ({ id: workspaceId })),
      run.kinds,
      run.client.serverNow(),
    ),
  ])
  if (limits === undefined) throw failure('lookup_failed', `there is no workspace ${workspaceId}, or it is not visible to this caller`)
  if (limits === null || !isObject(limits)) throw failure('api_error', 'the service answered something unexpected to GET /v1/workspaces/{wid}/quota')
  const byId = indexed(found)
  return usedNow(run.kinds, {
    workspaceId,
    limits,
    lookup: (kind, id) => byId.get(`${kind} ${id}`),
    listed: (kind) => observation.listed(kind, workspaceId) ?? [],
  })
}
