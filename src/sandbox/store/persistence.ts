// The sandbox's data in a folder: a snapshot and a log of what changed since, written before an answer leaves.
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { SandboxEvent } from '../sandbox.ts'
import type { Snapshot } from './store.ts'
import { createStore, printSnapshot } from './store.ts'
import type { Change } from './table.ts'

const SNAPSHOT = 'snapshot.json'
const COMPACT_BYTES = 16 * 1024 * 1024

const head = z.looseObject({ generation: z.int().min(0), snapshot: z.unknown() })
const entry = z.array(z.strictObject({ table: z.string(), id: z.string(), row: z.unknown().optional(), last: z.number() }))

/** What a folder held, and where changes go. */
export interface SandboxFolder {
  /** For `createSandbox({ snapshot })`; undefined for a new folder. */
  readonly snapshot: Snapshot | undefined
  /** For `createSandbox({ onChange })`. */
  onChange(event: SandboxEvent): void
}

/**
 * Opens a folder, making it when it is missing; throws for data that is damaged anywhere but in its last, unfinished line.
 * Whatever was answered survives the death of the process. A loss of power may take the last answers: the log is not synced for
 * each of them; snapshots are, before they take the place of the one before.
 */
export function openSandboxFolder(folder: string): SandboxFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = readFolder(folder)
  let generation = held?.generation ?? 0
  let sizeBytes = 0
  // What could not be written yet: on a full disk it waits for the next change.
  let owed: { readonly snapshot?: Snapshot; readonly lines: string } = { lines: '' }

  /** Puts a snapshot in the place of all that is there; what fails before its renaming changes nothing. */
  function begin(snapshot: Snapshot): void {
    const next = generation + 1
    const path = join(folder, SNAPSHOT)
    writeFileSync(logPath(folder, next), '', { mode: 0o600 })
    writeFileSync(`${path}.new`, `{"generation":${next},"snapshot":${printSnapshot(snapshot)}}\n`, { mode: 0o600 })
    sync(`${path}.new`)
    renameSync(`${path}.new`, path)
    generation = next
    sizeBytes = 0
    sync(folder)
    for (const name of readdirSync(folder)) if (/^log-\d+\.jsonl$/.test(name) && name !== `log-${generation}.jsonl`) rmSync(join(folder, name))
  }
  function append(lines: string): void {
    const path = logPath(folder, generation)
    try {
      appendFileSync(path, lines, { mode: 0o600 })
    } catch (error) {
      // Half a line in the middle would make all of it unreadable.
      truncateSync(path, sizeBytes)
      throw error
    }
    sizeBytes += Buffer.byteLength(lines)
  }
  function compact(): void {
    const now = readFolder(folder)
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
    snapshot: held?.snapshot,
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

function readFolder(folder: string): { readonly generation: number; readonly snapshot: Snapshot } | undefined {
  const path = join(folder, SNAPSHOT)
  if (!existsSync(path)) return undefined
  const { generation, snapshot } = head.parse(readJson(readFileSync(path, 'utf8'), path))
  const store = createStore({ seed: 0, wallMs: () => 0, snapshot })
  const log = logPath(folder, generation)
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
  for (const line of lines) for (const change of entry.parse(readJson(line, log))) store.replay(change)
  return { generation, snapshot: store.snapshot() }
}

/** Rows hold no bigint, and all numbers in them are safe: plain JSON is exact here. */
function readJson(text: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    throw new Error(`${path} is damaged`)
  }
}

function logPath(folder: string, generation: number): string {
  return join(folder, `log-${generation}.jsonl`)
}
