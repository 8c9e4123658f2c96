// Rows in aligned columns, for people.
import { safeLine } from './sanitise.ts'
import { pad, padLeft, widthOf } from './width.ts'

/** A table with a header line; every cell is made safe, lines carry no trailing spaces. Columns named in `amounts` stand at the right of theirs. Empty rows give an empty text. */
export function tableText(headers: readonly string[], rows: readonly (readonly string[])[], amounts: readonly string[] = []): string {
  if (rows.length === 0) return ''
  const cells = [headers.map((one) => one.toUpperCase()), ...rows.map((row) => row.map(safeLine))]
  const widths = headers.map((_, column) => cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0))
  return cells
    .map(
      (row) =>
        `${widths
          .map((width, column) => (amounts.includes(headers[column] ?? '') ? padLeft : pad)(row[column] ?? '', width))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
