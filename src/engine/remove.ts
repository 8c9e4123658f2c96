// Removing: an object goes by its id, step by step, until its read answers 404 or the service has scheduled its end.
import { diagnostic } from '../diagnostic.ts'
import type { JsonObject } from '../json.ts'
import type { LiveObject } from './live.ts'
import { readAgain } from './observe.ts'
import { isLeaving, ownersOf } from './owner-leaving.ts'
import type { Entry } from '../state/record.ts'
import { readable } from '../token.ts'
import type { Current, Ended, Work } from './operation.ts'
import { OperationError } from './operation.ts'
import type { Busy } from './refused.ts'
import { refused } from './refused.ts'
import { interrupted, sendStep } from './send.ts'
import { removalFor } from './view.ts'
import type { AnyStep } from './view.ts'
import { awaitRemoval, awaitWorkflow, createPace, lastSeen, readCurrent, settingMs, statusOf, timedOut } from './wait.ts'

interface Removing extends Busy {
  readonly work: Work
  readonly current: Current
  readonly id: string
  hold: { readonly step: string; readonly untilMs: number } | undefined
  /** Requests whose outcome is unknown. Their intents stay open, so that after a crash the next run holds back, too. */
  readonly lost: number[]
  /** The pause before a request is sent again. */
  readonly again: ReturnType<typeof createPace>
  /** A delete was accepted in this operation. */
  accepted: boolean
}

/** Carries out a delete or the old half of a replacement. Throws OperationError. */
export async function remove(work: Work, given: Current, id: string): Promise<Ended> {
  const current = { ...given, fields: [...given.fields, ...given.kind.removalWants] }
  const removing: Removing = { work, current, id, hold: undefined, lost: [], again: createPace(work, current, 1000), busySinceMs: undefined, accepted: false }
  const pace = createPace(work, current)
  for (;;) {
    if (work.run.clock.now() >= current.deadlineMs) throw timedOut(current, 'it did not go')
    const object = await lookAt(removing)
    if (!object && current.kind.readable) return gone(removing)
    if (object && (await leavesByItself(removing, object))) {
      if (work.run.compat.deleting === 'gone') return leaving(removing)
      await pace('it is still being deleted')
      continue
    }
    const step = stepOf(removing, object)
    if (!step) return gone(removing)
    await holdBack(removing, step)
    await perform(removing, step)
    if (step.removes && !current.kind.readable) return gone(removing)
  }
}

/** What no read finds is gone after a delete that was accepted, or with the object it ends with; else once that has lasted as long as reads may lag. */
async function lookAt(removing: Removing): Promise<LiveObject | undefined> {
  const { work, current, id, accepted } = removing
  const object = await readCurrent(work, current, id)
  if (object || accepted || !current.kind.readable || ownerWent(removing)) return object
  return lastSeen(work, current, id)
}

function ownerWent(removing: Removing): boolean {
  const { work, current } = removing
  const owners = ownersOf(current.kind, recordedOf(removing))
  return owners.length > 0 && owners.every((owner) => work.ledger.holder(owner.kind, owner.id) === undefined)
}

async function leavesByItself(removing: Removing, object: LiveObject): Promise<boolean> {
  const { work, current } = removing
  if (statusOf(work, current, object) === 'leaving') return true
  // What ends with another object that is on its way out is left alone.
  for (const owner of ownersOf(current.kind, { ...recordedOf(removing), ...object.seen })) if (await ownerLeaves(work, current, owner)) return true
  return false
}

/** What is recorded as current tells; an old half, or one that is in no record, is read. */
async function ownerLeaves(work: Work, current: Current, owner: { readonly kind: string; readonly id: string }): Promise<boolean> {
  const record = work.ledger.holder(owner.kind, owner.id)
  if (record?.id === owner.id) return record.status === 'deleting'
  const kind = work.kindOf(owner.kind)
  const object = await readAgain(work.looking, { kind, workspaceId: current.workspaceId, id: owner.id, fields: [], parents: [] })
  return object !== undefined && isLeaving(kind, object, work.run.client.serverNow())
}

function recordedOf({ work, current, id }: Removing): JsonObject {
  const record = work.ledger.record(current.address)
  return record?.id === id ? record.spec : (record?.deposed.find((old) => old.id === id)?.spec ?? {})
}

function stepOf(removing: Removing, object: LiveObject | undefined): AnyStep | undefined {
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
  })[0]
}

async function holdBack(removing: Removing, step: AnyStep): Promise<void> {
  const { hold, work } = removing
  if (!hold || hold.step === step.name) return
  const leftMs = hold.untilMs - work.run.clock.now()
  if (leftMs > 0) await work.run.clock.sleep(leftMs, work.run.stop).catch(() => undefined)
  // A stop ends the wait, not the window: the intents stay open, and the next run holds back as well.
  if (work.run.stop.aborted) throw interrupted(removing.current)
  if (removing.lost.length > 0) await work.ledger.append(...givenUp(removing))
  removing.hold = undefined
}

/** Ends the requests whose outcome never became known. */
function givenUp(removing: Removing): Entry[] {
  return removing.lost.splice(0).map((seq) => ({ t: 'failed', seq, workflow_state: 'unknown' }))
}

async function perform(removing: Removing, step: AnyStep): Promise<void> {
  const { work, current, id } = removing
  const sent = await sendStep(work, current, id, step)
  if (sent.is === 'rejected') {
    if (sent.error.status === 404 && step.removes) return removing.again(`${step.name} did not take effect`)
    return refused(work, current, step, sent.error, removing)
  }
  if (sent.is === 'unknown') {
    removing.lost.push(sent.intent.seq)
    removing.hold = { step: step.name, untilMs: sent.atMs + settingMs(work.run.compat.settle_window) }
    return removing.again(`the outcome of ${step.name} did not become known`)
  }
  if (step.removes) removing.accepted = true
  const end = await endOfStep(removing, step, sent.answer.workflowId)
  if (end !== undefined && end.state !== 'COMPLETED' && end.state !== 'lost' && end.state !== 'scheduled') {
    await work.ledger.append({ t: 'failed', seq: sent.intent.seq, workflow_state: end.state })
    if (step.removes && !(await readCurrent(work, current, id))) return
    throw new OperationError(diagnostic('operation_failed', `${current.address}: ${readable(step.name)} ended ${end.state}`, { address: current.address }))
  }
  await shown(removing, step)
  await work.ledger.append(...givenUp(removing), { t: 'done', seq: sent.intent.seq, id })
  removing.busySinceMs = undefined
}

function endOfStep({ work, current, id }: Removing, step: AnyStep, workflowId: string | undefined) {
  if (workflowId === undefined) return undefined
  return step.removes ? awaitRemoval(work, current, workflowId, step.name, id) : awaitWorkflow(work, current, workflowId, step.name)
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

async function gone(removing: Removing): Promise<Ended> {
  const { work, current, id } = removing
  await work.ledger.append({ t: 'forget', address: current.address, id })
  return { ok: true, id, deleting: false }
}

async function leaving(removing: Removing): Promise<Ended> {
  const { work, current, id } = removing
  const record = work.ledger.record(current.address)
  const entries = givenUp(removing)
  if (record?.id === id && record.status !== 'deleting') entries.push({ t: 'record', resource: { ...record, status: 'deleting' } })
  if (entries.length > 0) await work.ledger.append(...entries)
  return { ok: true, id, deleting: true }
}
