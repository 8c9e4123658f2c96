// The journal in a bucket: an object for each group of entries, each of which names the one that it follows and the document that it is about.
import { createHash } from 'node:crypto'
import * as z from 'zod'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import { damaged } from '../../document.ts'
import { entriesOf, entriesText } from '../../journal-file.ts'
import type { Entry } from '../../record.ts'
import type { SealedPlace, Sealing } from '../../sealing.ts'

const headSchema = z.strictObject({
  format: z.literal('iac-journal-lines/v1'),
  /** Of the state that the entries bring up to date; null where none was begun yet. */
  lineage: z.string().nullable(),
  /** Serial and digest of the document that they follow: 0 and nothing where there was none. */
  serial: z.number().int().nonnegative(),
  document: z.string(),
  /** The object before it, as its writer knew it: what a superseded run adds later is on nobody's way. */
  after: z.string().nullable(),
  /** Written before its document, with what of the journal stays: counts once that document stands there. */
  opens: z.boolean(),
  digest: z.string(),
})

/** What an object says of itself besides its entries. */
export type LinesHead = Omit<Readonly<z.infer<typeof headSchema>>, 'format' | 'digest'>

/** An object of the journal as read. */
export interface Lines extends LinesHead {
  readonly entries: readonly Entry[]
}

/** Which document the lines looked for follow. */
export interface Followed {
  readonly serial: number
  readonly digest: string
}

/** What belongs to a document, and the name of its last object. */
export interface Followers {
  readonly entries: readonly Entry[]
  readonly last: string | undefined
}

/** The name of a line: names are in the order of epochs, then lines. */
export function lineName(epoch: number, line: number): string {
  return `${String(epoch).padStart(12, '0')}-${String(line).padStart(12, '0')}`
}

/** The epoch in a name; undefined for what is no name of a line. */
export function epochOf(name: string): number | undefined {
  const digits = /^(\d{12})-\d{12}$/.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The object's text: two lines, the head with a digest of the entries and the entries, which are bound to the head where they are encrypted. */
export function linesText(head: LinesHead, entries: readonly Entry[], sealing: Sealing): string {
  const text = entriesText(entries, sealing, placeOf(head))
  return `${stringifyJson({ format: 'iac-journal-lines/v1', ...head, digest: digestOf(text) })}\n${text}\n`
}

/** The way back; Failure 9 for whatever is no such text. */
export function readLines(bytes: Buffer, where: string, sealing: Sealing): Lines {
  const [first = '', text = '', ...rest] = bytes.toString('utf8').split('\n')
  const head = headSchema.safeParse(jsonOf(first))
  if (!head.success || rest.join('') !== '' || head.data.digest !== digestOf(text)) throw damaged(where, 'It is not what was written.')
  const { format: _, digest: __, ...said } = head.data
  return { ...said, entries: entriesOf(text, where, sealing, placeOf(said)) }
}

function placeOf({ lineage, serial, document, after, opens }: LinesHead): SealedPlace {
  return ['journal', lineage ?? '', serial, document, after ?? '', opens ? 'opens' : 'follows']
}

/** The entries that follow a document, in their order: from the newest object back to the first. Failure 9 where one is missing, or follows another document. */
export function followersOf(objects: ReadonlyMap<string, Lines>, { serial, digest }: Followed, where: string): Followers {
  const own: string[] = []
  for (const [name, lines] of objects) {
    if (lines.serial === serial && lines.document === digest) own.push(name)
    else if (!lines.opens && lines.serial >= serial) {
      const detail = `It has the serial ${serial}, its journal follows ${lines.serial}`
      throw damaged(
        where,
        serial === 0 ? `It is missing, although its journal follows the serial ${lines.serial}.` : `${detail}: another state was put in its place.`,
      )
    }
  }
  const last = own.toSorted().at(-1)
  return { entries: entriesUpTo(objects, last, where), last }
}

/** All entries from the first of a chain to this object. */
export function entriesUpTo(objects: ReadonlyMap<string, Lines>, last: string | undefined, where: string): readonly Entry[] {
  const found: (readonly Entry[])[] = []
  for (let name: string | null | undefined = last; name !== null && name !== undefined;) {
    const lines: Lines | undefined = objects.get(name)
    if (!lines || found.length > objects.size) throw damaged(where, `Line ${name} of its journal is missing.`)
    found.push(lines.entries)
    name = lines.opens ? null : lines.after
  }
  return found.toReversed().flat()
}

/** The digest of a document's text, without the space after it. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.trimEnd()).digest('hex')
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}
