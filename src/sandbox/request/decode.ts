// Reads the parts of a request strictly, by the schemas of its route; what does not fit is a Refusal.
import * as z from 'zod'
import type { ParamType, Route } from '../../api/routes/route.ts'
import { parseJson } from '../../json.ts'
import type { Readings } from '../readings/assumptions.ts'
import { defined } from './defined.ts'
import type { SandboxRequest } from './exchange.ts'
import { pageQuery } from './page-query.ts'
import { messageOf, misfit, missing, Refusal } from './refusal.ts'

const LARGEST_ID = 2n ** 63n - 1n

const patterns: Readonly<Record<ParamType, RegExp>> = {
  id: /^[1-9]\d{0,18}$/,
  user: /^(?:@me|[1-9]\d{0,18})$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  word: /^[\w.-]+$/,
}

/** The path's parameters by name; 404 for a value that can be nobody's id. */
export function decodeParams(route: Route, values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (const [index, [name, type]] of Object.entries(route.params).entries()) {
    const value = decodeText(String(values[index]))
    if (value === undefined || !patterns[type].test(value) || (type === 'id' && BigInt(value) > LARGEST_ID)) throw missing(name)
    params[name] = value
  }
  return params
}

/** Reads the query; lists as the reading of `arrayQuery` has them. */
export function decodeQuery(route: Route, search: string, readings: Readings): unknown {
  const query = route.query?.()
  if (query === undefined) {
    if (search !== '') throw new Refusal(400, 'the operation takes no query parameters', [{ field: search.replace(/[=&].*/s, ''), message: 'not a parameter' }])
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
export function decodeBody(route: Route, { body: text, headers }: SandboxRequest, readings: Readings): unknown {
  // "JSON bodies with `Content-Type: application/json`"
  const isDeclared = readings.bodyTypes === 'any' || /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? 'application/json')
  if (text !== undefined && text !== '' && !isDeclared) throw new Refusal(400, 'the body is not declared as application/json')
  if (route.body === undefined) {
    if (text === undefined || text === '' || text === '{}') return undefined
    throw new Refusal(400, 'the operation takes no body', [{ field: '', message: 'no body expected' }])
  }
  const body = text === undefined || text === '' ? undefined : readBody(text)
  return decoded(route.body(), route.answer.shape === 'undocumented' && readings.ipMembers === 'words' ? inOtherWords(body) : body, 'the body does not fit')
}

/** The body of a call without a documented shape, whose members are `address` and `instance` in place of the ids. */
function inOtherWords(body: unknown): unknown {
  const { address, instance, ...rest } = z.record(z.string(), z.unknown()).parse(body ?? {})
  const others = Object.keys(rest).map((field) => ({ field, message: 'not a member' }))
  if (others.length > 0) throw new Refusal(400, 'the body does not fit', others)
  return defined({ ip_id: address, instance_id: instance })
}

function readBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Refusal(400, messageOf(error))
  }
}

function decoded(schema: z.ZodType, value: unknown, reason: string): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw misfit(reason, result.error.issues)
}

function readSearch(schema: z.ZodObject, search: string, readings: Readings): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const pair of search.split('&')) {
    const [rawName = '', rawValue = ''] = pair.split(/=(.*)/s)
    const written = decodeText(rawName.replaceAll('+', ' '))
    const value = decodeText(rawValue.replaceAll('+', ' '))
    if (written === undefined || value === undefined || written === '__proto__') throw new Refusal(400, 'the query is not well-formed')
    const bare = written.endsWith('[]') ? written.slice(0, -2) : written
    const isList = isListField(schema.shape[bare])
    const style = isList ? readings.arrayQuery : 'repeat'
    const name = style === 'brackets' ? bare : written
    if (style === 'none') continue
    const values = style === 'comma' ? value.split(',') : [value]
    const before = found[name]
    if (before === undefined) found[name] = isList ? values : value
    else if (style === 'repeat' || (style === 'brackets' && name !== written)) found[name] = [...(typeof before === 'string' ? [before] : before), ...values]
    else found[name] = values
  }
  return found
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
