// Ids as texts, as they are in state and plans: on the wire they are integers that many programs cannot hold.
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'

/** The value with integers as texts in members that are ids: `id`, `…_id`, `…_ids` and the members named, at any depth. */
export function withIdTexts(value: JsonValue, more: ReadonlySet<string>): JsonValue {
  if (isList(value)) return value.map((one) => withIdTexts(one, more))
  if (!isObject(value)) return value
  const isId = (name: string): boolean => /(?:^|_)ids?$/.test(name) || more.has(name)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isId(name) ? textsOf(one, more) : withIdTexts(one, more)]))
}

function textsOf(value: JsonValue, more: ReadonlySet<string>): JsonValue {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return String(value)
  return isList(value) ? value.map((one) => textsOf(one, more)) : withIdTexts(value, more)
}
