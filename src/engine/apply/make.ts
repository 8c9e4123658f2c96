// Making: an object is created, updated or taken over, step by step, until its kind asks for nothing more and it is ready.
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import { deliveryOf } from '../../kinds/definition/delivery.ts'
import type { Doubts } from '../../state/effect.ts'
import { doubtsAmong, withoutDoubts } from '../../state/effect.ts'
import type { Entry, Intent, ResourceRecord } from '../../state/record.ts'
import { differences, recordedAfter } from '../model/diff.ts'
import type { LiveObject } from '../model/live.ts'
import { toJsonObject } from '../model/live.ts'
import { originsIn } from '../model/origins.ts'
import type { Change } from '../model/plan-data.ts'
import { restartsOf } from '../model/restarts.ts'
import { sealedLike } from '../model/sealed-like.ts'
import { settingMs } from '../model/settings.ts'
import { shownLive, stepsFor, straysOf, viewOf } from '../model/view.ts'
import type { AnyStep, Situation } from '../model/view.ts'
import { lastWords } from '../operation/failure-log.ts'
import { checkFiles } from '../operation/hand-over.ts'
import type { Current, Ended, Work } from '../operation/operation.ts'
import { appendLast, OperationError } from '../operation/operation.ts'
import { givenUp, holdBack, noteLost } from '../operation/pending-requests.ts'
import type { Holding } from '../operation/pending-requests.ts'
import type { Conflicts } from '../operation/rejection.ts'
import { failOnOtherSingleton, settleRejection } from '../operation/rejection.ts'
import { sendStep } from '../operation/send.ts'
import type { Sent } from '../operation/send.ts'
import type { WorkflowEnd } from '../operation/wait.ts'
import { appeared, awaitWorkflow, backAgain, createPace, isReadyWith, isUnusable, lastSeen, settled, statusOf } from '../operation/wait.ts'
import { leftAloneBy } from '../plan/doubts.ts'
import { adoptLeftBehind, endOfBegun, idOfAccepted, settleUnknown } from '../recover/adopt.ts'
import { closeUnread, settleUnread, takeRefused } from '../recover/unread-creates.ts'
import { fellTwice, lostTwice, refusedWhileMade, unseen, vanished } from './making-failures.ts'
import { remove } from './remove.ts'
import { blindAfter } from './take-over.ts'

interface Making extends Conflicts, Holding {
  readonly change: Change
  readonly desired: JsonObject
  id: string | undefined
  object: LiveObject | undefined
  /** The pause before a request is sent again; anew after each one that was answered. */
  again: ReturnType<typeof createPace>
  resentCreate: boolean
  /** Steps that this operation has carried out, each with when reads have caught up with it. */
  readonly done: Map<string, number>
  /** Fields in doubt that the plan leaves to others. */
  readonly leftAlone: ReadonlySet<string>
  /** What they have set, for as long as nothing is recorded of an object that is taken over. */
  set: JsonObject
}

/** Carries out a create, update, import or the new half of a replacement. Throws OperationError. */
export async function make(work: Work, current: Current, change: Change, desired: JsonObject): Promise<Ended> {
  const existing = change.action === 'update' || change.action === 'import'
  const making: Making = {
    work,
    current,
    change,
    desired,
    id: existing ? (change.id ?? undefined) : undefined,
    object: undefined,
    hold: undefined,
    lost: [],
    repeated: [],
    again: createPace(work, current, 1000),
    conflictSinceMs: undefined,
    resentCreate: false,
    done: new Map(),
    leftAlone: leftAloneBy(change, work.ledger.record(current.address)),
    set: {},
  }
  if (change.action === 'create' && change.id !== null) await forgetGone(making, change.id)
  if (making.id !== undefined) {
    // One that was ready once may be in a bad state because of what is to be changed: it is not waited for.
    const look = recordOf(making)?.status === 'ready' ? lastSeen : settled
    making.object = current.kind.readable ? await look(work, current, making.id) : undefined
    if (!making.object && current.kind.readable) throw vanished(work, current, making.id)
  }
  for (;;) {
    const step = nextStep(making, recordedOf(making), doubtsOf(making))
    if (!step) break
    if (goesBack(making, step)) {
      await making.again(`${step.name} was carried out and does not show`)
      await reread(making)
      continue
    }
    if (await holdBack(making, step)) {
      await reread(making)
      continue
    }
    if (step.creates) await create(making, step)
    else await advance(making, step)
  }
  // The last step may have been carried out without its effect showing yet: what never was ready has still to become so.
  if (making.object && recordOf(making)?.status === 'creating' && statusOf(work, current, making.object) === 'pending') await reread(making)
  await restart(making)
  return finish(making)
}

