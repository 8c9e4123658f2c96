// Requests to a server that keeps states over HTTP: each bounded and watched, what fails for a while asked again, refusals in words.
import { createHash } from 'node:crypto'
import { createWatch } from '../../../api/transport/watch.ts'
import type { Transport } from '../../../api/transport/wire.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import { backoff } from '../../../base/backoff.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Failure } from '../../../base/diagnostic.ts'
import { failure } from '../../../base/diagnostic.ts'

/** Where something is asked for: a path of the server with its query, and the method that does it. */
export interface Call {
  readonly method: string
  readonly path: string
}

/** How often and after which pauses a request is sent again. */
export interface Retrying {
  /** The most times; undefined for as long as it may be waited for. */
  readonly most?: number | undefined
  readonly firstMs: number
  readonly longestMs: number
}

/** A state on a server; `where` is how messages name it, without query and user. */
export interface HttpAddress {
  readonly where: string
  readonly origin: string
  /** The path that is read, with its query. */
  readonly state: string
  /** That of a second document for the journal, if there is one. */
  readonly journal?: string | undefined
  /** With which states are written. */
  readonly updateMethod: string
  /** Both or none: without them nothing keeps two runs apart. */
  readonly locking?: { readonly lock: Call; readonly unlock: Call } | undefined
  /** The header of that name; only ever set for a host that the environment names. */
  readonly authorization?: string | undefined
  readonly retrying: Retrying
}

/** One request. */
export interface Asked extends Call {
  readonly body?: string
  readonly maxBytes?: number
}

/** One answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** An answer that says whether it was done, or why there is none. */
export type Outcome = { readonly answer: Answer } | { readonly lost: TransportError }

/** Counts tries of one request. */
export interface Tries {
  /** Waits before the next one; throws the outcome in words where there is none. */
  again(outcome: Outcome): Promise<void>
}

export interface Remote {
  readonly address: HttpAddress
  /** Sends once. */
  once(asked: Asked): Promise<Outcome>
  /** Sends what does no harm when it arrives twice, until there is an answer that says what became of it. */
  ask(asked: Asked): Promise<Answer>
  tries(): Tries
  /** What an outcome refuses, without anything of the request in it. */
  inWords(outcome: Outcome): Failure
}

export interface RemoteParts {
  readonly address: HttpAddress
  readonly transport: Transport
  readonly clock: Clock
  /** For how much longer what fails for a while is asked again, in milliseconds; undefined before there is a lease. */
  readonly patience: () => number | undefined
  /** After so long without an answer, or the next part of one, a request is given up. */
  readonly quietMs: number
}

const uploadBytesPerMs = 256
/** How long is asked again before there is a lease, and how long where the server itself says when. */
const [patienceBeforeMs, limitedBeforeMs] = [5000, 60_000]
const smallBytes = 256 << 10
const hint = 'check address, methods and lock addresses of the state, and what the environment says'

/** Sends nothing yet. What it throws: Failure 9 where the server cannot be reached or says what no such server does, 4 where it refuses the caller. */
export function createRemote(parts: RemoteParts): Remote {
  const { address } = parts
  const remote: Remote = {
    address,
    once: async (asked) => {
      try {
        return { answer: await exchange(parts, asked) }
      } catch (error) {
        if (error instanceof TransportError) return { lost: error }
        throw error
      }
    },
    async ask(asked) {
      const tries = remote.tries()
      for (;;) {
        const outcome = await remote.once(asked)
        if ('answer' in outcome && !isPassing(outcome.answer)) return outcome.answer
        await tries.again(outcome)
      }
    },
    tries: () => triesOf(parts),
    inWords: (outcome) => inWords(outcome, address),
  }
  return Object.freeze(remote)
}

/** Whether the same request may be answered otherwise in a while. */
export function isPassing({ status }: Answer): boolean {
  return status >= 500 || status === 429 || status === 408
}

