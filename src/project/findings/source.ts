// A text the user wrote: its lines, and text made safe to print.
import type { Position } from '../../base/diagnostic.ts'

/** One file's text, decoded; `file` is the path as it is shown. */
export interface Source {
  readonly file: string
  readonly text: string
  /** Line and column of an offset in UTF-16 units; the line's text unless it is hidden, long, or looks like it holds a secret. */
  at(offset: number, options?: { readonly hidden?: boolean }): Position
}

const longestLine = 240
const unitsPerMark = 4096
const longestQuote = 80
const secretLine = /(?:pass|secret|token|credential|private|api_?key|code)\S*\s*:\s*(?!["']?\$\{)\S|-----BEGIN|:\/\/[^/\s:@]+:[^/\s@]+@/i
// What a terminal obeys or hides: controls, zero-width, bidi marks, tags.
const unprintable = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

const sensitiveCall = /\bsensitive\s*\(/
const keyLine = /^\s*(?:-\s+)*[A-Za-z_][\w-]*:(?:\s|$)/
// As long as an expression may be.
const longestExpression = 16 * 1024

/** Whether a text calls `sensitive(…)`: what stands in it may be a secret. */
export function callsSensitive(text: string): boolean {
  return sensitiveCall.test(text)
}

/** Whether the line that begins and ends at these offsets may be part of an expression that calls `sensitive(…)`: there, or further up in the same value. */
export function isInSensitiveCall(text: string, start: number, end: number): boolean {
  let [from, until] = [start, end]
  for (;;) {
    const line = text.slice(from, until)
    if (callsSensitive(line)) return true
    if (from === 0 || start - from > longestExpression || keyLine.test(line)) return false
    until = from - 1
    from = from === 1 ? 0 : text.lastIndexOf('\n', from - 2) + 1
  }
}

/** A source whose lines are counted when first asked for. */
export function createSource(file: string, text: string): Source {
  let starts: readonly number[] | undefined
  let isMarking: boolean | undefined
  const columns = createColumns(text)
  return Object.freeze({
    file,
    text,
    at(offset: number, options: { readonly hidden?: boolean } = {}): Position {
      starts ??= lineStarts(text)
      const line = lineOf(starts, offset)
      const start = starts[line] ?? 0
      const column = columns(start, offset)
      const end = (starts[line + 1] ?? text.length + 1) - 1
      if (options.hidden === true || end - start > longestLine + 1) return { file, line: line + 1, column }
      const whole = text.slice(start, end).replace(/\r$/, '')
      isMarking ??= callsSensitive(text)
      const shown = whole.length <= longestLine && !secretLine.test(whole) && !(isMarking && isInSensitiveCall(text, start, end))
      return { file, line: line + 1, column, ...(shown ? { text: printableLine(whole) } : {}) }
    },
  })
}

/** Counts the characters from the start of a line; in long lines from marks, so that none is counted for each of thousands of places. */
function createColumns(text: string): (start: number, offset: number) => number {
  const marks = new Map<number, number[]>()
  return (start, offset) => {
    if (offset - start < unitsPerMark) return Array.from(text.slice(start, offset)).length + 1
    const known = marks.get(start) ?? [0]
    marks.set(start, known)
    const last = Math.floor((offset - start) / unitsPerMark)
    for (let at = known.length; at <= last; at += 1) {
      const from = start + (at - 1) * unitsPerMark
      known.push((known[at - 1] ?? 0) + Array.from(text.slice(from, from + unitsPerMark)).length)
    }
    return (known[last] ?? 0) + Array.from(text.slice(start + last * unitsPerMark, offset)).length + 1
  }
}

/** A value in quotes for a message: one line, no control or invisible character, not longer than a few words. */
export function quote(text: string): string {
  const short = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text
  return `"${printable(short)}"`
}

/** The text with what a terminal would obey or hide written as U+XXXX. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => nameOf(character))
}

/** The first invisible or direction-changing character, as U+XXXX; undefined if there is none. */
export function invisibleIn(text: string): string | undefined {
  const found = text.match(unprintable)?.[0]
  return found === undefined ? undefined : nameOf(found)
}

/** One replacement for one character, so that columns stay. */
function printableLine(line: string): string {
  return line.replace(unprintable, (character) => (character === '\t' ? ' ' : '\u00b7'.repeat(Array.from(character).length)))
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
