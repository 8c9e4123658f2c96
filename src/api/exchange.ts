// One request on the wire: place in the throttle, token, total deadline, body cap, trace, the service's clock.
import { onAbort } from '../base/abort.ts'
import type { Clock } from '../base/clock.ts'
import { reasonOf, stoppedMs } from '../base/clock.ts'
import { printable } from './answers/api-error.ts'
import { bounds } from './answers/bounds.ts'
import type { Delivery } from './answers/classify.ts'
import { missingText } from './answers/classify.ts'
import { MASK } from './redact.ts'
import type { Redactor } from './redact.ts'
import { retryAfterMs } from './retry.ts'
import type { Method, Route } from './routes/route.ts'
import { createBodies } from './transport/large-bodies.ts'
import type { Ending } from './transport/rate-limit.ts'
import type { Throttle, Ticket } from './transport/throttle.ts'
import type { Priority } from './transport/waiting.ts'
import type { Transport, WireRequest, WireResponse } from './transport/wire.ts'
import { TransportError } from './transport/wire.ts'

/** An answer whose body is still to come. */
export interface Opened {
  readonly is: 'open'
  readonly response: WireResponse
}

/** How an exchange ended, and how long that took. */
export interface Timed<D> {
  readonly delivery: D
  readonly tookMs: number
}

/** What of a route a request on the wire needs. */
export interface Addressed extends Pick<Route, 'path' | 'access'> {
  readonly answer: Pick<Route['answer'], 'shape'>
}

