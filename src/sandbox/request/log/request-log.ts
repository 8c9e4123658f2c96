// The last requests of a sandbox with their answers: what tests ask and people look at, secrets left out.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { RouteName } from '../../served-routes.ts'
import { isoOf } from '../../world.ts'
import type { SandboxRequest, SandboxResponse } from '../exchange.ts'
import type { LoggedBody, Omitted } from './logged-body.ts'
import { loggedBody, loggedPath, withoutLong } from './logged-body.ts'

/** What became of a request: answered, or lost before or after its effect, or to arrive late. */
export type Outcome = 'answered' | 'lost-before' | 'lost-after' | 'late'

/** A request as the log keeps it; bodies as they came, `unread` the members of its body that nobody looked at. */
export interface LogEntry {
  readonly id: number
  readonly atMs: number
  readonly durationMs: number
  readonly request: SandboxRequest
  readonly operation: RouteName | undefined
  readonly outcome: Outcome
  readonly response: SandboxResponse | undefined
  readonly fault: string | undefined
  readonly unread: readonly string[]
}

/** A request as it is shown: times in ms of the sandbox's clock, bodies with secrets replaced. */
export interface LoggedRequest {
  readonly id: number
  readonly at: string
  readonly method: string
  readonly path: string
  readonly operation: RouteName | null
  readonly outcome: Outcome
  /** null where no answer left. */
  readonly status: number | null
  readonly message: string | null
  readonly durationMs: number
  readonly fault: string | null
  readonly requestBody: LoggedBody
  readonly answerBody: LoggedBody
  readonly unread: readonly string[]
}

export interface RequestLog {
  add(entry: Omit<LogEntry, 'id'>): LogEntry
  /** The requests that are kept, oldest first. */
  list(filter?: { readonly since?: number | undefined; readonly limit?: number | undefined; readonly operation?: string | undefined }): LoggedRequest[]
  /** One request; undefined when it is not kept. */
  get(id: number): LoggedRequest | undefined
  /** The id of the oldest request that is kept, or of the one to come. */
  readonly firstId: number
  clear(): void
}

const KEPT = 500

/** What stays of an entry: of a long body its length alone, and of an answer not the object that gave it, which holds the whole of one. */
interface Kept extends Omit<LogEntry, 'response' | 'request'> {
  readonly request: { readonly method: string; readonly path: string; readonly body: string | Omitted | undefined }
  readonly answer: { readonly status: number; readonly message: string | null; readonly body: string | Omitted | undefined } | undefined
}

/** An empty log, which forgets all but the last requests. */
export function createRequestLog(): RequestLog {
  let entries: Kept[] = []
  let count = 0
  return {
    add(entry) {
      const added = { ...entry, id: (count += 1) }
      entries.push(keptOf(added))
      if (entries.length >= 2 * KEPT) entries = entries.slice(-KEPT)
      return added
    },
    list({ since = 0, limit = KEPT, operation } = {}) {
      const found = entries.slice(-KEPT).filter((one) => one.id > since && (operation === undefined || one.operation === operation))
      return found.slice(Math.max(0, found.length - limit)).map(viewOf)
    },
    get(id) {
      const found = entries.find((one) => one.id === id)
      return found && viewOf(found)
    },
    get firstId() {
      return entries.at(-KEPT)?.id ?? entries[0]?.id ?? count + 1
    },
    clear() {
      entries = []
    },
  }
}

/** A request as an event: who wants its bodies asks the log. */
export function eventOf({ id, request, operation, outcome, response, fault }: LogEntry): JsonObject {
  const status: JsonValue = outcome === 'answered' ? (response?.status ?? null) : null
  return { id, method: request.method, path: loggedPath(request.path), operation: operation ?? null, outcome, status, fault: fault ?? null }
}

function keptOf({ response, request: { method, path, body }, ...entry }: LogEntry): Kept {
  const kept = { ...entry, request: { method, path, body: body === undefined ? undefined : withoutLong(body) } }
  if (response === undefined || entry.outcome !== 'answered') return { ...kept, answer: undefined }
  const { status, headers, whole } = response
  return { ...kept, answer: { status, message: headers['x-message'] ?? null, body: whole === undefined ? undefined : withoutLong(whole) } }
}

function viewOf(entry: Kept): LoggedRequest {
  const { id, atMs, durationMs, request, operation, outcome, answer, fault, unread } = entry
  return {
    id,
    at: isoOf(atMs),
    method: request.method,
    path: loggedPath(request.path),
    operation: operation ?? null,
    outcome,
    status: answer?.status ?? null,
    message: answer?.message ?? null,
    durationMs,
    fault: fault ?? null,
    requestBody: loggedBody(request.body, operation, 'request'),
    answerBody: loggedBody(answer?.body, operation, 'answer'),
    unread,
  }
}
