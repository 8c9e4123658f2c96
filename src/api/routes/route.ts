// What a route is: one row of the API document's tables as data, from which client, sandbox and documents follow.
import type * as z from 'zod'
import { grantKey } from './accounts/grants.ts'
import type { grantKind } from './fields.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: the roles of the specification's "Scope" and "Authentication" 9, and what it says beside them. */
export type Access =
  | 'open' // no bearer token
  | 'any' // any valid token
  | 'session' // a login token
  | 'self' // the user in the path, or staff
  | 'viewer'
  | 'editor'
  | 'administrator'
  | 'owner'
  | 'staff' // "administrator only", "operator": a staff or system session

/** The key of a token's grants that a route needs, and how much of it (Authentication 9). */
export interface Grant {
  readonly resource: z.output<typeof grantKind>
  readonly level: 'READ' | 'WRITE'
}

/** What a route answers when it accepts. */
export type Answer =
  | { readonly shape: 'object'; readonly item: () => z.ZodType } // one record, perhaps wrapped
  | { readonly shape: 'page'; readonly item: () => z.ZodType } // {items, hasNext, hasPrevious, after, before}
  | { readonly shape: 'array'; readonly item: () => z.ZodType }
  | { readonly shape: 'workflow' } // a workflow alone
  | { readonly shape: 'workflow+resource'; readonly item: () => z.ZodType } // "workflow with the new X": keys not shown
  | { readonly shape: 'audit' } // an audit log entry: fields not shown
  | { readonly shape: 'empty' }
  | { readonly shape: 'undocumented' } // not shown at all: whatever comes, with a workflow in it or without
  | { readonly shape: 'any' } // of a call that no row describes: JSON, or a text where its Content-Type says so
  | { readonly shape: 'text' } // text/plain, or an SSE stream with `follow`

/** One row; its schemas are made when they are first asked for, since no run needs them all. `methods` has two members where the document leaves the method open; `session` demands a login token beside the role. */
export interface Route {
  readonly methods: readonly [Method, ...Method[]]
  readonly path: string
  readonly section: string
  readonly params: Readonly<Record<string, ParamType>>
  readonly query?: () => z.ZodObject
  readonly headers?: () => z.ZodObject
  readonly body?: () => z.ZodType
  readonly answer: Answer
  readonly statuses: readonly number[]
  readonly access: Access
  readonly session?: boolean
  readonly grant?: Grant | undefined
  readonly asynchronous: boolean
  readonly effect: boolean
}

export type ParamType = 'id' | 'user' | 'uuid' | 'word'

/** The names in a path's placeholders. */
export type ParamNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

type Definition<P extends string> = Omit<Route, 'methods' | 'path' | 'section' | 'params' | 'statuses' | 'grant' | 'asynchronous' | 'effect'> & {
  readonly statuses?: readonly number[]
  readonly asynchronous?: boolean
  readonly effect?: boolean
  readonly params?: Partial<Record<ParamNames<P>, ParamType>>
}

/**
 * A row as data; two methods where the document leaves the method open. Parameters are ids unless `params` says otherwise.
 * Unless said otherwise: GET has no effect, everything else has one; a workflow answer is asynchronous; the statuses follow the shape.
 * The grant follows the path: READ for what has no effect, WRITE for the rest.
 */
export function route<const P extends string, const D extends Definition<P>>(
  section: string,
  method: Method | readonly [Method, Method],
  path: P,
  definition: D,
) {
  const methods: readonly [Method, ...Method[]] = typeof method === 'string' ? [method] : method
  const asynchronous = definition.asynchronous ?? definition.answer.shape.startsWith('workflow')
  const effect = definition.effect ?? methods[0] !== 'GET'
  const params: Record<string, ParamType> = {}
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) params[name] = 'id'
  return Object.freeze({
    ...definition,
    methods,
    path,
    section,
    params: Object.freeze({ ...params, ...definition.params }),
    statuses: definition.statuses ?? defaultStatuses(methods[0], definition.answer.shape),
    grant: grantOf(path, definition.access, effect),
    asynchronous,
    effect,
  })
}

function defaultStatuses(method: Method, shape: Answer['shape']): readonly number[] {
  if (shape === 'workflow+resource') return [200, 201, 202]
  if (shape === 'workflow') return [200, 202]
  return method === 'POST' && shape === 'object' ? [200, 201] : [200]
}

function grantOf(path: string, access: Access, effect: boolean): Grant | undefined {
  const resource = access === 'open' || access === 'staff' ? undefined : grantKey(path)
  return resource && Object.freeze({ resource, level: effect ? 'WRITE' : 'READ' })
}
