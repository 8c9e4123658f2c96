// The one root of all that the service knows: its tables, what changed, a short past, and snapshots as JSON.
import * as z from 'zod'
import { stringifyJson } from '../../base/json.ts'
import { meterChange } from '../metering/metering.ts'
import { noteSwitch } from './switches.ts'
import type { Change, Row, StoredTable } from './table.ts'
import type { Tables } from './tables.ts'
import { createTables } from './tables.ts'

const SNAPSHOT_KIND = 'iac-sandbox-snapshot'
const HISTORY_LENGTH = 5000

const snapshotSchema = z.strictObject({
  kind: z.literal(SNAPSHOT_KIND),
  schema_version: z.literal(1),
  /** The instant at which it was taken; loading it goes back or on to it. */
  clock: z.iso.datetime().optional(),
  seed: z.number(),
  last: z.record(z.string(), z.int().min(0)),
  tables: z.record(z.string(), z.array(z.unknown())),
})

/** All rows as JSON: versioned, keys sorted, rows in order of their making. */
export type Snapshot = z.output<typeof snapshotSchema>

/** The tables behind one reference, so that a reset is one swap. */
export interface Store {
  readonly seed: number
  readonly tables: Tables
  /** The changes since the last call, oldest first. */
  drain(): readonly Change[]
  /** Runs `work` as if it were `atMs`: rows made there bear that instant, and metering goes by it. */
  during<T>(atMs: number, work: () => T): T
  /** Runs `work`; where it throws, the rows are as they were. Ids that it was given are given to nobody else. */
  atomically<T>(work: () => T): T
  /** What is there now has always been there. */
  forgetPast(): void
  /** Runs `work` on the rows as they were at `atMs` (as far back as the history reaches), then puts back what came since. */
  asOf<T>(atMs: number, work: () => T): T
  /** When, after now, the next change shows to who reads so much later, in ms since 1970; undefined where all do. */
  nextShownMs(lagMs: number): number | undefined
  snapshot(): Snapshot
  /** Repeats a change that was logged; throws for a table or row that does not fit. */
  replay(change: { readonly table: string; readonly id: string; readonly row?: unknown; readonly last: number }): void
}

/** Makes a store, empty or from a snapshot; throws for a snapshot that does not fit. */
export function createStore(options: { readonly seed: number; readonly wallMs: () => number; readonly snapshot?: unknown }): Store {
  const snapshot = options.snapshot === undefined ? undefined : snapshotSchema.parse(options.snapshot)
  const seed = snapshot?.seed ?? options.seed
  let changes: Change[] = []
  let history: { readonly atMs: number; readonly change: Change }[] = []
  let instantMs: number | undefined
  const nowMs = (): number => instantMs ?? options.wallMs()
  const tables: Tables = createTables({
    seed,
    nowIso: createIso(nowMs),
    changed(change) {
      changes.push(change)
      history.push({ atMs: nowMs(), change })
      if (history.length > 2 * HISTORY_LENGTH) history = history.slice(-HISTORY_LENGTH)
      meterChange(tables, change, nowMs())
      noteSwitch(tables, change)
    },
  })
  const tableOf = finder(tables)
  for (const [name, rows] of Object.entries(snapshot?.tables ?? {})) for (const row of rows) tableOf(name).put(tableOf(name).read(row))
  for (const [name, last] of Object.entries(snapshot?.last ?? {})) tableOf(name).setLast(last)

  return {
    seed,
    tables,
    drain() {
      const drained = changes
      changes = []
      return drained
    },
    during(atMs, work) {
      instantMs = atMs
      try {
        return work()
      } finally {
        instantMs = undefined
      }
    },
    atomically(work) {
      const begun = changes.length
      try {
        return work()
      } catch (error) {
        const undone = changes.splice(begun)
        undo(tableOf, undone)
        history = history.slice(0, Math.max(0, history.length - undone.length))
        throw error
      }
    },
    forgetPast: () => void (history = []),
    asOf(atMs, work) {
      const undone = history.filter((entry) => entry.atMs > atMs).map((entry) => entry.change)
      undo(tableOf, undone)
      try {
        return work()
      } finally {
        for (const { table, id, after } of undone) place(tableOf(table), id, after)
      }
    },
    nextShownMs: (lagMs) => (lagMs === 0 ? undefined : firstAfter(nowMs() - lagMs, history, lagMs)),
    snapshot: () => snapshotOf(seed, tables),
    replay({ table, id, row, last }) {
      if (row === undefined) tableOf(table).drop(id)
      else tableOf(table).put(tableOf(table).read(row))
      tableOf(table).setLast(last)
    },
  }
}

