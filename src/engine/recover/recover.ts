// Recovery: what an earlier run left open is settled from its intents, before anything is planned.
import { ApiError } from '../../api/calls/call.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Unfinished } from '../../state/fold.ts'
import type { Entry, Intent } from '../../state/record.ts'
import { same } from '../model/diff/equal.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { LiveObject } from '../model/live.ts'
import { settleMs } from '../model/settings.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { refuseOfOthers, refuseOutOfSight } from '../operation/out-of-sight.ts'
import {
  awaitRemoval,
  awaitWorkflow,
  createPace,
  isReadyWith,
  isUnusable,
  lastSeen,
  leftBy,
  readCurrent,
  settled,
  settledInTime,
  statusOf,
} from '../operation/wait.ts'
import { readsCaughtUp, whileReadsLag } from '../refresh/reads-lag.ts'
import type { Begun } from './adopt.ts'
import { adopt, adoptLeftBehind, candidates, endOfBegun, idInData, idOfAccepted, isCandidate, leftToPeople, settleUnknown, stillBegun } from './adopt.ts'
import { awaitOrphans, nothingBegun } from './orphan-workflows.ts'
import type { BadState, OrphanWorkflows } from './orphan-workflows.ts'
import { unlikeIn } from './unlike.ts'
import { closeTold, openUnread, settleUnread } from './unread-creates.ts'

/** Waits for workflows that are under way, adopts what was created, and closes what never happened. Returns what could not be settled; throws an ApiError for what the caller may not read. */
export async function recover(work: Work): Promise<readonly OperationError[]> {
  await closeTold(work)
  const { open } = work.ledger.folded()
  const sinceMs = work.run.clock.now()
  const known = open.filter(({ intent, id }) => !intent.creates || id !== null)
  const sets = equalCreates(open.filter(({ intent, id }) => intent.creates && id === null))
  const ended = await Promise.allSettled([
    ...known.map((one) => attempt(one, () => refuseOfOthers(work, [one]).then(() => settleOne(work, one, sinceMs)))),
    ...sets.map((set) => attempt(set[0], () => refuseOfOthers(work, set).then(() => settleSet(work, set, sinceMs)))),
  ])
  // Told once nothing is under way any more: whoever hears of it gives the lock back.
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return ended.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : []))
}

async function attempt(one: Unfinished | undefined, settle: () => Promise<void>): Promise<OperationError | undefined> {
  try {
    await settle()
    return undefined
  } catch (error) {
    if (error instanceof OperationError) return error
    if (one && isOutage(error)) return unread(one.intent.address, error)
    throw error
  }
}

/** Whether the service did not answer, or said that it cannot: what is open stays open, and the rest goes on. */
function isOutage(error: unknown): error is Error {
  return error instanceof ApiError ? error.status >= 500 || error.status === 429 : error instanceof Error && error.name === 'UnreachableError'
}

function unread(address: string, { message }: Error): OperationError {
  const text = `${address}: an earlier request could not be settled: ${message}`
  return new OperationError(diagnostic('operation_unknown', text, { address, hint: 'run again once the service answers' }), { inFlight: true })
}

/** Creates whose objects cannot be told apart: one kind, workspace and natural key. */
function equalCreates(open: readonly Unfinished[]): readonly (readonly Unfinished[])[] {
  const sets = new Map<string, Unfinished[]>()
  for (const one of open) {
    const { kind, workspace_id, natural_key } = one.intent
    const key = `${kind} ${workspace_id} ${natural_key}`
    const set = sets.get(key)
    if (set) set.push(one)
    else sets.set(key, [one])
  }
  return [...sets.values()]
}

/** Adopts the object that somebody says an open create made; false where it cannot have made it, or nothing is left of it. */
export async function takeNamed(work: Work, intent: Intent, id: string): Promise<boolean> {
  if (!(await isCandidate(work, currentOf(work, intent), intent, id))) return false
  await take(work, intent, id)
  return work.ledger.record(intent.address)?.id === id
}

function currentOf(work: Work, intent: Intent): Current {
  const kind = work.kindOf(intent.kind)
  const effect = intent.creates ? 'create' : intent.removes ? 'delete' : 'update'
  const timeoutMs = work.timeoutsOf(intent.address)[effect] ?? kind.timeoutsMs[effect]
  return {
    address: intent.address,
    task: intent.removes ? 'remove' : 'make',
    action: undefined,
    kind,
    workspaceId: intent.workspace_id ?? '',
    parents: parentsOf(kind, { ...work.ledger.record(intent.address)?.spec, ...intent.sets }),
    fields: Object.keys(intent.sets),
    dependsOn: intent.depends_on,
    protected: intent.protected,
    onRemove: intent.on_remove,
    group: null,
    object: intent.half,
    deadlineMs: work.run.clock.now() + timeoutMs,
  }
}

