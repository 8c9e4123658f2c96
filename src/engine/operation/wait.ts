// Waiting: for a workflow, for an object to settle, for a step to show; and what each end of a workflow means.
import type { Watched } from '../../api/workflows/workflows.ts'
import { slower } from '../../base/backoff.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Status } from '../../kinds/definition/kind.ts'
import type { LiveObject } from '../model/live.ts'
import type { Run } from '../model/run.ts'
import { settingMs, settleMs } from '../model/settings.ts'
import { viewOf } from '../model/view.ts'
import { readAgain } from '../refresh/observe.ts'
import { readsCaughtUp, whileReadsLag } from '../refresh/reads-lag.ts'
import type { Sighting } from '../refresh/sightings.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'

export type WorkflowEnd =
  | { readonly state: 'COMPLETED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT'; readonly data: JsonValue | undefined }
  | { readonly state: 'lost' }

/** A workflow to follow: `kept` is when the line that names it is durable, absent where it is. */
export interface Followed {
  readonly workflowId: string
  readonly step: string
  readonly kept?: Promise<void> | undefined
}

/** Follows a workflow to its end; a deadline that passes is an error, and the workflow goes on. */
export async function awaitWorkflow(work: Work, current: Current, followed: Followed): Promise<WorkflowEnd> {
  return endOf(work, current, followed, await watch(work, current, followed, current.deadlineMs))
}

/** As `awaitWorkflow` for a deletion: `scheduled` where after the settle window it is still queued and its object is leaving. */
export async function awaitRemoval(work: Work, current: Current, followed: Followed, id: string): Promise<WorkflowEnd | { readonly state: 'scheduled' }> {
  const untilMs = Math.min(current.deadlineMs, work.run.clock.now() + settleMs(work.run.compat))
  const first = await watch(work, current, followed, untilMs)
  if (first.is !== 'timeout') return endOf(work, current, followed, first)
  const object = first.workflow?.state === 'QUEUED' ? await readCurrent(work, current, id) : undefined
  if (object && statusOf(work, current, object) === 'leaving') return { state: 'scheduled' }
  return awaitWorkflow(work, current, followed)
}

async function endOf(work: Work, current: Current, { workflowId, step }: Followed, end: Watched): Promise<WorkflowEnd> {
  if (end.is === 'lost') return { state: 'lost' }
  if (end.is === 'timeout') throw timedOut(current, `workflow ${workflowId} (${step}) has not ended`)
  // What it leaves, or takes back, shows as late as reads lag: whoever looks before may see what was meant to be.
  if (end.state !== 'COMPLETED') await readsCaughtUp(work.run)
  return { state: end.state, data: end.workflow.data }
}

/** It is told of once a line says so, and it has not ended before. */
async function watch(work: Work, current: Current, { workflowId, step, kept }: Followed, untilMs: number): Promise<Watched> {
  const { run, watcher } = work
  const at = { address: current.address, task: current.task, workflowId }
  const tell = (): void => run.report({ type: 'step', ...at, step, atMs: run.clock.now() })
  const told = kept?.then(tell)
  told?.catch(() => undefined)
  if (!told) tell()
  const end = await watcher.watch(current.workspaceId === '' ? undefined : current.workspaceId, workflowId, {
    deadlineMs: Math.max(1, untilMs - run.clock.now()),
    like: `${current.kind.name} ${current.task} ${step.replaceAll(/\d+/g, '')}`,
    onProgress: (workflow) =>
      run.report({
        type: 'progress',
        ...at,
        progress: workflow.progress && { activity: undefined, ...workflow.progress },
        waitingFor: step,
        atMs: run.clock.now(),
      }),
  })
  await told
  return end
}

export function timedOut(current: Current, what: string): OperationError {
  const hint = 'it goes on; the next run waits for it again (timeouts in the manifest allow more)'
  return new OperationError(diagnostic('operation_timeout', `${current.address}: ${what} in time`, { address: current.address, hint }), { inFlight: true })
}

export function isTimeout(error: unknown): error is OperationError {
  return error instanceof OperationError && error.diagnostic.code === 'operation_timeout'
}

export function backAgain({ run }: Pick<Work, 'run'>, { address }: Pick<Current, 'address'>, id: string): OperationError {
  const text = `${address}: it was missing when planning and is there again (id ${id})`
  return new OperationError(diagnostic('changed_elsewhere', text, { address, hint: `plan again${orLag(run)}` }))
}

/** The other reason why something seems to be gone, as the end of a hint: reads that lag for longer than is allowed for. */
export function orLag({ compat }: Pick<Run, 'compat'>): string {
  return `; where reads lag behind writes for longer than ${compat.read_grace}, say so in iac.yaml: provider.compat.read_grace`
}

/** Pauses between reads, or between requests that are sent again: quick first, then slower, with the deadline as the end. */
export function createPace(work: Work, current: Current, firstMs = 500) {
  let pauseMs = firstMs
  return async (what: string): Promise<void> => {
    const { clock } = work.run
    if (clock.now() + pauseMs > current.deadlineMs) throw timedOut(current, what)
    await clock.sleep(pauseMs)
    pauseMs = slower(pauseMs, 15_000)
  }
}

