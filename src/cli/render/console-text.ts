// What a console prints: values as plans write them, mistakes with a caret.
import { stringifyJson } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import type { Value } from '../../expressions/value.ts'
import type { Palette } from './text/palette.ts'
import { safeJson, safeLine } from './text/sanitise.ts'
import { brokenValue, unknownMark } from './text/value-text.ts'

/** A value as JSON: marks stand in the place of what is not known yet, or sensitive. */
function shownValue(value: Value): JsonValue {
  if (value.sensitive) return { $sensitive: true }
  if (value.kind === 'unknown') return unknownMark
  if (value.kind === 'scalar') return value.scalar
  if (value.kind === 'list') return value.items.map(shownValue)
  return Object.fromEntries([...value.entries].map(([key, one]) => [key, shownValue(one)]))
}

/** The line that shows a value, the lines where a terminal of so many columns has no room for it in one. */
export function consoleValue(value: Value, json: boolean, columns = Infinity): string {
  const shown = shownValue(value)
  return json ? `${safeJson(stringifyJson(shown))}\n` : `${brokenValue(shown, columns)}\n`
}

/** What can be written at a console, how it is left, and the names that an expression finds. */
export function consoleHelp({ variables, resources }: { readonly variables: readonly string[]; readonly resources: readonly string[] }): string {
  return `${[
    'A line is an expression in CEL, such as stands between ${ and } in a manifest:',
    "  1 + 2    cidr_host('10.0.0.0/8', 1)    lookup('Plan', 'ryzen-4').memory",
    'In scope:',
    `  variables: ${listed(variables)}`,
    `  resources: ${listed(resources)}`,
    '  functions: `iac explain functions` tells of each',
    'exit, quit or ^D leaves, and help prints this.',
  ].join('\n')}\n`
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : safeLine(few(names.toSorted()))
}

/** A mistake below the place in the line that it is about. */
export function consoleMistake(
  source: string,
  { offset, message, hint }: { readonly offset: number; readonly message: string; readonly hint?: string | undefined },
  palette: Palette,
): string {
  const before = safeLine(source.slice(0, offset))
  const lines = [safeLine(source), `${' '.repeat(before.length)}${palette.red('^')}`, `${palette.red('error:')} ${safeLine(message)}`]
  return [...lines, ...(hint === undefined ? [] : [`  hint: ${safeLine(hint)}`])].join('\n')
}
