// Finds the kind that a word of the command line means: in any case, singular or plural.
import { kinds } from '../kinds/registry.ts'
import type { AnyKind } from '../kinds/kind.ts'

/** The kind, undefined where the word means none. */
export function findKind(word: string): AnyKind | undefined {
  const lower = word.toLowerCase()
  return kinds.find((one) => one.name.toLowerCase() === lower || one.plural.toLowerCase() === lower)
}
