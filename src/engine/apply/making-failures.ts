// How the making of an object fails for good, in words.
import { diagnostic } from '../../base/diagnostic.ts'
import { importCommand } from '../model/import-command.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
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
