// Writing a state in a database under its lock: every transaction begins by looking whether the lock is still ours, which keeps others from taking it meanwhile.
import { Failure } from '../../../base/diagnostic.ts'
import { checkConsistent, lineageOf } from '../../consistent.ts'
import { damaged, isDamage } from '../../document.ts'
import { entriesText } from '../../journal-file.ts'
import { firstRead } from '../../lease/first-read.ts'
import type { FirstRead } from '../../lease/first-read.ts'
import { groupCommit } from '../../lease/group-commit.ts'
import { checkKept, giveBack, checkFits, keptGenerations, lockLost } from '../../lease/lease-checks.ts'
import type { SharedLock } from '../../lease/shared-lock.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Lease, Loaded } from '../../store.ts'
import type { Connection, Query } from './connection.ts'
import { signOfLife } from './lock-place.ts'
import { resealRows } from './reseal.ts'
import { entriesIn, journalAsked, keptDocument, linePlace, recordPlace, sealedHead, stateAsked, stateIn } from './rows.ts'
import type { KeptDocument, KeptRecord, StateRows } from './rows.ts'
import type { Statement } from './statement.ts'
import { readThere } from './tables.ts'

/** A lock just taken, the connection that it was taken on, and the state that it is for. */
export interface PostgresLeaseParts {
  readonly connection: Connection
  readonly rows: StateRows
  readonly lock: SharedLock
}

interface Writing extends PostgresLeaseParts {
  serial: number
  lineage: string | undefined
  line: number
  /** What stands in the rows; undefined where that is nothing, or not to be relied on. */
  kept: KeptDocument | undefined
  /** Set where the state read as damaged: only a write, which puts another in its place, is possible. */
  damage: Failure | undefined
  first: FirstRead
  /** After a write that never became known nothing that this lease says can be trusted. */
  failed: unknown
}

/** Reads what is there under a lock just taken. */
export async function openPostgresLease(parts: PostgresLeaseParts): Promise<Lease> {
  const again = async (): Promise<Loaded> => {
    const found = await snapshot(writing)
    writing.kept = found.kept
    return found
  }
  const writing: Writing = {
    ...parts,
    serial: parts.lock.serialBefore,
    lineage: undefined,
    line: 0,
    kept: undefined,
    damage: undefined,
    first: firstRead(undefined, again),
    failed: undefined,
  }
  try {
    const found = await snapshot(writing)
    const { document, entries, kept } = found
    Object.assign(writing, { serial: document?.serial ?? 0, lineage: document?.lineage ?? lineageOf(entries), kept, first: firstRead(found, again) })
  } catch (error) {
    if (!isDamage(error)) throw error
    writing.damage = error
    writing.serial = Math.max(writing.serial, await newestSerial(writing))
  }
  const commits = groupCommit(writing.rows.where, (entries) => appendEntries(writing, entries))
  return Object.freeze({
    read: () => commits.inOrder(writing.first.read),
    valid: () => !commits.isOver() && writing.lock.valid() && writing.failed === undefined && writing.damage === undefined,
    append: commits.append,
    serial: () => writing.serial,
    write: (document: StateDocument, keep: readonly Entry[]) => commits.inOrder(() => replace(writing, document, keep)),
    resealHistory: () => commits.inOrder(() => resealHistory(writing)),
    release: () => commits.end(() => giveBack(writing.lock, writing.serial, writing.rows.where, () => writing.connection.close())),
  })
}

async function snapshot({ connection, rows }: Writing) {
  return stateIn(await readThere(connection, stateAsked(rows)), rows)
}

function newestSerial({ connection, rows: { tables, state } }: Writing): Promise<number> {
  return connection.snapshot(async (query) => {
    const [found] = await query(
      `SELECT greatest((SELECT max(serial) FROM ${tables.generations} WHERE state = $1), (SELECT serial FROM ${tables.states} WHERE state = $1), 0) AS newest`,
      [state],
    )
    return Number(found?.['newest'] ?? 0)
  })
}

