// Writing a local state under its lock: group commit of the journal, and an order of writes that no crash can break.
import { basename, join } from 'node:path'
import { Failure, failure } from '../../../base/diagnostic.ts'
import { codeOf } from '../../../base/files/own-files.ts'
import { isDamage, resealedDocument, sealDocument } from '../../document.ts'
import { encodeEntries, encodeJournal, entriesPerLine } from '../../journal-file.ts'
import type { JournalFile, JournalHeader } from '../../journal-file.ts'
import { firstRead } from '../../lease/first-read.ts'
import type { FirstRead } from '../../lease/first-read.ts'
import { groupCommit } from '../../lease/group-commit.ts'
import { checkFits, keptGenerations, lockLost, stateGone, stateReplaced } from '../../lease/lease-checks.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Lease, Loaded } from '../../store.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import type { HeldLock } from './lock-file.ts'
import { isOlder } from './older-files.ts'
import { generationPath, generations, loadedFrom, nextJournal, onDisk, rawBytes, readJournal, readSnapshot, signsOf, writeWhole } from './state-files.ts'
import type { Snapshot, StatePaths } from './state-files.ts'

/** A lock just taken, and the files it is for. */
export interface LeaseParts {
  readonly fileSystem: FileSystem
  readonly paths: StatePaths
  readonly lock: HeldLock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
}

interface Writing extends LeaseParts {
  serial: number
  lineage: string | undefined
  /** Set where the state read as damaged: only a write, which puts another in its place, is possible. */
  damage: Failure | undefined
  first: FirstRead
  torn: boolean
  /** After an append or a sync that failed this lease appends nothing more; `final` where names cannot be trusted, either. */
  failed: { readonly error: unknown; readonly final: boolean } | undefined
  /** The journal open at its end; undefined where it is not there yet or must be written anew. */
  file: OpenFile | undefined
  chain: string
  /** How many entries of the journal are known to stand there, or to have stood there when the lock was last seen to be ours. */
  kept: number
}

/** Prepares the files under a lock just taken: removes leftovers, finishes a write that was cut off, writes the journal anew so that a former holder writes into nothing. */
export async function openLease(parts: LeaseParts): Promise<Lease> {
  const fileSystem = failingForGood(parts.fileSystem, (error, final) => {
    writing.failed = { error, final: final || writing.failed?.final === true }
  })
  const writing: Writing = {
    ...parts,
    fileSystem,
    serial: 0,
    lineage: undefined,
    damage: undefined,
    first: firstRead(undefined, () => read(writing)),
    torn: false,
    failed: undefined,
    file: undefined,
    chain: '',
    kept: 0,
  }
  await removeLeftovers(writing)
  try {
    await settle(writing)
    await restrictModes(writing)
  } catch (error) {
    await closeFile(writing).catch(() => undefined)
    throw error
  }
  return leaseOf(writing)
}

function leaseOf(writing: Writing): Lease {
  const { lock, paths } = writing
  const commits = groupCommit(paths.state, (entries) => onDisk(paths.state, () => flush(writing, entries)))
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    return commits.inOrder(() => onDisk(paths.state, work))
  }
  async function release(): Promise<string | undefined> {
    try {
      await commits.end(() => onDisk(paths.state, () => closeFile(writing)))
      // Where the folder could not be synced, the older state may be the one that stays.
      await lock.release(writing.failed?.final ? lock.serialBefore : writing.serial)
      return undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error'
      return `the lock of ${paths.state} could not be given back (${reason}); the next run on this machine takes it over`
    }
  }
  return Object.freeze({
    read: () => inOrder(writing.first.read),
    valid: () => !commits.isOver() && lock.valid() && writing.failed === undefined && writing.damage === undefined,
    append: commits.append,
    serial: () => writing.serial,
    write: (document: StateDocument, keep: readonly Entry[]) => inOrder(() => replace(writing, document, keep)),
    resealHistory: () => inOrder(() => resealHistory(writing)),
    release,
  })
}

