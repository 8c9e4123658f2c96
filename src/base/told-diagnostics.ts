// What is told of very many diagnostics, and of very long ones: what anybody can read.
import type { Code } from './catalogue.ts'
import type { Diagnostic } from './diagnostic.ts'
import { diagnostic } from './diagnostic.ts'

/** So many errors are told, and so many others. */
export const mostTold = 100_000
// Of either sort, in characters: as JSON both together still are one text.
const mostText = 32 * 1024 * 1024
const longestText = 4000
const longestWord = 500
const shownOfWord = 400
// They count others: without them it would seem that there are none.
const tallying: ReadonlySet<Code> = new Set<Code>(['more_errors', 'more_warnings', 'too_much_work'])

/** The first 100,000 errors and the first 100,000 others, each in texts of bounded length and altogether, with the number of what is left out; told again, they stay as they are. */
export function told(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const [errors, others] = [room(), room()]
  const kept = all.map(shortened).filter((one) => tallying.has(one.code) || (one.severity === 'error' ? errors : others).takes(one))
  return [
    ...kept,
    ...(others.leftOut() > 0 ? [diagnostic('more_warnings', `${others.leftOut()} more warnings are left out`)] : []),
    ...(errors.leftOut() > 0 ? [diagnostic('more_errors', `${errors.leftOut()} more errors are left out`)] : []),
  ]
}

/** For the diagnostics of one sort; once one does not fit, no other does. */
function room() {
  let [count, length, leftOut] = [0, 0, 0]
  return {
    takes({ summary, detail = '', hint = '' }: Diagnostic): boolean {
      count += 1
      length += summary.length + detail.length + hint.length
      if (leftOut === 0 && count <= mostTold && length <= mostText) return true
      leftOut += 1
      return false
    },
    leftOut: () => leftOut,
  }
}

function shortened(one: Diagnostic): Diagnostic {
  const { summary, detail, hint, address } = one
  const texts = [summary, detail, hint, address]
  if (texts.every((text) => text === undefined || text.length <= longestWord)) return one
  return {
    ...one,
    summary: shortText(summary),
    ...(detail === undefined ? {} : { detail: shortText(detail) }),
    ...(hint === undefined ? {} : { hint: shortText(hint) }),
    ...(address === undefined ? {} : { address: shortText(address) }),
  }
}

/** Long words are what somebody gave: a flag, a path, an answer. */
function shortText(text: string): string {
  const words = text.slice(0, longestText).replace(/\S+/g, (word) => (word.length > longestWord ? `${begin(word, shownOfWord)}…` : word))
  return text.length > longestText && !words.endsWith('…') ? `${begin(words, longestText - 1)}…` : words
}

/** No half of a character at its end. */
function begin(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
