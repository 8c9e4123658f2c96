// When two comparable values are the same: by the marks of their field, tokens by what they stand for.
import type { JsonValue } from '../../../base/json.ts'
import { canonicalJson, isList, isObject } from '../../../base/json.ts'
import type { Marks } from '../../../kinds/definition/fields.ts'

/** Whether a value says no more than its absence: none, nothing in it, or what most objects have. */
export function saysNothing(value: JsonValue | undefined, { usual }: Marks): boolean {
  if (value === undefined || value === null || value === usual) return true
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

/** Whether `there` (live or recorded) already is what `wanted` says. Objects inside lists count on the keys `wanted` declares. */
export function same(wanted: JsonValue | undefined, there: JsonValue | undefined, marks: Marks, inList = false): boolean {
  if (wanted === undefined || wanted === null) return there === undefined || there === null
  if (isList(wanted)) {
    if (there === undefined || !isList(there) || wanted.length !== there.length) return false
    return marks.unordered ? sameSet(wanted, there, marks) : wanted.every((one, index) => same(one, there[index], marks, true))
  }
  if (isObject(wanted)) {
    if (there === undefined || !isObject(there)) return false
    const keys = inList ? Object.keys(wanted) : [...new Set([...Object.keys(wanted), ...Object.keys(there)])]
    return keys.every((key) => same(own(wanted, key), own(there, key), marks, inList))
  }
  if (typeof there === 'object') return false
  return wanted === there || canonicalJson(wanted) === canonicalJson(there ?? null)
}

function sameSet(wanted: readonly JsonValue[], there: readonly JsonValue[], marks: Marks): boolean {
  const scalars = wanted.every((one) => typeof one !== 'object')
  if (scalars) {
    const counts = new Map<string, number>()
    for (const one of there) counts.set(canonicalJson(one), (counts.get(canonicalJson(one)) ?? 0) + 1)
    for (const one of wanted) {
      const left = counts.get(canonicalJson(one)) ?? 0
      if (left === 0) return false
      counts.set(canonicalJson(one), left - 1)
    }
    return true
  }
  const left = [...there]
  return wanted.every((one) => {
    const index = left.findIndex((other) => same(one, other, marks, true))
    if (index >= 0) left.splice(index, 1)
    return index >= 0
  })
}

function own(object: Readonly<Record<string, JsonValue>>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
