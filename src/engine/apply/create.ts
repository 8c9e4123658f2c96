// The request that makes an object: sent once, found again where its answer was lost, made anew where what it made cannot be used.
import { diagnostic } from '../../base/diagnostic.ts'
import { deliveryOf } from '../../kinds/definition/delivery.ts'
import type { Intent } from '../../state/record.ts'
import type { AnyStep } from '../model/view.ts'
import { lastWords } from '../operation/failure-log.ts'
import { checkFiles } from '../operation/hand-over.ts'
import { OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { failOnOtherSingleton, settleRejection } from '../operation/rejection.ts'
import type { Sent } from '../operation/send.ts'
import { sendStep } from '../operation/send.ts'
import type { WorkflowEnd } from '../operation/wait.ts'
import { appeared, awaitWorkflow, isUnusable, lastSeen } from '../operation/wait.ts'
import { adoptLeftBehind, endOfBegun, idOfAccepted, settleUnknown } from '../recover/adopt.ts'
import { closeUnread, settleUnread, takeRefused } from '../recover/unread-creates.ts'
import { afterFailing, fellTwice, lostTwice, unseen } from './making-failures.ts'
import type { Making } from './making.ts'
import { makingSteps } from './making.ts'
import { remove } from './remove.ts'

/** Sends the request that makes the object, or finds what an earlier one made, and looks at it until it shows. */
export async function create(making: Making, step: AnyStep): Promise<void> {
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
    await refuseOutOfSight(work, current, id)
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
      hint: id === undefined ? undefined : afterFailing(work, current, id),
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
    if (!current.kind.readable) await closeUnread(work, intent)
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
