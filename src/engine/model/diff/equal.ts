// When two comparable values are the same: by the marks of their field, tokens by what they stand for.
import type { JsonValue } from '../../../base/json.ts'
import { canonicalJson, isList, isObject } from '../../../base/json.ts'
import { readToken } from '../../../base/token.ts'
import { privateCloud } from '../../../kinds/definition/fields.ts'
import type { Marks } from '../../../kinds/definition/fields.ts'

/** Whether a value says no more than its absence: none, nothing in it, or what most objects have. */
export function saysNothing(value: JsonValue | undefined, { usual }: Marks): boolean {
  if (value === undefined || value === null || value === usual) return true
  return isList(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

/** Whether what live shows of a field says something beside what was asked for: a code in other letters does not, and the region of one's own nodes is no other than these. */
export function isTelling(asked: JsonValue | undefined, shown: JsonValue | undefined, { region }: Marks): boolean {
  if (shown === undefined || region !== true || typeof asked !== 'string' || typeof shown !== 'string') return shown !== undefined
  return asked.toLowerCase() !== shown.toLowerCase() && asked !== privateCloud
}

/**
 * Whether `there` (live or recorded) already is what `wanted` says. Objects inside lists count on the keys that `wanted` declares, and on those that
 * `formerly`, what was recorded, declared: what was taken out of one is no longer to be there.
 */
export function same(wanted: JsonValue | undefined, there: JsonValue | undefined, marks: Marks, formerly?: JsonValue): boolean {
  // A text, list or map that is empty may come back as none.
  return (there === null && isEmpty(wanted)) || sameValue(wanted, there, marks, { formerly, inList: false })
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === '' || (typeof value === 'object' && saysNothing(value, {}))
}

/** Where in a value two are compared, and what was recorded there. */
interface Spot {
  readonly formerly: JsonValue | undefined
  readonly inList: boolean
}

function sameValue(wanted: JsonValue | undefined, there: JsonValue | undefined, marks: Marks, { formerly, inList }: Spot): boolean {
  if (wanted === undefined || wanted === null) return there === undefined || there === null || (inList && wanted === undefined && isUnset(there))
  if (isList(wanted)) {
    if (there === undefined || !isList(there) || wanted.length !== there.length) return false
    const before = formerly !== undefined && isList(formerly) ? formerly : []
    if (marks.unordered) return sameSet(wanted, there, marks, before)
    return wanted.every((one, index) => sameValue(one, there[index], marks, { formerly: before[index], inList: true }))
  }
  if (isObject(wanted)) {
    if (there === undefined || !isObject(there)) return false
    const before = formerly !== undefined && isObject(formerly) ? formerly : {}
    const keys = new Set([...Object.keys(wanted), ...Object.keys(inList ? before : there)])
    return [...keys].every((key) => sameValue(own(wanted, key), own(there, key), marks, { formerly: own(before, key), inList }))
  }
  if (typeof there === 'object') return false
  // What is known once has no digest: whatever live shows is taken for it where it was recorded.
  if (readToken(wanted)?.is === 'once' && readToken(there)?.is === 'digest') return wanted === formerly
  return wanted === there || canonicalJson(wanted) === canonicalJson(there ?? null)
}

/** What a service shows of a member that nobody sets. */
function isUnset(value: JsonValue): boolean {
  return value === false || value === '' || saysNothing(value, {})
}

function sameSet(wanted: readonly JsonValue[], there: readonly JsonValue[], marks: Marks, formerly: readonly JsonValue[]): boolean {
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
  const [left, recorded] = [[...there], [...formerly]]
  return wanted.every((one) => {
    const before = takenFrom(recorded, (other) => isAlike(one, other, marks))
    return takenFrom(left, (other) => sameValue(one, other, marks, { formerly: before, inList: true })) !== undefined
  })
}

/** Whether what was recorded is the same item: by the member that tells items apart, or by all that is still declared of it. */
function isAlike(wanted: JsonValue, recorded: JsonValue, { by, ...marks }: Marks): boolean {
  if (by === undefined || !isObject(wanted) || !isObject(recorded)) return sameValue(wanted, recorded, marks, { formerly: undefined, inList: true })
  return canonicalJson(own(wanted, by) ?? null) === canonicalJson(own(recorded, by) ?? null)
}

/** The first item that fits, which is none of the list any more. */
function takenFrom(items: JsonValue[], fits: (item: JsonValue) => boolean): JsonValue | undefined {
  const index = items.findIndex(fits)
  return index < 0 ? undefined : items.splice(index, 1)[0]
}

function own(object: Readonly<Record<string, JsonValue>>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
