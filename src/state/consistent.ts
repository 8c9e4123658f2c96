// Whether a document and the journal beside it tell of one state, and of the newest of it.
import type { Failure } from '../base/diagnostic.ts'
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

/** The failure of a state whose journal went, although every state is written with one: it may have held what a run that was interrupted has made. `sign` says that it was there. */
export function missingJournal(where: string, sign: string): Failure {
  return damaged(
    where,
    `It is missing, although ${sign} says that the state was written, which never is without one. It is not taken for an empty one.`,
    'put it back beside the state; where it is lost, `iac state restore` goes on without it, and `iac import` takes over what a run that was interrupted has made',
  )
}
