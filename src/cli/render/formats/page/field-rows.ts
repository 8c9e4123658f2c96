// What a change does to its fields, one row for each value that differs: before and after, as texts that are not escaped yet.
import type { JsonObject, JsonValue } from '../../../../base/json.ts'
import { equalJson, isList, isObject } from '../../../../base/json.ts'
import { below } from '../../../../base/pointer.ts'
import type { Change } from '../../../../engine/model/plan-data.ts'
import { isMarker } from '../../../../engine/model/plan-data.ts'
import { withUnknown } from '../../plan/planned-values.ts'
import { inlineValue, isNested, keyText, unknownMark } from '../../text/value-text.ts'

/** A value that is made, goes or changes; `field` is a path such as `http.port` or `rules[0].cidr`. */
export interface FieldRow {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
  readonly forces: boolean
}

export interface FieldRows {
  readonly rows: readonly FieldRow[]
  /** Values that stay as they are. */
  readonly unchanged: number
}

/** How the value at a pointer is told where it says more than it holds. */
export type Told = (pointer: string, value: JsonValue) => string | undefined

/** The rows of a change, in the order of names. */
export function fieldRows(change: Change, told: Told): FieldRows {
  const after = change.after === null || change.action === 'delete' ? undefined : withUnknown(change.after, change)
  const was = change.before ?? undefined
  // What is forgotten stays as it is.
  const is = change.action === 'forget' ? was : after
  return comparedRows(was, is, told, { touched: change.patch.map(({ path }) => path), forcing: change.replace_paths })
}

/** The rows between two maps, such as outputs. */
export function comparedRows(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  told: Told,
  { touched = [], forcing = [] }: { readonly touched?: readonly string[]; readonly forcing?: readonly string[] } = {},
): FieldRows {
  const rows: FieldRow[] = []
  let unchanged = 0
  const isTouched = (pointer: string): boolean => touched.some((one) => one === pointer || one.startsWith(`${pointer}/`))
  function visit(was: JsonValue | undefined, is: JsonValue | undefined, pointer: string, field: string): void {
    const parts = partsOf(was, is)
    if (parts)
      return parts.forEach(({ key, label }) =>
        visit(memberOf(was, key), memberOf(is, key), below(pointer, key), field === '' ? label.replace(/^\./, '') : field + label),
      )
    if (was === undefined && is === undefined) return undefined
    if (was !== undefined && is !== undefined && is !== unknownMark && equalJson(was, is) && !isTouched(pointer)) return void (unchanged += 1)
    const text = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : (told(pointer, value) ?? valueText(value)))
    rows.push({ field, before: text(was), after: text(is), forces: forcing.some((one) => one === pointer || pointer.startsWith(`${one}/`)) })
  }
  visit(before ?? {}, after ?? {}, '', '')
  return { rows, unchanged }
}

interface Part {
  readonly key: string
  readonly label: string
}

/** The members to go into: of maps, and of lists in which anything is nested; undefined for what is one value. */
function partsOf(was: JsonValue | undefined, is: JsonValue | undefined): readonly Part[] | undefined {
  const sides = [was, is].filter((one) => one !== undefined)
  if (sides.length === 0 || sides.some((one) => one === unknownMark || isMarker(one))) return undefined
  if (sides.every(isList)) {
    if (!sides.some((side) => side.some(isNested))) return undefined
    return Array.from({ length: Math.max(...sides.map((side) => side.length)) }, (_, at) => ({ key: String(at), label: `[${at}]` }))
  }
  if (!sides.every((side) => isObject(side)) || sides.every((side) => !isNested(side))) return undefined
  const keys = [...new Set(sides.flatMap((side) => Object.keys(side)))].toSorted()
  return keys.map((key) => ({ key, label: keyText(key) === key ? `.${key}` : `[${keyText(key)}]` }))
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (value === undefined) return undefined
  if (isList(value)) return value[Number(key)]
  const one = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return one === null ? undefined : one
}

/** Several lines stand as they are, everything else as plans write it. */
function valueText(value: JsonValue): string {
  return typeof value === 'string' && value.includes('\n') ? value : inlineValue(value)
}
