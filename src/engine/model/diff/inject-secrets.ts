// Puts real values in the place of tokens as a request leaves.
import type { Call } from '../../../api/calls/call.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject, stringifyJson } from '../../../base/json.ts'
import { readToken, tokenText } from '../../../base/token.ts'
import { toJson } from '../live.ts'
import { textsOf } from './secret-texts.ts'

/** The call with every token replaced, or the tokens that nothing is known for; `reveals` is told every text that is put in. */
export function injectSecrets(
  call: Call,
  secrets: ReadonlyMap<string, JsonValue>,
  reveals: (secret: string) => void,
): { readonly call: Call } | { readonly missing: readonly string[] } {
  const missing: string[] = []
  const put = (value: JsonValue): JsonValue => {
    const token = readToken(value)
    if (token) {
      const real = secrets.get(tokenText(token))
      if (real === undefined) missing.push(tokenText(token))
      if (real !== undefined) for (const text of textsOf(real)) reveals(text)
      return real ?? null
    }
    if (isList(value)) return value.map(put)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one)])) : value
  }
  const params = Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, textOf(put(value))]))
  const body = call.body === undefined ? {} : { body: put(toJson(call.body)) }
  return missing.length > 0 ? { missing } : { call: { ...call, params, ...body } }
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}
