// Where the values of a spec come from that are known once: told by the answer that made their object, and by no other.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { below } from '../../../base/pointer.ts'
import { hasToken, readToken } from '../../../base/token.ts'
import type { Origin } from '../../../state/record.ts'

/** JSON pointer into a spec → the resource, the object and the output that a value was made from. */
export function originsIn(spec: JsonObject): Readonly<Record<string, Origin>> {
  const out: Record<string, Origin> = {}
  const walk = (value: JsonValue, pointer: string): void => {
    if (isList(value)) for (const [index, one] of value.entries()) walk(one, `${pointer}/${index}`)
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) walk(one, below(pointer, key))
    else if (hasToken(value)) {
      const token = readToken(value)
      if (token?.is === 'once') out[pointer] = { address: token.address, id: token.id, output: token.output.split(' ')[0] ?? '' }
    }
  }
  walk(spec, '')
  return out
}