/** How an intent was settled: `gone` where a removal has taken its object away, `closed` where nothing came of it. */
type Ended = 'done' | 'gone' | 'failed' | 'closed'

async function settledWith<T extends Ended>(work: Work, as: T, ...entries: readonly Entry[]): Promise<T> {
  await work.ledger.append(...entries)
  return as
}

/** Tells of the settling of an intent, as it begins and as it ends. */
async function told({ run }: Work, { intent, workflowId }: Pick<Unfinished, 'intent' | 'workflowId'>, settle: () => Promise<Ended>): Promise<void> {
  const { address, step, id } = intent
  const action = intent.creates ? 'create' : intent.removes ? 'delete' : 'update'
  const about = { address, task: intent.removes ? 'remove' : 'make', action } as const
  const beganMs = run.clock.now()
  run.report({ type: 'recovering', ...about, step, workflowId, atMs: beganMs })
  let end: Ended | 'open' = 'open'
  try {
    end = await settle()
  } finally {
    run.report({ type: 'recovered', ...about, id, elapsedMs: run.clock.now() - beganMs, end })
  }
}

function settleOne(work: Work, one: Unfinished, sinceMs: number): Promise<void> {
  return told(work, one, () => settleKnown(work, one, sinceMs))
}

async function settleKnown(work: Work, one: Unfinished, sinceMs: number): Promise<Ended> {
  const { intent, workflowId } = one
  const current = currentOf(work, intent)
  const end = workflowId === null ? undefined : await endOfIntent(work, current, intent, workflowId)
  if (intent.creates) return settleAcceptedCreate(work, current, one, { end: end?.state, data: end !== undefined && 'data' in end ? end.data : undefined })
  const badState = badStateIn(end?.state)
  const answered = one.accepted && badState === undefined
  // A request whose outcome is unknown may still arrive, and what it begins goes on: nothing else is sent to the object before that.
  if (!one.accepted) await waitUntil(work, sinceMs + settleMs(work.run.compat))
  const mayHaveBegun = !one.accepted && (await awaitOrphans(work, current, [intent])).any
  if (intent.removes) {
    const id = intent.id ?? ''
    const look = mayHaveBegun || (answered && end?.state !== 'scheduled') ? leftBy : readCurrent
    const object = current.kind.readable ? await look(work, current, id) : undefined
    if (!object && (end?.state === 'lost' || (!answered && current.kind.readable))) await refuseOutOfSight(work, current, id)
    if (!object && (answered || current.kind.readable))
      return settledWith(work, 'gone', { t: 'done', seq: intent.seq, id }, { t: 'forget', address: intent.address, id })
    if (answered && object && statusOf(work, current, object) === 'leaving') return settledWith(work, 'done', { t: 'done', seq: intent.seq, id })
    return settledWith(work, 'failed', { t: 'failed', seq: intent.seq, workflow_state: badState ?? 'unknown' })
  }
  if ((answered || mayHaveBegun) && current.kind.readable) await untilShown(work, current, intent)
  // What an earlier revision brought back nothing is known to show: it has shown once reads cannot lag behind it any more.
  if (intent.makes_uncertain && badState === undefined) await readsCaughtUp(work.run)
  const isDone = answered && (end?.state !== 'lost' || (await isReadyWith(work, current, intent.id ?? '', intent.sets)))
  // What the request was to set is uncertain until live shows it; the plan that follows asks for it again where it does not.
  if (isDone) return settledWith(work, 'done', { t: 'done', seq: intent.seq, id: intent.id ?? '' })
  return settledWith(work, 'failed', { t: 'failed', seq: intent.seq, workflow_state: badState ?? 'unknown' })
}

function shows(kind: AnyKind, { seen }: LiveObject, { sets, clears }: Intent): boolean {
  const cleared = clears.every((field) => seen[field] === undefined || seen[field] === null)
  return cleared && Object.entries(sets).every(([field, value]) => seen[field] === undefined || same(value, seen[field], kind.fields[field] ?? {}, value))
}

