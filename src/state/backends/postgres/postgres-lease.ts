// Writing a state in a database under its lock: every transaction begins by looking whether the lock is still ours, which keeps others from taking it meanwhile.
import { Failure, failure } from '../../../base/diagnostic.ts'
import { checkConsistent } from '../../consistent.ts'
import { entriesText } from '../../journal-file.ts'
import { groupCommit } from '../../lease/group-commit.ts'
import type { SharedLock } from '../../lease/shared-lock.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Lease, Loaded } from '../../store.ts'
import type { Connection, Query } from './connection.ts'
import { journalEntries, keptDocument, readState } from './rows.ts'
import type { KeptDocument, StateRows } from './rows.ts'

/** How many generations stay in the history. */
const keptGenerations = 20

/** A lock just taken, the connection that it was taken on, and the state that it is for. */
export interface PostgresLeaseParts {
  readonly connection: Connection
  readonly rows: StateRows
  readonly lock: SharedLock
  readonly command: string
}

interface Writing extends PostgresLeaseParts {
  serial: number
  lineage: string | undefined
  line: number
  /** What stands in the rows; undefined where that is nothing, or not to be relied on. */
  kept: KeptDocument | undefined
  /** Set where the state read as damaged: only a write, which puts another in its place, is possible. */
  damage: Failure | undefined
  /** After a write that never became known nothing that this lease says can be trusted. */
  failed: unknown
}

/** Reads what is there under a lock just taken. */
export async function openPostgresLease(parts: PostgresLeaseParts): Promise<Lease> {
  const writing: Writing = { ...parts, serial: parts.lock.serialBefore, lineage: undefined, line: 0, kept: undefined, damage: undefined, failed: undefined }
  try {
    const { document, entries, kept } = await snapshot(writing)
    Object.assign(writing, { serial: document?.serial ?? 0, lineage: document?.lineage ?? lineageOf(entries), kept })
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== 9 || error.diagnostics[0]?.code !== 'state_damaged') throw error
    writing.damage = error
    writing.serial = Math.max(writing.serial, await newestSerial(writing))
  }
  const commits = groupCommit((entries) => appendEntries(writing, entries))
  return Object.freeze({
    read: () =>
      commits.inOrder(async (): Promise<Loaded> => {
        const { document, entries, torn } = await snapshot(writing)
        return { document, entries, torn }
      }),
    valid: () => writing.lock.valid() && writing.failed === undefined && writing.damage === undefined,
    append: commits.append,
    write: (document: StateDocument, keep: readonly Entry[]) => commits.inOrder(() => replace(writing, document, keep)),
    release: () => commits.inOrder(() => release(writing)),
  })
}

