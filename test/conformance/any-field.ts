// Every place of a kind's spec that an expression can fill, and values of every type for it: both walked, none listed by name.
import * as z from 'zod'
import { isList, isObject } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import type { AnyKind } from '../../src/kinds/definition/kind.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { childOf, unwrap } from '../../src/project/findings/schema.ts'
import { celLiteral } from '../../src/project/resolving/filled.ts'
import { subjectOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** A place of an example's spec: the keys and indices that lead to it. */
export interface Field {
  readonly subject: Subject
  readonly path: readonly (string | number)[]
  readonly title: string
}

/** When a value becomes known: while loading, by a lookup when planning, by an output of what the same apply makes. */
export const stages = ['loading', 'planning', 'applying'] as const
export type Stage = (typeof stages)[number]

/** How a value comes to its place: written there, as part of what one expression gives for the whole field, or as a secret. */
export const ways = ['there', 'within', 'sensitive'] as const
export type Way = (typeof ways)[number]

/** CEL of every type, and of those that have bounds the values at them. */
export const values: readonly string[] = Object.freeze([
  'null',
  'true',
  '0',
  '5',
  '-5',
  '9007199254740993',
  '1.5',
  '5.0',
  "''",
  "'17'",
  "'99999999999999999999'",
  "'some text'",
  "'IPv4'",
  "'100GiB'",
  "'10.0.0.0/24'",
  "'2030-01-01T00:00:00Z'",
  String.raw`'\u0001'`,
  String.raw`'\u0000\u202e'`,
  "'${vars.x}'",
  '[]',
  '[1, null, true]',
  "['17', 'a']",
  '{}',
  "{'id': '17'}",
  "{'name': 'main'}",
  "{'a': 1, 'b': {'c': null}}",
  "duration('90s')",
  "timestamp('2030-01-01T00:00:00Z')",
  "[5, duration('90s')]",
])

/** The places of every managed kind, each in the first of its examples that goes furthest towards it. */
export const fields: readonly Field[] = Object.freeze(kinds.filter((kind) => kind.managed).flatMap(fieldsOf))

function fieldsOf(kind: AnyKind): Field[] {
  const subjects = kind.examples.map((example) => subjectOf(kind, example))
  return Object.keys(kind.fields).flatMap((name) => {
    const subject = subjects.find((one) => Object.hasOwn(one.example.spec, name)) ?? subjects[0]
    if (!subject) return []
    return pathsBelow(childOf(kind.spec, name), subject.filled(subject.example.spec[name] ?? null), [name]).map((path) => ({
      subject,
      path,
      title: `${kind.name} /${path.join('/')}`,
    }))
  })
}

/** A place and all below it that its schema knows; of lists the first item, of maps with keys of any name the first one. */
function pathsBelow(schema: z.core.$ZodType | undefined, value: JsonValue, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  const inner = schema && unwrap(schema)
  const below = (part: string | number, member: JsonValue | undefined) => pathsBelow(childOf(schema, part), member ?? null, [...path, part])
  if (inner instanceof z.ZodArray) return [path, ...below(0, isList(value) ? value[0] : undefined)]
  if (inner instanceof z.ZodRecord) {
    const key = isObject(value) ? (Object.keys(value)[0] ?? 'a') : 'a'
    return [path, ...below(key, isObject(value) ? value[key] : undefined)]
  }
  const members = inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
  return [path, ...members.flatMap((name) => below(name, isObject(value) ? value[name] : undefined))]
}

/** The change that gives a value to a place. `source` is a Vpc that the same project declares. */
export function given({ subject, path }: Field, value: string, stage: Stage, way: Way): Readonly<Record<string, JsonValue>> {
  const [field = '', ...rest] = path
  const known = way === 'sensitive' ? `sensitive(${value})` : value
  const staged = {
    loading: known,
    planning: `lookup('Plan', 'ryzen-4').name == '' ? 'never' : ${known}`,
    applying: `Vpc['source'].id == '' ? 'never' : ${known}`,
  }[stage]
  const whole = subject.filled(subject.example.spec[field] ?? null)
  if (way !== 'within') return { [field]: put(whole, rest, `\${${staged}}`) }
  // The literal of what stands around it, with the value in the place of a mark.
  const mark = 'the value stands here'
  return { [field]: `\${${celLiteral(put(whole, rest, mark)).replace(celLiteral(mark), () => `(${staged})`)}}` }
}

/** A value with another one at a path; what is missing on the way is made. */
function put(value: JsonValue, path: readonly (string | number)[], part: JsonValue): JsonValue {
  const [head, ...rest] = path
  if (head === undefined) return part
  if (typeof head === 'number') return [put(isList(value) ? (value[0] ?? null) : null, rest, part), ...(isList(value) ? value.slice(1) : [])]
  const map = isObject(value) ? value : {}
  return { ...map, [head]: put(map[head] ?? null, rest, part) }
}
