// Moving a state to another place: its generations, the state and its journal, and then a mark in the old place that says where it went.
import { compareAddresses } from '../../base/address.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { encodeDocument, isDamage } from '../document.ts'
import { compact, fold } from '../fold.ts'
import { entriesText } from '../journal-file.ts'
import type { Entry, StateDocument, Written } from '../record.ts'
import { inClear } from '../sealing.ts'
import type { Lease, Loaded, StateStore } from '../store.ts'

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

/** Throws whatever forbids the move, so that nobody is asked for nothing: Failure 3 where there is nothing to move, 9 where the new place holds something else. */
export async function checkMove(from: HeldPlace, to: HeldPlace): Promise<void> {
  const [source, goal] = [await from.lease.read(), await to.lease.read()]
  if (!isMoved(source, goal, to)) assertOurs(from, { source, goal }, to)
}

/** Moves it; both locks are held. Ended anywhere, it goes on when it is done again: the old place is marked once the new one holds everything. */
export async function moveState(from: HeldPlace, to: HeldPlace, written: Written): Promise<Moved> {
  const [source, goal] = [await from.lease.read(), await to.lease.read()]
  if (isMoved(source, goal, to)) return { document: goal.document, wasDone: true, leftBehind: [] }
  const { document, entries } = assertOurs(from, { source, goal }, to)
  const leftBehind = await copyHistory(from, to, { lineage: document.lineage, after: goal.document?.serial ?? 0, upTo: document.serial })
  const serial = Math.max(document.serial, goal.document?.serial ?? 0) + 1
  const next: StateDocument = { ...document, serial, written }
  await to.lease.write(next, entries)
  const standing = await to.lease.read()
  if (!standing.document || encodeDocument(standing.document) !== encodeDocument(next) || journalText(standing.entries) !== journalText(entries)) {
    const detail = 'What is read there is not what was written. The old place was left as it is.'
    throw failure('state_damaged', `${to.store.where} did not keep the state`, { detail, hint: 'use another place' })
  }
  const mark: StateDocument = { ...document, serial: document.serial + 1, written, resources: [], outputs: {}, moved_to: to.store.where }
  await from.lease.write(mark, [])
  return { document: next, wasDone: false, leftBehind }
}

/** Whether the old place says already that the state is in the new one, which holds it. */
function isMoved(source: Loaded, goal: Loaded, { store }: HeldPlace): goal is Loaded & { readonly document: StateDocument } {
  const { document } = source
  return document?.moved_to === store.where && goal.document?.lineage === document.lineage && goal.document.moved_to === undefined
}

/** What is to be moved, with what an earlier run left in the journal alone; throws where there is nothing, and where the new place holds what this state did not bring there. */
function assertOurs(from: HeldPlace, { source, goal }: { readonly source: Loaded; readonly goal: Loaded }, to: HeldPlace): Moving {
  const { document } = source
  if (!document)
    throw failure('state_command', `there is nothing to move: ${from.store.where} is not there`, {
      hint: 'the first apply makes it where the project file says',
    })
  if (document.moved_to !== undefined)
    throw failure('state_moved', `${from.store.where} was moved to ${document.moved_to}`, { hint: 'use the project file that names that place' })
  const folded = fold(document, source.entries)
  const resources = [...folded.resources.values()].toSorted((one, other) => compareAddresses(one.address, other.address))
  const moving: Moving = { document: { ...document, resources, outputs: folded.outputs }, entries: compact(source.entries) }
  const there = goal.document
  if (!there && goal.entries.length === 0) return moving
  if (!there || there.lineage !== document.lineage) throw occupied(to, 'Another state lies there.')
  // A place that it once left, or one that an earlier move has not filled.
  if (there.moved_to !== undefined || there.moving) return moving
  if (isOurOwn(there, goal.entries, moving)) return moving
  throw occupied(to, `It holds this state with the serial ${there.serial}, and has gone on by itself.`)
}

/** Whether an earlier move, which did not come to the mark, has put it there, and nobody has gone on from it. */
function isOurOwn(there: StateDocument, entries: readonly Entry[], moving: Moving): boolean {
  if (there.written?.command !== moveCommand || journalText(entries) !== journalText(moving.entries)) return false
  const { serial, written } = there
  return there.serial <= moving.document.serial || encodeDocument(there) === encodeDocument({ ...moving.document, serial, written })
}

interface Moving {
  readonly document: StateDocument
  readonly entries: readonly Entry[]
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

/** Undefined for what is damaged. */
async function readable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

function journalText(entries: readonly Entry[]): string {
  return entriesText(entries, inClear, [])
}

function occupied({ store }: HeldPlace, detail: string): Failure {
  return failure('state_damaged', `${store.where} is not free for this state`, { detail: `${detail} Nothing was changed.`, hint: 'name another place for it' })
}
