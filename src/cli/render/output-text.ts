// Outputs for people: `name = value`, sensitive ones hidden.
import type { JsonValue } from '../../json.ts'
import { attributeLines } from './attribute-lines.ts'
import type { Palette } from './palette.ts'

/** One output per line, larger values over several; in order of names. */
export function outputLines(outputs: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean }>>, palette: Palette): string[] {
  const values = Object.fromEntries(Object.entries(outputs).map(([name, one]) => [name, one.sensitive ? { $sensitive: true } : one.value]))
  const lines = attributeLines({ before: undefined, after: values, touched: [], forcing: [], palette: { ...palette, green: String } }, 0)
  return lines.map((line) => line.replace(/^( *)\+ /, '$1'))
}
