// One request on the wire: place in the throttle, token, total deadline, body cap, trace, the service's clock.
import { onAbort } from '../abort.ts'
import type { Clock } from '../clock.ts'
import { reasonOf } from '../clock.ts'
import { printable } from './api-error.ts'
import type { Delivery } from './classify.ts'
import type { Ending } from './pace.ts'
import { MASK } from './redact.ts'
import type { Redactor } from './redact.ts'
import { retryAfterMs } from './retry.ts'
import type { Route } from './routes/route.ts'
import type { Throttle, Ticket } from './throttle.ts'
import type { Priority } from './waiting.ts'
import type { Transport, WireRequest, WireResponse } from './wire.ts'
import { TransportError } from './wire.ts'

/** A request ready to leave, but for its authentication. */
export interface Prepared {
  readonly route: Route
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Patience {
  /** For the whole exchange, from the moment it leaves to the last byte of the answer. */
  readonly timeoutMs: number
  readonly priority: Priority
  readonly signal?: AbortSignal | undefined
  /** What the signal does: a read ends wherever it is and rejects with the reason; a call with an effect is stopped only while it waits for a place. */
  readonly effect: boolean
}

/** What `--verbose` shows of one exchange; holds no secret, no header and no body. */
export interface TraceEvent {
  readonly request: string
  readonly ms: number
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly why?: string | undefined
}

export interface Exchange {
  /** Sends once; how it ended, and how long that took. */
  deliver(request: Prepared, patience: Patience): Promise<{ readonly delivery: Delivery; readonly tookMs: number }>
  /** Sends once and hands over the answer with its body unread, for streams; throws TransportError. */
  open(request: Prepared, patience: Patience): Promise<WireResponse>
  /** Milliseconds since 1970 by the service's clock. */
  serverNow(): number
}

export interface ExchangeParts {
  readonly transport: Transport
  readonly throttle: Throttle
  readonly clock: Clock
  readonly redactor: Redactor
  readonly token: string | undefined
  readonly userAgent: string
  readonly onTrace?: ((event: TraceEvent) => void) | undefined
}

const BODY_CAP_BYTES = 32 * 1024 * 1024

/** Exchanges over one transport with one token. */
export function createExchange(parts: ExchangeParts): Exchange {
  const { transport, throttle, clock, redactor } = parts
  let serverAheadMs: number | undefined

  function learn(response: WireResponse, sentAt: number): void {
    const date = Date.parse(response.headers['date'] ?? '')
    if (Number.isFinite(date)) serverAheadMs = date - (sentAt + clock.now()) / 2
  }
  function trace(request: Prepared, startedAt: number, rest: Omit<TraceEvent, 'request' | 'ms'>): void {
    const why = rest.why === undefined ? undefined : redactor.clean(rest.why)
    parts.onTrace?.({ ...rest, why, request: redactor.clean(`${request.method} ${withoutCode(request.path)}`), ms: clock.now() - startedAt })
  }
  async function run(request: Prepared, patience: Patience, deadline: Deadline): Promise<Delivery> {
    const response = await headOf(deadline.race(transport(wireRequest(request, parts, deadline.signal))), patience, redactor)
    if ('is' in response) return response
    learn(response, deadline.startedAt)
    const { status, headers } = response
    try {
      return { is: 'answered', status, headers, text: await deadline.race(response.text(BODY_CAP_BYTES)) }
    } catch (error) {
      if (!patience.effect && patience.signal?.aborted) throw error
      return { is: 'answered', status, headers, text: undefined }
    }
  }
  async function deliver(request: Prepared, patience: Patience): Promise<{ delivery: Delivery; tookMs: number }> {
    const ticket = await enter(throttle, request, patience)
    // Asked at the last moment: the place may have come and the stop right after it.
    if (!ticket || (patience.effect && patience.signal?.aborted)) return unsent(ticket)
    const startedAt = clock.now()
    const deadline = createDeadline(clock, patience)
    try {
      const delivery = await run(request, patience, deadline)
      ticket.end(delivery.is === 'answered' ? endingOf(delivery) : endingWithoutHead(delivery))
      trace(request, startedAt, summaryOf(delivery))
      return { delivery, tookMs: clock.now() - startedAt }
    } finally {
      ticket.end({ as: 'failed' })
      deadline.over()
    }
  }
  async function open(request: Prepared, patience: Patience): Promise<WireResponse> {
    const ticket = await throttle.enter(`${request.method} ${request.route.path}`, patience.priority, patience.signal)
    const startedAt = clock.now()
    const deadline = createDeadline(clock, patience)
    try {
      const response = await deadline.race(transport(wireRequest(request, parts, deadline.signal)))
      learn(response, startedAt)
      ticket.end(endingOf(response))
      trace(request, startedAt, { status: response.status })
      return response
    } catch (error) {
      if (error instanceof Late) {
        ticket.end({ as: 'slow' })
        throw new TransportError(error.message, true)
      }
      if (error instanceof TransportError) throw new TransportError(printable(redactor.clean(error.message)), error.sent)
      throw error
    } finally {
      ticket.end({ as: 'failed' })
      deadline.headArrived()
    }
  }
  return Object.freeze({ deliver, open, serverNow: () => (serverAheadMs === undefined ? clock.wall() : clock.now() + serverAheadMs) })
}

/** The code of an invite is a secret that stands in a query. */
function withoutCode(path: string): string {
  return path.replace(/([?&]code=)[^&]*/g, `$1${MASK}`)
}

/** A place, or none where the caller stopped a call with an effect in time. */
async function enter(throttle: Throttle, request: Prepared, patience: Patience): Promise<Ticket | undefined> {
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

function wireRequest(request: Prepared, parts: ExchangeParts, signal: AbortSignal): WireRequest {
  const headers: Record<string, string> = { ...request.headers, accept: acceptOf(request.route), 'user-agent': parts.userAgent }
  if (parts.token !== undefined && request.route.access !== 'open') headers['authorization'] = `Bearer ${parts.token}`
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  return { method: request.method, path: request.path, headers, body: request.body, signal }
}

function acceptOf(route: Route): string {
  return route.answer.shape === 'text' ? 'text/event-stream, text/plain, */*' : 'application/json'
}

/** A head that did not come is a delivery of its own; a read's abort, or a defect of ours in it, goes on as an error. */
async function headOf(head: Promise<WireResponse>, patience: Patience, redactor: Redactor): Promise<WireResponse | Delivery> {
  try {
    return await head
  } catch (error) {
    if (error instanceof Late) return { is: 'lost', why: error.message, late: true }
    if (!(error instanceof TransportError) && !patience.effect) throw error
    const why = printable(redactor.clean(error instanceof Error ? error.message : 'the transport failed'))
    return !(error instanceof TransportError) || error.sent ? { is: 'lost', why, late: false } : { is: 'not sent', why, hopeless: error.hopeless }
  }
}

function endingOf({ status, headers }: Pick<WireResponse, 'status' | 'headers'>): Ending {
  const told = retryAfterMs(headers)
  if (status === 429 || (status === 503 && told !== undefined)) return { as: 'refused', retryAfterMs: told }
  return { as: status >= 500 ? 'failed' : 'answered' }
}

function endingWithoutHead(delivery: Exclude<Delivery, { readonly is: 'answered' }>): Ending {
  return { as: delivery.is === 'lost' && delivery.late ? 'slow' : 'failed' }
}

function summaryOf(delivery: Delivery): Pick<TraceEvent, 'status' | 'requestId' | 'why'> {
  if (delivery.is !== 'answered') return { why: delivery.why }
  return { status: delivery.status, requestId: delivery.headers['x-request-id'], ...(delivery.text === undefined ? { why: 'the body is not complete' } : {}) }
}

/** The exchange ran out of time. */
class Late extends Error {}

interface Deadline {
  readonly startedAt: number
  readonly signal: AbortSignal
  /** The work, unless time runs out or the caller abandons it first; never leaves a rejection unheard. */
  race<T>(work: Promise<T>): Promise<T>
  /** No more hurry: what follows is a stream, which the caller may still abandon. */
  headArrived(): void
  over(): void
}

/** Made once: a reason of its own for each abort would cost a stack trace per request. */
const over = new Error('the exchange is over')

function createDeadline(clock: Clock, patience: Patience): Deadline {
  const abort = new AbortController()
  const timer = new AbortController()
  const outer = patience.effect ? undefined : patience.signal
  let forget: (() => void) | undefined
  const ended = new Promise<never>((_, reject) => {
    const stop = (reason: Error) => {
      reject(reason)
      abort.abort(reason)
    }
    clock.sleep(patience.timeoutMs, timer.signal).then(
      () => stop(new Late(`no complete answer within ${Math.round(patience.timeoutMs / 1000)} s`)),
      () => undefined,
    )
    forget = outer && onAbort(outer, () => stop(reasonOf(outer)))
  })
  ended.catch(() => undefined)
  return {
    startedAt: clock.now(),
    signal: abort.signal,
    race<T>(work: Promise<T>): Promise<T> {
      work.catch(() => undefined)
      return Promise.race([work, ended])
    },
    headArrived: () => timer.abort(over),
    over() {
      timer.abort(over)
      forget?.()
    },
  }
}
