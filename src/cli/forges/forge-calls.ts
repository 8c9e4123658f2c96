// Requests to a forge: to one host alone, each bounded, limits of rate waited for, what fails for a while sent again, refusals in words.
import { createWatch } from '../../api/transport/watch.ts'
import type { Transport } from '../../api/transport/wire.ts'
import { TransportError } from '../../api/transport/wire.ts'
import { backoff } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject, parseJson, stringifyJson } from '../../base/json.ts'

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the host, with the query. */
  readonly path: string
  readonly body?: JsonValue
  /** What makes something anew each time: not sent again where it may have arrived. */
  readonly once?: true
  /** Whether it may be about something that is gone. */
  readonly mayBeGone?: true
  /** GraphQL: what is refused stands in a good answer. */
  readonly graph?: true
}

/** A good answer. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly value: JsonValue
}

export interface Calls {
  /** Undefined for what is gone, or sent once and lost. Throws Failures `forge_refused`, `forge_unreachable` and `forge_error`, never with the token. */
  ask(asked: Asked): Promise<Answer | undefined>
  /** The members of all pages of a list; links to another host are not followed. */
  pages(path: string): Promise<readonly JsonValue[]>
  /** What the forge's clock said in the last answer that has a date, in milliseconds since 1970. */
  nowMs(): number | undefined
}

export interface CallParts {
  /** As people know it: GitHub. */
  readonly forge: string
  readonly origin: string
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly clock: Clock
  /** What helps where the token is refused. */
  readonly hint: string
}

type Outcome = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly text: string } | TransportError

const QUIET_MS = 30_000
/** How long one request waits for a limit of rate, and so long where the forge names no time, as GitHub asks for. */
const [PATIENCE_MS, UNNAMED_MS] = [180_000, 60_000]
const MOST_TRIES = 5
const FIRST_PAUSE_MS = 1000
/** A hundred comments of the longest. */
const MOST_BYTES = 64 << 20
const MOST_PAGES = 200

/** Sends nothing yet. */
export function forgeCalls(parts: CallParts): Calls {
  let nowMs: number | undefined
  const calls: Calls = {
    nowMs: () => nowMs,
    async ask(asked) {
      const beganMs = parts.clock.now()
      for (let tries = 1; ; tries += 1) {
        const outcome = await send(parts, asked)
        const isAnswer = !(outcome instanceof TransportError)
        const dateMs = isAnswer ? Date.parse(outcome.headers['date'] ?? '') : Number.NaN
        if (!Number.isNaN(dateMs)) nowMs = dateMs
        const limitMs = isAnswer ? limitOf(outcome, asked, Number.isNaN(dateMs) ? parts.clock.wall() : dateMs) : undefined
        if (isAnswer && limitMs === undefined && outcome.status >= 200 && outcome.status < 300)
          return { headers: outcome.headers, value: valueOf(parts, outcome.text) }
        if (isAnswer && asked.mayBeGone && (outcome.status === 404 || outcome.status === 410)) return undefined
        if (limitMs === undefined && asked.once && (isAnswer ? outcome.status >= 500 : outcome.sent)) return undefined
        const pauseMs = backoff(tries - 1, FIRST_PAUSE_MS)
        // A limit that names a time which is over holds still.
        const waitMs = limitMs === undefined ? (isPassing(outcome) && tries < MOST_TRIES ? pauseMs : undefined) : Math.max(limitMs, pauseMs)
        if (waitMs === undefined || parts.clock.now() + waitMs - beganMs > PATIENCE_MS) throw inWords(parts, outcome, limitMs)
        await parts.clock.sleep(waitMs)
      }
    },
    async pages(path) {
      const all: JsonValue[] = []
      let at: string | undefined = path
      for (let count = 0; at !== undefined; count += 1) {
        if (count === MOST_PAGES) throw failure('forge_error', `${parts.forge} lists more than ${MOST_PAGES} pages`)
        const answer = await calls.ask({ method: 'GET', path: at })
        if (!answer || !Array.isArray(answer.value)) throw failure('forge_error', `${parts.forge} answers with something else than a list`)
        all.push(...answer.value)
        at = nextPage(parts, answer.headers, at)
      }
      return all
    },
  }
  return Object.freeze(calls)
}

async function send({ transport, clock, headers }: CallParts, { method, path, body }: Asked): Promise<Outcome> {
  const watch = createWatch(clock, QUIET_MS)
  const text = body === undefined ? undefined : stringifyJson(body)
  const usual = { accept: 'application/json', 'user-agent': 'iac', ...(text !== undefined && { 'content-type': 'application/json' }) }
  try {
    const response = await watch.race(transport({ method, path, headers: { ...usual, ...headers }, body: text, signal: watch.signal }))
    watch.heard()
    const grown = async (): Promise<void> => watch.heard()
    return { status: response.status, headers: response.headers, text: await watch.race(response.text(MOST_BYTES, grown)) }
  } catch (error) {
    if (error instanceof TransportError) return error
    if (error instanceof RangeError) return new TransportError(error.message, true, 'always')
    throw error
  } finally {
    watch.end()
  }
}