function snapshot({ connection, rows }: Writing) {
  return connection.transaction((query) => readState(query, rows), 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

function newestSerial({ connection, rows: { tables, state } }: Writing): Promise<number> {
  return connection.transaction(async (query) => {
    const [found] = await query(
      `SELECT greatest((SELECT max(serial) FROM ${tables.generations} WHERE state = $1), (SELECT serial FROM ${tables.states} WHERE state = $1), 0) AS newest`,
      [state],
    )
    return Number(found?.['newest'] ?? 0)
  })
}

function lineageOf(entries: readonly Entry[]): string | undefined {
  return entries.find((one) => one.t === 'begin')?.lineage
}

/** A line has its number before it is sent: sent once more after an answer that was lost, it stands there once. */
async function appendEntries(writing: Writing, entries: readonly Entry[]): Promise<void> {
  checkUsable(writing)
  if (entries.length === 0) return
  const { tables, state } = writing.rows
  const line = (writing.line += 1)
  writing.lineage ??= lineageOf(entries)
  await durably(writing, async (query) => {
    await query(`INSERT INTO ${tables.journal} (state, epoch, line, entries) VALUES ($1, $2, $3, $4) ON CONFLICT (state, epoch, line) DO NOTHING`, [
      state,
      writing.lock.record.epoch,
      line,
      entriesText(entries),
    ])
  })
}

async function replace(writing: Writing, document: StateDocument, keep: readonly Entry[]): Promise<void> {
  if (writing.failed !== undefined) checkUsable(writing)
  checkFits(writing, document)
  const next = keptDocument(document)
  const line = (writing.line += 1)
  await durably(writing, async (query) => {
    const { tables, state } = writing.rows
    const [found] = await query(`SELECT serial, head FROM ${tables.states} WHERE state = $1`, [state])
    // Written already, by a transaction whose answer was lost.
    if (found?.['head'] === next.head) return
    await replaceRows(query, writing, document.serial, next)
    await query(
      `INSERT INTO ${tables.states} (state, lineage, serial, head) VALUES ($1, $2, $3, $4) ON CONFLICT (state) DO UPDATE SET lineage = excluded.lineage, serial = excluded.serial, head = excluded.head`,
      [state, document.lineage, document.serial, next.head],
    )
    await query(`INSERT INTO ${tables.generations} (state, serial, command, head) VALUES ($1, $2, $3, $4)`, [
      state,
      document.serial,
      writing.command,
      next.head,
    ])
    await dropOldest(query, writing.rows)
    if (writing.damage) await putAside(query, writing.rows, document)
    else await query(`DELETE FROM ${tables.journal} WHERE state = $1 AND epoch >= 0`, [state])
    if (keep.length > 0)
      await query(`INSERT INTO ${tables.journal} (state, epoch, line, entries) VALUES ($1, $2, $3, $4)`, [
        state,
        writing.lock.record.epoch,
        line,
        entriesText(keep),
      ])
  })
  Object.assign(writing, { serial: document.serial, lineage: document.lineage, kept: next, damage: undefined })
}

/** Where the state was damaged, the caller could not read its journal: what can be read and belongs to the state that is written stays, all else goes aside. */
async function putAside(query: Query, rows: StateRows, document: StateDocument): Promise<void> {
  const { tables, state } = rows
  if (await fitsJournal(query, rows, document)) return
  await query(`UPDATE ${tables.journal} SET epoch = -1 - epoch WHERE state = $1 AND epoch >= 0`, [state])
}

async function fitsJournal(query: Query, rows: StateRows, document: StateDocument): Promise<boolean> {
  try {
    checkConsistent(document, await journalEntries(query, rows), rows.where)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Ends the rows that changed or went, and begins those that changed or came. */
async function replaceRows(query: Query, { rows: { tables, state }, kept }: Writing, serial: number, next: KeptDocument): Promise<void> {
  const ended = kept && [...kept.records].flatMap(([address, text]) => (next.records.get(address) === text ? [] : [address]))
  const begun = [...next.records].filter(([address, text]) => kept?.records.get(address) !== text)
  if (!ended) await query(`UPDATE ${tables.resources} SET until = $2 WHERE state = $1 AND until IS NULL`, [state, serial])
  else if (ended.length > 0)
    await query(`UPDATE ${tables.resources} SET until = $2 WHERE state = $1 AND until IS NULL AND address = ANY($3)`, [state, serial, ended])
  if (begun.length === 0) return
  await query(
    `INSERT INTO ${tables.resources} (state, address, since, record) SELECT $1, one.address, $2, one.record FROM unnest($3::text[], $4::text[]) AS one (address, record)`,
    [state, serial, begun.map(([address]) => address), begun.map(([, text]) => text)],
  )
}

async function dropOldest(query: Query, { tables, state }: StateRows): Promise<void> {
  const [oldest] = await query(
    `SELECT min(serial) AS serial FROM (SELECT serial FROM ${tables.generations} WHERE state = $1 ORDER BY serial DESC LIMIT ${keptGenerations}) AS kept`,
    [state],
  )
  const serial = oldest?.['serial']
  await query(`DELETE FROM ${tables.generations} WHERE state = $1 AND serial < $2`, [state, serial])
  await query(`DELETE FROM ${tables.resources} WHERE state = $1 AND until <= $2`, [state, serial])
}

/** One transaction of the holder; throws Failure 7 where the lock is another's by now. What fails leaves open whether it was done, and ends all writing. */
async function durably(writing: Writing, work: (query: Query) => Promise<void>): Promise<void> {
  const { connection, lock, rows } = writing
  const { tables, state, where } = rows
  let isOurs = true
  try {
    await connection.transaction(async (query) => {
      const [held] = await query(`SELECT key FROM ${tables.locks} WHERE state = $1 FOR UPDATE`, [state])
      isOurs = held?.['key'] === lock.record.key
      if (isOurs) await work(query)
    })
  } catch (error) {
    writing.failed = error
    throw error
  }
  if (isOurs) return
  lock.lose()
  const detail = 'Another run has taken it over, or it was broken. What this run has recorded before is kept.'
  throw failure('locked', `the lock of ${where} was lost`, { detail, hint: 'run again' })
}

function checkUsable({ failed, damage, rows }: Writing): void {
  if (failed !== undefined) {
    const detail = `${failed instanceof Error ? failed.message : 'unknown error'}; what came before is recorded.`
    throw failure('state_unreachable', `${rows.where}: the database failed to keep what was written`, { detail })
  }
  if (damage) throw damage
}

function checkFits({ serial, lineage, rows: { where } }: Writing, document: StateDocument): void {
  if (document.serial <= serial)
    throw failure('state_damaged', `${where}: the serial ${document.serial} is not newer than ${serial}`, { detail: 'Nothing was written.' })
  if (lineage === undefined || lineage === document.lineage) return
  throw failure('state_damaged', `${where}: the lineage ${document.lineage} is not ${lineage}`, { detail: 'Nothing was written: this is another state.' })
}

async function release({ lock, serial, connection, rows }: Writing): Promise<string | undefined> {
  try {
    await lock.release(serial)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return `the lock of ${rows.where} could not be given back (${reason}); it is free ${lock.record.lease_ms / 1000} s after it was last renewed`
  } finally {
    await connection.close()
  }
}
