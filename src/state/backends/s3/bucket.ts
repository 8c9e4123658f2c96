// Objects in a bucket: requests signed, answers bounded, what fails for a while asked again, refusals in words.
import { AwsV4Signer } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { createWatch } from '../../../api/transport/watch.ts'
import type { Transport } from '../../../api/transport/wire.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import { backoff } from '../../../base/backoff.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'
import { quietMsOf } from '../../lease/quiet.ts'
import type { Caller, Credentials } from './caller.ts'
import { errorCode, readListPart } from './listing.ts'
import { hintAt, inWords, isPassing, noStore } from './refusals.ts'

/** Where the bucket is; `where` is how messages name it. */
export interface BucketAddress {
  readonly where: string
  readonly origin: string
  /** What stands before each key in a path: nothing, or `/BUCKET` where the host is not the bucket's own. */
  readonly folder: string
  readonly region: string
  readonly caller: Caller
}

/** The version of an object: opaque, and only ever compared with what the store itself said. */
export type ETag = string

/** How a condition names a version: as the store gave it, or without its quotes, which is all that some stores compare. */
export const tagForms = ['as given', 'bare'] as const
export type TagForm = (typeof tagForms)[number]

export interface Found {
  readonly bytes: Buffer
  readonly tag: ETag
  /** How long ago it was written, in milliseconds by the clock of the store; undefined where that does not tell. */
  readonly quietMs?: number | undefined
}

/** What must stand at a key for a write to be done: a version, or nothing at all. */
export type Condition = { readonly is: ETag } | 'absent'

export interface Bucket {
  /** An object of at most so many bytes; undefined where none has this key. */
  get(key: string, maxBytes: number): Promise<Found | undefined>
  /** The version of an object; undefined where none has this key. */
  tagOf(key: string): Promise<ETag | undefined>
  /**
   * Writes where the condition holds, and gives the new version: undefined where it does not. After an answer that was lost the write itself may be
   * why. `leaving` is called just before each try is sent; what it throws keeps that one back. */
  put(key: string, text: string, condition?: Condition, leaving?: () => void): Promise<ETag | undefined>
  /** Names versions in this form from here on; `as given` until then. */
  nameTags(form: TagForm): void
  remove(key: string): Promise<void>
  /** The names of all objects below a prefix, in order, without it. */
  list(prefix: string): Promise<readonly string[]>
}

export interface BucketParts {
  readonly address: BucketAddress
  readonly transport: Transport
  readonly clock: Clock
  /** For how much longer what fails for a while is asked again, in milliseconds; undefined before there is a lease. */
  readonly patience: () => number | undefined
  /** After so long without an answer, or the next part of one, a request is given up. */
  readonly quietMs: number
}

/** With the keys that signatures of a day are made by, derived once for each pair of credentials. */
interface Signing extends BucketParts {
  readonly derived: Map<string, ArrayBuffer>
}

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly key: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBytes?: number
  readonly leaving?: (() => void) | undefined
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly code: string
}

const uploadBytesPerMs = 256
const [firstPauseMs, longestPauseMs] = [200, 2000]
/** How long is asked again before there is a lease. */
const patienceBeforeMs = 5000
const smallBytes = 4 << 20
const mostParts = 1000
/** Of what is said instead of the object, however short that would be. */
const errorBytes = 1 << 20

/** Sends nothing yet. Throws Failure 9 where the store cannot be reached or says what no store does, 4 where it refuses the caller. */
export function createBucket(parts: BucketParts): Bucket {
  let form: TagForm = 'as given'
  const signing: Signing = { ...parts, derived: new Map() }
  const ask = (asked: Asked): Promise<Answer> => untilAnswered(signing, asked)
  function tagIn({ headers }: Answer): ETag {
    const { etag = '' } = headers
    if (etag === '') throw noStore(parts.address, 'it answers without an ETag')
    return etag
  }
  return Object.freeze({
    async get(key, maxBytes) {
      const answer = await ask({ method: 'GET', key, maxBytes })
      return answer.status === 404 ? undefined : { bytes: answer.bytes, tag: tagIn(answer), quietMs: quietMsOf(answer.headers) }
    },
    async tagOf(key) {
      const answer = await ask({ method: 'HEAD', key })
      return answer.status === 404 ? undefined : tagIn(answer)
    },
    async put(key, text, condition, leaving) {
      const answer = await ask({ method: 'PUT', key, body: text, headers: conditionHeaders(condition, form), leaving })
      // What If-Match names may be gone altogether.
      return answer.status === 412 || answer.status === 404 ? undefined : tagIn(answer)
    },
    nameTags: (next) => void (form = next),
    async remove(key) {
      await ask({ method: 'DELETE', key })
    },
    async list(prefix) {
      const names: string[] = []
      let next: string | undefined
      for (let part = 0; part === 0 || next !== undefined; part += 1) {
        const query = { 'list-type': '2', prefix, ...(next !== undefined && { 'continuation-token': next }) }
        const answer = await ask({ method: 'GET', key: '', query: queryOf(query), maxBytes: smallBytes })
        const read = readListPart(answer.bytes.toString('utf8'))
        if (!read || answer.status !== 200 || part >= mostParts) throw noStore(parts.address, 'it answers a list with something else')
        names.push(...read.keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)))
        ;({ next } = read)
      }
      return names.toSorted()
    },
  } satisfies Bucket)
}

