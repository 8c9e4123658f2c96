// Calls without effect: tried again until they are answered or the deadline has passed.
import type { Clock } from '../base/clock.ts'
import type { JsonValue } from '../base/json.ts'
import { apiErrorOf, printable } from './answers/api-error.ts'
import type { Allowance } from './answers/bounds.ts'
import { bounds } from './answers/bounds.ts'
import type { Delivery } from './answers/classify.ts'
import { answersText, isPageOfAnother, missingText, readBody, redirectText } from './answers/classify.ts'
import { ApiError } from './calls/call.ts'
import { UnreachableError } from './calls/failed-call.ts'
import type { Exchange, Patience, Prepared } from './exchange.ts'
import type { Redactor } from './redact.ts'
import type { RetryKind, RetryQuota } from './retry.ts'
import { retryAfterMs, waitMs } from './retry.ts'
import type { Route } from './routes/route.ts'
import type { Priority } from './transport/waiting.ts'
import type { WireResponse } from './transport/wire.ts'

export interface ReadOptions {
  /** How long to go on trying, from the first try that failed. By default 60 s, as before any change, and ten minutes while it is refused for its rate. */
  readonly deadlineMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly priority?: Priority | undefined
  /** What is kept of the answers takes its room here. */
  readonly allowance?: Allowance | undefined
}

/** Times that all calls share. */
export interface Budget {
  /** One exchange, from the first byte out to the last byte in. */
  readonly requestMs: number
  /** How long a read, or a call that has not left, is tried where the caller says nothing. */
  readonly giveUpMs: number
  /** The same as long as the service has not answered anything at all. */
  readonly unansweredMs: number
}

/** A pause that an answer asks for, before its call is tried again; holds no secret. */
export interface AskedWait {
  readonly ms: number
  /** The call and its answer. */
  readonly why: string
}

export interface ReadParts {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly random: () => number
  readonly quota: RetryQuota
  readonly redactor: Redactor
  readonly budget: Budget
  /** Called as such a pause begins. */
  readonly onWait?: ((wait: AskedWait) => void) | undefined
}

/** What an answered read holds: a 404 is an answer. */
export type Found =
  | { readonly is: 'found'; readonly status: number; readonly value: JsonValue; readonly sizeBytes: number }
  | { readonly is: 'absent'; readonly error: ApiError }

export type Reader = (request: Prepared, options: ReadOptions) => Promise<Found>

interface Again {
  readonly is: 'again'
  readonly kind: RetryKind
  readonly toldMs: number | undefined
  readonly error: Error
}

const SHORTEST_MS = 1000
const THROTTLED_GIVE_UP_MS = 600_000

/** How long to go on where the last try ended so; a service that refuses for its rate is alive, so without a deadline it is waited for longer. */
export function giveUpAfterMs(kind: RetryKind, deadlineMs: number | undefined, { exchange, budget }: Pick<ReadParts, 'exchange' | 'budget'>): number {
  if (deadlineMs === undefined && !exchange.answered()) return budget.unansweredMs
  return deadlineMs ?? (kind === 'throttled' ? Math.max(budget.giveUpMs, THROTTLED_GIVE_UP_MS) : budget.giveUpMs)
}

/** Reads with retries; throws ApiError for an answer that is none, UnreachableError when no answer came. */
export function createReader(parts: ReadParts): Reader {
  return async (request, options) => {
    let unreadable = 0
    return await insist(parts, options, async (patience) => {
      const { delivery, tookMs } = await parts.exchange.deliver(request, patience)
      const judged = judge(request, delivery, parts.redactor, unreadable)
      if (judged.is === 'again' && (judged.error instanceof Unreadable || judged.error instanceof NotOurs)) unreadable += 1
      return { judged, tookMs }
    })
  }
}

/** Opens a text that keeps coming, with the retries of a read; throws like one, and ApiError for a 404, too. */
export function createOpener(parts: ReadParts) {
  const { exchange, redactor } = parts
  return async (request: Prepared, options: ReadOptions): Promise<WireResponse> => {
    const opened = await insist(parts, options, async (patience) => {
      const { delivery, tookMs } = await exchange.open(request, patience)
      return { judged: delivery.is === 'open' ? delivery : refusal(request, delivery, redactor), tookMs }
    })
    if (opened.is === 'absent') throw opened.error
    return opened.response
  }
}

/** Tries until there is something else to say than to try again, or time is up. */
async function insist<T extends { readonly is: 'found' | 'absent' | 'open' }>(
  parts: ReadParts,
  options: ReadOptions,
  attempt: (patience: Patience) => Promise<{ readonly judged: T | Again; readonly tookMs: number }>,
): Promise<T> {
  const { clock, random, quota, budget } = parts
  const timeoutMs = Math.min(budget.requestMs, Math.max(SHORTEST_MS, options.deadlineMs ?? Infinity))
  const patience = { timeoutMs, priority: options.priority ?? 'normal', signal: options.signal, effect: false } as const
  const tries = createTries(clock, random, quota)
  for (;;) {
    const { judged, tookMs } = await attempt(patience)
    if (judged.is !== 'again') {
      tries.succeeded()
      return judged
    }
    const ms = tries.next(judged.kind, judged.toldMs, tookMs, giveUpAfterMs(judged.kind, options.deadlineMs, parts))
    if (ms === undefined) throw judged.error
    tellWait(parts, ms, judged.toldMs, judged.error.message)
    await clock.sleep(ms, options.signal)
  }
}

