// Live values of fields that hold something sensitive: a manifest may put a secret where the kind expects none.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { readToken, tokenText } from '../../../base/token.ts'
import { sealed } from '../live.ts'
import type { Digest, LiveObject } from '../live.ts'

/** The object with digests where one of the specs holds a digest: by place, and inside lists by value as well. */
export function sealedLike(object: LiveObject, specs: readonly JsonObject[], digest: Digest): LiveObject
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined
export function sealedLike(object: LiveObject | undefined, specs: readonly JsonObject[], digest: Digest): LiveObject | undefined {
  if (!object || !specs.some(holdsDigest)) return object
  const seen: Record<string, JsonValue> = { ...object.seen }
  for (const [field, value] of Object.entries(seen)) {
    const patterns = specs.flatMap((spec) => memberOf(spec, field))
    if (patterns.some(holdsDigest)) seen[field] = seal(value, patterns, digest)
  }
  return { ...object, seen }
}

function seal(value: JsonValue, patterns: readonly JsonValue[], digest: Digest): JsonValue {
  if (value === null) return null
  if (patterns.some(isDigest)) return sealed(value, digest)
  if (isList(value)) return sealList(value, patterns.filter(isList), digest)
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

/** Items by their value, since order may not count: known as secret or as plain; a stranger among secrets counts as one. */
function sealList(items: readonly JsonValue[], patterns: readonly (readonly JsonValue[])[], digest: Digest): JsonValue[] {
  const known = patterns.flat()
  const secrets = known.some(isDigest)
  return items.map((item, index) => {
    if (typeof item === 'object')
      return seal(
        item,
        patterns.flatMap((one) => one.slice(index, index + 1)),
        digest,
      )
    const text = tokenText({ is: 'digest', digest: digest(item) })
    return secrets && (known.includes(text) || !known.includes(item)) ? text : item
  })
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
