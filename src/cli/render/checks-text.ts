// What was looked at, for people: a line each with a tick, and the way out below what failed.
import type { Palette } from './text/palette.ts'
import { safeLine } from './text/sanitise.ts'
import { wrapped } from './text/wrapped.ts'

/** One thing that was looked at; `ok` is null where something else stood in the way of looking. */
export interface ShownCheck {
  readonly name: string
  readonly ok: boolean | null
  readonly says: string
  readonly hint: string | null
}

const LEAST_COLUMNS = 40

/** The checks as a table; lines that are too long for so many columns go on below their beginning. */
export function checksText(checks: readonly ShownCheck[], columns: number, palette: Palette): string {
  const width = checks.reduce((most, one) => Math.max(most, one.name.length), 0)
  const indent = width + 4
  const wide = Math.max(columns, indent + LEAST_COLUMNS)
  return checks
    .map(({ name, ok, says, hint }) => {
      const line = wrapped(`${name.padEnd(width)} `, safeLine(says), wide - 2, indent - 2).replaceAll('\n', '\n  ')
      const way = ok === false && hint !== null ? `${wrapped(`${' '.repeat(indent)}fix:`, safeLine(hint), wide, indent)}\n` : ''
      return `${tick(ok, palette)} ${line}\n${way}`
    })
    .join('')
}

function tick(ok: boolean | null, { green, red, dim }: Palette): string {
  if (ok === null) return dim('-')
  return ok ? green('✓') : red('✗')
}
