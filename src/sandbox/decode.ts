// Reads the parts of a request strictly, by the schemas of its route; what does not fit is a Refusal.
import * as z from 'zod'
import type { ParamType, Route } from '../api/routes/route.ts'
import { parseJson } from '../json.ts'
import type { Readings } from './assumptions.ts'
import type { SandboxRequest } from './exchange.ts'
import { missing, Refusal } from './refusal.ts'

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
    const value = decodeText(values[index] ?? '')
    if (value === undefined || !patterns[type].test(value) || (type === 'id' && BigInt(value) > LARGEST_ID)) throw missing(name)
    params[name] = value
  }
  return params
}

/** Reads the query; lists as the reading of `arrayQuery` has them. */
export function decodeQuery(route: Route, search: string, readings: Readings): unknown {
  const { query } = route
  if (query === undefined) {
    if (search !== '') throw new Refusal(400, 'the operation takes no query parameters', [{ field: search.split(/[=&]/)[0] ?? '', message: 'not a parameter' }])
    return {}
  }
  return decoded(query, search === '' ? {} : readSearch(query, search, readings.arrayQuery), 'the query does not fit')
}

/** The headers that the route names, by their names there. */
export function decodeHeaders(route: Route, request: SandboxRequest): Readonly<Record<string, string>> {
  if (route.headers === undefined) return {}
  const sent: Record<string, string> = {}
  for (const name of Object.keys(route.headers.shape)) {
    const value = request.headers[name.toLowerCase()]
    if (value !== undefined) sent[name] = value
  }
  decoded(route.headers, sent, 'a header is missing or does not fit')
  return sent
}

/** Reads the body: JSON with 64-bit integers exact, then the route's schema. */
export function decodeBody(route: Route, text: string | undefined): unknown {
  if (route.body === undefined) {
    if (text === undefined || text === '' || text === '{}') return undefined
    throw new Refusal(400, 'the operation takes no body', [{ field: '', message: 'no body expected' }])
  }
  return decoded(route.body, text === undefined || text === '' ? undefined : readBody(text), 'the body does not fit')
}

function readBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Refusal(400, error instanceof Error ? error.message : 'invalid JSON')
  }
}

function decoded(schema: z.ZodType, value: unknown, reason: string): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields = result.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }))
  const [first] = fields
  throw new Refusal(400, first ? `${reason}: ${first.field}${first.field === '' ? '' : ': '}${first.message}` : reason, fields)
}

function readSearch(schema: z.ZodObject, search: string, style: Readings['arrayQuery']): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const pair of search.split('&')) {
    const [rawName = '', rawValue = ''] = pair.split(/=(.*)/s)
    const written = decodeText(rawName.replaceAll('+', ' '))
    const value = decodeText(rawValue.replaceAll('+', ' '))
    if (written === undefined || value === undefined || written === '__proto__') throw new Refusal(400, 'the query is not well-formed')
    const name = style === 'brackets' && written.endsWith('[]') ? written.slice(0, -2) : written
    const isList = isListField(schema.shape[name])
    if (isList && style === 'none') continue
    const values = isList && style === 'comma' ? value.split(',') : [value]
    const before = found[name]
    if (before === undefined) found[name] = isList ? values : value
    else found[name] = [...(typeof before === 'string' ? [before] : before), ...values]
  }
  return found
}

function isListField(field: unknown): boolean {
  if (field instanceof z.ZodOptional) return isListField(field.unwrap())
  return field instanceof z.ZodCodec && field.def.out instanceof z.ZodArray
}

function decodeText(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