export function readCurrent(work: Work, current: Current, id: string): Promise<LiveObject | undefined> {
  return readAgain(work.looking, { kind: current.kind, workspaceId: current.workspaceId, id, fields: current.fields, parents: current.parents })
}

/** Our reading of an object, with what is recorded of it, and with `sets` as if they were. */
export function statusOf(work: Work, current: Current, object: LiveObject, sets: JsonObject = {}): Status {
  const record = work.ledger.record(current.address)
  const own = record?.id === object.id
  const recorded = own ? (record?.spec ?? {}) : (record?.deposed.find((old) => old.id === object.id)?.spec ?? {})
  const fresh = !own || record?.status === 'creating'
  return current.kind.status(
    object.live,
    viewOf({
      kind: current.kind,
      address: current.address,
      id: object.id,
      workspaceId: current.workspaceId,
      recorded: { ...recorded, ...sets },
      live: object.live,
      fresh,
      nowMs: work.run.client.serverNow(),
    }),
  )
}

/** Whether what a step sets lets its object be ready, asked where the step's workflow is not known any more: recorded as done, it would be waited for in vain. */
export async function isReadyWith(work: Work, current: Current, id: string, sets: JsonObject): Promise<boolean> {
  if (!current.kind.readable) return true
  const pending = (object: LiveObject): boolean => statusOf(work, current, object, sets) === 'pending'
  const object = await readWithin(work, current, id, (one) => one !== undefined && !pending(one))
  return object === undefined || !pending(object)
}

/** Whether a create left nothing usable: after a workflow that ended badly whatever is not ready, otherwise what says so itself. */
export function isUnusable(work: Work, current: Current, object: LiveObject, endedBadly: boolean): boolean {
  const status = statusOf(work, current, object)
  return endedBadly ? status !== 'ready' || current.kind.showsReady?.(object.live) === false : status === 'failed'
}

/** Reads an object of which nobody knows whether it is there: a 404, and a pending state, are believed once they have lasted as long as reads may lag. */
export function lastSeen(work: Work, current: Current, id: string): Promise<LiveObject | undefined> {
  return readWithin(work, current, id, (object) => object !== undefined && statusOf(work, current, object) !== 'pending')
}

/** Reads what a removal that was carried out leaves: undefined once it is gone, which may show as late as reads lag. A list that lacks it is believed of one that is known to be over. */
export async function leftBy(work: Work, current: Current, id: string, isOver = false): Promise<LiveObject | undefined> {
  if (isOver && (await sight(work, current, id)).is === 'absent') return undefined
  return readWithin(work, current, id, (object) => object === undefined)
}

/** What a list shows that others ask for as well, begun after this call. */
export function sight(work: Work, { kind, workspaceId, fields, parents, group }: Current, id: string): Promise<Sighting> {
  return work.sightings.look({ kind, workspaceId, id, fields, parents, group })
}

/** As `settled` of what was just made: a list that shows it ready is believed. */
export async function appeared(work: Work, current: Current, id: string): Promise<LiveObject | undefined> {
  const sighting = await sight(work, current, id)
  return sighting.is === 'shown' && statusOf(work, current, sighting.object) === 'ready' ? sighting.object : settled(work, current, id)
}

/** Reads until what is there is to be believed at once; else the last read decides, which was asked when reads could lag no longer. */
function readWithin(work: Work, current: Current, id: string, isSure: (object: LiveObject | undefined) => boolean): Promise<LiveObject | undefined> {
  return whileReadsLag(work.run, () => readCurrent(work, current, id), isSure)
}

/** As `settled`, but what is there and still pending at the deadline is returned as it is. */
export async function settledInTime(work: Work, current: Current, id: string): Promise<LiveObject | undefined> {
  try {
    return await settled(work, current, id)
  } catch (error) {
    const object = isTimeout(error) ? await readCurrent(work, current, id) : undefined
    if (!object) throw error
    return object
  }
}

/** Reads an object until it is no longer pending; undefined when it is gone for longer than reads may lag. */
export async function settled(work: Work, current: Current, id: string): Promise<LiveObject | undefined> {
  const pace = createPace(work, current)
  const graceMs = settingMs(work.run.compat.read_grace)
  let missingSince: number | undefined
  for (;;) {
    const askedMs = work.run.clock.now()
    const object = await readCurrent(work, current, id)
    if (object && statusOf(work, current, object) !== 'pending') return object
    if (!object) {
      missingSince ??= askedMs
      if (askedMs - missingSince >= graceMs) return undefined
    } else missingSince = undefined
    work.run.report({
      type: 'progress',
      address: current.address,
      task: current.task,
      workflowId: null,
      progress: undefined,
      waitingFor: object ? 'ready' : 'visible',
      atMs: work.run.clock.now(),
    })
    await pace(object ? 'it did not become ready' : 'it did not appear')
  }
}