/** A line has its number before it is sent: sent once more after an answer that was lost, it stands there once. */
async function appendEntries(writing: Writing, entries: readonly Entry[]): Promise<void> {
  checkUsable(writing)
  if (entries.length === 0) return
  const { tables, state } = writing.rows
  const line = (writing.line += 1)
  writing.lineage ??= lineageOf(entries)
  const { epoch, key } = writing.lock.record
  const { serial } = writing
  const text = entriesText(entries, writing.rows.sealing, linePlace(state, serial, epoch, line))
  await durably(writing, async () => {
    const renewed = writing.lock.renewing()
    const inserted = `INSERT INTO ${tables.journal} (state, epoch, line, serial, entries) SELECT $1, $3, $4, $5, $6 FROM held ON CONFLICT (state, epoch, line) DO NOTHING RETURNING line`
    const [[told] = []] = await writing.connection.written([
      {
        text: `WITH held AS (${signOfLife(tables)}), written AS (${inserted}) SELECT (SELECT count(*) FROM held) AS held, (SELECT count(*) FROM written) AS written`,
        values: [state, key, epoch, line, serial, text],
      },
    ])
    if (Number(told?.['held']) === 0) return false
    if (Number(told?.['written']) === 0) await checkLine(writing, line, text)
    renewed()
    return true
  })
}

/** A line that stands there already is what was sent before its answer was lost, or damage. */
async function checkLine({ connection, rows: { tables, state, where }, lock }: Writing, line: number, text: string): Promise<void> {
  const values = [state, lock.record.epoch, line]
  const [found] = await connection.snapshot((query) => query(`SELECT entries FROM ${tables.journal} WHERE state = $1 AND epoch = $2 AND line = $3`, values))
  if (found?.['entries'] !== text) throw damaged(where, `Another line ${line} stands in the journal of epoch ${lock.record.epoch}.`)
}

async function replace(writing: Writing, document: StateDocument, keep: readonly Entry[]): Promise<void> {
  const { rows } = writing
  if (writing.failed !== undefined) checkUsable(writing)
  checkFits(document, writing.serial, writing.lineage, rows.where)
  const next = keptDocument(document, rows, writing.kept)
  const head = sealedHead(document, next, rows)
  const replacement = { document, next, head, line: (writing.line += 1), keep }
  await (writing.damage ? repaired(writing, replacement) : replaced(writing, replacement))
  Object.assign(writing, { serial: document.serial, lineage: document.lineage, kept: next, damage: undefined })
}

async function resealHistory(writing: Writing): Promise<readonly number[]> {
  checkUsable(writing)
  let left: readonly number[] = []
  await inOne(writing, async (query) => void (left = await resealRows(query, writing.rows)))
  // The rows of the present go by other names now.
  writing.kept = (await snapshot(writing)).kept
  return left
}

/** Work of the holder in one transaction, within which nobody else can take the lock. */
function inOne(writing: Writing, work: (query: Query) => Promise<void>): Promise<void> {
  const { connection, lock, rows } = writing
  return durably(writing, async () => {
    let renewed = lock.renewing()
    const isOurs = await connection.transaction(async (query) => {
      const held = await query(signOfLife(rows.tables), [rows.state, lock.record.key])
      if (held.length > 0) await work(query)
      // Others see the sign of life when all this is committed, and not before.
      renewed = lock.renewing()
      return held.length > 0
    })
    if (isOurs) renewed()
    return isOurs
  })
}

/** What a write puts in place: the document with how it is kept, and the line of the journal that stays. */
interface Replacement {
  readonly document: StateDocument
  readonly next: KeptDocument
  readonly head: string
  readonly line: number
  readonly keep: readonly Entry[]
}

/** The whole replacement in two messages: whether the lock is ours and the document not there yet, and all the rest. */
function replaced(writing: Writing, replacement: Replacement): Promise<void> {
  const { connection, lock, rows } = writing
  const look = [{ text: signOfLife(rows.tables), values: [rows.state, lock.record.key] }, headAsked(rows)]
  return durably(writing, async () => {
    let renewed = lock.renewing()
    const [held = []] = await connection.exchanged(look, (results) => {
      const [ours = [], [found] = []] = results
      // Others see the sign of life when all this is committed, and not before.
      renewed = lock.renewing()
      return ours.length > 0 && found?.['head'] !== replacement.head ? replacing(writing, replacement) : []
    })
    if (held.length > 0) renewed()
    return held.length > 0
  })
}

/** The same where the state was damaged: what can be read of the journal stays. */
function repaired(writing: Writing, replacement: Replacement): Promise<void> {
  const asked = headAsked(writing.rows)
  return inOne(writing, async (query) => {
    const [found] = await query(asked.text, asked.values)
    if (found?.['head'] === replacement.head) return
    const keep = [...replacement.keep, ...(await salvaged(query, writing.rows, replacement.document))]
    for (const { text, values } of replacing(writing, { ...replacement, keep })) await query(text, values)
  })
}

/** A head that stands there was written already, by a transaction whose answer was lost. */
function headAsked({ tables, state }: StateRows) {
  return { text: `SELECT head FROM ${tables.states} WHERE state = $1`, values: [state] }
}