function recordOf(making: Making): ResourceRecord | undefined {
  const record = making.work.ledger.record(making.current.address)
  return record && record.id === making.id ? record : undefined
}

function recordedOf(making: Making): JsonObject {
  return recordOf(making)?.spec ?? making.set
}

function doubtsOf(making: Making): Doubts {
  return withoutDoubts(recordOf(making) ?? { uncertain: [] }, making.leftAlone)
}

/** What is known of the object now, given what is recorded. */
function situationOf(making: Making, recorded: JsonObject): Situation {
  const { work, current, object, id } = making
  return {
    kind: current.kind,
    address: current.address,
    id,
    workspaceId: current.workspaceId,
    recorded,
    live: shownLive(current.kind, id, object, recorded),
    fresh: recordOf(making)?.status !== 'ready',
    nowMs: work.run.client.serverNow(),
  }
}

/** The first request that is still missing, given what is recorded. */
function nextStep(making: Making, recorded: JsonObject, doubts: Doubts): AnyStep | undefined {
  const { work, current, desired, object, change } = making
  const imported = change.action === 'import' && recordOf(making) === undefined
  const situation = situationOf(making, recorded)
  const strays = object ? straysOf(situation, imported ? desired : recorded) : {}
  const facts = { desired, recorded, seen: sealedLike(object, [desired, recorded], work.digest)?.seen ?? {}, ...doubts, strays, imported }
  return stepsFor(situation, desired, differences(current.kind, facts))[0]
}

/** The requests that make the whole object, as if nothing of it were there. */
function makingSteps(making: Making): readonly AnyStep[] {
  return stepsFor({ ...situationOf(making, {}), id: undefined, live: undefined }, making.desired, [])
}

/** What a record still says of an object that is gone is forgotten, once its read has answered so. */
async function forgetGone(making: Making, id: string): Promise<void> {
  const { work, current } = making
  const object = current.kind.readable ? await lastSeen(work, current, id) : undefined
  if (!object) return work.ledger.append({ t: 'forget', address: current.address, id })
  if (statusOf(work, current, object) === 'leaving') return
  throw backAgain(work, current, id)
}

async function create(making: Making, step: AnyStep): Promise<void> {
  const { work, current } = making
  await checkFiles(work, current, makingSteps(making))
  const key = `${current.kind.name} ${current.workspaceId} ${current.kind.naturalKey(step.sets)}`
  // Creates with one natural key run one after another until their id is known, so that what one made is not taken for another's.
  const made = await work.alone(key, () => born(making, step))
  if (!made) return
  const { intent, workflowId, id } = made
  making.id = id
  const end = made.end ?? (workflowId === undefined ? undefined : await awaitWorkflow(work, current, { workflowId, step: step.name, kept: made.kept }))
  making.isEndUnknown = end?.state === 'lost'
  const failed = end !== undefined && end.state !== 'COMPLETED' && !making.isEndUnknown
  const look = failed ? lastSeen : appeared
  making.object = current.kind.readable ? await look(work, current, id) : undefined
  const isLost = current.kind.readable ? !making.object || isUnusable(work, current, making.object, failed) : failed
  if (isLost) await unusable(making, intent, failed ? end.state : 'COMPLETED')
  work.ledger.defer({ t: 'done', seq: intent.seq, id })
  making.conflictSinceMs = undefined
}

