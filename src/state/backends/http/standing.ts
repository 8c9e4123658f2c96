// State, journal and what else tells of them, as they stand on the server at one instant.
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { checkConsistent } from '../../consistent.ts'
import { damaged, decodeDocument } from '../../document.ts'
import { entriesOf } from '../../journal-file.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { SealedPlace } from '../../sealing.ts'
import type { Loaded } from '../../store.ts'
import { textDigest } from './wire-document.ts'
import type { Lines, WireDocument } from './wire-document.ts'
import type { WirePlaces } from './wire-place.ts'

/** What stands there, not looked into yet; in one place both are the same. */
export interface Standing {
  readonly state: WireDocument | undefined
  readonly journal: WireDocument | undefined
}

/** What it says: `lines` are those that belong to the document. */
export interface Snapshot extends Loaded {
  readonly lines: Lines
}

/** What of the places tells how texts are kept, and how messages name them. */
type Kept = Pick<WirePlaces, 'where' | 'sealing'>

/** The lines of a journal that nothing stands in. */
export const noLines: Lines = { serial: 0, document: '', lines: [] }
const attempts = 20
const againMs = 50

/** Reads everything; again, where somebody wrote meanwhile. */
export async function readStanding({ state, journal, isOne, where }: WirePlaces, clock: Clock): Promise<Standing> {
  if (isOne) {
    const both = await state.get()
    return { state: both, journal: both }
  }
  let before = await journal.get()
  for (let left = attempts; left > 0; left -= 1) {
    const found = await state.get()
    // A state is announced in its journal before it is written: with the same journal before and after, both fit.
    const after = await journal.get()
    if (before?.stamp === after?.stamp) return { state: found, journal: after }
    before = after
    await clock.sleep(againMs)
  }
  throw failure('state_unreachable', `${where} was written again and again while it was read`, { hint: 'run again later' })
}

/** A digest of all that is looked into; signs of life are not among it. */
export function stampOf({ state, journal }: Standing): string {
  const told = [state, journal].map((one) => one && [one.state, one.journal, one.history, one.lock?.serial ?? null, one.problem ?? null])
  return textDigest(JSON.stringify(told))
}

/** What stands there in words of its own; Failure 9 where it does not fit itself, or is older than history or journal tell of. */
export function understood({ state, journal }: Standing, { where, sealing }: Kept): Snapshot {
  const problem = state?.problem ?? journal?.problem
  if (problem !== undefined) throw damaged(where, problem)
  const text = state?.state ?? null
  checkTogether({ state, journal }, where)
  const document = text === null ? undefined : decodeDocument(text, where, { sealing })
  checkNewest(document, newestSerial({ state, journal }), where)
  const lines = linesOf(journal, document?.serial ?? 0, textDigest(text), where)
  const entries = entriesIn(lines, { where, sealing })
  checkConsistent(document, entries, where)
  return { document, entries, torn: false, lines }
}

/** Whether a state and its journal stand where the settings look for them. */
function checkTogether({ state, journal }: Standing, where: string): void {
  if (!state || state.state === null) return
  if (state !== journal && state.journal)
    throw damaged(
      where,
      'Its journal stands in it, not at journal_address.',
      'leave journal_address out, or move the state by `iac state migrate` to another address that has one',
    )
  if (!journal?.journal) throw damaged(where, 'Its journal is missing.', 'set journal_address if it stands there; else `iac state restore` goes on without it')
}

/** The newest serial of the state that anything but the state itself tells of. */
export function newestSerial({ state, journal }: Standing): number {
  return Math.max(journal?.journal?.serial ?? 0, journal?.lock?.serial ?? 0, state?.history?.serials[0] ?? 0)
}

/** The entries of a journal; Failure 9 for what is none. */
export function entriesIn(all: Lines, { where, sealing }: Kept): readonly Entry[] {
  return all.lines.flatMap((line, at) => entriesOf(line, `the journal of ${where}`, sealing, linePlace(all, at)))
}

/** What a line is bound to where it is encrypted. */
export function linePlace({ serial, document }: Pick<Lines, 'serial' | 'document'>, at: number): SealedPlace {
  return ['journal', serial, document, at]
}

/** Those of the journal that follow a document: what is to stay once it stands there, or all. */
function linesOf(wire: WireDocument | undefined, serial: number, digest: string, where: string): Lines {
  const journal = wire?.journal
  if (!journal) return { ...noLines, serial, document: digest }
  const own = [journal, journal.next].find((one) => one?.serial === serial && one.document === digest)
  if (!own) throw damaged(where, `It has the serial ${serial}, its journal follows ${journal.serial}: another state was put in its place.`)
  const { lines } = own
  return { serial, document: digest, lines }
}

function checkNewest(document: StateDocument | undefined, newest: number, where: string): void {
  if (newest <= (document?.serial ?? 0)) return
  if (!document) throw damaged(where, `It is missing, although history or journal say that there was serial ${newest}. It is not taken for an empty one.`)
  throw damaged(where, `Its serial is ${document.serial}, although there was ${newest}: an older state was put in its place.`)
}
