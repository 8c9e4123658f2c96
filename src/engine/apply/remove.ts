// Removing: an object goes by its id, step by step, until its read answers 404 or the service has scheduled its end.
import { ApiError } from '../../api/calls/call.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import type { Remnant } from '../../kinds/definition/kind.ts'
import { halfOf } from '../../state/slot.ts'
import { ownersOf } from '../model/graph/owners.ts'
import { createReader, toJsonObject } from '../model/live.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import { settingMs } from '../model/settings.ts'
import { removalFor } from '../model/view.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current, Ended, Work } from '../operation/operation.ts'
import { appendLast, OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { leavesAlone } from '../operation/owner-leaving.ts'
import { givenUp, holdBack, noteLost } from '../operation/pending-requests.ts'
import type { Holding } from '../operation/pending-requests.ts'
import type { Conflicts } from '../operation/rejection.ts'
import { REFUSES_FOR_NOW, settleRejection } from '../operation/rejection.ts'
import { sendStep } from '../operation/send.ts'
import type { Sent } from '../operation/send.ts'
import { awaitRemoval, awaitWorkflow, createPace, isTimeout, lastSeen, leftBy, readCurrent, settled, sight, statusOf, timedOut } from '../operation/wait.ts'
import { awaitOrphans } from '../recover/orphan-workflows.ts'
import { orNothing } from '../refresh/limits.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'
import { changedSincePlanned, otherwiseThanPlanned } from './as-planned.ts'

interface Removing extends Conflicts, Holding {
  readonly id: string
  /** What the plan says of it; undefined for what an operation takes away again that it has made itself. */
  readonly change: Change | undefined
  /** The pause before a request is sent again. */
  readonly again: ReturnType<typeof createPace>
  /** A delete was accepted in this operation, or nothing was left to delete of what no read tells of. */
  accepted: boolean
  /** What the accepted delete began has ended well, as far as there was anything to follow. */
  isOver: boolean
  /** Of the lost requests those whose workflows were awaited. */
  readonly awaited: Set<number>
  /** What the delete was about was looked for after it, and was not there. */
  left: boolean
  /** What the object showed of itself before it went. */
  outputs: JsonObject
  /** What was on it in no state, by kind and id: it is taken off, and stays. */
  readonly takenOff: Map<string, Remnant>
  /** It never was ready, refused to go for that, and was waited for. */
  wasAwaited: boolean
  /** Why it was refused for good, and stays. */
  stays: string | undefined
}

/** Carries out a delete or the old half of a replacement, as far as the object is still what `change` was planned for. Throws OperationError. */
export async function remove(work: Work, given: Current, id: string, change?: Change): Promise<Ended> {
  const current = { ...given, fields: [...given.fields, ...wantedFor(work, given, id)] }
  const removing: Removing = {
    work,
    current,
    id,
    change,
    hold: undefined,
    lost: [],
    repeated: [],
    again: createPace(work, current, 1000),
    conflictSinceMs: undefined,
    accepted: false,
    isOver: false,
    awaited: new Set(),
    left: false,
    outputs: {},
    takenOff: new Map(),
    wasAwaited: false,
    stays: undefined,
  }
  const pace = createPace(work, current)
  for (;;) {
    if (work.run.clock.now() >= current.deadlineMs) throw timedOut(current, 'it did not go')
    const object = await lookAt(removing)
    if (object) removing.outputs = noteShown(removing, object)
    if (!object && current.kind.readable) return foundGone(removing)
    if (object && (await leavesByItself(removing, object))) {
      if (await awaitedLost(removing)) continue
      if (work.run.compat.deleting === 'gone') return leaving(removing)
      await pace('it is still being deleted')
      continue
    }
    const step = stepOf(removing, object)
    if (!step) return gone(removing)
    if (await holdBack(removing, step)) continue
    if (object && strangeIn(removing, object).length > 0) {
      await refuseChanged(removing)
      continue
    }
    await perform(removing, step, object)
    if (removing.stays !== undefined) return forgotten(removing, removing.stays)
    if (removing.accepted && (removing.left || !current.kind.readable)) return foundGone(removing)
  }
}

/** Keeps what nothing shows any more once the object is gone. */
function noteShown({ work, current, takenOff }: Removing, { live }: LiveObject): JsonObject {
  for (const one of current.kind.takenOff?.(live, work.ledger.holds) ?? []) takenOff.set(`${one.kind} ${one.id}`, one)
  return toJsonObject(current.kind.outputsOf(live))
}

/** What is read besides fields; who holds it is asked where the plan shows that something is taken off. */
function wantedFor({ looking }: Work, { kind }: Current, id: string): readonly string[] {
  return kind.holders && looking.outcomes?.isHeld(kind.name, id) === false ? [] : kind.removalWants
}

/** Waits for what a request whose answer was lost may have begun, which can still end badly; false where nothing is left to wait for. */
async function awaitedLost(removing: Removing): Promise<boolean> {
  const { work, current, lost } = removing
  const intents = work.ledger.unfinished().flatMap(({ intent }) => (lost.includes(intent.seq) && !removing.awaited.has(intent.seq) ? [intent] : []))
  for (const { seq } of intents) removing.awaited.add(seq)
  return intents.length > 0 && (await awaitOrphans(work, current, intents)).any
}

/** What no read finds is gone after a delete that was accepted, or with the object it ends with in this run; else once that has lasted as long as reads may lag. */
async function lookAt(removing: Removing): Promise<LiveObject | undefined> {
  const { work, current, id, accepted } = removing
  // A list does not tell what is read for a removal alone.
  const asksMore = current.kind.removalWants.some((one) => current.fields.includes(one))
  const sighting = accepted || asksMore ? undefined : await sight(work, current, id)
  if (sighting?.is === 'absent' && (await wentAlong(removing))) return undefined
  if (sighting?.is === 'shown' && isToGoAtOnce(removing, sighting.object)) return sighting.object
  const object = await readCurrent(work, current, id)
  if (object || accepted || !current.kind.readable || ownerWent(removing)) return object
  return lastSeen(work, current, id)
}

/** Whether an object is as it should be and its delete is all that is missing; anything else is not believed of a list, which may lag. */
function isToGoAtOnce(removing: Removing, object: LiveObject): boolean {
  return statusOf(removing.work, removing.current, object) === 'ready' && stepOf(removing, object)?.removes === true
}

/** Whether what ends with its owner is gone with it: of those that no list shows any more the first that asks reads its object, and the others go by that. */
async function wentAlong(removing: Removing): Promise<boolean> {
  const { work, current, id } = removing
  if (!ownerWent(removing)) return false
  const key = [current.kind.name, ...ownersOf(current.kind, recordedOf(removing)).map((owner) => `${owner.kind} ${owner.id}`)].join(' ')
  const known = work.wentAlong.get(key)
  if (known) return known
  const read = readCurrent(work, current, id).then((object) => object === undefined)
  work.wentAlong.set(key, read)
  // One answer that failed says nothing of the others: whoever asks next reads anew.
  read.catch(() => work.wentAlong.delete(key))
  return read
}

function ownerWent(removing: Removing): boolean {
  const { work, current } = removing
  const owners = ownersOf(current.kind, recordedOf(removing))
  return owners.length > 0 && owners.every((owner) => work.went.has(`${owner.kind} ${owner.id}`))
}

function leavesByItself(removing: Removing, object: LiveObject): Promise<boolean> {
  return leavesAlone(removing.work, removing.current, recordedOf(removing), object)
}

function recordedOf({ work, current, id }: Removing): JsonObject {
  return halfOf(work.ledger.record(current.address), id)?.spec ?? {}
}

/** What of the object is otherwise than planned. */
function strangeIn(removing: Removing, object: LiveObject): readonly string[] {
  const { work, change } = removing
  return change ? otherwiseThanPlanned(work, { change, object, steps: stepsOf(removing, object), recorded: recordedOf(removing) }) : []
}

/** Throws where what is otherwise than planned stays so for as long as reads may lag. */
async function refuseChanged(removing: Removing): Promise<void> {
  const { work, current, id } = removing
  const isAsPlanned = (one: LiveObject | undefined): boolean => one === undefined || strangeIn(removing, one).length === 0
  const object = await whileReadsLag(work.run, () => readCurrent(work, current, id), isAsPlanned)
  const found = object ? strangeIn(removing, object) : []
  if (object && found.length > 0 && !(await leavesByItself(removing, object))) throw changedSincePlanned(work, current, found)
}

function stepOf(removing: Removing, object: LiveObject | undefined): AnyStep | undefined {
  return stepsOf(removing, object)[0]
}

function stepsOf(removing: Removing, object: LiveObject | undefined): readonly AnyStep[] {
  const { work, current, id } = removing
  return removalFor({
    kind: current.kind,
    address: current.address,
    id,
    workspaceId: current.workspaceId,
    recorded: recordedOf(removing),
    live: object?.live,
    fresh: false,
    nowMs: work.run.client.serverNow(),
  })
}

async function perform(removing: Removing, step: AnyStep, object: LiveObject | undefined): Promise<void> {
  const { work, current, id } = removing
  const sent = await sendStep(work, current, id, step, [recordedOf(removing), object?.live])
  if (sent.is === 'rejected') {
    // What is to be taken off may go with the same plan, and be gone by now.
    if (sent.error.status === 404 && (step.removes || current.kind.holders)) {
      // Of what cannot be read this answer alone tells that it is gone.
      removing.accepted ||= step.removes === true && !current.kind.readable
      return removing.again(`${step.name} did not take effect`)
    }
    if (step.orForgotten !== undefined && (sent.error.status === 400 || sent.error.status === 409)) return void (removing.stays = step.orForgotten)
    return settleRejection(work, current, step, sent, removing, id).catch((error: unknown) => refused(removing, sent.error, error))
  }
  if (sent.is === 'unknown') {
    noteLost(removing, step, sent)
    return removing.again(`the outcome of ${step.name} did not become known`)
  }
  if (step.removes) removing.accepted = true
  const end = await endOfStep(removing, step, sent)
  if (step.removes) removing.isOver = end === undefined || end.state === 'COMPLETED' || end.state === 'scheduled'
  if (end !== undefined && end.state !== 'COMPLETED' && end.state !== 'lost' && end.state !== 'scheduled') {
    await work.ledger.append({ t: 'failed', seq: sent.intent.seq, workflow_state: end.state })
    if (step.removes && current.kind.readable && !(await readCurrent(work, current, id))) return
    throw new OperationError(diagnostic('operation_failed', `${current.address}: ${readable(step.name)} ended ${end.state}`, { address: current.address }))
  }
  if (step.removes && current.kind.readable && end?.state !== 'scheduled') removing.left = await hasLeft(removing, end?.state === 'COMPLETED')
  else await shown(removing, step)
  work.ledger.defer(...givenUp(removing), { t: 'done', seq: sent.intent.seq, id })
  removing.conflictSinceMs = undefined
}

/** A request that was refused for good. What never was ready may be in the making still, and refuse to go for that: then it is waited for, and asked once more. */
async function refused(removing: Removing, { status, fields }: ApiError, error: unknown): Promise<void> {
  const { work, current, id, wasAwaited } = removing
  const recorded = halfOf(work.ledger.record(current.address), id)?.status
  // A successor that is not wanted any more counts as failed while it is made.
  const isInTheMaking = recorded === 'creating' || recorded === 'failed'
  if (wasAwaited || !isInTheMaking || !current.kind.readable || !REFUSES_FOR_NOW.has(status) || fields.length > 0) throw error
  removing.wasAwaited = true
  removing.conflictSinceMs = undefined
  await settled(work, current, id).catch((late: unknown) => {
    throw isTimeout(late) ? error : late
  })
}

/** Whether the object is gone; of the token of this very run a refusal to answer says so. */
async function hasLeft({ work, current, id }: Removing, isOver: boolean): Promise<boolean> {
  try {
    return (await leftBy(work, current, id, isOver)) === undefined
  } catch (error) {
    if (work.ownTokens.has(id) && error instanceof ApiError && error.status === 401) return true
    throw error
  }
}

function endOfStep({ work, current, id }: Removing, step: AnyStep, { answer: { workflowId }, kept }: Extract<Sent, { is: 'accepted' }>) {
  if (workflowId === undefined) return undefined
  const followed = { workflowId, step: step.name, kept }
  return step.removes ? awaitRemoval(work, current, followed, id) : awaitWorkflow(work, current, followed)
}

/** Reads until the step is no longer asked for, within the lag of reads; a delete that does not show by then is asked for again. */
async function shown(removing: Removing, step: AnyStep): Promise<void> {
  const { work, current, id } = removing
  const untilMs = work.run.clock.now() + settingMs(work.run.compat.read_grace)
  const pace = createPace(work, current)
  for (;;) {
    const object = await readCurrent(work, current, id)
    if (!object || (await leavesByItself(removing, object)) || stepOf(removing, object)?.name !== step.name) return
    if (work.run.clock.now() >= untilMs) return
    await pace(`${step.name} did not show`)
  }
}

/** Gone by a delete that is known to be over, or with what it ended with; else where its workspace is seen, for whatever answers 404 to all alike tells nothing. */
async function foundGone(removing: Removing): Promise<Ended> {
  const { work, current, id, isOver } = removing
  if (!isOver && !ownerWent(removing)) await refuseOutOfSight(work, current, id)
  return gone(removing)
}

async function gone(removing: Removing): Promise<Ended> {
  const { work, current, id } = removing
  // The next object there has the same id: a delete that was lost would take it along.
  if (current.kind.derivedId) await holdBack(removing, undefined)
  work.went.add(`${current.kind.name} ${id}`)
  await appendLast(work, current, [{ t: 'forget', address: current.address, id }])
  tellTakenOff(removing)
  await tellRemains(removing)
  return { ok: true, id, deleting: false }
}

/** What the service will never delete: the state lets go of it. */
async function forgotten(removing: Removing, because: string): Promise<Ended> {
  const { work, current, id } = removing
  await appendLast(work, current, [...givenUp(removing), { t: 'forget', address: current.address, id }])
  const text = `${current.address}: ${because}; object ${id} stays, and is in no state any more`
  work.run.report({ type: 'note', diagnostic: diagnostic('advice', text, { address: current.address }) })
  return { ok: true, id, deleting: false, stays: true }
}

/** Names what a removal has taken off: it costs, and nothing manages it. */
function tellTakenOff({ work, current: { address }, takenOff }: Removing): void {
  const left = [...takenOff.values()].filter((one) => !work.ledger.holds(one.kind, one.id) && !work.went.has(`${one.kind} ${one.id}`))
  if (left.length === 0) return
  const text = `${address}: what was taken off it stays and costs, and nothing manages it: ${left.map((one) => one.words).join(', ')}`
  work.run.report({ type: 'note', diagnostic: diagnostic('advice', text, { address, hint: 'delete it if nothing else needs it' }) })
}

/** Names what a removal left behind: it costs, and nothing manages it. */
async function tellRemains({ work, current, outputs }: Removing): Promise<void> {
  const { run, looking } = work
  const { address, kind, workspaceId, parents } = current
  if (!kind.remains) return
  const found = await orNothing(kind.remains(createReader(looking.source, looking.compat), outputs, { workspaceId, parents, wants: () => false }))
  const left = (found ?? []).filter((one) => !work.ledger.holds(one.kind, one.id))
  if (left.length === 0) return
  const text = `${address} is gone, and what came with it is still there: ${left.map((one) => one.words).join(', ')}`
  run.report({ type: 'note', diagnostic: diagnostic('advice', text, { address, hint: 'delete it if nothing else needs it' }) })
}

async function leaving(removing: Removing): Promise<Ended> {
  const { work, current, id } = removing
  const record = work.ledger.record(current.address)
  const entries = givenUp(removing)
  if (record?.id === id && record.status !== 'deleting') entries.push({ t: 'record', resource: { ...record, status: 'deleting' } })
  await appendLast(work, current, entries)
  tellTakenOff(removing)
  return { ok: true, id, deleting: true }
}
