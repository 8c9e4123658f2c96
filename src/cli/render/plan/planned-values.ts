// What a plan shows in the place of what is not known yet.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import type { Change } from '../../../engine/model/plan-data.ts'
import { readHidden } from '../../../project/resolving/unresolved.ts'
import { unknownMark } from '../text/value-text.ts'

type Awaiting = Pick<Change, 'after_unknown' | 'unresolved'>

const sensitiveMark: JsonValue = Object.freeze({ $sensitive: true })

/** `after` with a mark wherever the value is known later only; a map lacks the key there, a list holds null. */
export function withUnknown(after: JsonObject, change: Awaiting): JsonObject {
  const hidden = new Set(hiddenIn(change))
  return change.after_unknown.reduce((value, pointer) => placed(value, pointer, hidden.has(pointer) ? sensitiveMark : unknownMark), after)
}

/** `after` with what is not known yet as something sensitive where `hiddenIn` says so, and where else it is not known. */
export function withHidden(after: JsonObject | null, change: Awaiting): { readonly after: JsonObject | null; readonly unknown: readonly string[] } {
  if (after === null) return { after, unknown: [] }
  const hidden = hiddenIn(change)
  return {
    after: hidden.reduce((value, pointer) => placed(value, pointer, sensitiveMark), after),
    unknown: change.after_unknown.filter((pointer) => !hidden.includes(pointer)),
  }
}

/** Where what gives the value is sensitive: it may have chosen that the value is not known yet, which would tell of it. */
function hiddenIn({ after_unknown: unknown, unresolved }: Awaiting): readonly string[] {
  const isHidden = (pointer: string): boolean => readHidden(unresolved[pointer] ?? '${}') !== undefined
  return unknown.filter(isHidden)
}

function placed(value: JsonObject, pointer: string, mark: JsonValue): JsonObject {
  const found = place(value, pathOf(pointer), mark)
  return isObject(found) ? found : value
}

function place(value: JsonValue | undefined, path: readonly string[], mark: JsonValue): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return mark
  if (value !== undefined && isList(value)) return value.map((one, at) => (String(at) === key ? place(one, rest, mark) : one))
  const inner = value !== undefined && isObject(value) ? value : {}
  return { ...inner, [key]: place(inner[key], rest, mark) }
}
