// Moving a state to another place: its generations, the state and its journal, and then a mark in the old place that says where it went.
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { encodeDocument, isDamage } from '../document.ts'
import { entriesText } from '../journal-file.ts'
import type { StateDocument, Written } from '../record.ts'
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
  if (!isMoved(source, goal, to)) await assertOurs(from, { source, goal }, to)
}

/** Moves it; both locks are held. Ended anywhere, it goes on when it is done again: the old place is marked once the new one holds everything. */
export async function moveState(from: HeldPlace, to: HeldPlace, written: Written): Promise<Moved> {
  const [source, goal] = [await from.lease.read(), await to.lease.read()]
  if (isMoved(source, goal, to)) return { document: goal.document, wasDone: true, leftBehind: [] }
  const document = await assertOurs(from, { source, goal }, to)
  const leftBehind = await copyHistory(from, to, { after: goal.document?.serial ?? 0, upTo: document.serial })
  const serial = Math.max(document.serial, goal.document?.serial ?? 0) + 1
  const next: StateDocument = { ...document, serial, written, moved_to: undefined }
  await to.lease.write(next, source.entries)
  const standing = await to.lease.read()
  if (!standing.document || !isSame({ ...standing, document: standing.document }, { document: next, entries: source.entries })) {
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

/** What is to be moved; throws where there is nothing, and where the new place holds what this state did not bring there. */
async function assertOurs(from: HeldPlace, { source, goal }: { readonly source: Loaded; readonly goal: Loaded }, to: HeldPlace): Promise<StateDocument> {
  const { document } = source
  if (!document) throw failure('state_command', `there is no state at ${from.store.where}`, { hint: 'the first apply makes it where the project file says' })
  if (document.moved_to !== undefined)
    throw failure('state_moved', `${from.store.where} was moved to ${document.moved_to}`, { hint: 'use the project file that names that place' })
  const there = goal.document
  if (!there && goal.entries.length === 0) return document
  if (!there || there.lineage !== document.lineage) throw occupied(to, 'Another state lies there.')
  // A place that it once left, or one that an earlier move has not finished with.
  if (there.moved_to !== undefined || there.written?.command === moveCommand) return document
  const own = await generationOf(from, there.serial)
  if (own && encodeDocument(own) === encodeDocument(there)) return document
  throw occupied(to, `It holds this state with the serial ${there.serial}, and has gone on by itself.`)
}

/** Generations after a serial, oldest first: each is written as it was, which keeps it. */
async function copyHistory(from: HeldPlace, to: HeldPlace, { after, upTo }: { readonly after: number; readonly upTo: number }): Promise<readonly number[]> {
  const leftBehind: number[] = []
  const serials = (await from.store.history()).filter((serial) => serial > after && serial <= upTo)
  for (const serial of serials.toReversed()) {
    const document = await generationOf(from, serial)
    if (document) await to.lease.write(document, [])
    else leftBehind.push(serial)
  }
  return leftBehind
}

/** Undefined for one that is damaged, of another state, or not kept. */
async function generationOf({ store, lease }: HeldPlace, serial: number): Promise<StateDocument | undefined> {
  if (!(await store.history()).includes(serial)) return undefined
  try {
    const [document, present] = [await store.generation(serial), await lease.read()]
    return document.lineage === present.document?.lineage && document.moved_to === undefined ? document : undefined
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** What is recorded somewhere. */
type Whole = Pick<Loaded, 'entries'> & { readonly document: StateDocument }

function isSame(one: Whole, other: Whole): boolean {
  return encodeDocument(one.document) === encodeDocument(other.document) && journalText(one) === journalText(other)
}

function journalText({ entries }: Whole): string {
  return entriesText(entries, inClear, [])
}

function occupied({ store }: HeldPlace, detail: string): Failure {
  return failure('state_damaged', `${store.where} is not free for this state`, { detail: `${detail} Nothing was changed.`, hint: 'name another place for it' })
}