function triesOf({ address, clock, patience }: RemoteParts): Tries {
  const { most = Infinity, firstMs, longestMs } = address.retrying
  const beganMs = clock.now()
  let count = 0
  return {
    async again(outcome) {
      const saidMs = 'answer' in outcome ? retryAfterMs(outcome.answer, clock) : undefined
      const waitMs = Math.max(backoff(count, firstMs, Math.max(firstMs, longestMs)), saidMs ?? 0)
      const leftMs = patience() ?? beganMs + (saidMs === undefined ? patienceBeforeMs : limitedBeforeMs) - clock.now()
      if (count >= most || waitMs > leftMs || !isWorthIt(outcome, patience() !== undefined)) throw inWords(outcome, address)
      count += 1
      await clock.sleep(waitMs)
    },
  }
}

/** Where nothing listens nobody waits, unless something is under way. */
function isWorthIt(outcome: Outcome, isUnderWay: boolean): boolean {
  if ('answer' in outcome) return isPassing(outcome.answer)
  return outcome.lost.hopeless !== 'always' && (outcome.lost.sent || isUnderWay)
}

/** Seconds, or a date. */
function retryAfterMs({ status, headers }: Answer, clock: Clock): number | undefined {
  const { 'retry-after': text = '' } = headers
  if (status !== 429 && status !== 503) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.wall())
}

async function exchange({ address, transport, clock, quietMs }: RemoteParts, { method, path, body, maxBytes = smallBytes }: Asked): Promise<Answer> {
  const headers = {
    'accept-encoding': 'identity',
    ...(address.authorization !== undefined && { authorization: address.authorization }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-md5': md5(body) }),
  }
  const watch = createWatch(clock, quietMs + Buffer.byteLength(body ?? '') / uploadBytesPerMs)
  try {
    const response = await watch.race(transport({ method, path, headers, body, signal: watch.signal }))
    const chunks: Uint8Array[] = []
    let sizeBytes = 0
    const read = async (): Promise<void> => {
      for await (const chunk of response.chunks()) {
        watch.heard()
        sizeBytes += chunk.byteLength
        if (sizeBytes > maxBytes) throw noServer(address, `it answers with more than ${maxBytes >> 10} KiB`)
        chunks.push(chunk)
      }
    }
    await watch.race(read())
    const answer = { status: response.status, headers: response.headers, bytes: Buffer.concat(chunks) }
    checkDigest(answer, address)
    return answer
  } finally {
    watch.end()
  }
}

/** A state comes with the digest of its bytes, if the server tells one. */
function checkDigest({ status, headers, bytes }: Answer, address: HttpAddress): void {
  const { 'content-md5': told } = headers
  if (told === undefined || status !== 200) return
  if (Buffer.from(told, 'base64').length !== 16) throw noServer(address, 'its Content-MD5 is none')
  if (told !== md5(bytes)) throw noServer(address, 'what it answers does not fit its Content-MD5')
}

function md5(bytes: Buffer | string): string {
  return createHash('md5').update(bytes).digest('base64')
}

/** The failure of what does not answer as a server of states does, exit code 9. */
export function noServer({ where }: HttpAddress, why: string): Failure {
  return failure('state_unreachable', `${where} is no place for a state: ${why}`, { hint })
}

function inWords(outcome: Outcome, address: HttpAddress): Failure {
  const { where } = address
  if ('lost' in outcome) return failure('state_unreachable', `${where} cannot be reached`, { detail: outcome.lost.message, hint })
  const { status } = outcome.answer
  const detail = `The server answers ${status}.`
  if (status === 401 || status === 403) {
    const way = address.authorization === undefined ? 'TF_HTTP_USERNAME and TF_HTTP_PASSWORD say who calls; ' : ''
    return failure('state_refused', `${where}: the server refuses the caller`, { detail, hint: `${way}what it needs is listed by \`iac explain state\`` })
  }
  if (status === 429) {
    const way = 'run again later; a longer lease (IAC_LOCK_LEASE) waits longer'
    return failure('state_unreachable', `${where}: the server limits how often it is written`, { detail, hint: way })
  }
  if (status === 413) {
    const way = 'raise the limit of the server, or split the project: smaller ones have states of their own'
    return failure('state_unreachable', `${where}: the state is longer than the server takes`, { detail, hint: way })
  }
  if (status < 500 && status !== 408) return noServer(address, `it answers ${status}`)
  return failure('state_unreachable', `${where} does not do what it is asked for`, { detail, hint: 'run again later' })
}
