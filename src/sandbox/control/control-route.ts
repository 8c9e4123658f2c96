// What a control route is: one row with its method, path, body, and what it does.
import * as z from 'zod'
import { misfit } from '../request/refusal.ts'
import type { Place } from '../time/place.ts'
import type { Control } from './context.ts'

/** What a route answers: JSON, a text that is JSON already, or a stream of events. */
export type ControlReply =
  | { readonly json: unknown; readonly status?: number }
  | { readonly text: string }
  | { readonly stream: (signal: AbortSignal) => AsyncIterable<Uint8Array> }

/** A call whose parts were read. `prefix` is where the place's own paths begin. */
export interface ControlCall<B, Q> {
  readonly place: Place
  readonly control: Control
  readonly params: Readonly<Record<string, string>>
  readonly headers: Headers
  readonly body: B
  readonly query: Q
}

/** A row as the dispatcher uses it; throws a Refusal for what does not fit. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/_sandbox`, placeholders in braces. */
  readonly path: string
  readonly about: string
  readonly body: z.ZodType | undefined
  readonly query: z.ZodType | undefined
  respond(call: ControlCall<unknown, unknown>): ControlReply | Promise<ControlReply>
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined

interface Definition<B extends z.ZodType | undefined, Q extends z.ZodType | undefined> {
  readonly about: string
  readonly body?: B
  readonly query?: Q
  respond(call: ControlCall<OutputOf<B>, OutputOf<Q>>): ControlReply | Promise<ControlReply>
}

/** Writes a row with the types of its body and query known; without a body schema the route takes none. */
export function controlRoute<B extends z.ZodType | undefined = undefined, Q extends z.ZodType | undefined = undefined>(
  method: ControlRoute['method'],
  path: string,
  definition: Definition<B, Q>,
): ControlRoute {
  const { about, body, query } = definition
  return Object.freeze({
    method,
    path,
    about,
    body,
    query,
    respond: (call: ControlCall<unknown, unknown>) =>
      definition.respond({ ...call, body: read(body, call.body, 'the body does not fit'), query: read(query, call.query, 'the query does not fit') }),
  })
}

function read<S extends z.ZodType | undefined>(schema: S | undefined, value: unknown, reason: string): OutputOf<S>
function read(schema: z.ZodType | undefined, value: unknown, reason: string): unknown {
  const result = (schema ?? nothing).safeParse(value)
  if (result.success) return result.data
  throw misfit(reason, result.error.issues)
}

const nothing = z.union([z.undefined(), z.strictObject({})])
