// Objects as they are shown where a state says that something in them is sensitive: a mark stands in its place.
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { readToken } from '../../base/token.ts'
import { holdsDigest, sealedLike } from '../../engine/model/diff/sealed-like.ts'
import type { LiveObject } from '../../engine/model/live.ts'
import type { RecordedSecrets } from './recorded-secrets.ts'

/** An object's members, or a record that holds it, with marks put in. */
export type Conceal = (value: JsonObject) => JsonObject

const mark: JsonValue = Object.freeze({ $sensitive: true })

/** Shorter ones are in many texts by chance. */
const SHORTEST = 4

/** Hides what the state holds by its digest, in its place or in another, and texts that quote it; `undefined` where that is nothing. */
export function concealing(object: LiveObject, secrets: RecordedSecrets | undefined): Conceal | undefined {
  const specs = secrets?.specsOf(object.kind.name, object.id) ?? []
  if (!secrets || !specs.some(holdsDigest)) return undefined
  const { digest } = secrets
  const seal = (value: JsonObject): JsonObject => sealedLike({ ...object, seen: value }, specs, digest).seen
  const texts = hiddenTexts(object.seen, seal(object.seen))
  const quotes = (text: string): boolean => texts.some((one) => text.includes(one))
  // A record may hold the object as one of its members.
  const sealedWithin = (value: JsonObject): JsonObject =>
    seal(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isObject(one) && !Object.hasOwn(object.kind.fields, name) ? seal(one) : one])))
  const marked = (value: JsonValue): JsonValue => {
    if (isList(value)) return value.map(marked)
    if (isObject(value)) return markedIn(value)
    return readToken(value) || (typeof value === 'string' && quotes(value)) ? mark : value
  }
  const markedIn = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one)]))
  return (value) => markedIn(sealedWithin(value))
}

/** The texts that tokens took the place of. */
function hiddenTexts(value: JsonValue, sealed: JsonValue): readonly string[] {
  if (readToken(sealed)) return typeof value === 'string' && value.length >= SHORTEST && !readToken(value) ? [value] : []
  if (isList(value)) return value.flatMap((one, at) => (isList(sealed) ? hiddenTexts(one, sealed[at] ?? null) : []))
  if (!isObject(value) || !isObject(sealed)) return []
  return Object.entries(value).flatMap(([name, one]) => hiddenTexts(one, sealed[name] ?? null))
}
