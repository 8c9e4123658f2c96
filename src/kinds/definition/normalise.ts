// One spelling per value before comparing: the forms that fields are marked with, then the kind's own rules.
import * as z from 'zod'
import { normaliseCidr } from '../../base/cidr.ts'
import { instantMs } from '../../base/instant.ts'
import { formatDuration, parseDuration, parseSize } from '../../base/units.ts'
import { marksOf } from './fields.ts'
import type { Form } from './fields.ts'
import type { AnyKind } from './kind.ts'
import { mapOf } from './live-fields.ts'
import { isGiven, isToken } from './token.ts'

type Fields = Readonly<Record<string, unknown>>

/** A spec in its one spelling, for desired, recorded and seen alike; tokens and what cannot be read stay as they are. */
export function normaliseSpec(kind: AnyKind, spec: Fields): Fields {
  const formed = normaliseMembers(kind.spec, spec)
  return kind.normalise ? kind.normalise(formed) : formed
}

function normaliseMembers(schema: z.ZodObject, value: Fields): Fields {
  let out: Record<string, unknown> | undefined
  for (const [name, own] of respeltMembers(schema)) {
    if (!Object.hasOwn(value, name)) continue
    const member = value[name]
    const one = isRespelt(own) ? normaliseValue(own, member) : withoutRepeats(member)
    if (one !== member) (out ??= { ...value })[name] = one
  }
  return out ?? value
}

type Member = readonly [name: string, schema: z.core.$ZodType]

const respeltIn = new WeakMap<z.ZodObject, readonly Member[]>()

/** The members that may have another spelling: few, so that most specs stay the objects they are. */
function respeltMembers(schema: z.ZodObject): readonly Member[] {
  const known = respeltIn.get(schema)
  if (known) return known
  const found = Object.entries(schema.shape).filter(([, own]) => isRespelt(own) || isSetOfReferences(own))
  respeltIn.set(schema, found)
  return found
}

/** A list in which an order says nothing points at each thing once. */
function isSetOfReferences(schema: z.core.$ZodType): boolean {
  const { unordered, ref } = marksOf(schema)
  return unordered === true && ref !== undefined
}

/** What is not known yet keeps its place, by which it is filled in later. */
function withoutRepeats(value: unknown): unknown {
  return Array.isArray(value) && !value.some(isToken) ? [...new Set<unknown>(value)] : value
}

const respelt = new WeakMap<z.core.$ZodType, boolean>()

/** Whether anything at or below the schema has a form: most fields have none, and stay as they are. */
function isRespelt(schema: z.core.$ZodType): boolean {
  const known = respelt.get(schema)
  if (known !== undefined) return known
  const found = marksOf(schema).form !== undefined || innerOf(schema).some(isRespelt)
  respelt.set(schema, found)
  return found
}

function innerOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return [schema.unwrap()]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  return schema instanceof z.ZodObject ? Object.values(schema.shape) : []
}

/** One value in the one spelling of its field; tokens and what cannot be read stay as they are. */
export function normaliseValue(schema: z.core.$ZodType, value: unknown): unknown {
  if (!isGiven(value) || isToken(value)) return value
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    const { form } = marksOf(schema)
    const inner = normaliseValue(schema.unwrap(), value)
    return form ? respell(form, inner) : inner
  }
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? value.map((one) => normaliseValue(schema.element, one)) : value
  const fields = mapOf(value)
  if (fields && schema instanceof z.ZodObject) return normaliseMembers(schema, fields)
  if (fields && schema instanceof z.ZodRecord) {
    return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, normaliseValue(schema.valueType, one)]))
  }
  const { form } = marksOf(schema)
  return form ? respell(form, value) : value
}

function respell(form: Form, value: unknown): unknown {
  if (form === 'bytes') return parseSize(value) ?? value
  return typeof value === 'string' ? (spellings[form](value) ?? value) : value
}

const spellings: Readonly<Record<Exclude<Form, 'bytes'>, (text: string) => string | undefined>> = {
  cidr: normaliseCidr,
  hostname: (text) => text.toLowerCase().replace(/\.$/, ''),
  upper: (text) => text.toUpperCase(),
  // A service may keep no less than seconds.
  instant: (text) => (Number.isNaN(instantMs(text)) ? undefined : new Date(Math.floor(instantMs(text) / 1000) * 1000).toISOString()),
  duration: respellDuration,
  // Type and key; what follows is a comment.
  public_key: (text) => text.trim().split(/\s+/).slice(0, 2).join(' '),
}

function respellDuration(text: string): string | undefined {
  const ms = parseDuration(text)
  return ms === undefined || ms % 1000 !== 0 ? undefined : formatDuration(ms)
}
