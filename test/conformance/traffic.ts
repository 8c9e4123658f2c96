// What goes over the wire, as it is: the truth about a kind, whatever the kind says of itself.
import { routes } from '../../src/api/routes/routes.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { isList, isObject, parseJson } from '../../src/base/json.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { same } from '../../src/engine/model/diff/equal.ts'
import type { Marks } from '../../src/kinds/definition/fields.ts'

/** One request with its answer, as far as they are JSON. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly body: JsonValue | undefined
  answer: JsonValue | undefined
}

export interface Traffic {
  readonly transport: Transport
  /** The exchanges since the last look. */
  take(): readonly Exchange[]
}

/** Questions that the API takes as POST: they set nothing. */
export const asked: ReadonlySet<string> = new Set([routes.estimatePrice.path, routes.checkAppDomain.path])

/** Watches what a transport carries; what goes wrong within the service ends the walk in its own words, be it behind a socket or not. */
export function watch(inner: Transport): Traffic {
  let seen: Exchange[] = []
  return {
    async transport(request) {
      const exchange: Exchange = { method: request.method, path: request.path, body: jsonOf(request.body), answer: undefined }
      seen.push(exchange)
      const { status, headers, chunks, text } = await inner(request)
      const said = headers['x-message'] ?? ''
      if (said.startsWith('a defect of the sandbox')) throw new Error(`${request.method} ${request.path}: ${said}`)
      async function readText(maxBytes: number): Promise<string> {
        const words = await text(maxBytes)
        exchange.answer = jsonOf(words)
        return words
      }
      return { status, headers, chunks, text: readText }
    },
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}

/** Whether a value went out: as each member of the field's name that did, else in any place; of a list, each entry that is new. */
export function isSent(exchanges: readonly Exchange[], field: string, value: JsonValue, marks: Marks, before?: JsonValue): boolean {
  const sent = exchanges.filter((one) => one.method !== 'GET' && !asked.has(one.path))
  const wanted = plain(value)
  const named = sent.flatMap((one) => membersNamed(one.body, field))
  if (named.length > 0) return named.every((one) => same(wanted, one, marks))
  const old = before !== undefined && isList(before) ? before.map(plain) : []
  const everything = sent.flatMap((one) => [...one.path.split(/[/?&=]/), ...valuesIn(one.body)])
  const isThere = (one: JsonValue) => typeof one !== 'boolean' && everything.some((other) => same(one, other, marks))
  return isThere(wanted) || (isList(wanted) && wanted.length > 0 && wanted.every((one) => old.some((other) => same(one, other, marks)) || isThere(one)))
}

/** What the answers show of one object under the field's own name; undefined where they show nothing. */
export function shownRaw(exchanges: readonly Exchange[], id: string, field: string): JsonValue | undefined {
  const records = exchanges.flatMap((one) => (one.method === 'GET' ? recordsIn(one.answer, id) : []))
  const parts = records.flatMap((one) => [one, ...Object.values(one).flatMap((part) => (isObject(part) && part.id === undefined ? [part] : []))])
  return parts.flatMap((one) => membersNamed(one, field))[0]
}

/** Numbers as texts: ids are one or the other. */
export function plain(value: JsonValue): JsonValue {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(plain)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)])) : value
}

function jsonOf(text: string | undefined): JsonValue | undefined {
  if (text === undefined || text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function membersNamed(body: JsonValue | undefined, field: string): JsonValue[] {
  return body !== undefined && isObject(body) && Object.hasOwn(body, field) ? [plain(body[field] ?? null)] : []
}

function valuesIn(body: JsonValue | undefined): JsonValue[] {
  if (body === undefined || typeof body !== 'object' || body === null) return []
  return Object.values(body).flatMap((one: JsonValue) => [plain(one), ...valuesIn(one)])
}

function recordsIn(answer: JsonValue | undefined, id: string): JsonObject[] {
  if (answer === undefined || typeof answer !== 'object' || answer === null) return []
  const inner = Object.values(answer).flatMap((one: JsonValue) => recordsIn(one, id))
  return isObject(answer) && answer.id !== undefined && plain(answer.id) === id ? [answer, ...inner] : inner
}
