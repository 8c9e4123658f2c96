// The tables of states in one schema: made and upgraded under a lock of their own, and what stands in them.
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import type { Connection, Query } from './connection.ts'

/** One table each. A row of `resources` holds from the serial `since` until, and without, the serial `until`: generations share what did not change. */
export interface Tables {
  readonly states: string
  readonly resources: string
  readonly generations: string
  readonly journal: string
  readonly locks: string
}

const version = 1

/** Every table with its columns, as they are known by. */
const columns: Readonly<Record<keyof Tables | 'version', readonly string[]>> = {
  states: ['state', 'lineage', 'serial', 'head'],
  resources: ['state', 'address', 'since', 'until', 'record'],
  generations: ['state', 'serial', 'head'],
  journal: ['state', 'epoch', 'line', 'serial', 'entries'],
  locks: ['state', 'key', 'renewals', 'record'],
  version: ['version'],
}

/** The tables by their full names; the schema's name is quoted. */
export function tablesIn(schema: string): Tables {
  const named = (table: keyof Tables): string => `${quoted(schema)}.${table}`
  return { states: named('states'), resources: named('resources'), generations: named('generations'), journal: named('journal'), locks: named('locks') }
}

/** Whether the tables are there; Failure 9 for those of another version, for a part of them, and for those of somebody else. */
export async function haveTables(query: Query, schema: string): Promise<boolean> {
  const found = await columnsThere(query, schema)
  if (found.size === 0) return false
  const missing = Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`).filter((name) => !found.has(name)))
  if (missing.length > 0) throw notOurs(schema, `Missing: ${missing.join(', ')}.`)
  const rows = await query(`SELECT version FROM ${quoted(schema)}.version`)
  const there = Number(rows[0]?.['version'] ?? 0)
  if (rows.length === 1 && there === version) return true
  if (there <= version) throw notOurs(schema, `The table version does not say ${version}.`)
  throw failure('state_damaged', `the tables in the schema ${schema} are of version ${there}, this iac knows ${version}`, {
    detail: 'A newer iac made them. Nothing was changed.',
    hint: 'use the newer iac',
  })
}

/** Makes what is missing: of several that come at once one does it, and the others wait for that. */
export async function makeTables(connection: Connection, schema: string): Promise<void> {
  if (await connection.snapshot((query) => haveTables(query, schema))) return
  await connection.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`iac tables ${schema}`])
    if (!(await haveTables(query, schema))) await make(query, schema)
  })
}

/** Asked of the catalogue's rows: names that a session has looked for in vain it may go on not to find. */
async function columnsThere(query: Query, schema: string): Promise<ReadonlySet<string>> {
  const found = await query(
    `SELECT one.relname AS name, part.attname AS column FROM pg_catalog.pg_class AS one
      JOIN pg_catalog.pg_namespace AS place ON place.oid = one.relnamespace
      JOIN pg_catalog.pg_attribute AS part ON part.attrelid = one.oid AND part.attnum > 0 AND NOT part.attisdropped
      WHERE place.nspname = $1 AND one.relname = ANY($2)`,
    [schema, Object.keys(columns)],
  )
  return new Set(found.map((row) => `${String(row['name'])}.${String(row['column'])}`))
}

function notOurs(schema: string, detail: string): Failure {
  return failure('state_damaged', `the schema ${schema} holds tables that are not those of a state`, {
    detail: `${detail} Nothing was changed.`,
    hint: 'set another state.schema, or put the tables back from a backup of the database',
  })
}

async function make(query: Query, schema: string): Promise<void> {
  const { states, resources, generations, journal, locks } = tablesIn(schema)
  // With the schema made by somebody else no right to make one is needed.
  const found = await query('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema])
  if (found.length === 0) await query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
  // The serial and everything else that the document says besides its resources, as text: numbers stay as they are written.
  await query(`CREATE TABLE ${states} (state text PRIMARY KEY, lineage text NOT NULL, serial bigint NOT NULL, head text NOT NULL)`)
  await query(
    `CREATE TABLE ${resources} (state text NOT NULL, address text COLLATE "C" NOT NULL, since bigint NOT NULL, until bigint, record text NOT NULL, PRIMARY KEY (state, address, since))`,
  )
  await query(`CREATE INDEX ON ${resources} (state, until)`)
  await query(`CREATE TABLE ${generations} (state text NOT NULL, serial bigint NOT NULL, head text NOT NULL, PRIMARY KEY (state, serial))`)
  await query(
    `CREATE TABLE ${journal} (state text NOT NULL, epoch bigint NOT NULL, line bigint NOT NULL, serial bigint NOT NULL, entries text NOT NULL, PRIMARY KEY (state, epoch, line))`,
  )
  await query(`CREATE TABLE ${locks} (state text PRIMARY KEY, key text NOT NULL, renewals bigint NOT NULL, record text NOT NULL)`)
  await query(`CREATE TABLE ${quoted(schema)}.version (version int NOT NULL)`)
  await query(`INSERT INTO ${quoted(schema)}.version VALUES (${version})`)
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`
}