function isPassing(outcome: Outcome): boolean {
  if (outcome instanceof TransportError) return outcome.hopeless === undefined
  return outcome.status >= 500 || outcome.status === 408
}

/** How long a limit of rate lasts, in milliseconds, where it is `nowMs`; undefined for what is none. GitHub says 403, too, and its GraphQL 200. */
function limitOf(outcome: Exclude<Outcome, TransportError>, { graph }: Asked, nowMs: number): number | undefined {
  const { status, headers, text } = outcome
  const { 'retry-after': after = '', 'x-ratelimit-remaining': left, 'x-ratelimit-reset': reset, 'ratelimit-reset': other } = headers
  const isLimit = status === 429 || (status === 403 && (after !== '' || left === '0' || /rate limit/i.test(text))) || (graph === true && isLimitOfGraph(text))
  if (!isLimit && !(status === 503 && after !== '')) return undefined
  if (/^\d{1,6}$/.test(after)) return Number(after) * 1000
  const at = Date.parse(after)
  if (!Number.isNaN(at)) return Math.max(0, at - nowMs)
  const seconds = left === '0' || status === 429 ? (reset ?? other ?? '') : ''
  // The second that is named has to be over.
  return /^\d{1,12}$/.test(seconds) ? Math.max(0, (Number(seconds) + 1) * 1000 - nowMs) : UNNAMED_MS
}

function isLimitOfGraph(text: string): boolean {
  try {
    const value = parseJson(text)
    const errors = isObject(value) ? value['errors'] : undefined
    return Array.isArray(errors) && errors.some((one) => isObject(one) && (one['type'] === 'RATE_LIMITED' || /rate limit/i.test(String(one['message']))))
  } catch {
    return false
  }
}

/** The path of the next page, by the Link header or GitLab's own; at this host alone. */
function nextPage({ forge, origin }: CallParts, headers: Readonly<Record<string, string>>, current: string): string | undefined {
  const link = (headers['link'] ?? '').split(/,(?=\s*<)/).find((one) => /;\s*rel="?next"?/.test(one))
  const target = /<([^>]*)>/.exec(link ?? '')?.[1]
  if (target !== undefined) {
    const url = URL.canParse(target, origin) ? new URL(target, origin) : undefined
    if (url?.origin !== origin) throw failure('forge_error', `${forge} names a next page at another host, which gets no token`)
    return `${url.pathname}${url.search}`
  }
  const { 'x-next-page': page = '' } = headers
  if (!/^\d{1,9}$/.test(page)) return undefined
  const url = new URL(current, origin)
  url.searchParams.set('page', page)
  return `${url.pathname}${url.search}`
}

function valueOf({ forge }: CallParts, text: string): JsonValue {
  if (text.trim() === '') return null
  try {
    return parseJson(text)
  } catch {
    throw failure('forge_error', `${forge} answers with something else than JSON`)
  }
}

function inWords({ forge, origin, hint }: CallParts, outcome: Outcome, limitMs: number | undefined): Failure {
  if (outcome instanceof TransportError)
    return failure('forge_unreachable', `${forge} cannot be reached`, { detail: outcome.message, hint: `check the network, and whether ${origin} is right` })
  const { status, text } = outcome
  const detail = `${origin} answers ${status}${reasonIn(text)}`
  if (limitMs !== undefined)
    return failure('forge_unreachable', `${forge} limits how often it is called`, { detail, hint: `run again in ${Math.ceil(limitMs / 1000)} s` })
  if (status === 401 || status === 403) return failure('forge_refused', `${forge} refuses the token`, { detail, hint })
  if (status === 404) return failure('forge_refused', `${forge} shows the token nothing there`, { detail, hint })
  if (status >= 300 && status < 400)
    return failure('forge_error', `${forge} leads to another address, which gets no token`, { detail, hint: 'give the address of its API as it is now' })
  if (status >= 500) return failure('forge_unreachable', `${forge} does not do what it is asked for`, { detail, hint: 'run again later' })
  return failure('forge_error', `${forge} refuses the request`, { detail })
}

/** The forge's own words. */
function reasonIn(text: string): string {
  try {
    const value = parseJson(text)
    const message = isObject(value) ? (value['message'] ?? value['error']) : undefined
    return typeof message === 'string' && message !== '' ? `: ${message.slice(0, 300)}` : '.'
  } catch {
    return '.'
  }
}
