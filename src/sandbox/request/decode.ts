// Reads the parts of a request strictly, by the schemas of its route; what does not fit is a Refusal.
import * as z from 'zod'
import type { ParamType, Route } from '../../api/routes/route.ts'
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject, parseJson } from '../../base/json.ts'
import type { Readings } from '../readings/assumptions.ts'
import { defined } from './defined.ts'
import type { SandboxRequest } from './exchange.ts'
import { pageQuery } from './lists/page-query.ts'
import { messageOf, misfit, missing, Refusal } from './refusal.ts'

const LARGEST_ID = 2n ** 63n - 1n
const UNFIT = 'the body does not fit'
const NO_MEMBER = 'not a member'

const members = z.record(z.string(), z.unknown())

const patterns: Readonly<Record<ParamType, RegExp>> = {
  id: /^[1-9]\d{0,18}$/,
  user: /^(?:@me|[1-9]\d{0,18})$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  word: /^[\w.-]+$/,
}

/** The path's parameters by name, and the 404 of the first that can be nobody's id: who may not call at all is told that before. */
export function decodeParams(
  route: Route,
  values: readonly string[],
): { readonly params: Readonly<Record<string, string>>; readonly refusal: Refusal | undefined } {
  const params: Record<string, string> = {}
  let refusal: Refusal | undefined
  for (const [index, [name, type]] of Object.entries(route.params).entries()) {
    const raw = String(values[index])
    const value = decodeText(raw) ?? raw
    if (!patterns[type].test(value) || (type === 'id' && BigInt(value) > LARGEST_ID)) refusal ??= missing(name)
    params[name] = type === 'uuid' ? value.toLowerCase() : value
  }
  return { params, refusal }
}

/** Reads the query; lists as the reading of `arrayQuery` has them. */
export function decodeQuery(route: Route, search: string, readings: Readings): unknown {
  const query = route.query?.()
  if (query === undefined) {
    const [first] = pairsOf(search)
    if (first !== undefined)
      throw new Refusal(400, 'the operation takes no query parameters', [{ field: first.replace(/=.*/s, ''), message: 'not a parameter' }])
    return {}
  }
  const asked = decoded(query, search === '' ? {} : readSearch(query, search, readings), 'the query does not fit')
  return route.answer.shape === 'page' && search !== '' && readings.filters === 'ignored' ? pageQuery.parse(asked) : asked
}

/** The headers that the route names, by their names there. */
export function decodeHeaders(route: Route, request: SandboxRequest): Readonly<Record<string, string>> {
  const schema = route.headers?.()
  if (schema === undefined) return {}
  const sent: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = request.headers[name.toLowerCase()]
    if (value !== undefined) sent[name] = value
  }
  decoded(schema, sent, 'a header is missing or does not fit')
  return sent
}

/** Reads the body: JSON with 64-bit integers exact, then the route's schema. */
export function decodeBody(route: Route, { method, body: text, headers }: SandboxRequest, readings: Readings): unknown {
  // "JSON bodies with `Content-Type: application/json`"
  const isDeclared = readings.bodyTypes === 'any' || /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? 'application/json')
  if (text !== undefined && text !== '' && !isDeclared) throw new Refusal(400, 'the body is not declared as application/json')
  if (route.body === undefined) {
    if (text === undefined || /^(?:\{\s*\})?$/.test(text.trim())) return undefined
    throw new Refusal(400, 'the operation takes no body', [{ field: '', message: 'no body expected' }])
  }
  const nothing = method === 'PATCH' && readings.emptyPatch === 'accept' ? {} : undefined
  const body = text === undefined || text === '' ? nothing : readBody(text)
  return decoded(route.body(), route.answer.shape === 'undocumented' && readings.ipMembers === 'words' ? inOtherWords(body) : body, UNFIT)
}

/** The body of a call without a documented shape, whose members are `address` and `instance` in place of the ids. */
function inOtherWords(body: unknown): unknown {
  const { success, data, error } = members.safeParse(body ?? {})
  if (!success) throw misfit(UNFIT, error.issues)
  const { address, instance, ...rest } = data
  const others = Object.keys(rest).map((path) => ({ path: [path], message: NO_MEMBER }))
  if (others.length > 0) throw misfit(UNFIT, others)
  return defined({ ip_id: address, instance_id: instance })
}

function readBody(text: string): unknown {
  const value = parsed(text)
  const path = protoIn(value)
  if (path !== undefined) throw misfit(UNFIT, [{ path, message: NO_MEMBER }])
  return value
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Refusal(400, messageOf(error))
  }
}

/** Where a member `__proto__` stands: schemas of free keys would leave it out without a word. */
function protoIn(value: JsonValue): readonly string[] | undefined {
  if (!isList(value) && !isObject(value)) return undefined
  for (const [key, member] of Object.entries(value)) {
    const below = key === '__proto__' ? [] : protoIn(member)
    if (below !== undefined) return [key, ...below]
  }
  return undefined
}

function decoded(schema: z.ZodType, value: unknown, reason: string): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw misfit(reason, result.error.issues)
}

function readSearch(schema: z.ZodObject, search: string, readings: Readings): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>()
  for (const pair of pairsOf(search)) {
    const [rawName = '', rawValue = ''] = pair.split(/=(.*)/s)
    const written = decodeText(rawName.replaceAll('+', ' '))
    const value = decodeText(rawValue.replaceAll('+', ' '))
    if (written === undefined || value === undefined) throw new Refusal(400, 'the query is not well-formed')
    const bare = written.endsWith('[]') ? written.slice(0, -2) : written
    const isList = Object.hasOwn(schema.shape, bare) && isListField(schema.shape[bare])
    if (isList && readings.listFilters === 'ignored') continue
    const style = isList ? readings.arrayQuery : 'repeat'
    const name = style === 'brackets' ? bare : written
    const values = style === 'comma' ? value.split(',') : [value]
    const before = found.get(name)
    if (before === undefined) found.set(name, isList ? values : value)
    else if (style === 'repeat' || (style === 'brackets' && name !== written)) found.set(name, [...(typeof before === 'string' ? [before] : before), ...values])
    else found.set(name, values)
  }
  return Object.fromEntries(found)
}

/** The parameters of a query as they were sent; separators with nothing between them are none. */
function pairsOf(search: string): readonly string[] {
  return search.split('&').filter((pair) => pair !== '')
}

function isListField(field: unknown): boolean {
  if (field instanceof z.ZodOptional) return isListField(field.unwrap())
  return field instanceof z.ZodCodec && field.def.out instanceof z.ZodArray
}

/** Text without its percent-encoding; undefined where that is broken. */
export function decodeText(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