/** Now as ISO 8601: written once for all rows of one millisecond. */
function createIso(nowMs: () => number): () => string {
  let last = { ms: Number.NaN, text: '' }
  return () => {
    const ms = nowMs()
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
    return last.text
  }
}

/** The first instant of a past that is after another one, moved on by a lag; undefined where there is none. */
function firstAfter(afterMs: number, past: readonly { readonly atMs: number }[], lagMs: number): number | undefined {
  let first: number | undefined
  for (const { atMs } of past) if (atMs > afterMs && (first === undefined || atMs < first)) first = atMs
  return first === undefined ? undefined : first + lagMs
}

/** Finds a table by its name; throws where there is none. */
function finder(tables: Tables): (name: string) => StoredTable {
  const stored = new Map<string, StoredTable>(Object.entries(tables).map(([name, table]) => [name, table.stored]))
  return (name) => {
    const table = stored.get(name)
    if (!table) throw new Error(`no table ${name}`)
    return table
  }
}

/** Puts back what was there before changes, which are given oldest first. */
function undo(tableOf: (name: string) => StoredTable, changes: readonly Change[]): void {
  for (const { table, id, before } of changes.toReversed()) place(tableOf(table), id, before)
}

/** Throws for rows without what every sandbox has: a workspace, and of each its owner. */
export function checkFounded({ workspaces, users }: Tables): void {
  if (workspaces.all().length === 0) throw new Error('a sandbox needs a workspace')
  const orphan = workspaces.all().find((one) => users.get(one.ownerId) === undefined)
  if (orphan) throw new Error(`the workspace ${orphan.name} needs its owner among the users`)
}

function snapshotOf(seed: number, tables: Tables): Snapshot {
  const sorted = Object.values(tables)
    .map((table): StoredTable => table.stored)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return snapshotSchema.parse({
    kind: SNAPSHOT_KIND,
    schema_version: 1,
    seed,
    last: Object.fromEntries(sorted.map((table) => [table.name, table.last()])),
    tables: Object.fromEntries(sorted.map((table) => [table.name, table.rows().map(sortedKeys)])),
  })
}

/** A snapshot as text, one row and one count per line, so that two of them can be compared, and two branches merged. */
export function printSnapshot(snapshot: Snapshot): string {
  const { tables, last, ...head } = snapshot
  const lists = Object.entries(tables).map(([name, rows]) => `${JSON.stringify(name)}:[${rows.map((row) => `\n${stringifyJson(row)}`).join(',')}\n]`)
  return `{\n${[...membersOf(head), `"last":${braced(membersOf(last))}`, `"tables":${braced(lists)}`].join(',\n')}\n}\n`
}

function membersOf(value: object): string[] {
  return Object.entries(value).map(([name, member]: [string, unknown]) => `${JSON.stringify(name)}:${stringifyJson(member)}`)
}

function braced(members: readonly string[]): string {
  return `{\n${members.join(',\n')}\n}`
}

function place(table: StoredTable, id: string, row: Row | undefined): void {
  if (row) table.put(row)
  else table.drop(id)
}

function sortedKeys(row: Row): unknown {
  return Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
