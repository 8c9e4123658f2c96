// From live objects to what stands in the fields of their manifests: by the marks of the fields alone.
import type * as z from 'zod'
import * as zod from 'zod'
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { hasToken, tokenText } from '../../base/token.ts'
import { same } from '../../engine/model/diff/equal.ts'
import { toJson } from '../../engine/model/live.ts'
import { isBlind } from '../../kinds/definition/kind.ts'
import { holdsToken } from '../../kinds/definition/token.ts'
import { schemaAt } from '../../project/findings/schema.ts'
import type { AskedVariable, FieldValue, LiveThing, Target } from './exported.ts'
import { readableSizes } from './readable-sizes.ts'

/** What a reference leads to, by the kinds that a field may point at and the value that stands in it. */
export type FindTarget = (thing: LiveThing, field: string, value: string) => Target

/** What naming of variables and references needs. */
export interface Naming {
  readonly name: string
  readonly target: FindTarget
  /** Whether a field may point at several kinds that manifests declare. */
  readonly isMixed: (field: string) => boolean
  /** The live object that a field points at, where it was read. */
  readonly beside: (field: string) => LiveThing | undefined
  /** A free name for a variable. */
  readonly variable: (wanted: string) => string
}

/** The fields of an object's manifest, in the order of its kind; what cannot be read and must be said is asked for. */
export function fieldsOf(thing: LiveThing, naming: Naming): ReadonlyMap<string, FieldValue> {
  const out = new Map<string, FieldValue>()
  const needed = neededByRules(thing)
  for (const field of Object.keys(thing.kind.fields)) {
    const value = fieldValue(thing, field, naming, needed)
    if (value !== undefined) out.set(field, value)
  }
  return out
}

/** Fields that are not shown and without which the kind's own rules refuse a manifest, such as one of two of which one must be there. */
function neededByRules({ kind, seen }: LiveThing): ReadonlySet<string> {
  const spec: Record<string, JsonValue> = Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== null))
  const needed = new Set<string>()
  for (;;) {
    const missing = (kind.check?.(spec) ?? [])
      .map(({ path }) => String(path[0]))
      .filter((field) => spec[field] === undefined && Object.hasOwn(kind.fields, field))
    if (missing.length === 0) return needed
    for (const field of missing) {
      needed.add(field)
      spec[field] = tokenText({ is: 'unknown', place: field })
    }
  }
}

function fieldValue(thing: LiveThing, field: string, naming: Naming, needed: ReadonlySet<string>): FieldValue | undefined {
  const { kind, seen } = thing
  const marks = kind.fields[field] ?? {}
  const schema: z.core.$ZodType | undefined = kind.spec.shape[field]
  if (!schema) return undefined
  const value = seen[field]
  if (marks.secret === true) return secretValue(thing, field, schema, naming)
  if (value === undefined || value === null) return absentValue(thing, field, schema, naming, needed.has(field))
  if (holdsToken(value)) return mixedValue(thing, field, schema, value, naming)
  if (kind.defaults[field] !== undefined && same(value, toJson(kind.defaults[field]), marks)) return undefined
  if (field === 'name' && value === naming.name) return undefined
  if (marks.usual !== undefined && value === marks.usual && isOptional(schema)) return undefined
  // Nothing in a list that may be absent is said by its absence.
  if (isList(value) && value.length === 0 && isOptional(schema)) return undefined
  if (marks.ref !== undefined) return referenceValue(thing, field, value, naming)
  return { is: 'value', value: readableSizes(schema, value) }
}

function referenceValue(thing: LiveThing, field: string, value: JsonValue, naming: Naming): FieldValue {
  const withKind = naming.isMixed(field)
  const target = (one: JsonValue): Target => naming.target(thing, field, typeof one === 'string' ? one : JSON.stringify(one))
  if (isList(value)) return { is: 'references', targets: value.map(target), withKind }
  return { is: 'reference', target: target(value), withKind }
}

/** A secret is never written down: each value of it is a variable, by key where the service shows the keys. */
function secretValue(thing: LiveThing, field: string, schema: z.core.$ZodType, naming: Naming): FieldValue | undefined {
  const value = thing.seen[field]
  const about = `${field} of ${thing.kind.name} ${naming.name}`
  const keys = thing.hiddenKeys[field] ?? (value !== undefined && isObject(value) ? Object.keys(value) : undefined)
  if (keys !== undefined && keys.length > 0) {
    const entries = keys.map((key) => [key, asked(thing, `${field}_${key}`, 'string', true, `${key} in ${about}`, naming)] as const)
    return { is: 'variables', byKey: new Map(entries) }
  }
  if ((value === undefined || !holdsToken(value)) && isOptional(schema)) return undefined
  return { is: 'variable', variable: asked(thing, field, variableType(schema), true, about, naming) }
}

