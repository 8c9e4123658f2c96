// The provider over HTTP: one call at a time, composed of encoding, throttle, retries, pages and classification.
import type { Clock } from '../base/clock.ts'
import type { JsonValue } from '../base/json.ts'
import { bounds, tooMuch } from './answers/bounds.ts'
import { secretTexts } from './answers/secret-members.ts'
import type { Call, Outcome, Query } from './calls/call.ts'
import { ApiError } from './calls/call.ts'
import type { Compat } from './calls/compat.ts'
import type { ArrayStyle } from './calls/encode.ts'
import { encodeCall, requestName } from './calls/encode.ts'
import { StreamLostError } from './calls/failed-call.ts'
import type { Exchange, Prepared, TraceEvent } from './exchange.ts'
import { createExchange } from './exchange.ts'
import type { ReadPage } from './page.ts'
import { createListMemory } from './page.ts'
import type { ListOptions } from './pages.ts'
import { listAll } from './pages.ts'
import type { AskedWait, Budget, Found, ReadOptions } from './read.ts'
import { createOpener, createReader } from './read.ts'
import type { Redactor } from './redact.ts'
import { createRedactor } from './redact.ts'
import { createRetryQuota } from './retry.ts'
import type { Method, Route } from './routes/route.ts'
import type { SendOptions } from './send.ts'
import { createSender } from './send.ts'
import { checkToken } from './token.ts'
import { logLines } from './transport/sse.ts'
import type { Throttle } from './transport/throttle.ts'
import { createThrottle } from './transport/throttle.ts'
import type { Transport } from './transport/wire.ts'
import { TransportError } from './transport/wire.ts'

/** What the line to a service is made of; without a token only open calls are sent with success. */
export interface LineParts {
  readonly transport: Transport
  readonly token: string | undefined
  readonly clock: Clock
  readonly userAgent: string
  /** Most requests in flight, 1 to 1000; adaptive below it. */
  readonly parallelism?: number | undefined
  readonly onTrace?: ((event: TraceEvent) => void) | undefined
  /** Waited for before an answer that refuses is handed on: it makes secrets known that the text may quote. */
  readonly onRefusal?: ((secrets: Redactor) => Promise<void>) | undefined
}

/** What a client knows beside the line that it speaks over. */
export interface CallerParts {
  readonly clock: Clock
  readonly random: () => number
  readonly compat: Compat
  /** Whether the token is known to be a login session's; undefined where nothing tells. */
  readonly session?: boolean | undefined
  readonly budget?: Partial<Budget> | undefined
  /** Called as a pause begins that the service asks for. */
  readonly onWait?: ((wait: AskedWait) => void) | undefined
}

export type ClientParts = LineParts & CallerParts

/** Requests to one service with one token, one by one: how many at once, what must not be told of them. */
export interface Line {
  readonly exchange: Exchange
  readonly redactor: Redactor
  /** What the limiter does now. */
  load(): ReturnType<Throttle['state']>
}

export interface Client {
  /** A call without effect. Undefined for 404, null where the route may answer nothing. Throws ApiError, UnreachableError or InvalidRequest. */
  read(call: Call, options?: ReadOptions): Promise<JsonValue | undefined>
  /** Every item of a list. A 404 is an ApiError: what holds the list is not there. */
  all(call: Call, options?: ListOptions): Promise<JsonValue[]>
  /** A call with an effect, delivered at most once with any. Throws InvalidRequest, before anything is sent, and nothing else. */
  send(call: Call, options?: SendOptions): Promise<Outcome>
  /** A text answer, for example logs; throws ApiError for a 404, too. */
  text(call: Call, options?: ReadOptions): Promise<string>
  /** The lines of a text that keeps coming, until the service ends it or the signal is aborted. */
  stream(call: Call, options?: ReadOptions): AsyncIterable<string>
  /** Whether the caller is known to be a login session. */
  readonly session: boolean | undefined
  /** Values that no error text and no trace may hold. */
  readonly secrets: Redactor
  /** Milliseconds since 1970 by the service's clock, by ours until it has answered. */
  serverNow(): number
  /** Whether list filters are honoured, as far as this run knows. */
  filtersWork(): boolean
  /** The routes that this client has read, but for what it can do without. */
  readonly asked: ReadonlySet<Route>
  /** What the limiter does now. */
  load(): ReturnType<Throttle['state']>
}

const defaults = { requestMs: 60_000, giveUpMs: 60_000 }

