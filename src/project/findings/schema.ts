// Looks into zod schemas: what stands below a path, which words are legal there, what an absent field defaults to.
import * as z from 'zod'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { parseSize } from '../../base/units.ts'
import { defaultOf, marksOf } from '../../kinds/definition/fields.ts'

type Schema = z.core.$ZodType

const unwrapped = new WeakMap<Schema, Schema>()

/** A schema without optional, nullable, default, prefault, readonly and lazy around it. */
export function unwrap(schema: Schema): Schema {
  const known = unwrapped.get(schema)
  if (known) return known
  const inner = withoutWraps(schema)
  unwrapped.set(schema, inner)
  return inner
}

function withoutWraps(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodLazy) return unwrap(schema.unwrap())
  return schema instanceof z.ZodPipe ? unwrap(schema.def.in) : schema
}

type Shape = Readonly<Record<PropertyKey, Schema>>

// What a schema is never changes, and asking zod for it costs more than looking it up.
const shapes = new WeakMap<Schema, Shape | 'none'>()

function shapeOf(schema: Schema): Shape | undefined {
  const known = shapes.get(schema)
  if (known !== undefined) return known === 'none' ? undefined : known
  const shape: Shape | undefined = schema instanceof z.ZodObject ? schema.shape : undefined
  shapes.set(schema, shape ?? 'none')
  return shape
}

/** The schema of a member or item, undefined where the schema knows none. */
export function childOf(schema: Schema | undefined, part: PropertyKey): Schema | undefined {
  const inner = schema && unwrap(schema)
  const shape = inner && shapeOf(inner)
  if (shape) return Object.hasOwn(shape, part) ? shape[part] : undefined
  if (inner instanceof z.ZodArray) return inner.element
  if (inner instanceof z.ZodRecord) return inner.valueType
  if (inner instanceof z.ZodUnion) return inner.options.map((option) => childOf(option, part)).find((found) => found !== undefined)
  return undefined
}

/** The schema at a path below. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  return path.reduce<Schema | undefined>(childOf, schema)
}

/** The part of a path that leads to a list, where the path goes on into it. */
export function listOnTheWay(schema: Schema, path: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  let at: Schema | undefined = schema
  for (const [depth, part] of path.entries()) {
    if (at === undefined) return undefined
    if (takesList(at)) return path.slice(0, depth)
    at = childOf(at, part)
  }
  return undefined
}

function takesList(schema: Schema): boolean {
  const inner = unwrap(schema)
  return inner instanceof z.ZodUnion ? inner.options.some((option) => takesList(option)) : inner instanceof z.ZodArray
}

/** The names of the members that are legal at a place. */
export function memberNames(schema: Schema | undefined): readonly string[] {
  const inner = schema && unwrap(schema)
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape)
  return inner instanceof z.ZodUnion ? [...new Set(inner.options.flatMap((option) => memberNames(option)))] : []
}

/** Whether a number here must be an integer. */
export function isInteger(schema: Schema | undefined): boolean {
  const inner = schema && unwrap(schema)
  if (inner instanceof z.ZodUnion) return inner.options.every((option) => isInteger(option))
  return inner instanceof z.ZodNumber && (inner.format?.includes('int') ?? false)
}

const digitTexts = new WeakMap<Schema, boolean>()

/** Whether the schema is a text that takes digits alone, such as an id: there a bare integer is the same text. */
export function isDigitText(schema: Schema | undefined): boolean {
  const inner = schema && unwrap(schema)
  if (!(inner instanceof z.ZodString)) return false
  const known = digitTexts.get(inner)
  if (known !== undefined) return known
  const takes = inner.safeParse('1234567890').success && !inner.safeParse('abcdefghij').success
  digitTexts.set(inner, takes)
  return takes
}

/** Fills in defaults of absent members, drops nulls that stand for an absent optional one, reads sizes; whatever does not fit the schema is left as it is. */
export function complete(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (typeof value !== 'string' && typeof value !== 'object') return value
  const inner = schema && unwrap(schema)
  if (isList(value)) return inner instanceof z.ZodArray ? value.map((item) => complete(item, inner.element)) : value
  if (typeof value === 'string' && schema && (inner instanceof z.ZodNumber || inner instanceof z.ZodEnum)) return respell(value, schema)
  if (typeof value !== 'object' || value === null || !inner) return value
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord ? completeObject(value, inner) : value
}

/** Spellings that the schema would refuse: sizes with a unit, words in another letter case where the field takes any. */
function respell(text: string, schema: Schema): JsonValue {
  const { form } = marksOf(schema)
  if (form === 'bytes') return parseSize(text) ?? text
  return form === 'upper' ? text.toUpperCase() : text
}

function completeObject(value: JsonObject, schema: z.ZodObject | z.ZodRecord): JsonObject {
  const out: Record<string, JsonValue> = {}
  const plain = plainTexts(schema)
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null
    if (typeof member === 'string' && plain.has(key)) {
      out[key] = member
      continue
    }
    const child = childOf(schema, key)
    const absent = member === null && child instanceof z.ZodType && child.isOptional() && !child.isNullable()
    if (!absent) out[key] = complete(member, child)
  }
  for (const [key, given] of defaultsOf(schema)) if (!Object.hasOwn(out, key)) out[key] = given
  return out
}

const textsOfSchemas = new WeakMap<Schema, ReadonlySet<string>>()

/** The members of a map that are texts of one spelling: most are, and nothing of them is completed. */
function plainTexts(schema: z.ZodObject | z.ZodRecord): ReadonlySet<string> {
  const known = textsOfSchemas.get(schema)
  if (known) return known
  const members = schema instanceof z.ZodObject ? Object.entries(schema.shape) : []
  const found = new Set(members.flatMap(([key, child]) => (unwrap(child) instanceof z.ZodString ? [key] : [])))
  textsOfSchemas.set(schema, found)
  return found
}

const defaults = new WeakMap<Schema, readonly (readonly [string, JsonValue])[]>()

/** The members of a map that have a default, with it. */
function defaultsOf(schema: z.ZodObject | z.ZodRecord): readonly (readonly [string, JsonValue])[] {
  const known = defaults.get(schema)
  if (known) return known
  const members = schema instanceof z.ZodObject ? Object.entries(schema.shape) : []
  const found = members.flatMap(([key, child]): (readonly [string, JsonValue])[] => {
    const given = defaultOf(child)
    return given === undefined ? [] : [[key, jsonValueOf(given)]]
  })
  defaults.set(schema, found)
  return found
}

/** What is JSON by construction, as JSON; undefined members are left out. */
export function jsonValueOf(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(jsonValueOf)
  return typeof value === 'object' && value !== null ? jsonObjectOf(value) : null
}

/** An object that is JSON by construction. */
export function jsonObjectOf(value: object): JsonObject {
  const out: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) if (member !== undefined) out[key] = jsonValueOf(member)
  return out
}

/** The same value with integers that a double holds exactly as numbers: from the form of documents to that of requests. */
export function narrow(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
  if (isList(value)) return value.map(narrow)
  if (!isObject(value)) return value
  const out: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) out[key] = narrow(member)
  return out
}

/** What stands at a path, undefined where nothing does. */
export function valueAtPath(value: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let current: JsonValue | undefined = value
  for (const part of path) {
    if (isList(current)) current = current[Number(part)]
    else current = isObject(current) && typeof part === 'string' && Object.hasOwn(current, part) ? current[part] : undefined
  }
  return current
}
