// The sandbox's data in a folder: a snapshot and a log of what changed since, written before an answer leaves.
import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, rmSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { appendOwnFile, beginOwnFile, makeOwnFolder, readOwnFile, removeLeftovers, replaceOwnFile } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import { newSecret, secretPattern } from '../people/callers.ts'
import type { SandboxEvent } from '../sandbox.ts'
import { isNewer, misfitOf } from './snapshot-head.ts'
import type { Snapshot } from './store.ts'
import { checkFounded, createStore, printSnapshot } from './store.ts'
import type { Change } from './table.ts'

const SNAPSHOT = 'snapshot.json'
const ORIGIN = 'origin.json'
const CLOCK = 'clock.json'
const COMPACT_BYTES = 16 * 1024 * 1024
/** What a beginning writes into, what probes a folder for its modes, what a seed keeps, and what a new file system has. */
const BEGUN = /^(?:(?:snapshot|origin)\.json\.[0-9a-f]{16}\.new|\.iac(?:-\w{6})?|lost\+found)$/

const head = z.looseObject({ generation: z.int().min(0), secret: z.string().regex(secretPattern).optional(), snapshot: z.unknown() })
const instant = z.object({ clock: z.iso.datetime() })
const entry = z.array(z.strictObject({ table: z.string(), id: z.string(), row: z.unknown().optional(), last: z.int().min(0) }))

/** The data of a folder is no sandbox's, or a later build wrote it. */
export class UnfitData extends Error {
  readonly isNewer: boolean
  constructor(message: string, newer = false) {
    super(message)
    this.name = 'UnfitData'
    this.isNewer = newer
  }
}

/** What a folder held, and where changes go. */
export interface SandboxFolder {
  /** For `createSandbox({ snapshot })`, with the instant that was last kept; undefined for a new folder. */
  readonly snapshot: Snapshot | undefined
  /** For `createSandbox({ secret })`: a new one for a new folder, and for one of a time when codes could be told from the seed. */
  readonly secret: string
  /** What a reset leads back to, as it was kept; undefined where nothing was. */
  readonly origin: unknown
  /** Keeps what a reset leads back to, also for who opens the folder later; of a new folder before its first snapshot. */
  keepOrigin(snapshot: Snapshot): void
  /** Keeps what the clock shows, in ms since 1970: what only went by leaves no trace in rows. */
  keepInstant(wallMs: number): void
  /** For `createSandbox({ onChange })`. */
  onChange(event: SandboxEvent): void
}

/** Where a folder lies, and whose it must be: what stands between `below` and it is checked, too. */
export interface FolderPlace {
  readonly below?: string
  readonly userId?: UserId
}

/**
 * What stands in a folder that holds no sandbox's data, beside what a beginning leaves that was killed: opening it would overwrite files of others.
 * Empty for a sandbox's folder, however damaged. `isKnown` tells by name and text what the caller itself puts there. Throws what the disk throws.
 */
export function foreignEntries(folder: string, userId: UserId, isKnown: (name: string, text: () => string) => boolean): readonly string[] {
  const textOf = (name: string): string => (lookedAt(folder, name)?.isFile() ? (readOwnFile(join(folder, name), userId) ?? '') : '')
  const names = readdirSync(folder).filter((name) => !isKnown(name, () => textOf(name)) && !isOfBeginning(folder, name, userId))
  // Looked at last: another process may just have begun here.
  return names.length === 0 || isSnapshot(join(folder, SNAPSHOT), userId) ? [] : names.toSorted()
}

/** A log has no line before there is a snapshot. */
function isOfBeginning(folder: string, name: string, userId: UserId): boolean {
  if (BEGUN.test(name)) return true
  const found = lookedAt(folder, name)
  if (!found) return true
  if (name === basename(logPath(folder, 1))) return found.isFile() && found.size === 0
  return name === ORIGIN && found.isFile() && isOrigin(join(folder, name), userId)
}

function lookedAt(folder: string, name: string): Stats | undefined {
  return lstatSync(join(folder, name), { throwIfNoEntry: false })
}

function isOrigin(path: string, userId: UserId): boolean {
  try {
    return readOrigin(path, (one) => readOwnFile(one, userId)) !== undefined
  } catch (error) {
    if (error instanceof UnfitData) return false
    throw error
  }
}