/** Each value in a field that is known to be sensitive is a variable, and the others stand as they are. */
function mixedValue(thing: LiveThing, field: string, schema: z.core.$ZodType, value: JsonValue, naming: Naming): FieldValue {
  const about = `${field} of ${thing.kind.name} ${naming.name}`
  const variables = tokensIn(value).map((path) => {
    const inner = schemaAt(schema, path)
    const words = path.length === 0 ? about : `${path.join('/')} in ${about}`
    return [pointerOf(path), asked(thing, [field, ...path].join('_'), inner ? variableType(inner) : 'any', true, words, naming)] as const
  })
  return { is: 'mixed', value: readableSizes(schema, value), byPointer: new Map(variables) }
}

/** The paths to all tokens in a value. */
function tokensIn(value: JsonValue, path: readonly string[] = []): readonly (readonly string[])[] {
  if (isList(value)) return value.flatMap((one, index) => tokensIn(one, [...path, String(index)]))
  if (isObject(value)) return Object.entries(value).flatMap(([key, one]) => tokensIn(one, [...path, key]))
  return hasToken(value) ? [path] : []
}

/** A field that shows nothing: left out where it may be, and would stay as it is; else taken from what it stands beside, or asked for. */
function absentValue(thing: LiveThing, field: string, schema: z.core.$ZodType, naming: Naming, isNeeded: boolean): FieldValue | undefined {
  const { kind, seen } = thing
  const marks = kind.fields[field] ?? {}
  const about = `${field} of ${kind.name} ${naming.name}, which the service does not show`
  const ask = (): FieldValue => ({ is: 'variable', variable: asked(thing, field, variableType(schema), false, about, naming) })
  if (isOptional(schema) && !isNeeded) return isBlind(kind, field) && seen[field] === undefined ? ask() : undefined
  if (seen[field] === null && zod.safeParse(schema, '').success) return { is: 'value', value: '' }
  const told = marks.region === true ? regionBeside(thing, naming) : onlyAllowed(thing, field, schema)
  return told === undefined ? ask() : { is: 'value', value: told }
}

/** The one value of a few that the kind's own rules leave a field, such as no protection where there is none. */
function onlyAllowed({ kind, seen }: LiveThing, field: string, schema: z.core.$ZodType): JsonValue | undefined {
  const choices = schema instanceof zod.ZodBoolean ? [false, true] : []
  const spec = Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== null))
  const allowed = choices.filter((value) => !(kind.check?.({ ...spec, [field]: value }) ?? []).some(({ path }) => path[0] === field))
  return allowed.length === 1 ? allowed[0] : undefined
}

/** The region of an object that this one is attached to. */
function regionBeside({ kind }: LiveThing, naming: Naming): string | undefined {
  for (const [field, { ref }] of Object.entries(kind.fields)) {
    const beside = ref === undefined ? undefined : naming.beside(field)
    const own = beside && Object.keys(beside.kind.fields).find((one) => beside.kind.fields[one]?.region === true)
    const region = own === undefined ? undefined : beside?.seen[own]
    if (typeof region === 'string') return region
  }
  return undefined
}

function asked(thing: LiveThing, field: string, type: AskedVariable['type'], sensitive: boolean, about: string, naming: Naming): AskedVariable {
  const words = `${thing.kind.name}_${naming.name}_${field}`.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_')
  return { name: naming.variable(words), type, sensitive, about }
}

/** Whether a manifest may leave the field out. */
function isOptional(schema: z.core.$ZodType): boolean {
  return zod.safeParse(schema, undefined).success
}

function variableType(schema: z.core.$ZodType): AskedVariable['type'] {
  if (schema instanceof zod.ZodOptional || schema instanceof zod.ZodNullable || schema instanceof zod.ZodDefault) return variableType(schema.unwrap())
  if (schema instanceof zod.ZodBoolean) return 'bool'
  if (schema instanceof zod.ZodString || schema instanceof zod.ZodEnum) return 'string'
  if (schema instanceof zod.ZodRecord || schema instanceof zod.ZodObject) return 'map'
  if (schema instanceof zod.ZodArray) return 'list'
  if (schema instanceof zod.ZodNumber) return schema.isInt ? 'int' : 'float'
  return 'any'
}
