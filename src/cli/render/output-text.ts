// Outputs for people: `name = value`, sensitive ones hidden.
import type { JsonValue } from '../../base/json.ts'
import { plainLines } from './plan/attribute-lines.ts'

/** One output per line, larger values over several; in order of names. */
export function outputLines(outputs: Readonly<Record<string, { readonly value: JsonValue; readonly sensitive: boolean }>>): string[] {
  return plainLines(Object.fromEntries(Object.entries(outputs).map(([name, one]) => [name, one.sensitive ? { $sensitive: true } : one.value])))
}
