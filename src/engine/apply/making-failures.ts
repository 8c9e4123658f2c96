// How the making of an object fails for good, in words.
import { diagnostic } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import { importCommand } from '../model/import-command.ts'
import type { LiveObject } from '../model/live.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import type { Conflicts } from '../operation/rejection.ts'
import { orLag } from '../operation/wait.ts'

/** The object went while it was worked on. */
export function vanished(work: Work, current: Current, id: string): OperationError {
  const { address } = current
  const hint = `the next plan makes it anew${orLag(work.run)}`
  return new OperationError(diagnostic('changed_elsewhere', `${address}: its object ${id} is gone`, { address, hint }))
}

/** Answered as made, and in no read for as long as reads may lag: it is gone again, or they lag for longer and it is there. */
export function unseen(work: Work, current: Current, id: string): OperationError {
  const { address } = current
  const text = `${address}: its creation was accepted, and no read showed object ${id} within ${work.run.compat.read_grace}`
  const hint = `the next run creates it anew, unless object ${id} is there by then and is taken over (${importCommand(work.run, address, id)})${orLag(work.run)}`
  return new OperationError(diagnostic('operation_failed', text, { address, hint }))
}

/** Lost twice: its intent stays open, and the next run settles it. */
export function lostTwice({ address }: Current, why: string): OperationError {
  return new OperationError(diagnostic('operation_unknown', `${address}: the outcome of its create was lost twice (${why})`, { address }), { inFlight: true })
}

/** Its creation ended badly twice. */
export function fellTwice({ address }: Current): OperationError {
  const text = `${address}: its creation failed twice, and nothing was left`
  return new OperationError(diagnostic('operation_failed', text, { address, hint: 'the next run creates it anew' }))
}

/** What becomes of an object that was recorded as failed. */
export function afterFailing(work: Work, current: Current, id: string): string {
  return isInFront(work, current, id) ? 'the next plan replaces it' : 'the old object stands in its place, and the next plan deletes the new one'
}

/** Whether no old half stands in the place of an object that failed. */
function isInFront(work: Work, { address }: Current, id: string): boolean {
  return work.ledger.record(address)?.id === id
}

/** The making of an object, as far as a refusal in the middle of it is concerned. */
interface InTheMaking extends Conflicts {
  readonly work: Work
  readonly current: Current
  readonly object: LiveObject | undefined
}

/**
 * Throws the error of a step that was refused for good. Where neither its workflow nor anything that is read told whether the creation went well, and nothing
 * was seen in the way, it may have failed unseen: recorded so, the object is replaced, in place of being refused in every run to come.
 */
export async function refusedWhileMade(making: InTheMaking, status: number, error: unknown): Promise<never> {
  const { work, current, object, wasShown, isEndUnknown } = making
  const record = work.ledger.record(current.address)
  const isHidden = object !== undefined && current.kind.showsReady?.(object.live) === false
  const isDoubtful = isEndUnknown === true && wasShown !== true && isHidden
  if (!(error instanceof OperationError) || status !== 409 || !isDoubtful || record?.status !== 'creating' || record.id !== object.id) throw error
  await work.ledger.append({ t: 'record', resource: { ...record, status: 'failed' } })
  const { address } = current
  const unless = isInFront(work, current, object.id) ? `, unless \`iac state ready ${shellWord(address)}\` says that it is usable` : ''
  const hint = `its creation may have failed unseen: ${afterFailing(work, current, object.id)}${unless}`
  throw new OperationError({ ...error.diagnostic, hint })
}
