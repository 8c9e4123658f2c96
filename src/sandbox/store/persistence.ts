// The sandbox's data in a folder: a snapshot and a log of what changed since, written before an answer leaves.
import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { SandboxEvent } from '../sandbox.ts'
import type { Snapshot } from './store.ts'
import { createStore, printSnapshot } from './store.ts'

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
  let size = 0

  function begin(snapshot: Snapshot): void {
    generation += 1
    const path = join(folder, SNAPSHOT)
    writeFileSync(logPath(folder, generation), '', { mode: 0o600 })
    writeFileSync(`${path}.new`, `{"generation":${generation},"snapshot":${printSnapshot(snapshot)}}\n`, { mode: 0o600 })
    sync(`${path}.new`)
    renameSync(`${path}.new`, path)
    sync(folder)
    for (const name of readdirSync(folder)) if (/^log-\d+\.jsonl$/.test(name) && name !== `log-${generation}.jsonl`) rmSync(join(folder, name))
    size = 0
  }
  function append(line: string): void {
    appendFileSync(logPath(folder, generation), line, { mode: 0o600 })
    size += line.length
  }
  function compact(): void {
    const now = readFolder(folder)
    if (!now) throw new Error(`${join(folder, SNAPSHOT)} is gone`)
    begin(now.snapshot)
  }
  if (held) begin(held.snapshot)
  return {
    snapshot: held?.snapshot,
    onChange(event) {
      if ('snapshot' in event) return begin(event.snapshot)
      append(`${JSON.stringify(event.changes.map(({ table, id, after, last }) => ({ table, id, ...(after ? { row: after } : {}), last })))}\n`)
      if (size > COMPACT_BYTES) compact()
    },
  }
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
