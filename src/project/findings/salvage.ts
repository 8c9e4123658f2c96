// What is left of a value when all that breaks its schema is taken out: so that one mistake does not hide the others.
import type * as z from 'zod'
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { valueAtPath } from './schema.ts'

const mostRounds = 10

/** The value without what is wrong in it, up to the nearest member that may be absent; undefined where nothing is left. */
export function salvage<T>(schema: z.ZodType<T>, value: JsonValue): T | undefined {
  let rest = value
  for (let round = 0; round < mostRounds; round += 1) {
    const parsed = schema.safeParse(rest)
    if (parsed.success) return parsed.data
    const wrong = treeOf(parsed.error.issues.flatMap((issue) => wrongPlaces(issue, rest)))
    if (wrong.whole) return undefined
    rest = without(rest, wrong)
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

/** Places by what leads to them: all are taken out in one walk. */
interface Wrong {
  whole: boolean
  readonly members: Map<PropertyKey, Wrong>
}

function treeOf(paths: readonly (readonly PropertyKey[])[]): Wrong {
  const root: Wrong = { whole: false, members: new Map() }
  for (const path of paths) {
    let at = root
    for (const part of path) {
      const next: Wrong = at.members.get(part) ?? { whole: false, members: new Map() }
      at.members.set(part, next)
      at = next
    }
    at.whole = true
  }
  return root
}

function without(value: JsonValue, { members }: Wrong): JsonValue {
  if (!isObject(value) || isList(value) || members.size === 0) return value
  const entries = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    const wrong = members.get(key)
    if (!wrong) return [[key, member]]
    return wrong.whole ? [] : [[key, without(member, wrong)]]
  })
  return Object.fromEntries(entries)
}