async function read(writing: Writing): Promise<Loaded> {
  const { fileSystem, paths, lock } = writing
  const loaded = loadedFrom(paths, await readSnapshot(fileSystem, paths), await signsOf(fileSystem, paths, lock.serialBefore))
  return { ...loaded, torn: writing.torn || loaded.torn }
}

async function settle(writing: Writing): Promise<void> {
  const { fileSystem, paths, lock } = writing
  try {
    const snapshot = await readSnapshot(fileSystem, paths)
    const loaded = loadedFrom(paths, snapshot, await signsOf(fileSystem, paths, lock.serialBefore))
    await settleJournal(writing, snapshot)
    writing.first = firstRead(loaded, () => read(writing))
  } catch (error) {
    if (!isDamage(error)) throw error
    const journal = await readableJournal(writing)
    const [newest = 0] = await generations(fileSystem, paths)
    writing.damage = error
    writing.serial = Math.max(newest, lock.serialBefore, journal?.header.serial ?? 0)
  }
}

async function settleJournal(writing: Writing, snapshot: Snapshot): Promise<void> {
  const { fileSystem, paths } = writing
  const { document, journal } = snapshot
  writing.serial = document?.serial ?? 0
  writing.lineage = document?.lineage ?? journal?.header.lineage
  writing.torn = journal?.torn ?? false
  writing.kept = journal?.entries.length ?? 0
  if (journal) await placeJournal(writing, journal.header, journal.entries)
  const start = `${basename(paths.journal)}.`
  const unplaced = (await fileSystem.list(paths.folder)).filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
  for (const name of unplaced) await fileSystem.remove(join(paths.folder, name))
  // A former holder that was about to put one of them in place has done so by now, or never will.
  if (journal && unplaced.length > 0) await placeJournal(writing, journal.header, journal.entries)
}

/** Writes a journal as a whole, in the place of what is there, and opens it at its end; throws Failure 7 where that is another run's by now. */
async function placeJournal(writing: Writing, header: JournalHeader, entries: readonly Entry[]): Promise<void> {
  const { fileSystem, paths } = writing
  const part = encodeJournal(header, entries, paths.sealing)
  const temporary = temporaryPath(writing, paths.state)
  await closeFile(writing)
  await writeWhole(fileSystem, temporary, part.bytes)
  await checkOurs(writing)
  await fileSystem.rename(temporary, paths.journal)
  await fileSystem.syncFolder(paths.folder)
  writing.file = await fileSystem.append(paths.journal)
  writing.chain = part.chain
}

async function flush(writing: Writing, entries: readonly Entry[]): Promise<void> {
  checkUsable(writing)
  if (entries.length === 0) return
  writing.first.spoil()
  try {
    if (!writing.file) await beginJournal(writing, entries)
    else for (let from = 0; from < entries.length; from += entriesPerLine) await appendLine(writing, writing.file, entries.slice(from, from + entriesPerLine))
    await checkOurs(writing)
    writing.kept += entries.length
  } catch (error) {
    // What comes later may rely on what could not be kept.
    if (!(error instanceof Failure && error.exitCode === 7)) writing.failed ??= { error, final: false }
    throw error
  }
}

/** Each line is durable before the next one: only the last can be torn. */
async function appendLine(writing: Writing, file: OpenFile, entries: readonly Entry[]): Promise<void> {
  const part = encodeEntries(writing.chain, entries, writing.paths.sealing)
  try {
    await file.write(part.bytes)
  } catch (error) {
    // A part of the line may stand there: the next append writes the journal anew.
    await closeFile(writing)
    throw error
  }
  await file.sync()
  writing.chain = part.chain
}

async function beginJournal(writing: Writing, entries: readonly Entry[]): Promise<void> {
  const { fileSystem, paths, serial } = writing
  const journal = await readJournal(fileSystem, paths.journal, paths.sealing)
  writing.lineage ??= entries.find((one) => one.t === 'begin')?.lineage
  if (writing.lineage === undefined) throw new Error('the first entry of a new state is its begin')
  await placeJournal(writing, journal?.header ?? { lineage: writing.lineage, serial }, [...(journal?.entries ?? []), ...entries])
}

