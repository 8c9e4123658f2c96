// Rows in aligned columns, for people.
import { safeLine } from './sanitise.ts'
import { pad, widthOf } from './width.ts'

/** A table with a header line; every cell is made safe, lines carry no trailing spaces. Empty rows give an empty text. */
export function tableText(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const cells = [headers.map((one) => one.toUpperCase()), ...rows.map((row) => row.map(safeLine))]
  const widths = headers.map((_, column) => cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0))
  return cells
    .map(
      (row) =>
        `${widths
          .map((width, column) => pad(row[column] ?? '', width))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
