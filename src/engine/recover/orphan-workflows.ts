// What a request whose answer was lost may have begun: workflows that no line of the journal names, awaited before anything is concluded.
import { workflowOf } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import type { Call, Workflow } from '../../api/calls/call.ts'
import { requestName } from '../../api/calls/encode.ts'
import { routes } from '../../api/routes/routes.ts'
import type { TerminalState, Watched } from '../../api/workflows/workflows.ts'
import { terminalState } from '../../api/workflows/workflows.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Intent } from '../../state/record.ts'
import { ownersOf } from '../model/graph/owners.ts'
import { settleMs, slackMs } from '../model/settings.ts'
import { stepsFor } from '../model/view.ts'
import type { Current, Work } from '../operation/operation.ts'
import { readsCaughtUp } from '../refresh/reads-lag.ts'

export type BadState = Exclude<TerminalState, 'COMPLETED'>

/** What was found once everything had ended, or the deadline had passed. */
export interface OrphanWorkflows {
  /** Whether there was anything: reads may lag behind its end. */
  readonly any: boolean
  /** The `data` of what completed. */
  readonly data: readonly JsonValue[]
  /** Workflows that are under way still. */
  readonly endless: readonly string[]
  /** How one of them ended, where all that can be theirs ended badly. */
  readonly badState: BadState | undefined
  /** Whether one of them may be theirs by its name, and did not end badly. */
  readonly mayBeTheirs: boolean
  /** Whether the service tells of them at all: else that none is listed says nothing. */
  readonly isListed: boolean
}

export const nothingBegun: OrphanWorkflows = { any: false, data: [], endless: [], badState: undefined, mayBeTheirs: false, isListed: false }
/** How long a workflow is followed before the journal is asked again whether it is another request's. */
const turnMs = 15_000
/** More than any workspace has under way at once. */
const MOST_FOLLOWED = 10_000

/**
 * Waits for every workflow of the workspace that the requests may have begun, as they are listed now ("Workflows"). Names and callers of workflows
 * are open in the document, so any that began since and that no other request of ours was answered with may be theirs; a stranger's costs a wait.
 */
export async function awaitOrphans(work: Work, current: Current, lost: readonly Intent[]): Promise<OrphanWorkflows> {
  if (current.workspaceId === '' || !lost.some((one) => !one.creates || beginsWorkflow(current, one))) return nothingBegun
  const sinceMs = Math.min(...lost.map((one) => one.sent_at)) - slackMs
  const { listed, isListed } = await begunSince(work, placesOf(work, current, lost), sinceMs)
  if (listed.length === 0) return { ...nothingBegun, isListed }
  const { clock, report } = work.run
  if (listed.some((one) => !terminalState(one)))
    report({
      type: 'progress',
      address: current.address,
      task: current.task,
      workflowId: null,
      progress: undefined,
      waitingFor: 'what its lost request may have begun',
      atMs: clock.now(),
    })
  const ends = await Promise.all(listed.map((one) => follow(work, current, one)))
  if (ends.some((end) => end?.is === 'ended' && end.state !== 'COMPLETED')) await readsCaughtUp(work.run)
  return {
    any: true,
    data: ends.flatMap((end) => (end?.is === 'ended' && end.state === 'COMPLETED' && end.workflow.data !== undefined ? [end.workflow.data] : [])),
    endless: ends.flatMap((end) => (end?.is === 'timeout' && end.workflow ? [end.workflow.id] : [])),
    badState: badStateOf(ends.filter((end) => !isOfOtherKind(work, current, end))),
    mayBeTheirs: ends.some((end) => end !== undefined && !hasFailed(end) && (namesKind(current, end) || !isOfOtherKind(work, current, end))),
    isListed,
  }
}

function hasFailed(end: Watched): boolean {
  return end.is === 'ended' && end.state !== 'COMPLETED'
}

/** Whether a workflow's name has a word of the kind's own somewhere, as in `instance.app.deploy`. */
function namesKind({ kind }: Current, end: Watched): boolean {
  const words = wordsOf(kind.name)
  return (
    end.is === 'ended' &&
    end.workflow.name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((word) => words.has(word))
  )
}

/** Whether a workflow's name begins with the name of another kind, as in `instance.create` ("Workflow"); names that are not known may be of any. */
function isOfOtherKind({ run }: Work, { kind }: Current, end: Watched | undefined): boolean {
  const subject = (end?.is === 'ended' ? end.workflow.name : '').toLowerCase().split('.')[0] ?? ''
  return !wordsOf(kind.name).has(subject) && run.kinds.some((other) => wordsOf(other.name).has(subject))
}

