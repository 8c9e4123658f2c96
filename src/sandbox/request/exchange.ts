// One request on its way through the router, and what a handler answers, typed by the route.
import type * as z from 'zod'
import type { ParamNames, Route } from '../../api/routes/route.ts'
import type { JsonObject } from '../../base/json.ts'
import type { RouteName, routes } from '../served-routes.ts'
import type { AccessLevel, TokenRow, UserRow, WorkflowRow } from '../store/rows.ts'
import type { Row } from '../store/table.ts'
import type { World } from '../world.ts'
import type { KindWord } from './present.ts'
import { found } from './refusal.ts'

/** A request as the transport hands it over: `path` with its query, header names in lower case. */
export interface SandboxRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer; the body is read once, as text (throws beyond `maxBytes`) or in chunks. */
export interface SandboxResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, where it is known at once and nothing befalls it. */
  readonly whole?: string
  text(maxBytes: number): Promise<string>
  chunks(): AsyncIterable<Uint8Array>
}

/** Who calls: the user behind the token (for tokens of a workspace its creator) and what the token may do. */
export interface Caller {
  readonly user: UserRow
  readonly token: TokenRow | undefined
  readonly staff: boolean
}

/** What is known before query and body are read. `workspaceId` is the owning workspace of what the path names; `level` the caller's in it. */
export interface Gate {
  readonly world: World
  readonly name: RouteName
  readonly route: Route
  readonly request: SandboxRequest
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  /** The token as it was sent; undefined without an Authorization header. */
  readonly code: string | undefined
  readonly workspaceId: string | undefined
  readonly level: AccessLevel | undefined
}

type Routes = typeof routes
type BodyOf<R> = R extends { readonly body: () => infer S extends z.ZodType } ? z.output<S> : undefined
type QueryOf<R> = R extends { readonly query: () => infer S extends z.ZodType } ? z.output<S> : Readonly<Record<string, never>>
type ParamsOf<R> = R extends { readonly path: infer P extends string } ? Readonly<Record<ParamNames<P>, string>> : never
type ShapeOf<R> = R extends { readonly answer: { readonly shape: infer S } } ? S : never

/** A request whose every part was read: strict, with ids as strings of digits. */
export interface Exchange<N extends RouteName = RouteName> extends AnyExchange {
  readonly params: ParamsOf<Routes[N]>
  readonly query: QueryOf<Routes[N]>
  readonly body: BodyOf<Routes[N]>
}

/** A request of any route: query and body were read by its schemas. */
export interface AnyExchange extends Gate {
  readonly query: unknown
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** A handler of some route. */
export type AnyHandler = { handle(exchange: AnyExchange): Reply }['handle']

/** A record's full flat view, null where there is none, and the word for its kind, which decides how `present` may show it. */
export interface RecordReply {
  readonly kind: KindWord
  readonly view: JsonObject | null
  readonly status?: number
}

/** A list before paging: rows in order of their making; only those of the page are made into views. */
export interface Listing {
  readonly kind: KindWord
  readonly rows: readonly Row[]
  readonly newestFirst: boolean
  viewAt(index: number): JsonObject
}

interface Replies {
  readonly object: RecordReply
  readonly page: Listing
  readonly array: { readonly kind: KindWord; readonly views: readonly JsonObject[] }
  readonly workflow: { readonly workflow: WorkflowRow }
  readonly 'workflow+resource': { readonly workflow: WorkflowRow; readonly kind: KindWord; readonly view: JsonObject }
  readonly audit: { readonly action: string; readonly subjectId: string }
  readonly empty: undefined
  readonly undocumented: { readonly workflow: WorkflowRow } | undefined
  readonly text: { readonly text: string } | { readonly stream: AsyncIterable<Uint8Array> }
}

/** What a handler of the route gives back; router and `present` make the answer of it. */
export type Reply<N extends RouteName = RouteName> = Replies[ShapeOf<Routes[N]> & keyof Replies]

/** One handler; as a method, so that handlers of single routes stand in one table. */
export type Handler<N extends RouteName> = { handle(exchange: Exchange<N>): Reply<N> }['handle']

/** A handler for each of the routes named: one that is missing does not compile. */
export type Handlers<N extends RouteName> = { readonly [K in N]: Handler<K> }

/** A list of rows for paging. */
export function listing<R extends Row>(kind: KindWord, rows: readonly R[], view: (row: R) => JsonObject, order: 'newest' | 'oldest' = 'newest'): Listing {
  return {
    kind,
    rows,
    newestFirst: order === 'newest',
    viewAt(index) {
      return view(found(rows[index], kind))
    },
  }
}
