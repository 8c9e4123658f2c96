// A state as rows: read as one snapshot, and written as the rows that changed.
import { compareAddresses } from '../../../base/address.ts'
import { isObject, parseJson, stringifyJson } from '../../../base/json.ts'
import type { JsonObject } from '../../../base/json.ts'
import { checkConsistent } from '../../consistent.ts'
import { damaged, documentValue, encodeResource, readDocument } from '../../document.ts'
import { entriesOf } from '../../journal-file.ts'
import { lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import type { Entry, StateDocument } from '../../record.ts'
import type { Loaded } from '../../store.ts'
import type { Query } from './connection.ts'
import type { Tables } from './tables.ts'

const lockHint = 'where no run holds it, remove its row in the table locks'
/** Generations share the rows that did not change. */
const rowHint = 'see `iac state history`; `iac state restore` puts a generation back that does not hold the damaged row, a backup of the database any other'

/** One state among those of a schema; `where` is how messages name it. */
export interface StateRows {
  readonly tables: Tables
  readonly state: string
  readonly where: string
}

/** A document as it is kept: what stands beside the resources, and each of them by its address. */
export interface KeptDocument {
  readonly head: string
  readonly records: ReadonlyMap<string, string>
}

/** How a document is kept; the checksum in its head is over the resources, too. */
export function keptDocument(document: StateDocument): KeptDocument {
  const { resources: _, ...head } = documentValue(document)
  return { head: stringifyJson(head), records: new Map(document.resources.map((one) => [one.address, stringifyJson(encodeResource(one))])) }
}

/** State and journal as one snapshot; Failure 9 where they do not fit each other, or are older than what history or lock tell of. */
export async function readState(query: Query, rows: StateRows): Promise<Loaded & { readonly kept: KeptDocument | undefined }> {
  const { tables, state, where } = rows
  const [found] = await query(`SELECT serial, head FROM ${tables.states} WHERE state = $1`, [state])
  const [sign] = await query(
    `SELECT (SELECT max(serial) FROM ${tables.generations} WHERE state = $1) AS newest, (SELECT record FROM ${tables.locks} WHERE state = $1) AS lock`,
    [state],
  )
  const entries = await journalEntries(query, rows)
  const lock = sign?.['lock']
  const newest = Math.max(Number(sign?.['newest'] ?? 0), typeof lock === 'string' ? lockRecordOf(lock, where).serial : 0)
  const serial = Number(found?.['serial'] ?? 0)
  if (!found && newest > 0)
    throw damaged(where, `It is missing, although history or lock say that there was serial ${newest}. It is not taken for an empty one.`)
  if (newest > serial) throw damaged(where, `Its serial is ${serial}, although there was ${newest}: an older state was put in its place.`)
  const kept = found && { head: String(found['head']), records: await recordsAt(query, rows, 'until IS NULL') }
  const document = kept && documentOf(kept, where)
  if (document && document.serial !== serial) throw damaged(where, `Its row has the serial ${serial}, what it says ${document.serial}.`)
  checkConsistent(document, entries, where)
  return { document, entries, torn: false, kept }
}

/** What the lines of the journal say; those of an epoch below 0 were damaged, and are kept for people alone. */
export async function journalEntries(query: Query, { tables, state, where }: StateRows): Promise<readonly Entry[]> {
  const lines = await query(`SELECT entries FROM ${tables.journal} WHERE state = $1 AND epoch >= 0 ORDER BY epoch, line`, [state])
  return lines.flatMap((line) => entriesOf(String(line['entries']), where))
}

/** A generation that is kept; undefined where none has this serial. */
export async function readGeneration(query: Query, rows: StateRows, serial: number): Promise<StateDocument | undefined> {
  const { tables, state, where } = rows
  const [found] = await query(`SELECT head FROM ${tables.generations} WHERE state = $1 AND serial = $2`, [state, serial])
  if (!found) return undefined
  const records = await recordsAt(query, rows, 'since <= $2 AND (until IS NULL OR until > $2)', [serial])
  return documentOf({ head: String(found['head']), records }, `generation ${serial} of ${where}`)
}

async function recordsAt(query: Query, { tables, state }: StateRows, condition: string, values: readonly unknown[] = []): Promise<ReadonlyMap<string, string>> {
  const found = await query(`SELECT address, record FROM ${tables.resources} WHERE state = $1 AND ${condition}`, [state, ...values])
  return new Map(found.map((row) => [String(row['address']), String(row['record'])]))
}

function documentOf({ head, records }: KeptDocument, where: string): StateDocument {
  const value = objectOf(head, where)
  const resources = [...records].toSorted(([one], [other]) => compareAddresses(one, other)).map(([, text]) => objectOf(text, where))
  return readDocument({ ...value, resources }, { where, hint: rowHint })
}

/** What the row of the lock says; Failure 9 for what is no record of one. */
export function lockRecordOf(text: string, where: string): LockRecord {
  const place = `the lock of ${where}`
  const record = lockRecordSchema.safeParse(objectOf(text, place, lockHint))
  if (record.success) return record.data
  throw damaged(place, record.error.issues[0]?.message ?? 'unreadable', lockHint)
}

function objectOf(text: string, where: string, hint = rowHint): JsonObject {
  try {
    const value = parseJson(text)
    if (isObject(value)) return value
  } catch (error) {
    throw damaged(where, error instanceof Error ? error.message : 'unreadable', hint)
  }
  throw damaged(where, 'A row holds no JSON object.', hint)
}
