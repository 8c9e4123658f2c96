// What a benchmark measured, as rows of a table: value, aim, and the ratio between them.

/** One line of the report; `aim` is the most it should be, `reference` what the value is divided by where there is no aim. */
export interface Row {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly aim?: number
  readonly note?: string
}

/** The middle of some measurements; of an even number the lower one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN
}

/** The rows as text, one per line, in columns. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.name, `${shown(row.value)} ${row.unit}`, aimOf(row), ratioOf(row), row.note ?? ''])
  const head = ['row', 'measured', 'aim', 'measured / aim', '']
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((one) => one[at]?.length ?? 0)))
  const line = (one: readonly string[]): string =>
    one
      .map((cell, at) => (at === 0 || at === 4 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')}\n`
}

function aimOf({ aim, unit }: Row): string {
  return aim === undefined ? '' : `<= ${shown(aim)} ${unit}`
}

function ratioOf({ value, aim }: Row): string {
  return aim === undefined ? '' : `${(value / aim).toFixed(2)}${value <= aim ? '' : ' missed'}`
}

function shown(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1)
}
