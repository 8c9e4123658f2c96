// A state as rows: read as one snapshot, and written as the rows that changed.
import { hash } from 'node:crypto'
import { compareAddresses } from '../../../base/address.ts'
import { canonicalJson, isObject, parseJson, stringifyJson } from '../../../base/json.ts'
import type { JsonObject } from '../../../base/json.ts'
import { checkConsistent } from '../../consistent.ts'
import { altered, checkFormat, damaged, documentHead, encodeResource, fitsChecksum, readDocument } from '../../document.ts'
import { entriesOf } from '../../journal-file.ts'
import { damagedLock, damagedLockHint, lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../record.ts'
import type { SealedPlace, Sealing } from '../../sealing.ts'
import type { Loaded } from '../../store.ts'
import type { Rows } from './connection.ts'
import type { Statement } from './statement.ts'
import type { Tables } from './tables.ts'

/** What a head is bound to, with its lineage and serial. */
export const headPlace: SealedPlace = ['head']
/** Generations share the rows that did not change. */
const longDigits = /\d{16}/
const rowHint = 'see `iac state history`; `iac state restore` puts a generation back that does not hold the damaged row, a backup of the database any other'

/** One state among those of a schema; `where` is how messages name it. */
export interface StateRows {
  readonly tables: Tables
  readonly state: string
  readonly where: string
  readonly sealing: Sealing
}

/** What a row says of one resource: the name that it goes by in the table, which is not to be read where the text is not. */
export interface KeptRecord {
  readonly name: string
  readonly text: string
  /** What the checksum is over, which is nearly always that text. */
  readonly canonical: string
  /** A write today would keep it as it is kept. */
  readonly isCurrent: boolean
  /** What it says: of a record that is handed on as it was read nothing is made anew. */
  readonly resource: ResourceRecord
}

/** A document taken apart, its texts readable: what stands beside the resources, and each of them by its address. */
export interface KeptDocument {
  readonly head: string
  readonly records: ReadonlyMap<string, KeptRecord>
}

/** How a document is taken apart, what did not change since `before` as it stands there; the checksum in its head is over the resources, too. */
export function keptDocument(document: StateDocument, { sealing }: StateRows, before: KeptDocument | undefined): KeptDocument {
  const records = new Map<string, KeptRecord>()
  for (const one of document.resources.toSorted((a, b) => compareAddresses(a.address, b.address)))
    records.set(one.address, keptRecord(one, sealing, before?.records.get(one.address)))
  const texts = [...records.values()].map((one) => one.canonical)
  return { head: stringifyJson(documentHead(document, texts)), records }
}

function keptRecord(resource: ResourceRecord, sealing: Sealing, before: KeptRecord | undefined): KeptRecord {
  if (before?.isCurrent && before.resource === resource) return before
  const name = sealing.name(resource.address)
  const value = encodeResource(resource)
  const canonical = canonicalJson(value)
  if (before?.canonical === canonical) return { ...before, name, isCurrent: true, resource }
  // A large number is kept as it is written, not with all its digits.
  return { name, text: longDigits.test(canonical) ? stringifyJson(value) : canonical, canonical, isCurrent: true, resource }
}

/** The head as its column holds it; lineage and serial stay readable. */
export function sealedHead({ lineage, serial }: StateDocument, { head }: KeptDocument, { sealing }: StateRows): string {
  return sealing.seal(head, headPlace, { lineage, serial })
}

/** Where the record of a resource stands that holds from a serial on. */
export function recordPlace(state: string, name: string, since: number): SealedPlace {
  return ['record', state, name, since]
}

/** Where a line of the journal stands, and after which serial. */
export function linePlace(state: string, serial: number, epoch: number, line: number): SealedPlace {
  return ['journal', state, serial, epoch, line]
}

/** What reads state and journal as one snapshot, for `stateIn`. */
export function stateAsked({ tables, state }: StateRows): readonly Statement[] {
  const values = [state]
  return [
    { text: `SELECT serial, head FROM ${tables.states} WHERE state = $1`, values },
    {
      text: `SELECT (SELECT max(serial) FROM ${tables.generations} WHERE state = $1) AS newest, (SELECT record FROM ${tables.locks} WHERE state = $1) AS lock`,
      values,
    },
    { text: `SELECT address, since, record FROM ${tables.resources} WHERE state = $1 AND until IS NULL`, values },
    journalAsked({ tables, state }),
  ]
}

/** What has the database itself digest all that `stateAsked` reads, for `stampIn`. */
export function stampAsked({ tables, state }: StateRows): readonly Statement[] {
  const values = [state]
  return [
    { text: `SELECT ${digestOf("serial || ' ' || head", 'serial')} AS head FROM ${tables.states} WHERE state = $1`, values },
    {
      text: `SELECT (SELECT max(serial) FROM ${tables.generations} WHERE state = $1) AS newest, (SELECT record FROM ${tables.locks} WHERE state = $1) AS lock`,
      values,
    },
    {
      text: `SELECT ${digestOf("address || ' ' || since || ' ' || record", 'address, since')} AS records FROM ${tables.resources} WHERE state = $1 AND until IS NULL`,
      values,
    },
    {
      text: `SELECT ${digestOf("epoch || ' ' || line || ' ' || serial || ' ' || entries", 'epoch, line')} AS lines FROM ${tables.journal} WHERE state = $1 AND epoch >= 0`,
      values,
    },
  ]
}

/** SQL for a digest over all rows, in an order that is theirs alone. */
function digestOf(text: string, order: string): string {
  const each = `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`
  return `encode(sha256(convert_to(coalesce(string_agg(${each}, ' ' ORDER BY ${order}), ''), 'UTF8')), 'hex')`
}

/** The stamp of what these rows tell; of no tables at all one, too. */
export function stampIn(results: readonly Rows[] | undefined): string {
  return hash('sha256', JSON.stringify(results ?? null))
}

/** What these rows say; Failure 9 where they do not fit each other, or are older than what history or lock tell of. */
export function stateIn(results: readonly Rows[], rows: StateRows): Loaded & { readonly kept: KeptDocument | undefined } {
  const { where } = rows
  const [[found] = [], [sign] = [], records = [], lines = []] = results
  const lock = sign?.['lock']
  const newest = Math.max(Number(sign?.['newest'] ?? 0), typeof lock === 'string' ? lockRecordOf(lock, where).serial : 0)
  const serial = Number(found?.['serial'] ?? 0)
  if (!found && newest > 0)
    throw damaged(where, `It is missing, although history or lock say that there was serial ${newest}. It is not taken for an empty one.`)
  if (newest > serial) throw damaged(where, `Its serial is ${serial}, although there was ${newest}: an older state was put in its place.`)
  const read = found && documentOf(records, rows, { head: String(found['head']), serial, where })
  const entries = entriesIn(lines, rows, serial)
  checkConsistent(read?.document, entries, where)
  return { document: read?.document, entries, torn: false, kept: read?.kept }
}

/** What reads the lines of the journal, for `entriesIn`; those of an epoch below 0 were damaged, and are kept for people alone. */
export function journalAsked({ tables, state }: Pick<StateRows, 'tables' | 'state'>): Statement {
  return { text: `SELECT epoch, line, serial, entries FROM ${tables.journal} WHERE state = $1 AND epoch >= 0 ORDER BY epoch, line`, values: [state] }
}

/** What the lines of the journal say, all of which must follow the serial where that is given. */
export function entriesIn(lines: Rows, { state, where, sealing }: StateRows, serial?: number): readonly Entry[] {
  return lines.flatMap((row) => {
    const [epoch, line, follows] = [Number(row['epoch']), Number(row['line']), Number(row['serial'])]
    if (serial !== undefined && follows !== serial) throw damaged(where, `Its serial is ${serial}, a line of its journal follows ${follows}.`)
    return entriesOf(String(row['entries']), where, sealing, linePlace(state, follows, epoch, line))
  })
}

/** What reads a generation that is kept, for `generationIn`. */
export function generationAsked({ tables, state }: StateRows, serial: number): readonly Statement[] {
  const values = [state, serial]
  return [
    { text: `SELECT head FROM ${tables.generations} WHERE state = $1 AND serial = $2`, values },
    { text: `SELECT address, since, record FROM ${tables.resources} WHERE state = $1 AND since <= $2 AND (until IS NULL OR until > $2)`, values },
  ]
}

/** The generation of that serial; undefined where none has it. */
export function generationIn(results: readonly Rows[], rows: StateRows, serial: number): StateDocument | undefined {
  const [[found] = [], records = []] = results
  return found && documentOf(records, rows, { head: String(found['head']), serial, where: `generation ${serial} of ${rows.where}` }).document
}

/** The document of a serial: its head, with the records that are part of it. */
function documentOf(
  found: Rows,
  { state, sealing }: StateRows,
  at: { readonly head: string; readonly serial: number; readonly where: string },
): { readonly document: StateDocument; readonly kept: KeptDocument } {
  const { serial, where } = at
  const head = sealing.open(at.head, headPlace, where)
  const opened: (Omit<KeptRecord, 'canonical' | 'resource'> & { readonly address: string; readonly value: JsonObject })[] = []
  for (const row of found) {
    const [name, record] = [String(row['address']), String(row['record'])]
    const { text, resource, address } = openRecord(record, { where, sealing }, recordPlace(state, name, Number(row['since'])))
    opened.push({ address, value: resource, name, text, isCurrent: sealing.isCurrent(record) })
  }
  const inOrder = opened.toSorted((one, other) => compareAddresses(one.address, other.address))
  const about = objectOf(head, where)
  checkFormat(about['format'], { where, hint: rowHint })
  const canonical = canonicalTexts(about, inOrder, where)
  const document = readDocument({ ...about, resources: inOrder.map((one) => one.value) }, { where, hint: rowHint })
  if (document.serial !== serial) throw damaged(where, `Its row has the serial ${serial}, what it says ${document.serial}.`)
  const records = new Map<string, KeptRecord>()
  for (const [index, resource] of document.resources.entries()) {
    const { name = '', text = '', isCurrent = false } = inOrder[index] ?? {}
    records.set(resource.address, { name, text, canonical: canonical[index] ?? text, isCurrent, resource })
  }
  return { document, kept: { head, records } }
}

/** The canonical texts of records, over which the checksum must be; most stand in their rows so. */
function canonicalTexts(head: JsonObject, records: readonly { readonly text: string; readonly value: JsonObject }[], where: string): readonly string[] {
  const texts = records.map((one) => one.text)
  if (fitsChecksum(head, texts)) return texts
  const made = records.map((one) => canonicalJson(one.value))
  if (fitsChecksum(head, made)) return made
  throw altered({ where, hint: rowHint })
}

/** A record as its row holds it: its text, what that says, and of which address. */
export function openRecord(kept: string, { where, sealing }: Pick<StateRows, 'where' | 'sealing'>, place: SealedPlace) {
  const text = sealing.open(kept, place, where)
  const resource = objectOf(text, where)
  return { text, resource, address: typeof resource['address'] === 'string' ? resource['address'] : '' }
}

/** What the row of the lock says; undefined for what is no record of one. */
export function lockRecordIn(text: string): LockRecord | undefined {
  try {
    return lockRecordSchema.safeParse(parseJson(text)).data
  } catch {
    return undefined
  }
}

/** What the row of the lock says; Failure 9 for what is no record of one. */
export function lockRecordOf(text: string, where: string): LockRecord {
  const record = lockRecordSchema.safeParse(objectOf(text, `the lock of ${where}`, damagedLockHint))
  if (record.success) return record.data
  throw damagedLock(where, record.error.issues[0]?.message ?? 'unreadable')
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
