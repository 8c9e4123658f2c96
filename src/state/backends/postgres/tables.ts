// The tables of states in one schema: made and upgraded under a lock of their own, and what stands in them.
import { failure } from '../../../base/diagnostic.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import type { Connection, Query, Rows } from './connection.ts'
import { isForbidden } from './refusals.ts'
import type { Statement } from './statement.ts'

/** One table each. A row of `resources` holds from the serial `since` until, and without, the serial `until`: generations share what did not change. */
export interface Tables {
  readonly states: string
  readonly resources: string
  readonly generations: string
  readonly journal: string
  readonly locks: string
}

const version = 2

/** Every table with the columns that it has had since version 1, as they are known by. */
const columns: Readonly<Record<keyof Tables | 'version', readonly string[]>> = {
  states: ['state', 'lineage', 'serial', 'head'],
  resources: ['state', 'address', 'since', 'until', 'record'],
  generations: ['state', 'serial', 'head'],
  journal: ['state', 'epoch', 'line', 'serial', 'entries'],
  locks: ['state', 'key', 'renewals', 'record'],
  version: ['version'],
}

/** What makes tables of the version after it from those of a version: the columns that came, and how. What reads works on either, what writes upgrades first. */
const upgrades: Readonly<Record<number, { readonly columns: readonly string[]; readonly statements: (tables: Tables) => readonly string[] }>> = {
  1: {
    columns: ['locks.renewed'],
    // The time of the last sign of life; a role that may not alter the table is told this statement.
    statements: ({ locks }) => [`ALTER TABLE ${locks} ADD COLUMN IF NOT EXISTS renewed timestamptz NOT NULL DEFAULT now()`],
  },
}

/** The tables by their full names; the schema's name is quoted. */
export function tablesIn(schema: string): Tables {
  const named = (table: keyof Tables): string => `${quoted(schema)}.${table}`
  return { states: named('states'), resources: named('resources'), generations: named('generations'), journal: named('journal'), locks: named('locks') }
}

/** The version of the tables that are there, undefined for none; Failure 9 for those of a newer version, for a part of them, and for those of somebody else. */
async function tablesVersion(query: Query, schema: string): Promise<number | undefined> {
  const found = columnsIn(await query(columnsAsked.text, columnsAsked.values(schema)))
  if (found.size === 0) return undefined
  checkColumns(schema, found, 1)
  return versionIn(schema, found, await query(versionAsked(schema)))
}

function versionIn(schema: string, found: ReadonlySet<string>, rows: Rows): number {
  const there = Number(rows[0]?.['version'] ?? 0)
  if (rows.length === 1 && there >= 1 && there <= version) {
    checkColumns(schema, found, there)
    return there
  }
  if (there <= version) throw notOurs(schema, `The table version does not say ${Array.from({ length: version }, (_, index) => index + 1).join(' or ')}.`)
  throw failure('state_damaged', `the tables in the schema ${schema} are of version ${there}, this iac knows ${version}`, {
    detail: 'A newer iac made them. Nothing was changed.',
    hint: 'use the newer iac',
  })
}

/** What stands in the tables, read in one message with what they are; undefined where there are none. */
export async function readTables(connection: Connection, schema: string, statements: readonly Statement[]): Promise<readonly Rows[] | undefined> {
  const glance = await glanceAt(connection, schema, statements)
  if (glance) {
    checkColumns(schema, glance.columns, 1)
    versionIn(schema, glance.columns, glance.versionRows)
    return glance.found
  }
  // Something is not there: nothing at all, or what is told now; or it was made just after.
  const there = await connection.snapshot((query) => tablesVersion(query, schema))
  return there === undefined ? undefined : readThere(connection, statements)
}

/** What the tables are and what the statements find, in one message; undefined where something is not there. */
async function glanceAt(connection: Connection, schema: string, statements: readonly Statement[]): Promise<Glance | undefined> {
  const asked = [{ text: columnsAsked.text, values: columnsAsked.values(schema) }, { text: versionAsked(schema) }]
  const [columnRows = [], versionRows = [], ...found] = (await connection.found([...asked, ...statements])) ?? []
  const seen = columnsIn(columnRows)
  // Names are looked up as they are now, rows as they were at the message's begin: tables made between are found, and seem to hold nothing.
  return seen.size === 0 ? undefined : { columns: seen, versionRows, found }
}

interface Glance {
  readonly columns: ReadonlySet<string>
  readonly versionRows: Rows
  readonly found: readonly Rows[]
}

/** Reads from tables that are known to be there; Failure 9 where one is gone. */
export async function readThere(connection: Connection, statements: readonly Statement[]): Promise<readonly Rows[]> {
  const found = await connection.found(statements)
  // Asked for once more, the database says what is missing.
  return found ?? connection.written(statements)
}

/** Makes what is missing, and of tables of an older version those of today: of several that come at once one does it, and the others wait for that. */
export async function makeTables(connection: Connection, schema: string): Promise<void> {
  const glance = await glanceAt(connection, schema, [])
  if (glance && versionIn(schema, glance.columns, glance.versionRows) === version) return
  await connection.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`iac tables ${schema}`])
    const there = await tablesVersion(query, schema)
    if (there === undefined) await make(query, schema)
    else if (there < version) await upgrade(query, schema, there)
  })
}

function checkColumns(schema: string, found: ReadonlySet<string>, there: number): void {
  const first = Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  const later = Object.entries(upgrades).flatMap(([from, one]) => (Number(from) < there ? one.columns : []))
  const missing = [...first, ...later].filter((name) => !found.has(name))
  if (missing.length > 0) throw notOurs(schema, `Missing: ${missing.join(', ')}.`)
}

async function upgrade(query: Query, schema: string, there: number): Promise<void> {
  const tables = tablesIn(schema)
  const made = Object.entries(upgrades).flatMap(([from, one]) => (Number(from) < there ? [] : one.statements(tables)))
  const statements = [...made, `UPDATE ${quoted(schema)}.version SET version = ${version}`]
  try {
    for (const statement of statements) await query(statement)
  } catch (error) {
    if (!isForbidden(error)) throw error
    throw failure('state_refused', `the tables in the schema ${schema} are of version ${there}, and the role may not make them version ${version}`, {
      detail: 'Only who owns them may alter them. Nothing was changed.',
      hint: `run once as their owner: ${statements.join('; ')}`,
    })
  }
}

/** Asked of the catalogue's rows: names that a session has looked for in vain it may go on not to find. */
const columnsAsked = {
  text: `SELECT one.relname AS name, part.attname AS column FROM pg_catalog.pg_class AS one
    JOIN pg_catalog.pg_namespace AS place ON place.oid = one.relnamespace
    JOIN pg_catalog.pg_attribute AS part ON part.attrelid = one.oid AND part.attnum > 0 AND NOT part.attisdropped
    WHERE place.nspname = $1 AND one.relname = ANY($2::text[])`,
  values: (schema: string) => [schema, Object.keys(columns)],
}

function versionAsked(schema: string): string {
  return `SELECT version FROM ${quoted(schema)}.version`
}

function columnsIn(rows: Rows): ReadonlySet<string> {
  return new Set(rows.map((row) => `${String(row['name'])}.${String(row['column'])}`))
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
  await query(
    `CREATE TABLE ${locks} (state text PRIMARY KEY, key text NOT NULL, renewals bigint NOT NULL, record text NOT NULL, renewed timestamptz NOT NULL DEFAULT now())`,
  )
  await query(`CREATE TABLE ${quoted(schema)}.version (version int NOT NULL)`)
  await query(`INSERT INTO ${quoted(schema)}.version VALUES (${version})`)
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`
}