/** A request ready to leave, but for its authentication. */
export interface Leaving {
  readonly route: Addressed
  readonly method: Method
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** A request of a route, whose answer is going to be read. */
export interface Prepared extends Leaving {
  readonly route: Route
}

export interface Patience {
  /** For the whole exchange, from the moment it leaves to the last byte of the answer. */
  readonly timeoutMs: number
  readonly priority: Priority
  readonly signal?: AbortSignal | undefined
  /** Asked of a call with an effect once it has its place, and again once its connection stands: false where it may not leave any more. */
  readonly mayLeave?: (() => boolean) | undefined
  /** Called when it has its place, and leaves. */
  readonly leaves?: (() => void) | undefined
  /** What the signal does: a read ends wherever it is and rejects with the reason; a call with an effect is stopped only while it waits for a place. */
  readonly effect: boolean
}

/** What `--verbose` shows of one exchange; holds no secret, no header and no body. */
export interface TraceEvent {
  /** Method and path, made where it is asked for: few do. */
  request(): string
  readonly ms: number
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly why?: string | undefined
}

export interface Exchange {
  /** Sends once. */
  deliver(request: Leaving, patience: Patience): Promise<Timed<Delivery>>
  /** Sends once and hands over a 2xx with its body unread, for streams; any other answer is read as `deliver` reads it. */
  open(request: Leaving, patience: Patience): Promise<Timed<Delivery | Opened>>
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
  /** Whether the service has answered anything yet. */
  answered(): boolean
}

export interface ExchangeParts {
  readonly transport: Transport
  readonly throttle: Throttle
  readonly clock: Clock
  readonly redactor: Redactor
  readonly token: string | undefined
  readonly userAgent: string
  readonly onTrace?: ((event: TraceEvent) => void) | undefined
  /** Waited for before an answer that refuses is handed on: it makes secrets known that the text may quote. */
  readonly onRefusal?: ((secrets: Redactor) => Promise<void>) | undefined
}

/** Exchanges over one transport with one token. */
export function createExchange(parts: ExchangeParts): Exchange {
  const { transport, throttle, clock, redactor } = parts
  const textOf = createBodies(clock)
  let serverAheadMs: number | undefined
  let answered = false

  function learn(response: WireResponse, sentAt: number): void {
    answered = true
    const date = Date.parse(response.headers['date'] ?? '')
    if (Number.isFinite(date)) serverAheadMs = date - (sentAt + clock.now()) / 2
  }
  function trace(request: Leaving, ms: number, rest: Omit<TraceEvent, 'request' | 'ms'>): void {
    const { status, requestId, why } = rest
    const shown = (): string => redactor.clean(`${request.method} ${withoutCode(request.path)}`)
    parts.onTrace?.({ request: shown, ms, status, requestId, why: why === undefined ? undefined : redactor.clean(why) })
  }
  async function head(request: Leaving, patience: Patience, deadline: Deadline): Promise<WireResponse | Delivery> {
    try {
      const response = await deadline.race(transport(wireRequest(request, parts, deadline.signal, patience.mayLeave)))
      learn(response, deadline.startedAt)
      return response
    } catch (error) {
      return headless(error, deadline, patience, redactor, answered)
    }
  }
  async function run<D extends Delivery | Opened>(
    request: Leaving,
    patience: Patience,
    receive: (response: WireResponse, deadline: Deadline) => Promise<D>,
  ): Promise<Timed<Delivery | D>> {
    const ticket = await enter(throttle, request, patience)
    // Asked at the last moment: the place may have come and the stop right after it.
    if (!ticket || (patience.effect && (patience.signal?.aborted || patience.mayLeave?.() === false))) return unsent(ticket)
    patience.leaves?.()
    const startedAt = clock.now()
    const deadline = createDeadline(clock, patience)
    let isOpen = false
    try {
      const response = await head(request, patience, deadline)
      const delivery = 'is' in response ? response : await receive(response, deadline)
      isOpen = delivery.is === 'open'
      const tookMs = clock.now() - startedAt
      // Its place is kept until whoever asked knows: what else waits may not be asked any more then.
      if (isRefusal(delivery)) await parts.onRefusal?.(redactor)
      ticket.end(endingOf(delivery))
      trace(request, tookMs, summaryOf(delivery))
      return { delivery, tookMs }
    } finally {
      ticket.end({ as: 'failed' })
      if (isOpen) deadline.headArrived()
      else deadline.over()
    }
  }
  const deliver: Exchange['deliver'] = (request, patience) => run(request, patience, (response, deadline) => whole(response, patience, deadline, textOf))
  const open: Exchange['open'] = (request, patience) =>
    run<Delivery | Opened>(request, patience, async (response, deadline) =>
      response.status >= 200 && response.status < 300 ? { is: 'open', response } : await whole(response, patience, deadline, textOf),
    )
  return Object.freeze({ deliver, open, serverNow: () => (serverAheadMs === undefined ? clock.wall() : clock.now() + serverAheadMs), answered: () => answered })
}

function isRefusal(delivery: Delivery | Opened): boolean {
  return delivery.is === 'answered' && (delivery.status < 200 || delivery.status >= 300)
}

/** The code of an invite is a secret that stands in a query. */
function withoutCode(path: string): string {
  return path.replace(/([?&]code=)[^&]*/g, `$1${MASK}`)
}

/** A place, or none where the caller stopped a call with an effect in time. */
async function enter(throttle: Throttle, request: Leaving, patience: Patience): Promise<Ticket | undefined> {
  try {
    return await throttle.enter(`${request.method} ${request.route.path}`, patience.priority, patience.signal)
  } catch (error) {
    if (patience.effect) return undefined
    throw error
  }
}

function unsent(ticket: Ticket | undefined): { readonly delivery: Delivery; readonly tookMs: number } {
  ticket?.end({ as: 'failed' })
  return { delivery: { is: 'not sent', why: 'stopped before it left' }, tookMs: 0 }
}

function wireRequest(request: Leaving, parts: ExchangeParts, signal: AbortSignal, mayLeave: Patience['mayLeave']): WireRequest {
  const headers: Record<string, string> = { accept: acceptOf(request.route), ...request.headers, 'user-agent': parts.userAgent }
  if (parts.token !== undefined && request.route.access !== 'open') headers['authorization'] = `Bearer ${parts.token}`
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  return { method: request.method, path: request.path, headers, body: request.body, signal, mayLeave }
}

function acceptOf(route: Addressed): string {
  if (route.answer.shape === 'any') return 'application/json, text/plain;q=0.9, */*;q=0.1'
  return route.answer.shape === 'text' ? 'text/event-stream, text/plain, */*' : 'application/json'
}

/** The answer with its body as far as it came: all of it, or nothing. */
async function whole(response: WireResponse, patience: Patience, deadline: Deadline, textOf: ReturnType<typeof createBodies>): Promise<Delivery> {
  const { status, headers } = response
  try {
    return { is: 'answered', status, headers, text: await deadline.race(textOf(response, status < 400 ? bounds.answerBytes : bounds.refusalBytes)) }
  } catch (error) {
    if (!patience.effect && patience.signal?.aborted) throw error
    return { is: 'answered', status, headers, text: undefined, isTooLarge: error instanceof RangeError }
  }
}

/** What became of a request whose head did not come; a read's abort, or a defect of ours in it, goes on as an error. */
function headless(error: unknown, deadline: Deadline, patience: Patience, redactor: Redactor, answered: boolean): Delivery {
  const known = error instanceof TransportError ? error : undefined
  const why = printable(redactor.clean(error instanceof Error ? error.message : 'the transport failed'))
  if (known?.sent === false) return { is: 'not sent', why, hopeless: known.hopeless === 'always' || (known.hopeless === 'at first' && !answered) }
  const late = deadline.late()
  if (late) return { is: 'lost', why: late.message, late: true }
  if (!known && !patience.effect) throw error
  return { is: 'lost', why, late: false }
}

function endingOf(delivery: Delivery | Opened): Ending {
  if (delivery.is === 'open') return { as: 'answered' }
  if (delivery.is !== 'answered') return { as: delivery.is === 'lost' && delivery.late ? 'slow' : 'failed' }
  const { status, headers } = delivery
  const told = retryAfterMs(headers)
  if (status === 429 || (status === 503 && told !== undefined)) return { as: 'refused', retryAfterMs: told }
  return { as: status >= 500 ? 'failed' : 'answered' }
}

function summaryOf(delivery: Delivery | Opened): Pick<TraceEvent, 'status' | 'requestId' | 'why'> {
  if (delivery.is === 'open') return { status: delivery.response.status, requestId: delivery.response.headers['x-request-id'] }
  if (delivery.is !== 'answered') return { why: delivery.why }
  return { status: delivery.status, requestId: delivery.headers['x-request-id'], ...(delivery.text === undefined ? { why: missingText(delivery) } : {}) }
}

/** How long whoever was stopped reads what came meanwhile. */
const readingMs = 5000

/** The exchange ran out of time. */
class Late extends Error {}

interface Deadline {
  readonly startedAt: number
  readonly signal: AbortSignal
  /** The work, unless time runs out or the caller abandons it first; never leaves a rejection unheard. */
  race<T>(work: Promise<T>): Promise<T>
  /** That time ran out, if it did. */
  late(): Late | undefined
  /** No more hurry: what follows is a stream, which the caller may still abandon. */
  headArrived(): void
  over(): void
}

function createDeadline(clock: Clock, patience: Patience): Deadline {
  const abort = new AbortController()
  const outer = patience.effect ? undefined : patience.signal
  let cancel: (() => void) | undefined
  let forget: (() => void) | undefined
  let late: Late | undefined
  let dueMs = clock.now() + patience.timeoutMs
  const ended = new Promise<never>((_, reject) => {
    const runOut = (): void => {
      if (clock.now() - dueMs > stoppedMs) {
        // What came meanwhile is not read yet.
        dueMs = clock.now() + readingMs
        cancel = clock.alarm(readingMs, runOut)
        return
      }
      late = new Late(`no complete answer within ${Math.round(patience.timeoutMs / 1000)} s`)
      abort.abort(late)
      // The transport has a turn to say how far the request came.
      cancel = clock.alarm(0, () => reject(late))
    }
    cancel = clock.alarm(patience.timeoutMs, runOut)
    const leave = (reason: Error): void => {
      reject(reason)
      abort.abort(reason)
    }
    forget = outer && onAbort(outer, () => leave(reasonOf(outer)))
  })
  ended.catch(() => undefined)
  return {
    startedAt: clock.now(),
    signal: abort.signal,
    late: () => late,
    race<T>(work: Promise<T>): Promise<T> {
      work.catch(() => undefined)
      return Promise.race([work, ended])
    },
    headArrived: () => cancel?.(),
    over() {
      cancel?.()
      forget?.()
    },
  }
}
