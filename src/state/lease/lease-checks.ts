// What every lease refuses alike, and how much of the past it keeps.
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import type { StateDocument } from '../record.ts'

/** How many generations stay in the history. */
export const keptGenerations = 20

/** Throws Failure 9 for a document that is not newer than the serial that was there, or of another lineage; undefined where that is not known. */
export function checkFits(document: StateDocument, serial: number, lineage: string | undefined, where: string): void {
  if (document.serial <= serial)
    throw failure('state_damaged', `${where}: the serial ${document.serial} is not newer than ${serial}`, { detail: 'Nothing was written.' })
  if (lineage === undefined || lineage === document.lineage) return
  throw failure('state_damaged', `${where}: the lineage ${document.lineage} is not ${lineage}`, { detail: 'Nothing was written: this is another state.' })
}

/** The failure of a holder whose lock is another's by now, exit code 7. */
export function lockLost(where: string): Failure {
  const detail = 'Another run has taken it over, or it was broken. What this run has recorded before is kept.'
  return failure('locked', `the lock of ${where} was lost`, { detail, hint: 'run again' })
}
