// Values as plans show them: one value on one line, or maps and lists over several.
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { isMarker } from '../../../engine/model/plan-data.ts'
import { safeLine } from './sanitise.ts'
import { widthOf } from './width.ts'

/** Stands in the place of a value that is known only after apply; told apart by identity, so that no user's map can be one. */
export const unknownMark: JsonValue = Object.freeze({ $unknown: true })

const UNKNOWN_TEXT = '(known after apply)'
export const SENSITIVE_TEXT = '(sensitive value)'

/** A value on one line; strings in quotes, as OpenTofu writes them. */
export function inlineValue(value: JsonValue): string {
  if (value === unknownMark) return UNKNOWN_TEXT
  if (isMarker(value)) return SENSITIVE_TEXT
  if (typeof value === 'string') return quoted(value)
  if (isList(value)) return `[${value.map(inlineValue).join(', ')}]`
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, one]) => `${keyText(key)} = ${inlineValue(one)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return String(value)
}

/** The same over several lines where one of so many columns does not hold it; what has no parts stays whole. `taken` columns stand before it in its line. */
export function brokenValue(value: JsonValue, columns: number, indent = 0, taken = indent): string {
  const line = inlineValue(value)
  if (taken + widthOf(line) <= columns || !isNested(value)) return line
  const inner = indent + 2
  const opened = isList(value)
    ? value.map((one) => `${brokenValue(one, columns - 1, inner)},`)
    : Object.entries(isObject(value) ? value : {}).map(
        ([key, one]) => `${keyText(key)} = ${brokenValue(one, columns, inner, inner + widthOf(keyText(key)) + 3)}`,
      )
  const [open, close] = isList(value) ? '[]' : '{}'
  return [open, ...opened.map((one) => ' '.repeat(inner) + one), ' '.repeat(indent) + close].join('\n')
}

/** A string in quotes, on one line, safe to print. */
export function quoted(text: string): string {
  const inner = text.replace(/["\\\n\r\t]/g, (one) => ESCAPES[one] ?? one)
  return `"${safeLine(inner)}"`
}

/** A key of a map as it stands before `=`: bare where it is a plain word. */
export function keyText(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoted(key)
}

/** Whether a value takes several lines: a map or list that is not empty and no marker. */
export function isNested(value: JsonValue | undefined): boolean {
  if (value === undefined || value === unknownMark || isMarker(value)) return false
  if (isList(value)) return value.length > 0
  return isObject(value) && Object.keys(value).length > 0
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
