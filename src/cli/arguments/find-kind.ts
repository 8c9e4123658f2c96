// Finds the kind that a word of the command line means: in any case, singular or plural, by its name or the last word of that.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { hintForWord } from '../../kinds/other-words.ts'
import { kinds } from '../../kinds/registry.ts'

/** The kind, undefined where the word means none or several. */
export function findKind(word: string): AnyKind | undefined {
  const lower = word.toLowerCase()
  const named = kinds.find((one) => one.name.toLowerCase() === lower || one.plural.toLowerCase() === lower)
  if (named) return named
  const [only, other] = endingWith(lower)
  return other ? undefined : only
}

/** The kinds whose last word it is: `rules` are FirewallRules. */
function endingWith(lower: string): readonly AnyKind[] {
  return kinds.filter((one) => {
    const last = one.name.replace(/^.*(?=[A-Z])/, '').toLowerCase()
    return last === lower || (lower.startsWith(last) && one.plural.toLowerCase().endsWith(lower))
  })
}

/** Of shorter words too many others are near. */
const SHORTEST = 3

/** The failure for a word that means no kind: with what it is called here, those that it may mean, or the nearest of those that are. */
export function unknownKind(word: string, words: readonly string[]): Failure {
  return failure('unknown_kind', `no kind is called ${word}`, { hint: hintFor(word.toLowerCase(), words) })
}

function hintFor(lower: string, words: readonly string[]): string {
  const told = hintForWord(lower)
  if (told !== undefined) return told
  const several = endingWith(lower).map((one) => one.plural)
  if (several.length > 0) return `did you mean ${several.join(' or ')}?`
  const near = lower.length < SHORTEST ? undefined : nearest(lower, words)
  return near === undefined ? '`iac explain` lists the kinds' : `did you mean ${near}?`
}
