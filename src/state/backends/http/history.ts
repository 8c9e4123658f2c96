// The generations of a state as one text: they differ little, so that together they take hardly more room than one.
import { promisify } from 'node:util'
import type { BrotliOptions } from 'node:zlib'
import { brotliCompress, brotliCompressSync, brotliDecompress, brotliDecompressSync, constants } from 'node:zlib'
import * as z from 'zod'
import { Failure } from '../../../base/diagnostic.ts'
import { damaged, isDamage, openDocument } from '../../document.ts'
import { keptGenerations } from '../../lease/lease-checks.ts'
import type { SealedPlace } from '../../sealing.ts'
import type { History } from './wire-document.ts'
import type { WirePlaces } from './wire-place.ts'

/** How the texts of a history are kept. */
type Kept = Pick<WirePlaces, 'where' | 'sealing'>

/** The newest has at most so many bytes before it is compressed, and all behind it together; what is longer, and the oldest, are left out. */
const mostBytes = 32 << 20
/** The text between brackets and commas. */
const mostRead = mostBytes * 4 + 1024
const textsSchema = z.array(z.string())
/** What is shorter is done at once: another thread would take longer to hear of it. */
const shortBytes = 1 << 20
const [compressLong, decompressLong] = [promisify(brotliCompress), promisify(brotliDecompress)]

/** A generation and its text as it is kept. */
interface Generation {
  readonly serial: number
  readonly text: string
}

/**
 * A history with generations in front, newest first, the oldest left out beyond what is kept: the present one stands in it, too, so that nothing is lost
 * with its own text. Those that it has already are not added; one that is damaged goes.
 */
export async function withGenerations(history: History | null, added: readonly Generation[], kept: Kept): Promise<History> {
  const earlier = history ? await unpacked(history, kept) : undefined
  const known = earlier ? (history?.serials ?? []) : []
  const isNew = added.filter(({ serial }) => !known.includes(serial))
  const serials = [...isNew.map(({ serial }) => serial), ...known].slice(0, keptGenerations)
  const texts = [...isNew.map(({ text }) => openDocument(text, kept.where, kept.sealing)), ...(earlier ?? [])].slice(0, serials.length)
  let olderBytes = 0
  const isFitting = texts.map((one, at) => {
    const sizeBytes = Buffer.byteLength(one)
    return sizeBytes <= mostBytes && (at === 0 || (olderBytes += sizeBytes) <= mostBytes)
  })
  return await packed({ serials: serials.filter((_, at) => isFitting[at]), texts: texts.filter((_, at) => isFitting[at]) }, kept)
}

/** The same history by the first key; the same where it is kept so. */
export async function resealed(history: History, kept: Kept): Promise<History> {
  const texts = kept.sealing.isCurrent(history.text) ? undefined : await unpacked(history, kept)
  return texts ? await packed({ serials: history.serials, texts }, kept) : history
}

async function compress(bytes: Buffer, options: BrotliOptions): Promise<Buffer> {
  return bytes.length <= shortBytes ? brotliCompressSync(bytes, options) : await compressLong(bytes, options)
}

async function decompress(bytes: Buffer, options: BrotliOptions): Promise<Buffer> {
  // Little may unpack to much.
  return bytes.length <= shortBytes / 16 ? brotliDecompressSync(bytes, options) : await decompressLong(bytes, options)
}

async function packed({ serials, texts }: { readonly serials: number[]; readonly texts: readonly string[] }, { sealing }: Kept): Promise<History> {
  const parameters = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const bytes = await compress(Buffer.from(JSON.stringify(texts)), { params: parameters })
  return { serials, text: sealing.seal(bytes.toString('base64'), placeOf(serials)) }
}

/** The text of a generation, in clear; undefined where none has this serial. Failure 9 where the history is damaged. */
export async function generationText(history: History, serial: number, kept: Kept): Promise<string | undefined> {
  const at = history.serials.indexOf(serial)
  if (at < 0) return undefined
  const texts = await unpacked(history, kept)
  if (!texts) throw damaged(`the history of ${kept.where}`, 'It is not what was written.')
  return texts[at]
}

/** Undefined for what is no text of a history; Failure 9 for one that no key of ours opens. */
async function unpacked({ serials, text }: History, { where, sealing }: Kept): Promise<readonly string[] | undefined> {
  try {
    const opened = sealing.open(text, placeOf(serials), `the history of ${where}`)
    const bytes = await decompress(Buffer.from(opened, 'base64'), { maxOutputLength: mostRead })
    const { data } = textsSchema.safeParse(JSON.parse(bytes.toString('utf8')))
    return data?.length === serials.length ? data : undefined
  } catch (error) {
    if (error instanceof Failure && !isDamage(error)) throw error
    return undefined
  }
}

function placeOf(serials: readonly number[]): SealedPlace {
  return ['history', ...serials]
}
