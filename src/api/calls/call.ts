// A call as data: route, path parameters, query and body, not yet encoded; and what became of it.
import type { JsonValue } from '../../base/json.ts'
import type { ParamNames, Route } from '../routes/route.ts'

/** A request as data. Values may still hold tokens; ids are strings of digits until the client encodes them. */
export interface Call {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly query?: Query | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A call with exactly the parameters that the route's path names. */
export function call<R extends Route & { readonly path: string }>(
  route: R,
  params: Readonly<Record<ParamNames<R['path']>, string>>,
  body?: unknown,
  query?: Query,
): Call {
  return { route, params, ...(body === undefined ? {} : { body }), ...(query === undefined ? {} : { query }) }
}

/** What an accepted answer holds, found by shape ("Wrapped answers"): the workflow, the record, their ids. */
export interface Answered {
  readonly status: number
  readonly body: JsonValue | undefined
  readonly workflowId?: string | undefined
  readonly resourceId?: string | undefined
  readonly resource?: JsonValue | undefined
}

/** The provider's error: status, reason from X-Message, lenient field errors, the request it answers. Holds no secret. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  readonly request: string
  constructor(status: number, reason: string, request: string, fields: ApiError['fields'] = []) {
    super(`the service answered ${status} to ${request}${reason === '' ? '' : `: ${reason}`}`)
    this.name = 'ApiError'
    this.status = status
    this.reason = reason
    this.request = request
    this.fields = fields
  }
}

/** What became of a call with an effect (reliability: N, R, A, U). */
export type Outcome =
  | { readonly is: 'not sent'; readonly why: string }
  | { readonly is: 'rejected'; readonly error: ApiError }
  | { readonly is: 'accepted'; readonly answer: Answered }
  | { readonly is: 'unknown'; readonly why: string }

/** A workflow as the document shows it; `progress` only on single fetches. */
export interface Workflow {
  readonly id: string
  readonly name: string
  readonly state: string
  /** What of its data may name an id. */
  readonly data: JsonValue | undefined
  /** Milliseconds since 1970 by the service's clock; absent where it does not tell. */
  readonly startedMs?: number | undefined
  /** How long it has been under way, or was. */
  readonly durationMs?: number | undefined
  readonly progress?: { readonly completed: number; readonly total: number; readonly activity?: string | undefined } | undefined
}
