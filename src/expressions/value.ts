// Values of expressions: known, unknown or sensitive, leaf by leaf.
import type { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { isList } from '../base/json.ts'
import type { JsonValue } from '../base/json.ts'

/** What a manifest can hold in one place: CEL's int is a bigint, its double a number. */
export type Plain = null | boolean | bigint | number | string

/** The type of a value as CEL's `type()` gives it; equal names are the same object. */
export interface CelType {
  readonly celType: string
}

/** Scalars that live inside an expression only; as a result they are errors (an uint becomes an int). */
export type Scalar = Plain | UnsignedInt | Uint8Array | Date | Duration | CelType

export type MapKey = string | bigint | boolean

/** What a value will be unless it turns out to be absent; `int` stands for any number, since a service may answer a fraction. */
export type SureType = 'string' | 'int' | 'bool' | 'list' | 'map'

/** Known after apply; `origins` name what gives it, such as `Vpc/main.id`. It may hold keys as of a map that is there. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly origins: readonly string[]
  readonly sensitive: boolean
  readonly holdsSensitiveKeys: boolean
  /** Undefined where it is not sure. */
  readonly type: SureType | undefined
}

interface ScalarOf<S> {
  readonly kind: 'scalar'
  readonly scalar: S
  readonly sensitive: boolean
}

/** `sensitive` covers everything inside, the length included; `holdsSensitive` `holdsUnknown` and `unknowns` (origins) say what is somewhere inside. */
interface ListOf<S, K> {
  readonly kind: 'list'
  readonly items: readonly TermOf<S, K>[]
  readonly sensitive: boolean
  readonly holdsSensitive: boolean
  readonly holdsSensitiveKeys: boolean
  readonly holdsUnknown: boolean
  readonly unknowns: readonly string[]
}

/** `sensitiveKeys`: its keys are made of something sensitive, where those of a map that is sensitive as a whole may be shown. */
interface MapOf<S, K> {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<K, TermOf<S, K>>
  readonly sensitive: boolean
  readonly sensitiveKeys: boolean
  readonly holdsSensitive: boolean
  readonly holdsSensitiveKeys: boolean
  readonly holdsUnknown: boolean
  readonly unknowns: readonly string[]
}

type TermOf<S, K> = Unknown | ScalarOf<S> | ListOf<S, K> | MapOf<S, K>

/** A value as manifests, variables and resources know it. */
export type Value = TermOf<Plain, string>

/** A value within an expression: every Value is one. */
export type Term = TermOf<Scalar, MapKey>

export type TermMap = MapOf<Scalar, MapKey>
export type TermList = ListOf<Scalar, MapKey>

const none: readonly string[] = Object.freeze([])
const intLimit = 2n ** 63n

/** A known scalar. */
export function scalar<S extends Scalar>(value: S, sensitive = false): ScalarOf<S> {
  return Object.freeze({ kind: 'scalar', scalar: value, sensitive })
}

/** A value known only after apply, given by `origins`; of a type where that is sure. */
export function unknown(origins: readonly string[], sensitive = false, sensitiveKeys = false, type?: SureType): Unknown {
  return Object.freeze({ kind: 'unknown', origins: Object.freeze([...new Set(origins)]), sensitive, holdsSensitiveKeys: sensitiveKeys, type })
}

/** The same for what is made of it, of which nothing is sure. */
export function untyped(term: Unknown): Unknown {
  return term.type === undefined ? term : unknown(term.origins, term.sensitive, term.holdsSensitiveKeys)
}

/** A list of values; sensitive as a whole only if asked for. */
export function list(items: readonly Value[], sensitive?: boolean): ListOf<Plain, string>
export function list(items: readonly Term[], sensitive?: boolean): TermList
export function list(items: readonly Term[], sensitive = false): TermList {
  return Object.freeze({ kind: 'list', items: Object.freeze([...items]), ...contents(items, sensitive) })
}

/** A map of values; sensitive as a whole only if asked for, as it is with sensitive keys. */
export function map(entries: ReadonlyMap<string, Value>, sensitive?: boolean, sensitiveKeys?: boolean): MapOf<Plain, string>
export function map(entries: ReadonlyMap<MapKey, Term>, sensitive?: boolean, sensitiveKeys?: boolean): TermMap
export function map(entries: ReadonlyMap<MapKey, Term>, sensitive = false, sensitiveKeys = false): TermMap {
  return Object.freeze({ kind: 'map', entries, sensitiveKeys, ...contents([...entries.values()], sensitive || sensitiveKeys, sensitiveKeys) })
}

