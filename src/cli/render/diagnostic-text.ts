// A diagnostic for people: what is wrong, where, the line with a caret, why, and the way out.
import type { Code, Severity } from '../../base/catalogue.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { counted } from './text/counted.ts'
import type { Palette } from './text/palette.ts'
import { safeLine, safeText } from './text/sanitise.ts'
import { widthOf } from './text/width.ts'

const mostInFull = 20
const mostAlike = 3
const mostNames = 5
// These say how much is not told: they are, and at the end.
const tallying: ReadonlySet<Code> = new Set<Code>(['more_warnings', 'more_errors', 'too_much_work'])

/** One diagnostic over several lines, ending with a line end. */
export function diagnosticText(one: Diagnostic, palette: Palette, isStrict = false): string {
  const colour = one.severity === 'error' ? palette.red : one.severity === 'warning' ? palette.yellow : palette.cyan
  const about = one.address !== undefined && !one.summary.includes(one.address) ? `${safeLine(one.address)}: ` : ''
  const lines = [`${palette.bold(colour(severityWord(one.severity, isStrict)))} ${palette.bold(`${about}${safeLine(one.summary)}`)}`]
  if (one.position) lines.push(...positionLines(one.position, palette))
  if (one.detail !== undefined && one.detail !== '') lines.push(...indented(one.detail))
  if (one.hint !== undefined && one.hint !== '') lines.push(...indented(`hint: ${one.hint}`))
  if (one.severity === 'error') lines.push(palette.dim(`  code: ${one.code}`))
  return `${lines.join('\n')}\n`
}

/** What a summary begins with; readers of Terraform's text look for a capital. */
function severityWord(severity: Severity, isStrict: boolean): string {
  return `${isStrict ? severity.charAt(0).toUpperCase() + severity.slice(1) : severity}:`
}

/** How diagnostics are told: all of them in full, and in the words of Terraform's readers. */
interface Telling {
  readonly all?: boolean
  readonly isStrict?: boolean
}

type Group = readonly [first: Diagnostic, ...others: Diagnostic[]]

/**
 * Diagnostics one after another, errors last, since a terminal shows the end. What says the same of many things is told once, with the
 * addresses of the others, and at most 20 stand in full; with `all` every one does.
 */
export function diagnosticsText(all: readonly Diagnostic[], palette: Palette, options: Telling = {}): string {
  if (options.all === true)
    return errorsLast(all.map((one): Group => [one]))
      .map(([one]) => diagnosticText(one, palette, options.isStrict))
      .join('')
  const groups = errorsLast(groupsOf(all))
  const [tallies, others] = [groups.filter(([first]) => tallying.has(first.code)), groups.filter(([first]) => !tallying.has(first.code))]
  // Of what is cut, errors stay longest, and the first of each sort.
  const shown = new Set(others.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(0, mostInFull))
  const texts = others.filter((group) => shown.has(group)).map((group) => groupText(group, palette, options))
  const hidden = others.filter((group) => !shown.has(group)).flat()
  return [...texts, hiddenText(hidden, palette, options), ...tallies.map((group) => groupText(group, palette, options))].join('')
}

function rankOf([first]: Group): number {
  return { note: 0, warning: 1, error: 2 }[first.severity]
}

function errorsLast(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Those that say the same, whatever they say it of; few are told one by one. */
function groupsOf(all: readonly Diagnostic[]): readonly Group[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>()
  for (const one of all) {
    const { code, summary, address, hint } = one
    const key = JSON.stringify([code, address === undefined ? summary : summary.replaceAll(address, ''), hint])
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()].flatMap((group): readonly Group[] => (group.length > mostAlike ? [group] : group.map((one): Group => [one])))
}

function groupText([first, ...others]: Group, palette: Palette, { isStrict }: Telling): string {
  const text = diagnosticText(first, palette, isStrict)
  if (others.length === 0) return text
  const names = others.slice(0, mostNames).map(({ address, position }) => address ?? (position ? `${position.file}:${position.line}:${position.column}` : ''))
  const named = names.filter((name) => name !== '').map(safeLine)
  const list = named.length === 0 ? '' : `: ${named.join(', ')}${others.length > named.length ? ', …' : ''}`
  return `${text}${palette.dim(`  and ${others.length} more like this${list}`)}\n`
}

function hiddenText(hidden: readonly Diagnostic[], palette: Palette, { isStrict = false }: Telling): string {
  if (hidden.length === 0) return ''
  const errors = hidden.filter((one) => one.severity === 'error').length
  const severity = errors > 0 ? 'error' : 'warning'
  const colour = errors > 0 ? palette.red : palette.yellow
  const what = errors > 0 ? counted(errors, 'more mistake') : counted(hidden.length, 'more remark')
  return `${palette.bold(colour(severityWord(severity, isStrict)))} ${palette.bold(`${what} ${errors === 1 || hidden.length === 1 ? 'is' : 'are'} not shown`)}\n  hint: \`--verbose\` and \`--json\` tell all\n`
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