/** The id of an accepted create whose answer held none, once its workflow has ended; throws where it ended badly and left nothing. */
async function idAfter(making: Making, intent: Intent, end: WorkflowEnd | undefined): Promise<string> {
  const { work, current } = making
  if (end === undefined || end.state === 'COMPLETED' || end.state === 'lost')
    return idOfAccepted(work, current, intent, end !== undefined && 'data' in end ? end.data : undefined)
  const left = await adoptLeftBehind(work, current, intent)
  if (left !== undefined) return left
  await work.ledger.append({ t: 'closed', seq: intent.seq, why: `its workflow ended ${end.state}` })
  throw new OperationError(
    diagnostic('operation_failed', `${current.address}: its creation ended ${end.state}`, { address: current.address, hint: 'the next run creates it anew' }),
  )
}

/** A create that left nothing usable: absent, the next run creates it anew; there but unusable, it is recorded as failed. */
async function unusable(making: Making, intent: Intent, state: string): Promise<never> {
  const { work, current, object, id } = making
  if (!object && id !== undefined) {
    await work.ledger.append({ t: 'closed', seq: intent.seq, why: `nothing was left: ${state}` }, { t: 'forget', address: current.address, id })
    const { address } = current
    if (state === 'COMPLETED') throw unseen(work, current, id)
    const left = current.kind.readable ? `object ${id} is not there` : `nothing shows whether anything is left of object ${id}`
    const text = `${address}: its creation ended ${state}, and ${left}`
    throw new OperationError(diagnostic('operation_failed', text, { address, hint: 'the next run creates it anew' }))
  }
  await work.ledger.append({ t: 'failed', seq: intent.seq, workflow_state: state })
  throw new OperationError(
    diagnostic('operation_failed', `${current.address}: its creation ended ${state}; object ${id} is not usable`, {
      address: current.address,
      detail: id === undefined ? undefined : await lastWords(work, current, id),
      hint: 'the next plan replaces it',
    }),
  )
}

interface Born {
  readonly intent: Intent
  readonly id: string
  readonly workflowId: string | undefined
  /** When the line that says so is durable; absent where it is. */
  readonly kept?: Promise<void> | undefined
  /** Set where the id was not to be had before the workflow had ended. */
  readonly end: WorkflowEnd | undefined
}

/** Sends the create and finds its id; undefined when the kind has to be asked again. */
async function born(making: Making, step: AnyStep): Promise<Born | undefined> {
  const { work, current } = making
  // What shows after a create was lost may be what that made.
  if (!making.resentCreate) await failOnOtherSingleton(work, current, step)
  const sent = await sendStep(work, current, undefined, step, [making.desired])
  if (sent.is === 'accepted') {
    const { intent, answer, kept } = sent
    const { workflowId, resourceId } = answer
    if (!current.kind.readable) await closeUnread(work, current.address, intent.seq)
    if (resourceId !== undefined) return { intent, id: resourceId, workflowId, kept, end: undefined }
    const end = workflowId === undefined ? undefined : await awaitWorkflow(work, current, { workflowId, step: step.name, kept })
    return { intent, id: await idAfter(making, intent, end), workflowId, end }
  }
  if (sent.is === 'rejected') {
    const found = await takeRefused(work, current, step, sent)
    if (found === 'again') return undefined
    if (found === undefined) await settleRejection(work, current, step, sent, making, making.id)
    return found && { ...found, workflowId: undefined, end: undefined }
  }
  if (!current.kind.readable) return bornUnread(making, sent)
  const adopted = await settleUnknown(work, current, sent.intent, sent.atMs)
  const { isGone = false, badState } = adopted === undefined ? {} : await endOfBegun(work, current, sent.intent, adopted)
  if (adopted !== undefined && !isGone) {
    const end = badState && { state: badState, data: undefined }
    const found = { intent: sent.intent, id: adopted, workflowId: undefined, end }
    if (!(await renewed(making, found))) return found
    if (making.resentCreate) throw lostTwice(current, sent.why)
    making.resentCreate = true
    return undefined
  }
  if (making.resentCreate) throw isGone ? fellTwice(current) : lostTwice(current, sent.why)
  if (!isGone) await work.ledger.append({ t: 'closed', seq: sent.intent.seq, why: 'no object appeared within the settle window' })
  making.resentCreate = true
  return undefined
}

