// Creates that an earlier run began: what is left of them are changes to an object that never was ready.
import type { Action, Change } from './plan-data.ts'

/** Whether a change goes on with a create. */
export function isResumedCreate({ action, reason }: Pick<Change, 'action' | 'reason'>): boolean {
  return action === 'update' && reason === 'resumed'
}

/** What people are told that a change does: one that goes on with a create creates. */
export function toldAction(change: Pick<Change, 'action' | 'reason'>): Action {
  return isResumedCreate(change) ? 'create' : change.action
}
