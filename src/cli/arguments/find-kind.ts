// Finds the kind that a word of the command line means: in any case, singular or plural.
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/nearest.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { kinds } from '../../kinds/registry.ts'

/** The kind, undefined where the word means none. */
export function findKind(word: string): AnyKind | undefined {
  const lower = word.toLowerCase()
  return kinds.find((one) => one.name.toLowerCase() === lower || one.plural.toLowerCase() === lower)
}

/** The failure for a word that means no kind, with the nearest of those that do. */
export function unknownKind(word: string, words: readonly string[]): Failure {
  const near = nearest(word, words)
  return failure('unknown_kind', `no kind is called ${word}`, { hint: near === undefined ? '`iac explain` lists the kinds' : `did you mean ${near}?` })
}
