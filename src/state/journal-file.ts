// The journal's bytes: a header, then one line for each group of entries, each chained to the one before by its hash.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { parseJson, stringifyJson } from '../base/json.ts'
import type { JsonValue } from '../base/json.ts'
import { readDigests, writeDigests } from './digest.ts'
import { damaged } from './document.ts'
import { entrySchema, firstIssue } from './record-schema.ts'
import type { Entry } from './record.ts'
import type { SealedPlace, Sealing } from './sealing.ts'
import { unknownHere } from './unknown-members.ts'

/** Which state the entries bring up to date: its lineage and serial, 0 where no state was written yet. */
export interface JournalHeader {
  readonly lineage: string
  readonly serial: number
}

/** A journal as read; `chain` is what the next line is chained to. */
export interface JournalFile {
  readonly header: JournalHeader
  readonly entries: readonly Entry[]
  readonly torn: boolean
  readonly chain: string
}

/** Bytes to write, and the chain after them. */
export interface JournalPart {
  readonly bytes: Uint8Array
  readonly chain: string
}

const headerSchema = z.strictObject({ format: z.literal('iac-journal/v1'), lineage: z.string().min(1), serial: z.number().int().nonnegative() })
const entriesSchema = z.array(entrySchema)
const newline = 0x0a
/** As many entries as become durable together: as one text very many would be longer than texts can be. */
export const entriesPerLine = 1000
/** The longest line that can be read as a text, and the most values in one. */
const longestLineBytes = 2 ** 29 - 25
const maxValues = 30_000_000

/** One line `length chain json` for entries that become durable together, so that a crash can tear the last line only. Encrypted it is bound to the chain before it. */
export function encodeEntries(chain: string, entries: readonly Entry[], sealing: Sealing): JournalPart {
  return line(chain, entriesText(entries, sealing, ['journal', chain]))
}

/** A whole journal, in lines of some thousand entries. */
export function encodeJournal(header: JournalHeader, entries: readonly Entry[], sealing: Sealing): JournalPart {
  let { bytes, chain } = line('', stringifyJson({ format: 'iac-journal/v1', lineage: header.lineage, serial: header.serial }))
  const lines = [bytes]
  for (let from = 0; from < entries.length; from += entriesPerLine) {
    ;({ bytes, chain } = encodeEntries(chain, entries.slice(from, from + entriesPerLine), sealing))
    lines.push(bytes)
  }
  return { bytes: Buffer.concat(lines), chain }
}

/** Reads a journal. A last line that was cut off is left out and reported as `torn`; Failure 9 for anything else that does not fit. */
export function decodeJournal(bytes: Uint8Array, where: string, sealing: Sealing): JournalFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = readLine(file, 0, '')
  if (first.is !== 'whole') throw damaged(where, 'Its first line does not fit its checksum.')
  const head = readJson(first.json)
  const header = headerSchema.safeParse(head)
  if (!header.success) throw unknownHere(where, header.error, head !== null) ?? damaged(where, firstIssue(header.error))
  const entries: Entry[] = []
  let { chain, end } = first
  let torn = false
  while (end < file.length && !torn) {
    const next = readLine(file, end, chain)
    if (next.is === 'wrong') throw damaged(where, `The line at byte ${end} does not fit its checksum.`)
    if (next.is === 'torn') torn = true
    else {
      for (const entry of entriesOf(next.json, where, sealing, ['journal', chain])) entries.push(entry)
      ;({ chain, end } = next)
    }
  }
  return { header: { lineage: header.data.lineage, serial: header.data.serial }, entries, torn, chain }
}

type Line = { readonly is: 'whole'; readonly json: string; readonly chain: string; readonly end: number } | { readonly is: 'torn' } | { readonly is: 'wrong' }

function line(chain: string, json: string): JournalPart {
  const next = chainOf(chain, json)
  return { bytes: Buffer.from(`${Buffer.byteLength(json)} ${next} ${json}\n`), chain: next }
}

function chainOf(chain: string, json: string): string {
  return createHash('sha256').update(chain).update('\n').update(json).digest('hex')
}

function readLine(file: Buffer, start: number, chain: string): Line {
  const end = file.indexOf(newline, start)
  if (end < 0) return { is: 'torn' }
  const raw = file.subarray(start, end)
  const match = /^(\d{1,10}) ([0-9a-f]{64}) /.exec(raw.subarray(0, 80).toString('latin1'))
  const json = raw.subarray(match?.[0].length ?? raw.length)
  if (match && Number(match[1]) === json.length && json.length <= longestLineBytes) {
    const text = json.toString('utf8')
    if (chainOf(chain, text) === match[2]) return { is: 'whole', json: text, chain: match[2], end: end + 1 }
  }
  // A last line with blocks that never reached the disk: they read as zeros, which no JSON holds.
  return { is: end === file.length - 1 && raw.includes(0) ? 'torn' : 'wrong' }
}

/** A line that fits its checksum and is no JSON all the same is null, hence damage. */
function readJson(text: string): JsonValue {
  try {
    return readDigests(parseJson(text, { maxValues }))
  } catch {
    return null
  }
}

/** Entries that become durable together, as one text of one line; encrypted it is bound to its place. */
export function entriesText(entries: readonly Entry[], sealing: Sealing, place: SealedPlace): string {
  return sealing.seal(stringifyJson(writeDigests(entries)), place)
}

/** The way back, of a text that is known to be as it was written; Failure 9 for whatever is no such text. */
export function entriesOf(text: string, where: string, sealing: Sealing, place: SealedPlace): readonly Entry[] {
  const json = readJson(sealing.open(text, place, where))
  const parsed = entriesSchema.safeParse(json)
  if (!parsed.success) throw unknownHere(where, parsed.error, json !== null) ?? damaged(where, firstIssue(parsed.error))
  return parsed.data
}
