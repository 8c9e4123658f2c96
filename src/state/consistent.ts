// Whether a document and the journal beside it tell of one state, and of the newest of it.
import { damaged } from './document.ts'
import type { Entry, StateDocument } from './record.ts'

/** Throws Failure 9 where document and entries are of different states, or the document is older than a run that already saw a newer one. */
export function checkConsistent(document: StateDocument | undefined, entries: readonly Entry[], where: string): void {
  const lineage = document?.lineage ?? lineageOf(entries)
  for (const entry of entries) {
    if (entry.t !== 'begin') continue
    if (entry.lineage !== lineage) throw damaged(where, `The state has the lineage ${lineage}, its journal ${entry.lineage}: they belong to different states.`)
    if (entry.serial > (document?.serial ?? 0)) {
      throw damaged(where, `The state has the serial ${document?.serial ?? 'of none'}, a run has seen ${entry.serial}: an older state was put in its place.`)
    }
  }
}

/** Of which state a journal tells; undefined where no run has begun in it. */
export function lineageOf(entries: readonly Entry[]): string | undefined {
  return entries.find((one) => one.t === 'begin')?.lineage
}