/** What nothing reads: found by the workflows that began, else sent once more, since its unique name is refused where it is there. */
async function bornUnread(making: Making, { intent, atMs, why }: Extract<Sent, { is: 'unknown' }>): Promise<Born | undefined> {
  const { work, current } = making
  const id = await settleUnread(work, current, intent, atMs)
  if (id !== undefined) return { intent, id, workflowId: undefined, end: undefined }
  if (making.resentCreate) throw lostTwice(current, why)
  making.resentCreate = true
  return undefined
}

/** Takes away what was made by a create whose answer, and with it a value that somebody waits for, was lost; false where nobody does. */
async function renewed(making: Making, { intent, id }: Born): Promise<boolean> {
  const { work, current } = making
  if (!current.kind.renewable) return false
  if (!work.awaitedOnce.has(current.address) && !makingSteps(making).some(({ call }) => deliveryOf(call))) return false
  await work.ledger.append({ t: 'done', seq: intent.seq, id })
  await remove(work, { ...current, task: 'remove', action: 'replace', handedOver: undefined }, id)
  return true
}

/** One step on an object that is there; false when its kind has to be asked again. */
async function advance(making: Making, step: AnyStep): Promise<boolean> {
  const { work, current } = making
  const sent = await sendStep(work, current, making.id, step, [making.desired, recordedOf(making), making.object?.live])
  if (sent.is === 'rejected') {
    await settleRejection(work, current, step, sent, making, making.id).catch((error: unknown) => refusedWhileMade(making, sent.error.status, error))
    await reread(making)
    return false
  }
  if (sent.is === 'unknown') {
    noteLost(making, step, sent)
    await making.again(`the outcome of ${step.name} did not become known`)
    await reread(making)
    return false
  }
  const workflowId = sent.answer.workflowId
  const end = workflowId === undefined ? undefined : await awaitWorkflow(work, current, { workflowId, step: step.name, kept: sent.kept })
  if (end !== undefined && end.state !== 'COMPLETED' && end.state !== 'lost') {
    await work.ledger.append({ t: 'failed', seq: sent.intent.seq, workflow_state: end.state })
    throw new OperationError(diagnostic('operation_failed', `${current.address}: ${readable(step.name)} ended ${end.state}`, { address: current.address }))
  }
  await confirm(making, step)
  if (end?.state === 'lost' && making.id !== undefined && !(await isReadyWith(work, current, making.id, toJsonObject(step.sets)))) {
    await work.ledger.append({ t: 'failed', seq: sent.intent.seq, workflow_state: 'unknown' })
    await making.again(`the outcome of ${step.name} did not become known`)
    await reread(making)
    return false
  }
  const repeated = making.lost.splice(0)
  work.ledger.defer({ t: 'done', seq: sent.intent.seq, id: making.id ?? '' }, ...repeated.map((seq): Entry => ({ t: 'repeated', seq })))
  making.repeated.push(...repeated)
  making.done.set(step.name, graceEndMs(work))
  making.set = { ...making.set, ...toJsonObject(step.sets) }
  making.conflictSinceMs = undefined
  making.again = createPace(work, current, 1000)
  return true
}

