// Which members of a record an answer lacks: the schemas of answers list what the document shows, and let all of it be missing.
import * as z from 'zod'
import type { Answer } from '../../src/api/routes/route.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { isObject } from '../../src/base/json.ts'

/** Paths of the members that the answer's record lists and the body does not hold; `[]` stands for any item. */
export function absentMembers(answer: Answer, body: JsonValue): readonly string[] {
  if (answer.shape === 'object') return absentIn(answer.item(), body, '')
  if (answer.shape === 'array') return absentIn(z.array(answer.item()), body, '')
  if (answer.shape === 'page') return absentIn(z.object({ items: z.array(answer.item()) }), body, '')
  return []
}

function absentIn(schema: unknown, value: JsonValue | undefined, path: string): readonly string[] {
  if (value === undefined) return [path]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return value === null ? [] : absentIn(schema.unwrap(), value, path)
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? value.flatMap((item) => absentIn(schema.element, item, `${path}[]`)) : []
  if (schema instanceof z.ZodUnion) return fewest(schema.options.map((option) => absentIn(option, value, path)))
  if (!(schema instanceof z.ZodObject) || value === null || !isObject(value)) return []
  return Object.entries(schema.shape).flatMap(([name, member]) => absentIn(member, value[name], path === '' ? name : `${path}.${name}`))
}

function fewest(candidates: readonly (readonly string[])[]): readonly string[] {
  return candidates.toSorted((a, b) => a.length - b.length)[0] ?? []
}
