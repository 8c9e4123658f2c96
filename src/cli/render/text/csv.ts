// Rows as CSV, quoted as RFC 4180 says, for spreadsheets and programs.
import { safeLine } from './sanitise.ts'

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A header and rows, a line each; null is an empty cell, and what a spreadsheet would carry out gets an apostrophe before it. */
export function csvText(headers: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return [headers, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('')
}

function cellText(value: string | null): string {
  const text = safeLine(value ?? '')
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
