// What a create whose answer was lost may have begun: workflows that no line of the journal names, awaited before anything is concluded.
import { workflowOf } from '../../api/answer.ts'
import { ApiError, call } from '../../api/call.ts'
import type { Call, Workflow } from '../../api/call.ts'
import { requestName } from '../../api/encode.ts'
import { routes } from '../../api/routes/routes.ts'
import type { Watched } from '../../api/workflows.ts'
import { terminalState } from '../../api/workflows.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Intent } from '../../state/record.ts'
import { ownersOf } from '../model/owners.ts'
import { stepsFor } from '../model/view.ts'
import type { Current, Work } from '../operation/operation.ts'
import { showFailure } from '../operation/wait.ts'

/** What was found once everything had ended, or the deadline had passed. */
export interface OrphanWorkflows {
  /** Whether there was anything: reads may lag behind its end. */
  readonly any: boolean
  /** The `data` of what completed. */
  readonly data: readonly JsonValue[]
  /** Workflows that are under way still. */
  readonly endless: readonly string[]
}

const nothing: OrphanWorkflows = { any: false, data: [], endless: [] }
/** How far the clocks of the service's own machines may be apart. */
const slackMs = 60_000
/** How long a workflow is followed before the journal is asked again whether it is another request's. */
const turnMs = 15_000
/** More than any workspace has under way at once. */
const MOST_FOLLOWED = 10_000

/**
 * Waits for every workflow of the workspace that the creates may have begun, as they are listed now ("Workflows"). Names and callers of workflows
 * are open in the document, so any that began since and that no other request of ours was answered with may be theirs; a stranger's costs a wait.
 */
export async function awaitOrphans(work: Work, current: Current, creates: readonly Intent[]): Promise<OrphanWorkflows> {
  if (current.workspaceId === '' || !creates.some((one) => beginsWorkflow(current, one))) return nothing
  const sinceMs = Math.min(...creates.map((one) => one.sent_at)) - slackMs
  const listed = await begunSince(work, placesOf(work, current, creates), sinceMs)
  if (listed.length === 0) return nothing
  const { clock, report } = work.run
  if (listed.some((one) => !terminalState(one)))
    report({
      type: 'progress',
      address: current.address,
      half: current.half,
      workflowId: null,
      progress: undefined,
      waitingFor: 'what its lost request may have begun',
      atMs: clock.now(),
    })
  const ends = await Promise.all(listed.map((one) => follow(work, current, one)))
  if (ends.some((end) => end?.is === 'ended' && end.state !== 'COMPLETED')) await showFailure(work)
  return {
    any: true,
    data: ends.flatMap((end) => (end?.is === 'ended' && end.state === 'COMPLETED' && end.workflow.data !== undefined ? [end.workflow.data] : [])),
    endless: ends.flatMap((end) => (end?.is === 'timeout' && end.workflow ? [end.workflow.id] : [])),
  }
}

/** Whether the request of a create answers a workflow, or may. */
function beginsWorkflow({ kind, address, workspaceId }: Current, { sets, sent_at }: Intent): boolean {
  const step = stepsFor({ kind, address, id: undefined, workspaceId, recorded: {}, live: undefined, fresh: true, nowMs: sent_at }, sets, [])[0]
  return step?.creates !== true || step.call.route.asynchronous || step.call.route.answer.shape === 'undocumented'
}

/** Where they are listed: of what nothing reads on what it ends with, of everything else in the workspace. */
function placesOf({ kindOf }: Work, { kind, workspaceId }: Current, creates: readonly Intent[]): readonly Call[] {
  const owners = kind.readable ? [] : creates.flatMap((one) => ownersOf(kind, one.sets))
  const places = [...new Map(owners.map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()].flatMap(
    (owner) => kindOf(owner.kind).workflows?.(owner.id, workspaceId) ?? [],
  )
  return places.length > 0 ? places : [call(routes.listWorkspaceWorkflows, { wid: workspaceId })]
}

/** Filters may be ignored, so they are applied here, too; a workflow that does not tell when it began may have begun since. */
async function begunSince(work: Work, places: readonly Call[], sinceMs: number): Promise<readonly Workflow[]> {
  const query = { started_after: new Date(sinceMs).toISOString() }
  const found = await Promise.all(places.map((place) => listedBy(work, { ...place, query: { ...place.query, ...query } })))
  const listed = found.flat().flatMap((item) => workflowOf(item) ?? [])
  const begun = listed.filter(({ id, startedMs = Infinity }) => startedMs >= sinceMs && !work.ledger.knowsWorkflow(id))
  const [asked] = places
  if (asked && begun.length > MOST_FOLLOWED) throw new ApiError(200, `more than ${MOST_FOLLOWED} workflows began since`, requestName(asked.route))
  return begun
}

async function listedBy(work: Work, asked: Call): Promise<readonly JsonValue[]> {
  try {
    return await work.run.client.all(asked)
  } catch (error) {
    // Where the service does not list workflows the objects alone tell; one that is out of order says nothing.
    if (error instanceof ApiError && [403, 404, 405, 501].includes(error.status)) return []
    throw error
  }
}

/** Follows a workflow to its end; undefined once it turns out to be another request's. */
async function follow(work: Work, current: Current, workflow: Workflow): Promise<Watched | undefined> {
  const state = terminalState(workflow)
  if (state) return { is: 'ended', state, workflow }
  for (;;) {
    if (work.ledger.knowsWorkflow(workflow.id)) return undefined
    const leftMs = current.deadlineMs - work.run.clock.now()
    if (leftMs <= 0) return { is: 'timeout', workflow }
    const watched = await work.watcher.watch(current.workspaceId, workflow.id, { deadlineMs: Math.min(turnMs, leftMs) })
    if (watched.is !== 'timeout') return watched
  }
}