/** Tells of a pause that is as long as an answer asks for; a longer one is our own. */
export function tellWait({ onWait }: Pick<ReadParts, 'onWait'>, ms: number, toldMs: number | undefined, why: string): void {
  if (toldMs !== undefined && ms <= toldMs + 1000) onWait?.({ ms, why })
}

/** Counts the tries of one call: how long to wait before the next, or undefined when the time is over. */
export function createTries(clock: Clock, random: () => number, quota: RetryQuota) {
  let startedAt: number | undefined
  let last: RetryKind | undefined
  let count = 0
  return {
    next(kind: RetryKind, toldMs: number | undefined, tookMs: number, giveUpMs: number): number | undefined {
      startedAt ??= clock.now() - tookMs
      const leftMs = startedAt + giveUpMs - clock.now()
      if (leftMs <= 0) return undefined
      const ms = Math.max(waitMs(kind, count, toldMs, random), quota.take(kind))
      count += 1
      last = kind
      // The last try comes when time is up, unless the service asked for more.
      return ms <= leftMs ? ms : (toldMs ?? 0) > leftMs ? undefined : leftMs
    },
    succeeded: () => quota.succeeded(last),
  }
}

class Unreadable extends ApiError {}

/** A page where the service writes none: what it says of the object is not the service's word. */
class NotOurs extends UnreachableError {}

function judge(request: Prepared, delivery: Delivery, redactor: Redactor, unreadable: number): Found | Again {
  if (delivery.is === 'answered' && delivery.status === 404 && isPageOfAnother(delivery)) {
    const page = new NotOurs(redactor.clean(nameOf(request)), 'a page answered 404 in place of the service')
    if (unreadable > 0) throw page
    return { is: 'again', kind: 'transient', toldMs: retryAfterMs(delivery.headers), error: page }
  }
  if (delivery.is !== 'answered' || delivery.status < 200 || delivery.status >= 300) return refusal(request, delivery, redactor)
  const { status, headers, text } = delivery
  const name = nameOf(request)
  if (text === undefined) {
    if (delivery.isTooLarge) throw new ApiError(status, missingText(delivery), redactor.clean(name))
    const error = new UnreachableError(redactor.clean(name), `${status}, but ${missingText(delivery)}`)
    return { is: 'again', kind: 'transient', toldMs: retryAfterMs(headers), error }
  }
  const body = bodyOf(request.route, delivery, text)
  if (body.is === 'read') return { is: 'found', status, value: body.value, sizeBytes: body.sizeBytes }
  const id = headers['x-request-id']?.slice(0, bounds.wordLength)
  const why = `${body.why}${id === undefined ? '' : ` (request ${id})`}`
  const failed = new Unreadable(status, printable(redactor.clean(why)), redactor.clean(name))
  if (unreadable > 0) throw failed
  return { is: 'again', kind: 'transient', toldMs: retryAfterMs(headers), error: failed }
}

/** Of what is no success; throws where another try would end alike. */
function refusal(request: Prepared, delivery: Delivery, redactor: Redactor): Again | Extract<Found, { readonly is: 'absent' }> {
  const name = nameOf(request)
  if (delivery.is !== 'answered') {
    const unreachable = new UnreachableError(redactor.clean(name), delivery.why)
    if (delivery.is === 'not sent' && delivery.hopeless === true) throw unreachable
    return { is: 'again', kind: 'transient', toldMs: undefined, error: unreachable }
  }
  const { status } = delivery
  const error = apiErrorOf(delivery, name, redactor.clean, redirectText(delivery))
  const toldMs = retryAfterMs(delivery.headers)
  if (status === 404) return { is: 'absent', error }
  if (status === 429) return { is: 'again', kind: 'throttled', toldMs, error }
  if (status === 408 || (status >= 500 && status !== 501 && status !== 505)) return { is: 'again', kind: 'transient', toldMs, error }
  throw error
}

function nameOf(request: Prepared): string {
  return `${request.method} ${request.path.split('?')[0]}`
}

/** JSON, or the text itself where the route answers text; nothing is null, where the route may answer nothing. */
function bodyOf(
  route: Route,
  { status, headers }: Pick<Extract<Delivery, { readonly is: 'answered' }>, 'status' | 'headers'>,
  text: string,
): { readonly is: 'read'; readonly value: JsonValue; readonly sizeBytes: number } | { readonly is: 'unreadable'; readonly why: string } {
  if (answersText(route, headers)) return { is: 'read', value: text, sizeBytes: text.length }
  const body = readBody(text)
  if (body.is === 'unreadable') return body
  if (body.value !== undefined) return { is: 'read', value: body.value, sizeBytes: body.sizeBytes }
  const mayBeEmpty = status === 204 || !('item' in route.answer) || route.answer.item().safeParse(undefined).success
  return mayBeEmpty ? { is: 'read', value: null, sizeBytes: body.sizeBytes } : { is: 'unreadable', why: 'the answer is empty' }
}
