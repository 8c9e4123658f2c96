// Live values of fields that hold something sensitive: a manifest may put a secret where the kind expects none.
import type { JsonObject, JsonValue } from '../json.ts'
import { isList, isObject } from '../json.ts'
import { readToken, tokenText } from '../token.ts'
import { sealed } from './live.ts'
import type { Digest, LiveObject } from './live.ts'

/** The object with digests where one of the specs holds a digest: by place, and inside lists by value as well. */
export function sealedLike(object: LiveObject, specs: readonly JsonObject[], digest: Digest): LiveObject
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined {
  if (!object) return undefined
  const seen: Record<string, JsonValue> = { ...object.seen }
  for (const [field, value] of Object.entries(seen)) {
    const patterns = specs.flatMap((spec) => spec[field] ?? [])
    if (patterns.some(holdsDigest)) seen[field] = seal(value, patterns, digest)
  }
  return { ...object, seen }
}

function seal(value: JsonValue, patterns: readonly JsonValue[], digest: Digest): JsonValue {
  if (value === null) return null
  if (patterns.some(isDigest)) return sealed(value, digest)
  if (isList(value)) {
    const known = new Set(patterns.flatMap((one) => (isList(one) ? one.filter(isDigest) : [])))
    return value.map((item, index) => {
      const text = typeof item === 'object' ? undefined : tokenText({ is: 'digest', digest: digest(item) })
      if (text !== undefined && known.has(text)) return text
      return seal(
        item,
        patterns.flatMap((one) => (isList(one) ? (one[index] ?? []) : [])),
        digest,
      )
    })
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      seal(
        one,
        patterns.flatMap((each) => memberOf(each, key)),
        digest,
      ),
    ]),
  )
}

function memberOf(value: JsonValue, key: string): JsonValue[] {
  const member = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return member === undefined ? [] : [member]
}

function isDigest(value: JsonValue): boolean {
  return readToken(value)?.is === 'digest'
}

function holdsDigest(value: JsonValue): boolean {
  if (isList(value)) return value.some(holdsDigest)
  return isObject(value) ? Object.values(value).some(holdsDigest) : isDigest(value)
}