/** The restart that the plan announced; sent again until it was carried out, since only then its triggers are recorded. */
async function restart(making: Making): Promise<void> {
  const { current, change } = making
  const step = current.kind.restart?.(viewOf(situationOf(making, recordedOf(making))))
  if (!step || !change.steps.includes(step.name)) return
  if (await holdBack(making, step)) {
    await reread(making)
    return restart(making)
  }
  while (!(await advance(making, step)));
}

/**
 * Reads until the kind, asked with the step recorded, no longer begins with it, nor goes back to one that was carried out before: until reads
 * have caught up, what came last would be undone. */
async function confirm(making: Making, step: AnyStep): Promise<void> {
  const { work, current } = making
  const gone = new Set<string>(step.clears ?? [])
  const sets = toJsonObject(step.sets)
  const known: Record<string, JsonValue> = { ...recordedOf(making), ...sets }
  for (const field of gone) delete known[field]
  const doubts = withoutDoubts(doubtsOf(making), new Set([...gone, ...Object.keys(sets)]))
  const pace = createPace(work, current)
  const untilMs = graceEndMs(work)
  for (;;) {
    await reread(making)
    const next = nextStep(making, known, doubts)?.name
    const isLate = next !== undefined && making.done.has(next) && work.run.clock.now() < untilMs
    if (next !== step.name && !isLate) return
    await pace(`${step.name} did not show`)
  }
}

/** Whether a step would be carried out a second time while the reads that ask for it may still lag behind the first. */
function goesBack({ work, done }: Making, step: AnyStep): boolean {
  return work.run.clock.now() < (done.get(step.name) ?? 0)
}

/** When reads have caught up with what was just done. */
function graceEndMs({ run }: Work): number {
  return run.clock.now() + settingMs(run.compat.read_grace)
}

async function reread(making: Making): Promise<void> {
  const { work, current, id } = making
  if (id === undefined || !current.kind.readable) return
  making.object = await settled(work, current, id)
  if (!making.object) throw vanished(work, current, id)
}

/** Records an object whole to which all was done; what the plan left alone stays in doubt, unless it was sent. */
async function finish(making: Making): Promise<Ended> {
  const { work, current, change, desired, id } = making
  if (id === undefined) throw new Error(`${current.address} has no object after it was made`)
  const { object } = making
  if (object && statusOf(work, current, object) === 'failed') {
    const record = recordOf(making)
    if (record && record.status === 'creating') await work.ledger.append({ t: 'record', resource: { ...record, status: 'failed' } })
    throw new OperationError(
      diagnostic('operation_failed', `${current.address}: object ${id} is in a failed state`, {
        address: current.address,
        detail: await lastWords(work, current, id),
      }),
    )
  }
  // What was sent twice may still arrive once more: nothing else may be asked of the object before that.
  if (making.repeated.length > 0) await holdBack(making, undefined)
  const before = recordOf(making)
  const resource: ResourceRecord = {
    address: current.address,
    kind: current.kind.name,
    id,
    workspace_id: current.workspaceId === '' ? null : current.workspaceId,
    status: 'ready',
    spec: recordedAfter(current.kind, desired, before?.spec ?? {}, toJsonObject(makingSteps(making)[0]?.sets ?? {})),
    outputs: { ...before?.outputs, ...(object ? toJsonObject(current.kind.outputsOf(object.live)) : { id }) },
    depends_on: change.depends_on,
    protected: change.protected,
    on_remove: change.on_remove,
    deposed: before?.deposed ?? [],
    origins: originsIn(desired),
    ...doubtsAmong(before ?? { uncertain: [] }, making.leftAlone),
    ...blindAfter(change, { desired, object, before, kind: current.kind }),
    ...(change.restart_on.length > 0 ? { restarts: restartsOf(change.restart_on, { get: (address) => work.ledger.record(address) }) } : {}),
  }
  await appendLast(work, current, [...givenUp(making), { t: 'record', resource }])
  return { ok: true, id, deleting: false }
}