function conditionHeaders(condition: Condition | undefined, form: TagForm): Readonly<Record<string, string>> {
  if (condition === undefined) return {}
  if (condition === 'absent') return { 'if-none-match': '*' }
  return { 'if-match': form === 'bare' ? condition.is.replaceAll('"', '') : condition.is }
}

async function untilAnswered(parts: Signing, asked: Asked): Promise<Answer> {
  const { clock, address, patience } = parts
  const beganMs = clock.now()
  let mayHaveEnded = true
  for (let attempt = 0; ; attempt += 1) {
    let problem: Failure
    let isWorthIt = true
    let missed = `the keys for ${address.where} cannot be had`
    try {
      const keys = await address.caller.keys()
      missed = `${address.where} cannot be reached`
      const answer = await once(parts, asked, keys)
      if (isAnswer(answer, asked)) return answer
      if (mayHaveEnded && isOfEndedKeys(answer) && address.caller.ended(keys)) {
        mayHaveEnded = false
        continue
      }
      problem = inWords(answer, { ...asked, isConditional: Object.keys(asked.headers ?? {}).length > 0 }, address, clock.wall())
      isWorthIt = isPassing(answer)
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      problem = failure('state_unreachable', missed, { detail: error.message, hint: hintAt(address) })
      // Where nothing listens nobody waits, unless something is under way.
      isWorthIt = error.hopeless !== 'always' && (error.sent || patience() !== undefined)
    }
    const pauseMs = backoff(attempt, firstPauseMs, longestPauseMs)
    const leftMs = patience() ?? beganMs + patienceBeforeMs - clock.now()
    if (!isWorthIt || pauseMs > leftMs) throw problem
    await clock.sleep(pauseMs)
  }
}

/** Whether the store has said what became of it. A 404 is one of the store only where it names the key: any web server has others. */
function isAnswer({ status, code }: Answer, { method }: Asked): boolean {
  if (status === 200 || (status === 204 && method === 'DELETE')) return true
  if (status === 412) return method === 'PUT'
  return status === 404 && (code === 'NoSuchKey' || method === 'HEAD')
}

async function once({ address, transport, clock, quietMs, derived }: Signing, asked: Asked, keys: Credentials): Promise<Answer> {
  const { method, body, maxBytes = smallBytes } = asked
  const path = `${address.folder}/${asked.key}${asked.query ?? ''}`
  const headers = await signed({ address, derived }, keys, path, asked, new Date(clock.wall()))
  asked.leaving?.()
  const watch = createWatch(clock, quietMs + Buffer.byteLength(body ?? '') / uploadBytesPerMs)
  try {
    const response = await watch.race(transport({ method, path, headers, body, signal: watch.signal }))
    const mostBytes = response.status < 300 ? maxBytes : errorBytes
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    const read = async (): Promise<void> => {
      for await (const chunk of response.chunks()) {
        watch.heard()
        sizeBytes += chunk.byteLength
        if (sizeBytes > mostBytes) throw tooLong(address.where, mostBytes)
        chunks.push(chunk)
      }
    }
    await watch.race(read())
    const bytes = Buffer.concat(chunks)
    return { status: response.status, headers: response.headers, bytes, code: response.status >= 300 ? errorCode(bytes.toString('utf8')) : '' }
  } finally {
    watch.end()
  }
}

/** The headers of a request with its signature, which is over the body, too. */
async function signed(
  { address: { origin, region }, derived }: Pick<Signing, 'address' | 'derived'>,
  keys: Credentials,
  path: string,
  asked: Asked,
  at: Date,
): Promise<Readonly<Record<string, string>>> {
  const { method, body = '' } = asked
  const hash = createHash('sha256').update(body).digest('hex')
  const { accessKeyId, secretAccessKey, sessionToken } = keys
  const signer = new AwsV4Signer({
    method,
    url: `${origin}${path}`,
    headers: { ...asked.headers, 'x-amz-content-sha256': hash },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
    cache: derived,
    datetime: at.toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  return { ...Object.fromEntries(headers), 'accept-encoding': 'identity', ...(method === 'PUT' && { 'content-type': 'application/json' }) }
}

function isOfEndedKeys({ code }: Answer): boolean {
  return code === 'ExpiredToken' || code === 'TokenRefreshRequired' || code === 'ExpiredTokenException'
}

function queryOf(values: Readonly<Record<string, string>>): string {
  return `?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`
}

function tooLong(where: string, maxBytes: number): Failure {
  return failure('state_damaged', `${where} answers with more than ${maxBytes >> 20} MiB`, { detail: 'Nothing as long was ever written.' })
}