/** By what stands in it, so that a damaged one is told as such. */
function isSnapshot(path: string, userId: UserId): boolean {
  return /^\s*\{[^]*"generation"\s*:\s*\d/.test(readOwnFile(path, userId) ?? '')
}

/**
 * Opens a folder, making it when it is missing; throws UnfitData for what is damaged anywhere but in its last, unfinished line, Failure 9 for a place
 * where others could have put it, and what the disk throws.
 * Whatever was answered survives the death of the process. A loss of power may take the last answers: the log is not synced for
 * each of them; snapshots are, before they take the place of the one before.
 */
export function openSandboxFolder(folder: string, { below = folder, userId }: FolderPlace = {}): SandboxFolder {
  makeOwnFolder(below, folder, userId)
  const read = (path: string): string | undefined => readOwnFile(path, userId)
  const held = readFolder(folder, read)
  const originPath = join(folder, ORIGIN)
  const origin = held && readOrigin(originPath, read)
  for (const name of [SNAPSHOT, ORIGIN, CLOCK]) removeLeftovers(join(folder, name))
  // Kept for a beginning that never came.
  if (!held) for (const name of [ORIGIN, CLOCK]) rmSync(join(folder, name), { force: true })
  const secret = held?.secret ?? newSecret()
  let generation = held?.generation ?? 0
  let sizeBytes = 0
  // What could not be written yet: on a full disk it waits for the next change.
  let owed: { readonly snapshot?: Snapshot; readonly lines: string } = { lines: '' }

  /** Puts a snapshot in the place of all that is there; what fails before its renaming changes nothing. */
  function begin(snapshot: Snapshot): void {
    const next = generation + 1
    beginOwnFile(logPath(folder, next))
    replaceOwnFile(join(folder, SNAPSHOT), `{"generation":${next},"secret":"${secret}","snapshot":${printSnapshot(snapshot)}}\n`)
    generation = next
    sizeBytes = 0
    sync(folder)
    for (const name of readdirSync(folder)) if (/^log-\d+\.jsonl$/.test(name) && name !== `log-${generation}.jsonl`) rmSync(join(folder, name))
  }
  function append(lines: string): void {
    appendOwnFile(logPath(folder, generation), lines, sizeBytes)
    sizeBytes += Buffer.byteLength(lines)
  }
  function compact(): void {
    const now = readFolder(folder, read)
    if (!now) throw new Error(`${join(folder, SNAPSHOT)} is gone`)
    begin(now.snapshot)
  }
  function settle(): void {
    if (owed.snapshot) begin(owed.snapshot)
    owed = { lines: owed.lines }
    if (owed.lines !== '') append(owed.lines)
    owed = { lines: '' }
    if (sizeBytes > COMPACT_BYTES) compact()
  }
  if (held) begin(held.snapshot)
  return {
    secret,
    snapshot: held && { ...held.snapshot, ...readInstant(join(folder, CLOCK), read) },
    origin,
    keepInstant: (wallMs) => replaceOwnFile(join(folder, CLOCK), `${JSON.stringify({ clock: new Date(wallMs).toISOString() })}\n`),
    keepOrigin(snapshot) {
      replaceOwnFile(originPath, printSnapshot(snapshot))
      sync(folder)
    },
    onChange(event) {
      owed = 'snapshot' in event ? { snapshot: event.snapshot, lines: '' } : { ...owed, lines: owed.lines + lineOf(event.changes) }
      settle()
    },
  }
}

function lineOf(changes: readonly Change[]): string {
  return `${JSON.stringify(changes.map(({ table, id, after, last }) => ({ table, id, ...(after ? { row: after } : {}), last })))}\n`
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A file's text, undefined where nothing is. */
type Read = (path: string) => string | undefined

function readFolder(folder: string, read: Read): { readonly generation: number; readonly secret: string | undefined; readonly snapshot: Snapshot } | undefined {
  const path = join(folder, SNAPSHOT)
  const text = read(path)
  if (text === undefined) return undefined
  const whole = readJson(text, path)
  const { generation, secret, snapshot } = fitting(whole, () => head.parse(whole))
  const log = logPath(folder, generation)
  const lines = read(log)?.split('\n').slice(0, -1) ?? []
  const changes = lines.map((line) => readJson(line, log))
  return fitting(snapshot, () => {
    const store = createStore({ seed: 0, wallMs: () => 0, snapshot })
    for (const line of changes) for (const change of entry.parse(line)) store.replay(change)
    checkFounded(store.tables)
    return { generation, secret, snapshot: store.snapshot() }
  })
}

/** One that cannot be read is as none: the rows tell when they were made. */
function readInstant(path: string, read: Read): { readonly clock?: string } {
  const text = read(path)
  try {
    return text === undefined ? {} : (instant.safeParse(JSON.parse(text)).data ?? {})
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function readOrigin(path: string, read: Read): unknown {
  const text = read(path)
  if (text === undefined) return undefined
  const origin = readJson(text, path)
  return fitting(origin, () => {
    checkFounded(createStore({ seed: 0, wallMs: () => 0, snapshot: origin }).tables)
    return origin
  })
}

/** Reads what is no JSON of a sandbox, or of a later one, as UnfitData. */
function fitting<T>(snapshot: unknown, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UnfitData(misfitOf(snapshot, error), isNewer(snapshot))
  }
}

/** Rows hold no bigint, and all numbers in them are safe: plain JSON is exact here. */
function readJson(text: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    throw new UnfitData(`${path} is damaged`)
  }
}

function logPath(folder: string, generation: number): string {
  return join(folder, `log-${generation}.jsonl`)
}