/** Reads that lag behind a request that was carried out would let the plan take it for undone, or for done that is not. */
async function untilShown(work: Work, current: Current, intent: Intent): Promise<void> {
  const look = () => readCurrent(work, current, intent.id ?? '')
  await whileReadsLag(work.run, look, (object) => object !== undefined && shows(current.kind, object, intent))
}

function endOfIntent(work: Work, current: Current, intent: Intent, workflowId: string) {
  const followed = { workflowId, step: intent.step }
  if (intent.removes && current.kind.readable) return awaitRemoval(work, current, followed, intent.id ?? '')
  return awaitWorkflow(work, current, followed)
}

async function waitUntil(work: Work, atMs: number): Promise<void> {
  const leftMs = atMs - work.run.clock.now()
  if (leftMs > 0) await work.run.clock.sleep(leftMs)
}

/** How a workflow ended; undefined where none was followed. */
type End = Awaited<ReturnType<typeof endOfIntent>>['state'] | undefined

function badStateIn(end: End): BadState | undefined {
  return end === undefined || end === 'COMPLETED' || end === 'lost' || end === 'scheduled' ? undefined : end
}

/** What is known of a create's workflow. */
interface Course {
  readonly end: End
  readonly data?: JsonValue | undefined
}

/**
 * How an object is looked at whose create was carried out. Once nothing is under way on it, one that is not ready may have to be corrected or to go before
 * it ever is: the record says that it never was, and who only goes on with it waits for it. Where no workflow tells, it has all its time.
 */
const lookAfter = { ended: lastSeen, untold: settledInTime, endless: settled } as const

async function settleAcceptedCreate(
  work: Work,
  current: Current,
  { intent, id: known }: Pick<Unfinished, 'intent' | 'id'>,
  { end, data }: Course,
): Promise<Ended> {
  let badState = badStateIn(end)
  let begun: Begun = end === 'lost' ? 'untold' : 'ended'
  const id = known ?? (badState === undefined ? await idOfAccepted(work, current, intent, data) : await adoptLeftBehind(work, current, intent))
  if (id === undefined) return settledWith(work, 'closed', { t: 'closed', seq: intent.seq, why: `its workflow ended ${badState}` })
  if (!current.kind.readable) {
    if (badState === undefined) return settledWith(work, 'done', { t: 'done', seq: intent.seq, id })
    return settledWith(work, 'closed', { t: 'closed', seq: intent.seq, why: `its workflow ended ${badState}` }, { t: 'forget', address: current.address, id })
  }
  if (end === undefined) {
    const found = await endOfBegun(work, current, intent, id)
    if (found.isGone) return 'closed'
    badState = found.badState
    begun = found.begun
  }
  const look = badState === undefined ? lookAfter[begun] : lastSeen
  const object = await look(work, current, id)
  if (!object) {
    await refuseOutOfSight(work, current, id)
    return settledWith(
      work,
      'closed',
      { t: 'closed', seq: intent.seq, why: `nothing was left: ${badState ?? 'gone'}` },
      { t: 'forget', address: intent.address, id },
    )
  }
  if (isUnusable(work, current, object, badState !== undefined))
    return settledWith(work, 'failed', { t: 'failed', seq: intent.seq, workflow_state: badState ?? 'COMPLETED' })
  return settledWith(work, 'done', { t: 'done', seq: intent.seq, id })
}

/** A create of a set once its workflow has ended: `id` where that named its object. */
interface EndedCreate extends Unfinished {
  readonly end: End
}

/** k equal creates and c new objects: all c are adopted, the rest were never made; what cannot be told apart is not ours to decide. */
async function settleSet(work: Work, set: readonly Unfinished[], sinceMs: number): Promise<void> {
  const [first, other] = set
  if (!first) return
  const settle = (one: Unfinished): Promise<void> => (one.accepted ? settleOne(work, one, sinceMs) : settleAlone(work, one, sinceMs))
  if (!other) return settle(first)
  // Their names are unique: what made one of them is found for each by itself.
  if (!work.kindOf(first.intent.kind).readable) {
    for (const one of set) await settle(one)
    return
  }
  const ended = await Promise.all(set.map((one) => endOfCreate(work, one)))
  for (const { intent, id, end } of ended) if (id !== null) await take(work, intent, id, { end })
  const left = ended.filter((one) => one.id === null)
  const begun = await begunBy(work, left, sinceMs)
  if (begun.any || left.some((one) => one.accepted && badStateIn(one.end) !== undefined)) await readsCaughtUp(work.run)
  const [made, doubtful] = [left.filter(wasCarriedOut), left.filter((one) => !wasCarriedOut(one))]
  const found = await atLeast(
    work,
    left.map((one) => one.intent),
    made.length,
  )
  const isClear =
    found.length <= left.length && new Set(left.map((one) => one.intent.body_hash)).size <= 1 && found.every((one) => isLike(work, first.intent, one))
  if (found.length > 0 && !isClear) throw indistinct(work, first.intent, found)
  if (found.length < left.length && begun.endless.length > 0) throw stillBegun(currentOf(work, first.intent), begun.endless)
  // Those that were carried out come first: of them it is known that they were made.
  for (const [index, { intent, end }] of [...made, ...doubtful].entries()) {
    const object = found[index]
    if (!object) await work.ledger.append({ t: 'closed', seq: intent.seq, why: 'no object appeared within the settle window' })
    else await take(work, intent, object.id, { end })
  }
}

