// What is told of very many diagnostics, and of very long ones: what anybody can read.
import type { Code } from './catalogue.ts'
import type { Diagnostic } from './diagnostic.ts'
import { diagnostic } from './diagnostic.ts'

/** So many errors are told, and so many others. */
export const mostTold = 1000
const longestText = 4000
const longestWord = 500
const shownOfWord = 400
// They count others: without them it would seem that there are none.
const tallying: ReadonlySet<Code> = new Set<Code>(['more_errors', 'more_warnings', 'too_much_work'])

/** The first 1,000 errors and the first 1,000 others, each in texts of bounded length, with the number of what is left out; told again, they stay as they are. */
export function told(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const left = { error: mostTold, other: mostTold }
  const kept = all.filter((one) => {
    const sort = one.severity === 'error' ? 'error' : 'other'
    return tallying.has(one.code) || (left[sort] -= 1) >= 0
  })
  return [
    ...kept.map(shortened),
    ...(left.other < 0 ? [diagnostic('more_warnings', `${-left.other} more warnings are left out`)] : []),
    ...(left.error < 0 ? [diagnostic('more_errors', `${-left.error} more errors are left out`)] : []),
  ]
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
