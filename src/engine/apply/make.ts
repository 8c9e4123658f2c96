// Making: an object is created, updated or taken over, step by step, until its kind asks for nothing more and it is ready.
import type { ApiError } from '../../api/calls/call.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import type { UncertainFields } from '../../state/effect.ts'
import { uncertainAmong, withoutUncertain } from '../../state/effect.ts'
import type { Entry, ResourceRecord } from '../../state/record.ts'
import { differences, recordedAfter } from '../model/diff/diff.ts'
import { originsIn } from '../model/diff/origins.ts'
import { recordedOutputs } from '../model/diff/recorded-outputs.ts'
import { restartsOf } from '../model/diff/restarts.ts'
import { sealedLike } from '../model/diff/sealed-like.ts'
import { toJsonObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import { settingMs } from '../model/settings.ts'
import type { AnyStep } from '../model/view.ts'
import { stepsFor, straysOf, viewOf } from '../model/view.ts'
import { lastWords } from '../operation/failure-log.ts'
import type { Current, Ended, Work } from '../operation/operation.ts'
import { appendLast, OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { givenUp, holdBack, noteLost } from '../operation/pending-requests.ts'
import { REFUSES_FOR_NOW, settleRejection } from '../operation/rejection.ts'
import { sendStep } from '../operation/send.ts'
import type { Sending } from '../operation/send.ts'
import { awaitWorkflow, backAgain, createPace, isReadyWith, isTimeout, lastSeen, statusOf } from '../operation/wait.ts'
import { leftAloneBy } from '../plan/uncertain-fields.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'
import { changedSincePlanned, otherwiseThanPlanned } from './as-planned.ts'
import { create } from './create.ts'
import { afterFailing, refusedWhileMade, vanished } from './making-failures.ts'
import type { Making } from './making.ts'
import { uncertainFieldsOf, recordedOf, recordOf, reread, situationOf, makingSteps } from './making.ts'
import { blindAfter } from './take-over.ts'

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
    unready: false,
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
  await lookFirst(making)
  for (;;) {
    const step = nextStep(making, recordedOf(making), uncertainFieldsOf(making))
    if (!step && (await becameReady(making))) continue
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
    if (existing && (await isOtherwise(making))) continue
    if (step.creates) await create(making, step)
    else await advance(making, step)
  }
  await restart(making)
  return finish(making)
}

/** What may be in a bad state because of what is to be changed is not waited for before that; what never was ready and lacks nothing is. */
async function lookFirst(making: Making): Promise<void> {
  const { work, current, id } = making
  if (id === undefined || !current.kind.readable) return
  making.object = await lastSeen(work, current, id)
  if (!making.object) throw vanished(work, current, id)
  if (recordOf(making)?.status === 'ready' || !isPending(making)) return
  making.unready = isCorrected(making) || restartOf(making) !== undefined
  if (!making.unready) await reread(making)
}

/** Whether a request is missing that sets anew what a create of ours asked for: what comes after a create, or is to be changed on what is taken over, waits until that is ready. */
function isCorrected(making: Making): boolean {
  const record = recordOf(making)
  if (!record) return false
  return missingSteps(making, record.spec, uncertainFieldsOf(making)).some((one) =>
    [...Object.keys(one.sets), ...(one.clears ?? [])].some((field) => field in record.spec || record.uncertain.includes(field)),
  )
}

/** Whether what never was ready, and lacks nothing any more, was waited for: the last step may not show yet. What is to be restarted may become so by that alone. */
async function becameReady(making: Making): Promise<boolean> {
  const isAwaited = making.unready || recordOf(making)?.status === 'creating'
  if (!isAwaited || !isPending(making) || (making.unready && restartOf(making))) return false
  making.unready = false
  await reread(making)
  return true
}

function isPending({ work, current, object }: Making): boolean {
  return object !== undefined && statusOf(work, current, object) === 'pending'
}

/** Whether an object that was there before seemed to be otherwise than planned, and was read anew; throws where that lasts as long as reads may lag. */
async function isOtherwise(making: Making): Promise<boolean> {
  const { work, current } = making
  if (strangeIn(making).length === 0) return false
  const look = async (): Promise<readonly string[]> => {
    await reread(making)
    return strangeIn(making)
  }
  const found = await whileReadsLag(work.run, look, (one) => one.length === 0)
  if (found.length > 0) throw changedSincePlanned(work, current, found)
  return true
}

/** What of the object is otherwise than planned. */
function strangeIn(making: Making): readonly string[] {
  const { work, change, desired, object } = making
  const recorded = recordedOf(making)
  return object ? otherwiseThanPlanned(work, { change, object, steps: missingSteps(making, recorded, uncertainFieldsOf(making)), recorded, desired }) : []
}

/** The first request that is still missing, given what is recorded. */
function nextStep(making: Making, recorded: JsonObject, uncertainFields: UncertainFields): AnyStep | undefined {
  return missingSteps(making, recorded, uncertainFields)[0]
}

function missingSteps(making: Making, recorded: JsonObject, uncertainFields: UncertainFields): readonly AnyStep[] {
  const { work, current, desired, object, change } = making
  const imported = change.action === 'import' && recordOf(making) === undefined
  const situation = situationOf(making, recorded)
  const strays = object ? straysOf(situation, imported ? desired : recorded) : {}
  const facts = { desired, recorded, seen: sealedLike(object, [desired, recorded], work.digest)?.seen ?? {}, ...uncertainFields, strays, imported }
  return stepsFor(situation, desired, differences(current.kind, facts))
}

/** What a record still says of an object that is gone is forgotten, once its read has answered so. */
async function forgetGone(making: Making, id: string): Promise<void> {
  const { work, current } = making
  const object = current.kind.readable ? await lastSeen(work, current, id) : undefined
  if (!object) {
    await refuseOutOfSight(work, current, id)
    return work.ledger.append({ t: 'forget', address: current.address, id })
  }
  if (statusOf(work, current, object) === 'leaving') return
  throw backAgain(work, current, id)
}

/** One step on an object that is there; false when its kind has to be asked again. */
async function advance(making: Making, step: Sending): Promise<boolean> {
  const { work, current } = making
  const sent = await sendStep(work, current, making.id, step, [making.desired, recordedOf(making), making.object?.live])
  if (sent.is === 'rejected') {
    await settleRejection(work, current, step, sent, making, making.id).catch((error: unknown) => refused(making, sent.error, error))
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
  // Sent again while what it began may go on, it would begin anew: what is not known to have ended is waited for.
  if (end?.state === 'lost') making.unready = false
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

/** A request that was refused for good. What never was ready may be in the making still, and refuse it for that: then it is waited for, and asked once more. */
async function refused(making: Making, { status, fields }: ApiError, error: unknown): Promise<void> {
  const isFinal = !REFUSES_FOR_NOW.has(status) || fields.length > 0 || (error instanceof OperationError && error.exhausted)
  if (!making.unready || isFinal) return refusedWhileMade(making, status, error)
  making.unready = false
  making.conflictSinceMs = undefined
  await reread(making).catch((late: unknown) => {
    throw isTimeout(late) ? error : late
  })
}

function restartOf(making: Making): AnyStep | undefined {
  const { current, change } = making
  const step = current.kind.restart?.(viewOf(situationOf(making, recordedOf(making))))
  return step && change.steps.includes(step.name) ? step : undefined
}

/** The restart that the plan announced; sent again until it was carried out, since only then its triggers are recorded. */
async function restart(making: Making): Promise<void> {
  const step = restartOf(making)
  making.unready = false
  if (!step) return
  if (await holdBack(making, step)) {
    await reread(making)
    return restart(making)
  }
  const { work, change } = making
  const restarts = restartsOf(change.restart_on, { get: (address) => work.ledger.record(address) })
  while (!(await advance(making, { ...step, restarts })));
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
  const uncertainFields = withoutUncertain(uncertainFieldsOf(making), new Set([...gone, ...Object.keys(sets)]))
  const pace = createPace(work, current)
  const untilMs = graceEndMs(work)
  for (;;) {
    await reread(making)
    const next = nextStep(making, known, uncertainFields)?.name
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

/** Records an object whole to which all was done; what the plan left alone stays uncertain, unless it was sent. */
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
        hint: record ? afterFailing(work, current, id) : undefined,
      }),
    )
  }
  // What was sent twice may still arrive once more: nothing else may be asked of the object before that.
  if (making.repeated.length > 0) await holdBack(making, undefined)
  const before = recordOf(making)
  const spec = recordedAfter(current.kind, desired, before?.spec ?? {}, toJsonObject(makingSteps(making)[0]?.sets ?? {}))
  const resource: ResourceRecord = {
    address: current.address,
    kind: current.kind.name,
    id,
    workspace_id: current.workspaceId === '' ? null : current.workspaceId,
    status: 'ready',
    spec,
    outputs: recordedOutputs(current.kind, { ...before?.outputs, ...(object ? toJsonObject(current.kind.outputsOf(object.live)) : { id }) }, spec),
    depends_on: change.depends_on,
    protected: change.protected,
    on_remove: change.on_remove,
    deposed: before?.deposed ?? [],
    origins: originsIn(desired),
    ...uncertainAmong(before ?? { uncertain: [] }, making.leftAlone),
    ...blindAfter(change, { desired, object, before, kind: current.kind }),
    ...(before?.triggered ? { triggered: before.triggered } : {}),
    ...(change.restart_on.length > 0 ? { restarts: restartsOf(change.restart_on, { get: (address) => work.ledger.record(address) }) } : {}),
  }
  await appendLast(work, current, [...givenUp(making), { t: 'record', resource }])
  return { ok: true, id, deleting: false }
}