/** What those of a set whose answers were lost may have begun, once they have arrived or never will. */
async function begunBy(work: Work, set: readonly Unfinished[], sinceMs: number): Promise<OrphanWorkflows> {
  const lost = set.filter((one) => !one.accepted).map((one) => one.intent)
  const [first] = lost
  if (!first) return nothingBegun
  await waitUntil(work, sinceMs + settleMs(work.run.compat))
  return awaitOrphans(work, currentOf(work, first), lost)
}

function isLike(work: Work, intent: Intent, object: LiveObject): boolean {
  return unlikeIn(work, currentOf(work, intent), intent, object).length === 0
}

function wasCarriedOut({ accepted, end }: EndedCreate): boolean {
  return accepted && badStateIn(end) === undefined
}

async function endOfCreate(work: Work, one: Unfinished): Promise<EndedCreate> {
  const { intent, workflowId } = one
  if (workflowId === null) return { ...one, end: undefined }
  const current = currentOf(work, intent)
  const end = await awaitWorkflow(work, current, { workflowId, step: intent.step })
  if (end.state !== 'COMPLETED') return { ...one, end: end.state }
  return { ...one, id: (await idInData(work, current, intent, end.data)) ?? null, end: end.state }
}

/** What creates that look alike can have made, read until so many are there: lists may lag behind what was carried out. */
async function atLeast(work: Work, [first, ...others]: readonly Intent[], count: number): Promise<readonly LiveObject[]> {
  if (!first) return []
  const current = currentOf(work, first)
  const pace = createPace(work, current)
  for (;;) {
    const found = await candidates(work, current, [first, ...others], count > others.length ? 'made' : 'lost')
    if (found.length >= count) return found
    await pace('an object that was created did not appear')
  }
}

function settleAlone(work: Work, { intent }: Unfinished, sinceMs: number): Promise<void> {
  return told(work, { intent, workflowId: null }, () => settleUntold(work, intent, sinceMs))
}

async function settleUntold(work: Work, intent: Intent, sinceMs: number): Promise<Ended> {
  const current = currentOf(work, intent)
  if (!current.kind.readable) return settleUnreadAlone(work, current, intent, sinceMs)
  const id = await settleUnknown(work, current, intent, sinceMs)
  if (id === undefined) return settledWith(work, 'closed', { t: 'closed', seq: intent.seq, why: 'no object appeared within the settle window' })
  return settleAcceptedCreate(work, current, { intent, id }, { end: undefined })
}

/** What stays open is told by the next create at the address. */
async function settleUnreadAlone(work: Work, current: Current, intent: Intent, sinceMs: number): Promise<Ended> {
  // Another create of it may have told of this one.
  const isOpen = openUnread(work, intent.address).some((one) => one.intent.seq === intent.seq)
  const id = isOpen ? await settleUnread(work, current, intent, sinceMs) : undefined
  return id === undefined ? 'closed' : settleAcceptedCreate(work, current, { intent, id }, { end: undefined })
}

/** Adopts an object for an open create, and settles that. */
async function take(work: Work, intent: Intent, id: string, course: Course = { end: undefined }): Promise<void> {
  const current = currentOf(work, intent)
  await adopt(work, current, intent, id, 'natural key')
  await settleAcceptedCreate(work, current, { intent, id }, course)
}

function indistinct({ run }: Work, intent: Intent, found: readonly LiveObject[]): OperationError {
  const ids = found.map((one) => one.id).join(', ')
  const text = `${intent.address}: several unfinished creates look like it, and which of them made what is not to be told: ${ids}`
  return leftToPeople(run, intent.address, text)
}
