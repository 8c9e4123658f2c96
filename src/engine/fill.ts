// Puts real values in the place of tokens as a request leaves.
import type { Call } from '../api/call.ts'
import type { JsonValue } from '../json.ts'
import { isList, isObject } from '../json.ts'
import { readToken } from '../token.ts'
import { toJson } from './live.ts'

/** The call with every token replaced, or the tokens that nothing is known for; `reveals` is told every text that is put in. */
export function fillCall(
  call: Call,
  secrets: ReadonlyMap<string, JsonValue>,
  reveals: (secret: string) => void,
): { readonly call: Call } | { readonly missing: readonly string[] } {
  const missing: string[] = []
  const put = (value: JsonValue): JsonValue => {
    if (readToken(value)) {
      const real = secrets.get(String(value))
      if (real === undefined) missing.push(String(value))
      if (typeof real === 'string') reveals(real)
      return real ?? null
    }
    if (isList(value)) return value.map(put)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one)])) : value
  }
  const params = Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, String(put(value))]))
  const body = call.body === undefined ? {} : { body: put(toJson(call.body)) }
  return missing.length > 0 ? { missing } : { call: { ...call, params, ...body } }
}
