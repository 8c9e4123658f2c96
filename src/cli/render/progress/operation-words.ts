// How an operation is called while it runs and when it has ended, as OpenTofu calls it.
import { formatDuration } from '../../../base/units.ts'
import type { Action } from '../../../engine/model/plan-data.ts'

export interface Words {
  readonly running: string // Creating
  readonly still: string // creating
  readonly noun: string // Creation
  /** The action as machine formats call it. */
  readonly action: string
}

const making: Words = { running: 'Creating', still: 'creating', noun: 'Creation', action: 'create' }
const modifying: Words = { running: 'Modifying', still: 'modifying', noun: 'Modifications', action: 'update' }
const destroying: Words = { running: 'Destroying', still: 'destroying', noun: 'Destruction', action: 'delete' }
const importing: Words = { running: 'Importing', still: 'importing', noun: 'Import', action: 'import' }
const forgetting: Words = { running: 'Removing from state', still: 'removing from state', noun: 'Removal from state', action: 'forget' }

/** The words for one task of a change. */
export function wordsFor(action: Action, task: 'make' | 'remove'): Words {
  if (action === 'forget') return forgetting
  if (task === 'remove') return destroying
  if (action === 'update' || action === 'no-op') return modifying
  return action === 'import' ? importing : making
}

/** Elapsed time in whole seconds: `9s`, `1m5s`, `2h3m4s`. */
export function elapsedText(ms: number): string {
  return formatDuration(Math.max(0, Math.floor(ms / 1000) * 1000))
}