/** `FloatingIp` is called floatingip, floating or ip. */
function wordsOf(kind: string): ReadonlySet<string> {
  return new Set([kind, ...kind.split(/(?=[A-Z])/)].map((word) => word.toLowerCase()))
}

/** One that turned out to be another request's says nothing; one that is lost or goes on may be the create's. */
function badStateOf(ends: readonly (Watched | undefined)[]): BadState | undefined {
  const theirs = ends.filter((end) => end !== undefined)
  const bad = theirs.flatMap((end) => (end.is === 'ended' && end.state !== 'COMPLETED' ? [end.state] : []))
  return bad.length === theirs.length ? bad[0] : undefined
}

/** Whether the request of a create answers a workflow, or may. */
function beginsWorkflow({ kind, address, workspaceId }: Current, { sets, sent_at }: Intent): boolean {
  const step = stepsFor({ kind, address, id: undefined, workspaceId, recorded: {}, live: undefined, fresh: true, nowMs: sent_at }, sets, [])[0]
  return step?.creates !== true || step.call.route.asynchronous || step.call.route.answer.shape === 'undocumented'
}

/** Where they are listed: of what nothing reads on what it ends with, of everything else in the workspace. */
function placesOf({ kindOf }: Work, { kind, workspaceId }: Current, lost: readonly Intent[]): readonly Call[] {
  const owners = kind.readable ? [] : lost.flatMap((one) => ownersOf(kind, one.sets))
  const places = [...new Map(owners.map((owner) => [`${owner.kind} ${owner.id}`, owner])).values()].flatMap(
    (owner) => kindOf(owner.kind).workflows?.(owner.id, workspaceId) ?? [],
  )
  return places.length > 0 ? places : [call(routes.listWorkspaceWorkflows, { wid: workspaceId })]
}

/** Filters may be ignored, so they are applied here, too; a workflow that does not tell when it began may have begun since. */
async function begunSince(work: Work, places: readonly Call[], sinceMs: number): Promise<{ readonly listed: readonly Workflow[]; readonly isListed: boolean }> {
  const query = { started_after: new Date(sinceMs).toISOString() }
  const found = await Promise.all(places.map((place) => listedBy(work, { ...place, query: { ...place.query, ...query } })))
  const listed = found.flatMap((items) => items ?? []).flatMap((item) => workflowOf(item) ?? [])
  const begun = listed.filter(({ id, startedMs = Infinity }) => startedMs >= sinceMs && !work.ledger.knowsWorkflow(id))
  const [asked] = places
  if (asked && begun.length > MOST_FOLLOWED) throw new ApiError(200, `more than ${MOST_FOLLOWED} workflows began since`, requestName(asked.route))
  return { listed: begun, isListed: found.every((items) => items !== undefined) }
}

async function listedBy(work: Work, asked: Call): Promise<readonly JsonValue[] | undefined> {
  try {
    return await work.run.client.all(asked)
  } catch (error) {
    // Where the service does not list workflows the objects alone tell; one that is out of order says nothing.
    if (error instanceof ApiError && [403, 404, 405, 501].includes(error.status)) return undefined
    throw error
  }
}

/** Follows a workflow to its end; undefined once it turns out to be another request's. Of a removal one that stays queued for as long as a request may arrive late is taken as scheduled, and followed no longer. */
async function follow(work: Work, current: Current, workflow: Workflow): Promise<Watched | undefined> {
  const { clock, compat } = work.run
  const scheduledMs = current.task === 'remove' ? clock.now() + settleMs(compat) : Infinity
  const state = terminalState(workflow)
  if (state) return { is: 'ended', state, workflow }
  for (let last = workflow; ;) {
    if (work.ledger.knowsWorkflow(workflow.id)) return undefined
    const isScheduled = last.state === 'QUEUED' && clock.now() >= scheduledMs
    const leftMs = current.deadlineMs - clock.now()
    if (leftMs <= 0 || isScheduled) return { is: 'timeout', workflow: last }
    const watched = await work.watcher.watch(current.workspaceId, workflow.id, { deadlineMs: Math.min(turnMs, leftMs) })
    if (watched.is !== 'timeout') return watched
    last = watched.workflow ?? last
  }
}