/** Old generation, new files beside, then two renames: state first; a journal still to be renamed is found by its serial. */
async function replace(writing: Writing, document: StateDocument, keep: readonly Entry[]): Promise<void> {
  const { fileSystem, paths } = writing
  if (writing.failed?.final) checkUsable(writing)
  writing.first.spoil()
  checkFits(document, writing.serial, writing.lineage, paths.state)
  const bytes = Buffer.from(sealDocument(document, paths.sealing))
  const entries = [...keep, ...(await carriedOver(writing, document))]
  const journal = encodeJournal(document, entries, paths.sealing)
  await keepOld(writing, document.serial)
  const temporary = temporaryPath(writing, paths.state)
  const next = nextJournal(paths, document.serial)
  try {
    await writeWhole(fileSystem, temporary, bytes)
    await fileSystem.remove(next)
    await writeWhole(fileSystem, next, journal.bytes)
    await fileSystem.syncFolder(paths.folder)
    await checkOurs(writing)
    await fileSystem.rename(temporary, paths.state)
  } catch (error) {
    for (const path of [temporary, next]) await fileSystem.remove(path).catch(() => undefined)
    // Whoever takes the lock over removes what we would rename.
    if (codeOf(error) === 'ENOENT') await checkOurs(writing)
    throw error
  }
  writing.kept = entries.length
  await placeNext(writing, document, next, journal.chain)
  await keepGeneration(writing, document.serial, bytes).catch(() => undefined)
}

async function placeNext(writing: Writing, document: StateDocument, next: string, chain: string): Promise<void> {
  const { fileSystem, paths } = writing
  const { serial, lineage } = document
  Object.assign(writing, { serial, lineage, damage: undefined, torn: false, chain })
  try {
    await fileSystem.syncFolder(paths.folder)
    await closeFile(writing)
    await fileSystem.rename(next, paths.journal)
    await fileSystem.syncFolder(paths.folder)
    writing.file = await fileSystem.append(paths.journal)
  } catch (error) {
    // The old journal would take entries that nobody reads any more.
    writing.failed = { error, final: true }
    throw error
  }
}

function checkUsable(writing: Writing): void {
  if (writing.failed !== undefined) {
    const code = codeOf(writing.failed.error) ?? 'unknown error'
    throw failure('state_io', `${writing.paths.state}: the disk failed to keep what was written`, {
      detail: `The system said ${code}; what came before is recorded.`,
    })
  }
  if (writing.damage) throw writing.damage
}

async function checkOurs(writing: Writing): Promise<void> {
  const { fileSystem, paths, lock } = writing
  if (await lock.confirm()) return
  if (!writing.damage && (await isOlder(writing))) throw stateReplaced(paths.state)
  // Whoever takes a lock over leaves a lock, and the journal that it goes on from.
  for (const path of [paths.lock, paths.journal]) if (await fileSystem.look(path)) throw lockLost(paths.state)
  throw stateGone(paths.state)
}

async function keepOld(writing: Writing, serial: number): Promise<void> {
  const { fileSystem, paths } = writing
  await fileSystem.makeFolder(paths.history)
  const copies = writing.damage
    ? [
        { from: paths.state, to: join(paths.history, `damaged-${serial}`) },
        { from: paths.journal, to: join(paths.history, `damaged-${serial}.journal`) },
      ]
    : [{ from: paths.state, to: generationPath(paths, writing.serial) }]
  for (const { from, to } of copies) {
    if (!(await fileSystem.look(to))) await keep(writing, from, to)
  }
}

/** What is too long to be read gets a second name: it is replaced by a rename, never written to. */
async function keep(writing: Writing, from: string, to: string): Promise<void> {
  const { fileSystem, paths } = writing
  try {
    const bytes = await rawBytes(fileSystem, from, paths.sealing)
    if (bytes) await place(writing, to, bytes)
  } catch (error) {
    if (!writing.damage || !(error instanceof Failure && error.exitCode === 9)) throw error
    await fileSystem.link(from, to)
    await fileSystem.syncFolder(paths.history)
  }
}