function budgetOf(given: Partial<Budget> = {}): Budget {
  return { unansweredMs: given.giveUpMs ?? defaults.giveUpMs, ...defaults, ...given }
}

/** The line to one service with one token; throws a Failure `bad_token` ("Authentication" 1). */
export function openLine(given: LineParts): Line {
  const token = given.token === undefined ? undefined : checkToken(given.token)
  const redactor = createRedactor()
  if (token !== undefined) redactor.add(token)
  const throttle = createThrottle(given.clock, given.parallelism)
  return { exchange: createExchange({ ...given, token, throttle, redactor }), redactor, load: throttle.state }
}

/** A client with a line of its own. Throws what opening it throws. */
export function createClient(given: ClientParts): Client {
  return clientOn(openLine(given), given)
}

/** A client that speaks over a line. */
export function clientOn({ exchange, redactor, load }: Line, given: CallerParts): Client {
  const { clock, random, compat, onWait } = given
  const parts = { exchange, clock, random, redactor, quota: createRetryQuota(clock), budget: budgetOf(given.budget), onWait }
  const fetchOne = createReader(parts)
  const openOne = createOpener(parts)
  const memory = createListMemory(compat)
  const asked = new Set<Route>()

  function prepare(call: Call, method: Method = call.route.methods[0], paging: Query = {}, filters = memory.filters): Prepared {
    return { route: call.route, ...encodeCall(call, method, arrayStyle(compat, filters), compat, paging) }
  }
  const sendOne = createSender(parts, compat, prepare, fetchOne)

  async function found(call: Call, options: ReadOptions): Promise<Found> {
    asked.add(call.route)
    const answer = await fetchOne(prepare(call), options)
    if (answer.is === 'found') learn(redactor, call.route, answer.value)
    return answer
  }
  async function text(call: Call, options: ReadOptions = {}): Promise<string> {
    const answer = await found(call, options)
    if (answer.is === 'absent') throw answer.error
    return typeof answer.value === 'string' ? answer.value : ''
  }
  async function* stream(call: Call, options: ReadOptions = {}): AsyncIterable<string> {
    const request = prepare(call)
    const response = await openOne(request, options)
    const isEventStream = (response.headers['content-type'] ?? '').includes('event-stream')
    try {
      yield* logLines(response.chunks(), isEventStream)
    } catch (error) {
      if (!options.signal?.aborted) throw lost(redactor.clean(`${request.method} ${request.path.split('?')[0]}`), error)
    }
  }
  return Object.freeze({
    async read(call: Call, options: ReadOptions = {}) {
      const answer = await found(call, options)
      if (answer.is === 'absent') return undefined
      if (options.allowance?.take(answer.sizeBytes) === false) throw new ApiError(answer.status, tooMuch('what is read here'), requestName(call.route))
      return answer.value
    },
    async all(call: Call, options: ListOptions = {}) {
      if (!options.dispensable) asked.add(call.route)
      const page = endingInTime(clock, (one, paging, filters) => fetchOne(prepare(one, undefined, paging, filters), options))
      const items = await listAll(call, page, memory, compat, options)
      learn(redactor, call.route, items)
      return items
    },
    async send(call: Call, options: SendOptions = {}) {
      const outcome = await sendOne(call, options)
      if (outcome.is === 'accepted') learn(redactor, call.route, outcome.answer.body)
      return outcome
    },
    text,
    stream,
    session: given.session,
    asked,
    secrets: redactor,
    serverNow: exchange.serverNow,
    filtersWork: () => memory.filters,
    load,
  })
}

/** What an answer marks as secret is in no message from here on. */
function learn(redactor: Redactor, route: Route, value: JsonValue | undefined): void {
  if (value !== undefined) for (const text of secretTexts(route, value)) redactor.add(text)
}

/** The reading of one list's pages; throws an ApiError once the list has taken longer than any may. */
function endingInTime(clock: Clock, read: ReadPage): ReadPage {
  const until = clock.now() + bounds.listMs
  return async (call, paging, filters) => {
    if (clock.now() > until) throw new ApiError(200, `this list has not ended within ${bounds.listMs / 60_000} minutes`, requestName(call.route))
    return await read(call, paging, filters)
  }
}

function lost(request: string, error: unknown): unknown {
  return error instanceof TransportError ? new StreamLostError(request, error.message) : error
}

function arrayStyle(compat: Compat, filters: boolean): ArrayStyle {
  if (!filters) return 'none'
  return compat.array_query === 'auto' ? 'repeat' : compat.array_query
}
