// Live values of fields that hold something sensitive: a manifest may put a secret where the kind expects none.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { readToken, tokenText } from '../../../base/token.ts'
import { sealed } from '../live.ts'
import type { Digest, LiveObject } from '../live.ts'
import { same } from './equal.ts'

/**
 * The object with digests where one of the specs holds a digest: by place, inside lists by value, since items move. What is known as sensitive
 * anywhere in the specs is sealed wherever it turns up, unless a spec says it in that place in clear.
 */
export function sealedLike(object: LiveObject, specs: readonly JsonObject[], digest: Digest): LiveObject
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined {
  if (!object || !specs.some(holdsDigest)) return object
  const digests = new Map<JsonValue, string>()
  const once = (value: JsonValue): string => {
    const before = digests.get(value)
    const found = before ?? digest(value)
    if (before === undefined) digests.set(value, found)
    return found
  }
  const sealing: Sealing = { digest: once, known: new Set(specs.flatMap((spec) => digestsIn(spec))) }
  const { seen } = object
  return { ...object, seen: sealMembers(seen, specs, { ...sealing, inList: false }) }
}

/** How values are sealed, and all that is known as sensitive: tokens. */
interface Sealing {
  readonly digest: Digest
  readonly known: ReadonlySet<JsonValue>
}

/** `patterns` are what the specs say in this place; in a list, what they say in any of its items. */
function seal(value: JsonValue, patterns: readonly JsonValue[], sealing: Sealing & { readonly inList: boolean }): JsonValue {
  if (value === null || readToken(value)) return value
  const { digest, known, inList } = sealing
  const hides = patterns.some(isDigest)
  // A stranger among secrets counts as one.
  if (hides && (!inList || typeof value === 'object')) return sealed(value, digest)
  if (isList(value)) {
    const lists = patterns.filter(isList)
    const items = lists.flat()
    return value.map((one, index) => inPlace(one, index, lists, digest) ?? sealItem(one, index, items, { ...sealing, inList: true }))
  }
  if (isObject(value)) return sealMembers(value, patterns, sealing)
  const isPlain = patterns.includes(value)
  if (isPlain && !hides) return value
  const text = tokenText({ is: 'digest', digest: digest(value) })
  if (patterns.includes(text)) return text
  return !isPlain && (hides || known.has(text)) ? text : value
}

/** A plain item as the first spec says it that has the value in the same place: a list may hold it once in clear and once as a secret. */
function inPlace(item: JsonValue, index: number, lists: readonly (readonly JsonValue[])[], digest: Digest): JsonValue | undefined {
  if (item === null || typeof item === 'object' || !lists.some((list) => list.includes(item))) return undefined
  const text = tokenText({ is: 'digest', digest: digest(item) })
  return lists.map((list) => list[index]).find((said) => said === item || said === text)
}

/** An item that the specs say, most likely in the same place, is sealed as they say it; any other by all that they say of items. */
function sealItem(item: JsonValue, index: number, patterns: readonly JsonValue[], sealing: Sealing & { readonly inList: boolean }): JsonValue {
  if (item === null || typeof item !== 'object') return seal(item, patterns, sealing)
  for (const pattern of [...patterns.slice(index, index + 1), ...patterns]) {
    if (!maySay(pattern, item)) continue
    const like = seal(item, [pattern], sealing)
    if (same([pattern], [like], {})) return like
  }
  return seal(item, patterns, sealing)
}

/** Whether a pattern can be about an item, by what it says in clear. */
function maySay(pattern: JsonValue, item: JsonValue): boolean {
  if (isList(pattern)) return isList(item)
  if (!isObject(pattern) || !isObject(item)) return false
  return Object.entries(pattern).every(([key, said]) => typeof said === 'object' || isDigest(said) || memberOf(item, key)[0] === said)
}

function sealMembers(value: JsonObject, patterns: readonly JsonValue[], sealing: Sealing & { readonly inList: boolean }): JsonObject {
  const members = Object.entries(value).map(([key, one]) => {
    const said = patterns.flatMap((each) => memberOf(each, key))
    return [key, seal(one, said, sealing)] as const
  })
  return Object.fromEntries(members)
}

/** All tokens of digests in a value. */
function digestsIn(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value.flatMap(digestsIn)
  if (isObject(value)) return Object.values(value).flatMap(digestsIn)
  return isDigest(value) ? [value] : []
}

/** The member in a list of its own, so that one which is a list stays whole. */
function memberOf(value: JsonValue, key: string): JsonValue[] {
  const member = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return member === undefined ? [] : [member]
}

function isDigest(value: JsonValue): boolean {
  return readToken(value)?.is === 'digest'
}

/** Whether anything in a value is known by its digest alone. */
export function holdsDigest(value: JsonValue | undefined): boolean {
  if (value === undefined) return false
  if (isList(value)) return value.some(holdsDigest)
  return isObject(value) ? Object.values(value).some(holdsDigest) : isDigest(value)
}
