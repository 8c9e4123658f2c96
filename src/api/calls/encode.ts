// Turns a call into a method, a path with its query, and a body; checks everything before any URL is built.
import * as z from 'zod'
import { stringifyJson } from '../../base/json.ts'
import type { Method, ParamType, Route } from '../routes/route.ts'
import type { Call, Query } from './call.ts'
import type { Compat } from './compat.ts'
import { InvalidRequest } from './failed-call.ts'
import { commandSetting, ipCommand } from './ip-command.ts'
import { pathFault } from './open-path.ts'

export type ArrayStyle = 'repeat' | 'comma' | 'brackets' | 'none'

/** A request without authentication. */
export interface Encoded {
  readonly method: Method
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

const PARAMS: Readonly<Record<ParamType, RegExp>> = {
  id: /^[1-9]\d{0,18}$/,
  user: /^(@me|[1-9]\d{0,18})$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  word: /^[A-Za-z0-9_-]{1,64}$/,
}

/** Encodes a call, `paging` added to its query; throws InvalidRequest where a parameter, the query or the body does not fit the route. */
export function encodeCall(call: Call, method: Method, arrayStyle: ArrayStyle, compat: Compat, paging: Query = {}): Encoded {
  const { route } = call
  const setting = commandSetting(call, compat)
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeParam(route, name, call.params[name]))
  const query = encodeQuery({ ...checkedQuery(route, call.query ?? {}), ...paging }, arrayStyle)
  const headers = checkedHeaders(route, call.headers ?? {})
  const body = encodeBody(route, call.body)
  const command = (setting && ipCommand(setting, body)) ?? { method, path: `${path}${query}`, body }
  const fault = setting && pathFault(setting.path)
  if (fault !== undefined) throw new InvalidRequest(requestName(route), [`path: its setting must be ${fault}`])
  return { ...command, headers, body: command.body === undefined ? undefined : stringifyJson(command.body) }
}

/** A route's name for people: method and path with its placeholders. */
export function requestName(route: Route): string {
  return `${route.methods[0]} ${route.path}`
}

function encodeParam(route: Route, name: string, value: string | undefined): string {
  const type = route.params[name] ?? 'id'
  if (value === undefined || !PARAMS[type].test(value))
    throw new InvalidRequest(requestName(route), [`{${name}}: not ${type === 'id' ? 'an id' : `a ${type}`}`])
  return value
}

const nothing = z.strictObject({})
// A route is called a few times in a run: less than compiling its schema pays for.
const uncompiled = { jitless: true } as const

function checkedQuery(route: Route, query: Query): Query {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const onWire = Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
  const result = (route.query?.() ?? nothing).safeParse(onWire, uncompiled)
  if (!result.success) throw new InvalidRequest(requestName(route), pathsOf(result.error, 'query'))
  return Object.fromEntries(given)
}

function encodeQuery(query: Query, style: ArrayStyle): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (typeof value !== 'object') return [pair(name, String(value))]
    if (value.length === 0 || style === 'none') return []
    if (style === 'comma') return [pair(name, value.join(','))]
    return value.map((one) => pair(style === 'brackets' ? `${name}[]` : name, one))
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function pair(name: string, value: string): string {
  // By way of bytes, since encodeURIComponent throws on half a surrogate pair.
  return `${encodeURIComponent(name)}=${encodeURIComponent(Buffer.from(value).toString())}`
}

function checkedHeaders(route: Route, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const result = (route.headers?.() ?? nothing).safeParse(headers, uncompiled)
  if (!result.success) throw new InvalidRequest(requestName(route), pathsOf(result.error, 'header'))
  const named = Object.entries(headers).filter(([name]) => Object.hasOwn(result.data, name))
  const bad = named.filter(([name, value]) => !/^[\w-]+$/.test(name) || !/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value))
  if (bad.length > 0) throw new InvalidRequest(requestName(route), ['header: holds characters that no header may hold'])
  return Object.fromEntries(named)
}

function encodeBody(route: Route, body: unknown): unknown {
  if (!route.body) {
    if (body === undefined) return undefined
    throw new InvalidRequest(requestName(route), ['body: this call takes none'])
  }
  const result = z.safeEncode(route.body(), body)
  if (!result.success) throw new InvalidRequest(requestName(route), pathsOf(result.error, 'body'), result.error.issues)
  return result.data
}

/** Where it is wrong and what kind of value is due; messages of literals and enums name what is allowed, none quotes the value. */
function pathsOf(error: z.core.$ZodError, place: string): string[] {
  return error.issues.map((issue) => {
    const path = [place, ...issue.path.map(String)].join('/')
    return issue.code === 'unrecognized_keys' ? `${path}: unknown ${issue.keys.join(', ')}` : `${path}: ${issue.message}`
  })
}
