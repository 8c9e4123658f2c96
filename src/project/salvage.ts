// What is left of a value when all that breaks its schema is taken out: so that one mistake does not hide the others.
import type * as z from 'zod'
import type { JsonValue } from '../json.ts'
import { isList, isMap, valueAtPath } from './schema.ts'

const mostRounds = 10

/** The value without what is wrong in it, up to the nearest member that may be absent; undefined where nothing is left. */
export function salvage<T>(schema: z.ZodType<T>, value: JsonValue): T | undefined {
  let rest = value
  for (let round = 0; round < mostRounds; round += 1) {
    const parsed = schema.safeParse(rest)
    if (parsed.success) return parsed.data
    for (const path of parsed.error.issues.flatMap((issue) => wrongPlaces(issue, rest))) {
      if (path.length === 0) return undefined
      rest = without(rest, path)
    }
  }
  return undefined
}

/** A list with one wrong entry goes as a whole: the places of the others would no longer be theirs. */
function wrongPlaces(issue: z.core.$ZodIssue, value: JsonValue): PropertyKey[][] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key])
  const entry = issue.path.findIndex((part) => typeof part === 'number')
  const path = entry < 0 ? issue.path : issue.path.slice(0, entry)
  return [valueAtPath(value, path) === undefined ? path.slice(0, -1) : path]
}

function without(value: JsonValue, path: readonly PropertyKey[]): JsonValue {
  const [head, ...rest] = path
  if (!isMap(value) || isList(value) || typeof head !== 'string') return value
  const entries = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    if (key !== head) return [[key, member]]
    return rest.length === 0 ? [] : [[key, without(member, rest)]]
  })
  return Object.fromEntries(entries)
}
