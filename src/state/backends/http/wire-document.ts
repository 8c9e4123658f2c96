// What goes over the wire: one JSON object around a state, its journal and its history, which a server knows by `serial` and `lineage` alone.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'
import { isObject, parseJson, stringifyJson } from '../../../base/json.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'

const format = 'iac-http-state/v1'
const count = z.number().int().nonnegative()
const lines = { serial: count, document: z.string(), lines: z.array(z.string()) }
const journalSchema = z.strictObject({ ...lines, next: z.strictObject(lines).nullable(), digest: z.string() })
const historySchema = z.strictObject({ serials: z.array(count), text: z.string() })
const headSchema = z.object({ serial: count, lineage: z.string(), stamp: z.string().regex(/^\d{1,15}-[0-9a-f]{32}-\d{1,15}$/) })

/** Lines of a journal, and which document they follow: its serial and the digest of its text; 0 and nothing where there is none. */
export interface Lines {
  readonly serial: number
  readonly document: string
  /** The entries of one group each, as texts. */
  readonly lines: readonly string[]
}

/** A journal. */
export interface Journal extends Lines {
  /** What stays of it once the document that is named there stands in its own place; null where none is on its way. */
  readonly next: Lines | null
}

/** The generations, the present one included: their serials, newest first, and all their texts as one. */
export type History = Readonly<z.infer<typeof historySchema>>

/** One document of the server. The state and its journal stand in one, or, with an address for the journal, in two of this shape. */
export interface WireDocument {
  /** The server's: grows with each write of this document, whatever it changes. The state's own stands in its text. */
  readonly serial: number
  /** The server's: drawn with the first document. The state's own stands in its text. */
  readonly lineage: string
  /** Of this one write: its epoch, the key of the run, how often that has written. */
  readonly stamp: string
  readonly lock: LockRecord | null
  /** What stands in the place of that is no record. */
  readonly isLockDamaged?: boolean
  readonly state: string | null
  readonly journal: Journal | null
  readonly history: History | null
  /** What was damaged when a state was last written over it, for people alone. */
  readonly damaged: string | null
  /** What of it does not fit, in words. */
  readonly problem?: string
  /** How long ago it was written, in milliseconds by the clock of the server; undefined where that does not tell. */
  readonly quietMs?: number | undefined
}

/** The text that is sent. */
export function wireText({ serial, lineage, stamp, lock, state, journal, history, damaged }: WireDocument): string {
  const digest = journal && digestOf(journal)
  return `${stringifyJson({ format, serial, lineage, stamp, lock, state, journal: journal && { ...journal, digest }, history, damaged })}\n`
}

/** The way back; Failure 9 for what `iac` has not written, and does not write over. */
export function readWireText(bytes: Buffer, where: string): WireDocument {
  const found = objectIn(bytes)
  const { format: said } = found ?? {}
  if (!found || said !== format) throw foreign(said, where)
  const head = headSchema.safeParse(found)
  if (!head.success) throw altered(where)
  const lock = lockRecordSchema.nullable().safeParse(found['lock'])
  const journal = journalSchema.nullable().safeParse(found['journal'])
  const history = historySchema.nullable().safeParse(found['history'])
  const texts = z.object({ state: z.string().nullable(), damaged: z.string().nullable() }).safeParse(found)
  const isWhole = journal.success && (!journal.data || journal.data.digest === digestOf(journal.data))
  const problems = [isWhole ? '' : 'journal', history.success ? '' : 'history', texts.success ? '' : 'state'].filter((one) => one !== '')
  return {
    ...head.data,
    lock: lock.data ?? null,
    ...(lock.success ? {} : { isLockDamaged: true }),
    state: texts.data?.state ?? null,
    journal: (isWhole ? withoutDigest(journal.data) : undefined) ?? null,
    history: history.data ?? null,
    damaged: texts.data?.damaged ?? null,
    ...(problems.length > 0 && { problem: `Its ${problems.join(' and ')} is not what was written.` }),
  }
}

/** The epoch of the run that wrote it, and the key of that run. */
export function writerOf({ stamp }: Pick<WireDocument, 'stamp'>): { readonly epoch: number; readonly key: string } {
  const [epoch = '', key = ''] = stamp.split('-')
  return { epoch: Number(epoch), key }
}

/** The digest of a text; empty for none. */
export function textDigest(text: string | null): string {
  return text === null ? '' : createHash('sha256').update(text).digest('hex')
}

function withoutDigest(journal: (Journal & { readonly digest: string }) | null): Journal | null {
  if (!journal) return null
  const { digest: _, ...rest } = journal
  return rest
}

function digestOf({ serial, document, lines: own, next }: Journal): string {
  const rest = next && [next.serial, next.document, next.lines]
  return textDigest(stringifyJson([serial, document, own, rest]))
}

function objectIn(bytes: Buffer): JsonObject | undefined {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { maxValues: 3_000_000 })
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function foreign(said: JsonValue | undefined, where: string): Failure {
  const version = typeof said === 'string' ? /^iac-http-state\/v([1-9][0-9]{0,5})$/.exec(said)?.[1] : undefined
  if (version !== undefined) {
    const detail = 'A newer iac wrote it. Nothing was changed.'
    return failure('state_other', `${where} is of the format iac-http-state/v${version}, this iac knows ${format}`, { detail, hint: 'use the newer iac' })
  }
  return failure('state_damaged', `${where} holds something else`, {
    detail: 'What stands there was not written by iac, or only a part of it. It is never written over.',
    hint: 'give the state another address; a version that the server has kept brings a damaged one back',
  })
}

function altered(where: string): Failure {
  const detail = 'Its serial, lineage or stamp is not what was written. It is never written over.'
  return failure('state_damaged', `${where} is damaged`, { detail, hint: 'a version that the server has kept brings it back' })
}