/** All that a write changes. */
function replacing(writing: Writing, { document, next, head, line, keep }: Replacement): readonly Statement[] {
  const { tables, state, sealing } = writing.rows
  const { lineage, serial } = document
  const { epoch } = writing.lock.record
  const values = [state, epoch, line, serial, ...(keep.length > 0 ? [entriesText(keep, sealing, linePlace(state, serial, epoch, line))] : [])]
  const upserted = `ON CONFLICT (state) DO UPDATE SET lineage = excluded.lineage, serial = excluded.serial, head = excluded.head`
  return [
    ...replacedRows(writing, serial, next),
    { text: `INSERT INTO ${tables.states} (state, lineage, serial, head) VALUES ($1, $2, $3, $4) ${upserted}`, values: [state, lineage, serial, head] },
    { text: `INSERT INTO ${tables.generations} (state, serial, head) VALUES ($1, $2, $3)`, values: [state, serial, head] },
    ...droppedOldest(writing.rows),
    { text: `DELETE FROM ${tables.journal} WHERE state = $1 AND epoch >= 0`, values: [state] },
    ...(keep.length > 0 ? [{ text: `INSERT INTO ${tables.journal} (state, epoch, line, serial, entries) VALUES ($1, $2, $3, $4, $5)`, values }] : []),
  ]
}

/** Where the state was damaged, the caller could not read its journal: what can be read and belongs to the state that is written stays, all else goes aside. */
async function salvaged(query: Query, rows: StateRows, document: StateDocument): Promise<readonly Entry[]> {
  const { tables, state, where } = rows
  try {
    const asked = journalAsked(rows)
    const entries = entriesIn(await query(asked.text, asked.values), rows)
    checkConsistent(document, entries, where)
    return entries
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await query(`UPDATE ${tables.journal} SET epoch = -1 - epoch WHERE state = $1 AND epoch >= 0`, [state])
    return []
  }
}

function isSame(one: KeptRecord | undefined, other: KeptRecord | undefined): boolean {
  return one?.isCurrent === true && other?.text === one.text
}

/** Ends the rows that changed or went, or are kept in another way, and begins those that changed or came. */
function replacedRows({ rows: { tables, state, sealing }, kept }: Writing, serial: number, next: KeptDocument): readonly Statement[] {
  const ended = kept && [...kept.records].flatMap(([address, one]) => (isSame(one, next.records.get(address)) ? [] : [one.name]))
  const begun = [...next.records].flatMap(([address, one]) => (isSame(kept?.records.get(address), one) ? [] : [one]))
  const ending = `UPDATE ${tables.resources} SET until = $2 WHERE state = $1 AND until IS NULL`
  const texts = begun.map(({ name, text }) => sealing.seal(text, recordPlace(state, name, serial)))
  const beginning = `INSERT INTO ${tables.resources} (state, address, since, record) SELECT $1, one.address, $2, one.record FROM unnest($3::text[], $4::text[]) AS one (address, record)`
  return [
    ...(ended === undefined ? [{ text: ending, values: [state, serial] }] : []),
    ...(ended && ended.length > 0 ? [{ text: `${ending} AND address = ANY($3::text[])`, values: [state, serial, ended] }] : []),
    ...(begun.length > 0 ? [{ text: beginning, values: [state, serial, begun.map(({ name }) => name), texts] }] : []),
  ]
}

function droppedOldest({ tables, state }: StateRows): readonly Statement[] {
  const kept = `SELECT serial FROM ${tables.generations} WHERE state = $1 ORDER BY serial DESC LIMIT ${keptGenerations}`
  return [
    { text: `DELETE FROM ${tables.generations} WHERE state = $1 AND serial < (SELECT min(serial) FROM (${kept}) AS kept)`, values: [state] },
    { text: `DELETE FROM ${tables.resources} WHERE state = $1 AND until <= (SELECT min(serial) FROM ${tables.generations} WHERE state = $1)`, values: [state] },
  ]
}

/** Work of the holder; throws Failure 7 where it tells that the lock is another's by now. What fails leaves open whether it was done, and ends all writing. */
async function durably(writing: Writing, work: () => Promise<boolean>): Promise<void> {
  writing.first.spoil()
  let isOurs: boolean
  try {
    isOurs = await work()
  } catch (error) {
    writing.failed = error
    throw error
  }
  if (isOurs) return
  writing.lock.lose()
  throw lockLost(writing.rows.where)
}

function checkUsable({ failed, damage, rows }: Writing): void {
  checkKept(failed, rows.where)
  if (damage) throw damage
}
