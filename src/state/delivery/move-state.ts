// Moving a state to another place: its generations, the state and its journal, and then a mark in the old place that says where it went.
import { compareAddresses } from '../../base/address.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { encodeDocument, isUnreadable } from '../document.ts'
import { compact, fold } from '../fold.ts'
import { entriesText } from '../journal-file.ts'
import type { Entry, StateDocument, Written } from '../record.ts'
import { inClear } from '../sealing.ts'
import type { Lease, Loaded, StateStore } from '../store.ts'
import { moveNotDone } from './project-store.ts'

/** A place whose lock is held. */
export interface HeldPlace {
  readonly store: StateStore
  readonly lease: Lease
}

/** What stands in the new place. */
export interface Moved {
  readonly document: StateDocument
  /** An earlier run has done all of it. */
  readonly wasDone: boolean
  /** Generations that cannot be read: they stay behind. */
  readonly leftBehind: readonly number[]
}

/** The command that a move is known by. */
export const moveCommand = 'state migrate'

/** Whether a generation is no more than a step of a move: the mark that says where the state went, or what was brought before the last write of the same. */
export function isStepOfMove({ moved_to: to, moving, written }: StateDocument): boolean {
  return to !== undefined || (moving === true && written?.command === moveCommand)
}

/** Throws whatever forbids the move, so that nobody is asked for nothing: Failure 3 where there is nothing to move, 9 where the new place holds something else. */
export async function checkMove(from: HeldPlace, to: HeldPlace): Promise<void> {
  await stageOf(from, to)
}

/**
 * Moves it; both locks are held. Ended anywhere, it goes on when it is done again. The old place is marked once the new one holds everything, and nobody goes
 * on in the new one before that: an end in between, or a lock that was lost, would leave two states that both take a run.
 */
export async function moveState(from: HeldPlace, to: HeldPlace, written: Written): Promise<Moved> {
  const stage = await stageOf(from, to)
  if (stage.is === 'done') return { document: stage.document, wasDone: true, leftBehind: [] }
  const { document, entries, leftBehind } = stage.is === 'marked' ? { ...stage.there, leftBehind: [] } : await broughtOver(from, to, { ...stage, written })
  const { moving: _, ...rest } = document
  const next: StateDocument = { ...rest, serial: document.serial + 1, written }
  await to.lease.write(next, entries)
  return { document: next, wasDone: false, leftBehind }
}

/** How far a move has come. */
type Stage =
  | { readonly is: 'begun'; readonly source: Whole; readonly goal: StateDocument | undefined }
  /** The old place says where the state is, and nobody goes on there yet. */
  | { readonly is: 'marked'; readonly there: Whole }
  | { readonly is: 'done'; readonly document: StateDocument }

/** A state with its journal folded in, and what is still needed of that. */
interface Whole {
  readonly document: StateDocument
  readonly entries: readonly Entry[]
}

async function stageOf(from: HeldPlace, to: HeldPlace): Promise<Stage> {
  const [source, goal] = [await from.lease.read(), await to.lease.read()]
  const [mark, there] = [source.document, goal.document]
  if (mark?.moved_to === to.store.where && there?.lineage === mark.lineage && there.moved_to === undefined) {
    if (!there.moving) return { is: 'done', document: there }
    // Any other serial is of a later move, from a third place where the state may still be.
    if (there.serial === mark.serial) return { is: 'marked', there: wholeOf(there, goal.entries) }
  }
  return { is: 'begun', source: assertOurs(from, { source, goal }, to), goal: there }
}

