// Workflows under way and done: section "Workflows".
import * as z from 'zod'
import { lazy } from '../../base/lazy.ts'
import { idsQuery, known, listQuery, open, timestamp } from './fields.ts'
import { paged } from './pagination.ts'
import { route } from './route.ts'

const section = 'Workflows'
const workflowState = lazy(() => z.enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT']))

const listed = lazy(() => ({
  id: z.string(),
  name: z.string(),
  state: known(workflowState()),
  duration: z.number().nullable(),
  started: z.string().nullable(),
  data: z.unknown(),
}))
const activity = lazy(() =>
  open({
    name: z.string(),
    status: z.string(),
    attempts: open({ current: z.number().nullable(), limit: z.number().nullable() }).nullable(),
  }),
)
// `progress` comes with a single fetch only.
const workflow = lazy(() =>
  open({
    ...listed(),
    progress: open({
      activities: z.array(activity()),
      children: z.array(open({ workflowId: z.string(), name: z.string(), status: z.string() })),
      completed: z.number(),
      total: z.number(),
    }).nullable(),
  }),
)

const list = paged(
  lazy(() => open(listed())),
  () => ({
    q: z.string(),
    id: listQuery(z.string()),
    name: z.string(),
    instance: idsQuery,
    workspace: idsQuery,
    status: listQuery(workflowState()),
    started_after: timestamp,
    started_before: timestamp,
  }),
)
const single = { params: { wfid: 'uuid' }, answer: { shape: 'object', item: workflow }, access: 'viewer' } as const

export const workflows = {
  listWorkflows: route(section, 'GET', '/v1/workflows', { ...list, access: 'staff' }),
  getWorkflow: route(section, 'GET', '/v1/workflows/{wfid}', single),
  listWorkspaceWorkflows: route(section, 'GET', '/v1/workspaces/{wid}/workflows', { ...list, access: 'viewer' }),
  getWorkspaceWorkflow: route(section, 'GET', '/v1/workspaces/{wid}/workflows/{wfid}', single),
  listInstanceWorkflows: route(section, 'GET', '/v1/workspaces/{wid}/instances/{iid}/workflows', { ...list, access: 'viewer' }),
}
