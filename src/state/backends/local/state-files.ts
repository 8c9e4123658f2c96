// The files of one local state: where they stand, and one reading of state and journal that fit each other.
import { hash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { Failure, failure } from '../../../base/diagnostic.ts'
import { codeOf } from '../../../base/files/own-files.ts'
import { checkConsistent, missingJournal } from '../../consistent.ts'
import { damaged, decodeDocument, longestKept } from '../../document.ts'
import { decodeJournal } from '../../journal-file.ts'
import type { JournalFile } from '../../journal-file.ts'
import type { StateDocument } from '../../record.ts'
import type { Sealing } from '../../sealing.ts'
import type { Loaded } from '../../store.ts'
import { pathOf } from './file-system.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

/** The paths beside PATH, the state file itself, and how what stands there is kept. */
export interface StatePaths {
  readonly sealing: Sealing
  readonly state: string
  readonly folder: string
  readonly journal: string
  readonly lock: string
  readonly history: string
}

/** State and journal as they stand; `journal` is the one that belongs to the document. */
export interface Snapshot {
  readonly document: StateDocument | undefined
  readonly journal: JournalFile | undefined
}

/** The longest journal read: as long as files can be read at once, since the one of a large first apply holds each spec twice. */
const maxJournalBytes = 2 ** 31 - 1
const attempts = 12
const retryMs = 20

/** Where the files of the state at `path` stand. */
export function statePaths(path: string, sealing: Sealing): StatePaths {
  return Object.freeze({ sealing, state: path, folder: dirname(path), journal: `${path}.journal`, lock: `${path}.lock`, history: `${path}.history` })
}

/** The journal that goes with a document of this serial, until it takes its place. */
export function nextJournal(paths: StatePaths, serial: number): string {
  return `${paths.journal}.${serial}`
}

/** Reads state and journal. With a `clock` a writer may be at work, so what does not fit is read again; without one it is damage. */
export async function readSnapshot(fileSystem: FileSystem, paths: StatePaths, clock?: Clock): Promise<Snapshot> {
  for (let left = attempts; ; left -= 1) {
    const snapshot = await readOnce(fileSystem, paths)
    const settled = typeof snapshot !== 'string' && !snapshot.journal?.torn
    if (settled || !clock || left === 0) {
      if (typeof snapshot === 'string') throw damaged(paths.state, snapshot)
      return snapshot
    }
    await clock.sleep(retryMs)
  }
}

/** Reads state, then journal: gives what is wrong where they are of different serials. */
async function readOnce(fileSystem: FileSystem, paths: StatePaths): Promise<Snapshot | string> {
  const state = await readWithin(fileSystem, paths.state, longestKept(paths.sealing))
  const document = state && decodeDocument(state, paths.state, { sealing: paths.sealing })
  const serial = document?.serial ?? 0
  const journal = await readJournal(fileSystem, paths.journal, paths.sealing)
  if (journal?.header.serial === serial) return { document, journal }
  // After a crash, or for an instant, the journal of this serial stands under the name that it is renamed from.
  const next = document && (await readJournal(fileSystem, nextJournal(paths, serial), paths.sealing))
  if (next?.header.serial === serial) return { document, journal: next }
  if (!document && journal) return `The file is missing, although ${basename(paths.journal)} says that a state existed. It is not taken for an empty one.`
  if (journal) return `Its serial is ${serial}, that of ${basename(paths.journal)} is ${journal.header.serial}.`
  // Between the two looks a journal may have taken its place.
  if (await fileSystem.look(paths.journal)) return `${basename(paths.journal)} does not fit it.`
  return { document, journal: undefined }
}

/** A journal, undefined where there is none. */
export async function readJournal(fileSystem: FileSystem, path: string, sealing: Sealing): Promise<JournalFile | undefined> {
  const bytes = await readWithin(fileSystem, path, maxJournalBytes)
  return bytes && decodeJournal(bytes, path, sealing)
}

/** What tells of a state besides its file: the newest serial in the history, and the one that the lock was last given back with; 0 for none. */
export interface Signs {
  readonly history: number
  readonly lock: number
}

/** The signs as they stand. Who holds no lock looks before reading the state, since a writer may go on meanwhile. */
export async function signsOf(fileSystem: FileSystem, paths: StatePaths, lock: number): Promise<Signs> {
  const [history = 0] = await generations(fileSystem, paths)
  return { history, lock }
}

/** A digest of the bytes of everything that a reading of the state looks at. */
export async function stampOf(fileSystem: FileSystem, paths: StatePaths, lock: number): Promise<string> {
  const signs = await signsOf(fileSystem, paths, lock)
  const beside = basename(paths.journal)
  const journals = (await fileSystem.list(paths.folder)).filter((name) => name.startsWith(beside)).toSorted()
  const digests: (string | undefined)[] = []
  for (const path of [paths.state, ...journals.map((name) => join(paths.folder, name))]) {
    const bytes = await fileSystem.read(path, maxJournalBytes)
    digests.push(bytes && hash('sha256', bytes))
  }
  return hash('sha256', JSON.stringify([signs, journals, digests]))
}

/** Checks a snapshot against every sign of what was there before; throws Failure 9 where it is missing, older, or of another state. */
export function loadedFrom(paths: StatePaths, { document, journal }: Snapshot, signs: Signs): Loaded {
  const entries = journal?.entries ?? []
  const newest = Math.max(signs.history, signs.lock)
  const sign = signs.history === newest ? `${basename(paths.history)}/${newest}` : basename(paths.lock)
  if (newest > (document?.serial ?? 0)) {
    if (!document) throw damaged(paths.state, `The file is missing, although ${sign} says that a state existed. It is not taken for an empty one.`)
    throw damaged(paths.state, `Its serial is ${document.serial}, although ${sign} says that there was ${newest}: an older state was put in its place.`)
  }
  if (document && !journal && newest === document.serial) throw missingJournal(paths.journal, sign)
  if (document && journal && journal.header.lineage !== document.lineage) {
    throw damaged(paths.journal, `Its lineage is ${journal.header.lineage}, that of the state ${document.lineage}: they belong to different states.`)
  }
  checkConsistent(document, entries, paths.state)
  return { document, entries, torn: journal?.torn ?? false }
}

/** A file written as a whole, durable, under a new name in its folder; the caller gives it its place by a rename. */
export async function writeWhole(fileSystem: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = await fileSystem.create(path)
  try {
    await file.write(bytes)
    await file.sync()
  } catch (error) {
    await closeAndRemove(fileSystem, file, path)
    throw error
  }
  await file.close()
}

async function closeAndRemove(fileSystem: FileSystem, file: OpenFile, path: string): Promise<void> {
  try {
    await file.close()
    await fileSystem.remove(path)
  } catch {
    // The next run removes it; the first error is the one to tell.
  }
}

/** Serials of the generations kept, newest first. */
export async function generations(fileSystem: FileSystem, paths: StatePaths): Promise<readonly number[]> {
  const names = await fileSystem.list(paths.history)
  return names
    .filter((name) => /^[1-9][0-9]{0,15}$/.test(name))
    .map(Number)
    .toSorted((a, b) => b - a)
}

/** Where a generation stands. */
export function generationPath(paths: StatePaths, serial: number): string {
  return join(paths.history, String(serial))
}

/** The bytes of a file, damaged or not; undefined where nothing is. */
export async function rawBytes(fileSystem: FileSystem, path: string, sealing: Sealing): Promise<Uint8Array | undefined> {
  return readWithin(fileSystem, path, longestKept(sealing))
}

/** A file's bytes; Failure 9 for one that is longer than any that was written. */
async function readWithin(fileSystem: FileSystem, path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    return await fileSystem.read(path, maxBytes)
  } catch (error) {
    if (codeOf(error) !== 'EFBIG') throw error
    throw damaged(path, `It is longer than ${Math.ceil(maxBytes / 2 ** 20)} MiB: nothing as long was ever written.`)
  }
}

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reports an error',
  ENOENT: 'a folder or file on the way is missing',
  ENOTDIR: 'something on the way is no folder',
  ENOTREG: 'something else than a regular file is in its place',
  EISDIR: 'a folder is in its place',
  ELOOP: 'a symbolic link is in its place',
  ENXIO: 'something else than a regular file is in its place',
  EFBIG: 'the file is too large',
  ENAMETOOLONG: 'the name is too long',
}

/** What is wrong with a file, and not with the disk. */
const ofOneFile: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'ENOTREG', 'EISDIR', 'ELOOP', 'ENXIO', 'EFBIG', 'ENAMETOOLONG'])

/** The file that an error is about; one that is only written to take another's place is not named. */
function named(error: unknown): string | undefined {
  const path = ofOneFile.has(codeOf(error)) ? pathOf(error) : undefined
  return path === undefined || /\.tmp$|\.own-[0-9a-f]+$/.test(path) ? undefined : path
}

/** Runs work on the files and turns the disk's errors into Failure 1, which names the file that the system names, or `where`. */
export async function onDisk<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw ofDisk(where, error)
  }
}

/** What was thrown: of the disk as that Failure 1, all else as it is. */
export function ofDisk(where: string, error: unknown): unknown {
  const code = codeOf(error)
  if (error instanceof Failure || code === undefined) return error
  return failure('state_io', `${named(error) ?? where}: ${meanings[code] ?? 'the disk refuses'}`, { detail: `The system says ${code}.` })
}