/** Everything in the new place, where nobody goes on from it yet, and then the mark in the old one: what was written there has been read again. */
async function broughtOver(
  from: HeldPlace,
  to: HeldPlace,
  { source, goal, written }: { readonly source: Whole; readonly goal: StateDocument | undefined; readonly written: Written },
): Promise<Whole & Pick<Moved, 'leftBehind'>> {
  const { document, entries } = source
  const leftBehind = await copyHistory(from, to, { lineage: document.lineage, after: goal?.serial ?? 0, upTo: document.serial })
  const serial = Math.max(document.serial, goal?.serial ?? 0) + 1
  const waiting: StateDocument = { ...document, serial, written, moving: true }
  await to.lease.write(waiting, entries)
  const standing = await to.lease.read()
  if (!standing.document || encodeDocument(standing.document) !== encodeDocument(waiting) || journalText(standing.entries) !== journalText(entries)) {
    const detail = 'What is read there is not what was written. The old place was left as it is.'
    throw failure('state_damaged', `${to.store.where} did not keep the state`, { detail, hint: 'use another place' })
  }
  const mark: StateDocument = { ...document, serial, written, resources: [], outputs: {}, moved_to: to.store.where }
  // Refused where the lock of the old place was lost: another run has gone on there, and what was copied is old.
  await from.lease.write(mark, [])
  return { document: waiting, entries, leftBehind }
}

/** What is to be moved, with what an earlier run left in the journal alone; throws where there is nothing, and where the new place holds what this state did not bring there. */
function assertOurs(from: HeldPlace, { source, goal }: { readonly source: Loaded; readonly goal: Loaded }, to: HeldPlace): Whole {
  const { document } = source
  if (!document)
    throw failure('state_command', `there is nothing to move: ${from.store.where} is not there`, {
      hint: 'the first apply makes it where the project file says',
    })
  if (document.moved_to !== undefined)
    throw failure('state_moved', `${from.store.where} was moved to ${document.moved_to}`, { hint: 'use the project file that names that place' })
  if (document.moving) throw moveNotDone(from.store)
  const ours = wholeOf(document, source.entries)
  const there = goal.document
  if (!there && goal.entries.length === 0) return ours
  if (!there || there.lineage !== document.lineage) throw occupied(to, 'Another state lies there.')
  // A place that it once left, or one that an earlier move has not filled.
  if (there.moved_to !== undefined || there.moving) return ours
  if (isOurOwn(there, goal.entries, ours)) return ours
  throw occupied(to, `It holds this state with the serial ${there.serial}, and has gone on by itself.`)
}

function wholeOf(document: StateDocument, entries: readonly Entry[]): Whole {
  const { resources, outputs } = fold(document, entries)
  const sorted = [...resources.values()].toSorted((one, other) => compareAddresses(one.address, other.address))
  return { document: { ...document, resources: sorted, outputs }, entries: compact(entries) }
}

/** Whether an earlier move has put it there, of which the old place tells nothing: its mark went, as with a copy of it that was put back, and nobody has gone on in the new one. */
function isOurOwn(there: StateDocument, entries: readonly Entry[], { document, entries: own }: Whole): boolean {
  if (there.written?.command !== moveCommand || journalText(entries) !== journalText(own)) return false
  const { serial, written } = there
  return there.serial <= document.serial || encodeDocument(there) === encodeDocument({ ...document, serial, written })
}

/** Generations after a serial, oldest first: each is written as it was, which keeps it, and says that the move is not done. Gives those that stay behind. */
async function copyHistory(
  from: HeldPlace,
  to: HeldPlace,
  { lineage, after, upTo }: { readonly lineage: string; readonly after: number; readonly upTo: number },
): Promise<readonly number[]> {
  const leftBehind: number[] = []
  const serials = (await from.store.history()).filter((serial) => serial > after && serial <= upTo)
  for (const serial of serials.toReversed()) {
    const document = await readable(() => from.store.generation(serial))
    if (!document || document.lineage !== lineage) leftBehind.push(serial)
    else if (document.moved_to === undefined) await to.lease.write({ ...document, moving: true }, [])
  }
  return leftBehind
}

/** Undefined for what nobody can read who has these keys and this iac: a move that ended there would never be done. */
async function readable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

function journalText(entries: readonly Entry[]): string {
  return entriesText(entries, inClear, [])
}

function occupied({ store }: HeldPlace, detail: string): Failure {
  return failure('state_damaged', `${store.where} is not free for this state`, { detail: `${detail} Nothing was changed.`, hint: 'name another place for it' })
}
