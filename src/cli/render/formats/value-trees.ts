// What Terraform's readers are told of values: where they are sensitive or unknown, as trees in the values' own shape.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { isMarker } from '../../../engine/model/plan-data.ts'
import { SENSITIVE_TEXT } from '../text/value-text.ts'

/** A value with words in the place of what is sensitive. */
export function shownValue(value: JsonValue): JsonValue {
  if (isMarker(value)) return SENSITIVE_TEXT
  if (isList(value)) return value.map(shownValue)
  return isObject(value) ? Object.fromEntries(membersOf(value).map(([key, one]) => [key, shownValue(one)])) : value
}

/** True where a value is sensitive; members without anything sensitive are left out, items are false. */
export function sensitiveTree(values: JsonObject): JsonValue {
  return treeOf(values) ?? {}
}

function treeOf(value: JsonValue): JsonValue | undefined {
  if (isMarker(value)) return true
  if (isList(value)) {
    const items = value.map(treeOf)
    return items.some((one) => one !== undefined) ? items.map((one) => one ?? false) : undefined
  }
  if (!isObject(value)) return undefined
  const members = membersOf(value).flatMap(([key, one]) => {
    const tree = treeOf(one)
    return tree === undefined ? [] : [[key, tree] as const]
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** In the order of their names where one is sensitive: one that is not known yet stands last else, and tells it. */
function membersOf(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  const members = Object.entries(value)
  return members.some(([, one]) => isMarker(one)) ? members.toSorted(([one], [other]) => (one < other ? -1 : 1)) : members
}

/** True at each path; lists in `values` become lists, with false for items that are known. */
export function unknownTree(values: JsonValue, paths: readonly (readonly string[])[]): JsonValue {
  if (paths.some((one) => one.length === 0)) return true
  const below = new Map<string, (readonly string[])[]>()
  for (const [key = '', ...rest] of paths) below.set(key, [...(below.get(key) ?? []), rest])
  if (isList(values)) return values.map((one, at) => (below.has(String(at)) ? unknownTree(one, below.get(String(at)) ?? []) : false))
  const inner = isObject(values) ? values : {}
  return Object.fromEntries([...below].map(([key, rest]) => [key, unknownTree(inner[key] ?? null, rest)]))
}
