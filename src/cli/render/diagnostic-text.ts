// A diagnostic for people: what is wrong, where, the line with a caret, why, and the way out.
import type { Diagnostic, Position } from '../../diagnostic.ts'
import type { Palette } from './palette.ts'
import { safeLine, safeText } from './sanitise.ts'
import { widthOf } from './width.ts'

/** One diagnostic over several lines, ending with a line end. */
export function diagnosticText(one: Diagnostic, palette: Palette): string {
  const colour = one.severity === 'error' ? palette.red : one.severity === 'warning' ? palette.yellow : palette.cyan
  const about = one.address !== undefined && !one.summary.includes(one.address) ? `${safeLine(one.address)}: ` : ''
  const lines = [`${palette.bold(colour(`${one.severity}:`))} ${palette.bold(`${about}${safeLine(one.summary)}`)}`]
  if (one.position) lines.push(...positionLines(one.position, palette))
  if (one.detail !== undefined && one.detail !== '') lines.push(...indented(one.detail))
  if (one.hint !== undefined && one.hint !== '') lines.push(...indented(`hint: ${one.hint}`))
  if (one.severity === 'error') lines.push(palette.dim(`  code: ${one.code}`))
  return `${lines.join('\n')}\n`
}

/** Diagnostics one after another, errors last, since a terminal shows the end. */
export function diagnosticsText(all: readonly Diagnostic[], palette: Palette): string {
  const rank = { note: 0, warning: 1, error: 2 }
  return all
    .toSorted((a, b) => rank[a.severity] - rank[b.severity])
    .map((one) => diagnosticText(one, palette))
    .join('')
}

function positionLines(position: Position, palette: Palette): string[] {
  const where = `  ${palette.cyan(`${safeLine(position.file)}:${position.line}:${position.column}`)}`
  if (position.text === undefined) return [where]
  const gutter = `${position.line} | `.padStart(8)
  const before = Array.from(position.text)
    .slice(0, position.column - 1)
    .join('')
  const caret = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(widthOf(before))}${palette.red('^')}`
  return [where, `${palette.dim(gutter)}${safeLine(position.text)}`, caret]
}

function indented(text: string): string[] {
  return safeText(text.trimEnd())
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
}