/** The newest generation is kept, too: should the state file be damaged, nothing is lost. */
async function keepGeneration(writing: Writing, serial: number, bytes: Uint8Array): Promise<void> {
  const { fileSystem, paths } = writing
  await place(writing, generationPath(paths, serial), bytes)
  for (const old of (await generations(fileSystem, paths)).slice(keptGenerations)) await fileSystem.remove(generationPath(paths, old))
}

async function resealHistory(writing: Writing): Promise<readonly number[]> {
  const { fileSystem, paths } = writing
  const left: number[] = []
  checkUsable(writing)
  for (const serial of await generations(fileSystem, paths)) {
    const path = generationPath(paths, serial)
    const kept = await rawBytes(fileSystem, path, paths.sealing)
    const text = kept && resealedDocument(Buffer.from(kept).toString('utf8'), path, paths.sealing)
    await checkOurs(writing)
    if (text === null) left.push(serial)
    else if (text !== undefined) await place(writing, path, Buffer.from(text))
  }
  for (const name of await fileSystem.list(paths.history)) if (name.startsWith('damaged-')) await fileSystem.remove(join(paths.history, name))
  await fileSystem.syncFolder(paths.history)
  return left
}

async function place(writing: Writing, path: string, bytes: Uint8Array): Promise<void> {
  const { fileSystem, paths } = writing
  const temporary = temporaryPath(writing, path)
  await writeWhole(fileSystem, temporary, bytes)
  await fileSystem.rename(temporary, path)
  await fileSystem.syncFolder(paths.history)
}

/** Where the state was damaged, the whole journal stays: the caller could not read it. */
async function carriedOver(writing: Writing, document: StateDocument): Promise<readonly Entry[]> {
  const journal = writing.damage ? await readableJournal(writing) : undefined
  return journal?.header.lineage === document.lineage ? journal.entries : []
}

async function readableJournal(writing: Writing): Promise<JournalFile | undefined> {
  try {
    return await readJournal(writing.fileSystem, writing.paths.journal, writing.paths.sealing)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** A former holder's unfinished files go, which also takes from it what it would rename. */
async function removeLeftovers(writing: Writing): Promise<void> {
  const { fileSystem, paths } = writing
  for (const name of await fileSystem.list(paths.folder)) {
    if (name.startsWith(`${basename(paths.state)}.`) && name.endsWith('.tmp')) await fileSystem.remove(join(paths.folder, name))
  }
  for (const name of await fileSystem.list(paths.history)) if (name.endsWith('.tmp')) await fileSystem.remove(join(paths.history, name))
}

async function restrictModes(writing: Writing): Promise<void> {
  const { fileSystem, paths } = writing
  for (const path of [paths.state, paths.journal, paths.lock, paths.history]) {
    const found = await fileSystem.look(path)
    if (found && (found.mode & 0o77) !== 0) await fileSystem.restrict(path, found.type === 'folder' ? 0o700 : 0o600)
  }
}

async function closeFile(writing: Writing): Promise<void> {
  const { file } = writing
  writing.file = undefined
  await file?.close()
}

function temporaryPath(writing: Writing, path: string): string {
  return `${path}.${Buffer.from(writing.randomBytes(8)).toString('hex')}.tmp`
}

/** The same disk, telling of every sync that failed. */
function failingForGood(fileSystem: FileSystem, fail: (error: unknown, final: boolean) => void): FileSystem {
  async function watch<T>(work: Promise<T>, final: boolean): Promise<T> {
    try {
      return await work
    } catch (error) {
      fail(error, final)
      throw error
    }
  }
  const watched = (file: OpenFile): OpenFile => ({ write: (bytes) => file.write(bytes), sync: () => watch(file.sync(), false), close: () => file.close() })
  return {
    ...fileSystem,
    create: async (path) => watched(await fileSystem.create(path)),
    append: async (path) => watched(await fileSystem.append(path)),
    syncFolder: (folder) => watch(fileSystem.syncFolder(folder), true),
  }
}
