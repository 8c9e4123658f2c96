// A diagnostic for people: what is wrong, where, the line with a caret, why, and the way out.
import type { Code, Severity } from '../../../base/catalogue.ts'
import type { Diagnostic, Position } from '../../../base/diagnostic.ts'
import { counted } from '../text/counted.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine, safeText } from '../text/sanitise.ts'
import { widthOf } from '../text/width.ts'
import { wrapped } from '../text/wrapped.ts'
import type { Group } from './alike-diagnostics.ts'
import { groupsOf } from './alike-diagnostics.ts'

const mostInFull = 20
const mostNames = 5
// These say how much is not told: they are, and at the end.
const tallying: ReadonlySet<Code> = new Set<Code>(['more_warnings', 'more_errors', 'too_much_work'])

/** One diagnostic over several lines, ending with a line end; within so many columns, where it is a terminal that they are of. */
export function diagnosticText(one: Diagnostic, palette: Palette, { isStrict = false, columns }: Pick<Telling, 'isStrict' | 'columns'> = {}): string {
  const colour = colourOf(one.severity, palette)
  const about = one.address !== undefined && !one.summary.includes(one.address) ? `${safeLine(one.address)}: ` : ''
  const word = severityWord(one.severity, isStrict)
  const summary = within(`${word} ${about}${safeLine(one.summary)}`, columns).slice(word.length + 1)
  const lines = [`${palette.bold(colour(word))} ${palette.bold(summary)}`]
  if (one.position) lines.push(...positionLines(one.position, palette))
  if (one.detail !== undefined && one.detail !== '') lines.push(...indented(one.detail, columns))
  if (one.hint !== undefined && one.hint !== '') lines.push(...indented(`hint: ${one.hint}`, columns))
  if (one.severity === 'error') lines.push(palette.dim(`  code: ${one.code}`))
  return `${lines.join('\n')}\n`
}

function colourOf(severity: Severity, { red, yellow, cyan }: Palette): Palette['red'] {
  return severity === 'error' ? red : severity === 'warning' ? yellow : cyan
}

/** What a summary begins with; readers of Terraform's text look for a capital. */
function severityWord(severity: Severity, isStrict: boolean): string {
  return `${isStrict ? severity.charAt(0).toUpperCase() + severity.slice(1) : severity}:`
}

/** How diagnostics are told: all of them in full, in the words of Terraform's readers, within the columns of a terminal. */
interface Telling {
  readonly all?: boolean
  readonly isStrict?: boolean
  readonly columns?: number | undefined
}

/**
 * Diagnostics one after another, errors last, since a terminal shows the end. What says the same of many things is told once, with the
 * addresses or places of the others, and at most 20 stand in full; with `all` every one does.
 */
export function diagnosticsText(all: readonly Diagnostic[], palette: Palette, options: Telling = {}): string {
  if (options.all === true)
    return errorsLast(all.map((one): Group => [one]))
      .map(([one]) => diagnosticText(one, palette, options))
      .join('')
  const groups = errorsLast(groupsOf(all))
  const [tallies, others] = [groups.filter(([first]) => tallying.has(first.code)), groups.filter(([first]) => !tallying.has(first.code))]
  const shown = new Set(byWorth(others).slice(0, mostInFull))
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

/** Of what is cut, the first of each sort stays longest; among these, and among the others, errors do. */
function byWorth(groups: readonly Group[]): readonly Group[] {
  const worstFirst = groups.toSorted((a, b) => rankOf(b) - rankOf(a))
  const firsts = new Map<Code, Group>()
  for (const group of worstFirst) if (!firsts.has(group[0].code)) firsts.set(group[0].code, group)
  return [...firsts.values(), ...worstFirst.filter((group) => firsts.get(group[0].code) !== group)]
}

function groupText(group: Group, palette: Palette, options: Telling): string {
  const [first, ...others] = group
  const text = diagnosticText(first, palette, options)
  if (others.length === 0) return text
  const names = namesOf(group)
  const all = new Set(others.map((one) => names.get(one)))
  const named = [...all].filter((name) => name !== undefined).slice(0, mostNames)
  const list = named.length === 0 ? '' : `: ${named.map(safeLine).join(', ')}${all.size > named.length ? ', …' : ''}`
  return `${text}${palette.dim(within(`  and ${others.length} more like this${list}`, options.columns))}\n`
}

/** What each can be found by: what it is called, else its address, or its place where the address is that of several. */
function namesOf(group: Group): ReadonlyMap<Diagnostic, string | undefined> {
  const counts = new Map<string, number>()
  for (const { address } of group) if (address !== undefined) counts.set(address, (counts.get(address) ?? 0) + 1)
  return new Map(
    group.map((one) => {
      const { address, position, called } = one
      const isOwn = address !== undefined && counts.get(address) === 1
      return [one, called ?? (isOwn || !position ? address : `${position.file}:${position.line}:${position.column}`)]
    }),
  )
}

function hiddenText(hidden: readonly Diagnostic[], palette: Palette, { isStrict = false }: Telling): string {
  const [worst] = hidden.toSorted((a, b) => rankOf([b]) - rankOf([a]))
  if (worst === undefined) return ''
  const words = { error: 'mistake', warning: 'warning', note: 'note' }
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = hidden.filter((one) => one.severity === severity).length
    return count === 0 ? [] : [counted(count, `more ${words[severity]}`)]
  })
  const what = counts.join(', ').replace(/, (?=[^,]*$)/, ' and ')
  const word = palette.bold(colourOf(worst.severity, palette)(severityWord(worst.severity, isStrict)))
  return `${word} ${palette.bold(`${what} ${hidden.length === 1 ? 'is' : 'are'} not shown`)}\n  hint: \`--verbose\` and \`--json\` tell all\n`
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

function indented(text: string, columns: number | undefined): string[] {
  return safeText(text.trimEnd())
    .split('\n')
    .map((line) => within(`  ${line}`.trimEnd(), columns))
}

/** A line that is too long for a terminal goes on below its beginning, a word further in. */
function within(line: string, columns: number | undefined): string {
  if (columns === undefined || widthOf(line) <= columns) return line
  const before = /^ */.exec(line)?.[0] ?? ''
  return wrapped(before, line.slice(before.length), columns, before.length + 2)
}