function contents(members: readonly Term[], sensitive: boolean, sensitiveKeys = false) {
  const origins = members.flatMap((one) => unknownsOf(one))
  return {
    sensitive,
    holdsSensitive: sensitive || members.some(holdsSensitive),
    holdsSensitiveKeys: sensitiveKeys || members.some(holdsSensitiveKeys),
    holdsUnknown: members.some(holdsUnknown),
    unknowns: origins.length === 0 ? none : Object.freeze([...new Set(origins)]),
  }
}

/** Whether the value, or anything in it, is sensitive. */
export function holdsSensitive(term: Term): boolean {
  return term.kind === 'list' || term.kind === 'map' ? term.holdsSensitive : term.sensitive
}

/** Whether the keys of any map in it are made of something sensitive. */
export function holdsSensitiveKeys(term: Term): boolean {
  return term.kind !== 'scalar' && term.holdsSensitiveKeys
}

/** The origins of all that is unknown in it; empty when it is known throughout. */
export function unknownsOf(term: Term): readonly string[] {
  if (term.kind === 'unknown') return term.origins
  return term.kind === 'scalar' ? none : term.unknowns
}

/** Whether anything in it is unknown. */
export function holdsUnknown(term: Term): boolean {
  return term.kind === 'list' || term.kind === 'map' ? term.holdsUnknown : term.kind === 'unknown'
}

/** The same value, sensitive as a whole if `sensitive`. */
export function mark(term: Value, sensitive: boolean): Value
export function mark(term: Term, sensitive: boolean): Term
export function mark(term: Term, sensitive: boolean): Term {
  if (!sensitive || term.sensitive) return term
  if (term.kind === 'list' || term.kind === 'map') return Object.freeze({ ...term, sensitive: true, holdsSensitive: true })
  return Object.freeze({ ...term, sensitive: true })
}

/**
 * The value of JSON or YAML data. `whole: 'int'` reads the number 5 as an integer, as JSON means it;
 * `whole: 'double'` is for data whose integers are all bigint, so that 5.0 stays a double.
 */
export function valueOf(json: JsonValue, options: { readonly sensitive?: boolean; readonly whole?: 'int' | 'double' } = {}): Value {
  const { sensitive = false, whole = 'int' } = options
  if (isList(json))
    return list(
      json.map((item) => valueOf(item, options)),
      sensitive,
    )
  if (typeof json === 'object' && json !== null) {
    return map(new Map(Object.entries(json).map(([key, member]) => [key, valueOf(member, options)])), sensitive)
  }
  if (whole === 'int' && typeof json === 'number' && Number.isInteger(json)) {
    const int = BigInt(json)
    return scalar(isInt(int) ? int : json, sensitive)
  }
  return scalar(json, sensitive)
}

/** The JSON of a value, integers as bigint; undefined when anything in it is unknown. Sensitive values are in it as they are. */
export function jsonOf(value: Value): JsonValue | undefined {
  if (value.kind === 'unknown') return undefined
  if (value.kind === 'scalar') return value.scalar
  if (value.kind === 'list') {
    const items = value.items.map(jsonOf).filter((item) => item !== undefined)
    return items.length === value.items.length ? items : undefined
  }
  const object: Record<string, JsonValue> = Object.create(null)
  for (const [key, member] of value.entries) {
    const json = jsonOf(member)
    if (json === undefined) return undefined
    object[key] = json
  }
  return object
}

/** What stands at a path of map keys: null where a key is absent, unknown below what is unknown; sensitive below what is sensitive. */
export function valueAt(value: Value, path: readonly string[]): Value {
  let current = value
  for (const key of path) {
    if (current.kind === 'unknown') return untyped(current)
    const member = current.kind === 'map' ? current.entries.get(key) : undefined
    current = mark(member ?? scalar(null), current.sensitive)
  }
  return current
}

/** How much text is in a value, in UTF-16 units, and `perValue` for each value. */
export function weightOf(value: Value, perValue = 0): number {
  if (value.kind === 'scalar') return perValue + (typeof value.scalar === 'string' ? value.scalar.length : 0)
  const members = value.kind === 'list' ? value.items : value.kind === 'map' ? [...value.entries.values()] : []
  return members.reduce((sum, member) => sum + weightOf(member, perValue), perValue)
}

/** Whether a bigint fits CEL's int, 64 bits with sign. */
export function isInt(value: bigint): boolean {
  return value >= -intLimit && value < intLimit
}
