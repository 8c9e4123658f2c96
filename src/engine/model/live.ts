// Live objects as the engine compares them: comparable values by the kind's reading, secrets only by digest.
import type { Allowance } from '../../api/answers/bounds.ts'
import { createAllowance } from '../../api/answers/bounds.ts'
import type { Call } from '../../api/calls/call.ts'
import type { Compat } from '../../api/calls/compat.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { canonicalJson, isList, isObject } from '../../base/json.ts'
import { hasToken, tokenText } from '../../base/token.ts'
import type { AnyKind, Reader } from '../../kinds/definition/kind.ts'
import { normaliseSpec } from '../../kinds/definition/normalise.ts'
import { readShape } from '../../kinds/definition/shape.ts'
import type { Shape } from '../../kinds/definition/shape.ts'

/** Digest of a sensitive value, `hmac-sha256:…`. */
export type Digest = (value: JsonValue) => string

/** One object at the provider. `seen` holds comparable values: absent where live does not carry the field, null where it carries it empty. */
export interface LiveObject {
  readonly kind: AnyKind
  readonly workspaceId: string // '' at account scope
  readonly id: string
  readonly live: unknown
  readonly seen: JsonObject
}

/** Where what is kept of answers takes its room. */
interface Keeping {
  readonly allowance?: Allowance
}

/** What reads JSON from the API; the client's part that observation needs. */
export interface Source {
  read(call: Call, options?: Keeping): Promise<JsonValue | undefined>
  /** `expected` is how many items are known to be there; what is `dispensable` may be refused, and needs no permission. */
  all(call: Call, options?: Keeping & { readonly expected?: number; readonly dispensable?: boolean }): Promise<readonly JsonValue[]>
  /** A text answer, such as logs. */
  text(call: Call): Promise<string>
}

/** A reader that asks each question once; a fresh one is made for each observation. */
export interface OnceReader extends Reader {
  /** The same reader for one list of objects, of which so many are known to be there. */
  expecting(count: number): Reader
}

/** Makes a reader without any answer. */
export function createReader(source: Source, compat: Compat): OnceReader {
  const memo = new Map<string, Promise<unknown>>()
  // All that is remembered here is kept at the same time.
  const allowance = createAllowance()
  function once<T>(question: string, ask: () => Promise<T>): Promise<T>
  function once(question: string, ask: () => Promise<unknown>): Promise<unknown> {
    const known = memo.get(question)
    if (known) return known
    const answer = ask()
    memo.set(question, answer)
    return answer
  }
  async function all<L>(call: Call, shape: Shape<L>, expected = 0): Promise<L[]> {
    const items = await once(`all ${questionOf(call)}`, () => source.all(call, { expected, allowance }))
    return items.map((item) => readShape(shape, item, compat.fields, call.route))
  }
  const reader: Reader = {
    compat,
    text: (call) => source.text(call),
    all: (call, shape) => all(call, shape),
    async one<L>(call: Call, shape: Shape<L>): Promise<L | undefined> {
      const answer = await once(`one ${questionOf(call)}`, () => source.read(call, { allowance }))
      return answer === undefined || answer === null ? undefined : readShape(shape, answer, compat.fields, call.route)
    },
  }
  // What a kind asks for first is the list of its objects; what it composes with them may be of any length.
  function expecting(count: number): Reader {
    let left = count
    return {
      ...reader,
      all(call, shape) {
        const expected = left
        left = 0
        return all(call, shape, expected)
      },
    }
  }
  return Object.freeze({ ...reader, expecting })
}

/** One text for equal calls. */
export function questionOf(call: Call): string {
  const { route, params, query } = call
  return `${route.path} ${canonicalJson(toJson(params))} ${canonicalJson(toJson(query ?? {}))}`
}

/** An object of a kind as the engine sees it. */
export function liveObject(kind: AnyKind, workspaceId: string, live: unknown, digest: Digest): LiveObject {
  const seen: Record<string, JsonValue> = {}
  const spec = normaliseSpec(kind, kind.toSpec(live))
  for (const field of Object.keys(spec)) {
    const given = spec[field]
    if (given === undefined) continue
    const value = toJson(given)
    seen[field] = kind.fields[field]?.secret && value !== null ? sealed(value, digest) : value
  }
  return { kind, workspaceId, id: kind.id(live), live, seen }
}

/** A value with every leaf as its digest token; tokens and empty values stay. */
export function sealed(value: JsonValue, digest: Digest): JsonValue {
  if (value === null || hasToken(value)) return value
  if (isList(value)) return value.map((one) => sealed(one, digest))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, sealed(one, digest)]))
  return tokenText({ is: 'digest', digest: digest(value) })
}

/** Any plain value as JSON: undefined members are left out, what JSON cannot say is an error. */
export function toJson(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (Array.isArray(value)) return value.map((one: unknown) => toJson(one))
  if (typeof value === 'object') return toJsonObject(value)
  throw new TypeError(`a ${typeof value} is no JSON`)
}

export function toJsonObject(value: object): JsonObject {
  const out: Record<string, JsonValue> = {}
  for (const [key, one] of Object.entries(value)) if (one !== undefined) out[key] = toJson(one)
  return out
}
