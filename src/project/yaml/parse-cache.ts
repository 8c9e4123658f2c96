// Parsed documents by the hash of their text: never needed for a right answer, and never holding a secret.
import { hash } from 'node:crypto'
import type { JsonValue } from '../../base/json.ts'

/** What was parsed, by SHA-256 of its text in hex, kept outside; whatever `get` returns is what `put` was given, or undefined. */
export interface ParseCache {
  get(hash: string): Parsed | undefined
  put(hash: string, parsed: Parsed): void
  /** Says that every document was read. */
  close?(): void
}

/** What composing a document gave: its value, and the offset of its root. */
export interface Parsed {
  readonly value: JsonValue
  readonly root: number
}

/** Documents that were parsed before. */
export interface Parses {
  find(text: string): Parsed | undefined
  keep(text: string, parsed: Parsed): void
}

/** Documents through a cache; one that `isPublic` does not vouch for is parsed every time. */
export function createParses(cache: ParseCache, isPublic: (value: JsonValue, text: string) => boolean): Parses {
  // What was not found is kept right after it was parsed.
  let last = { text: '', key: hash('sha256', '') }
  const keyOf = (text: string): string => {
    if (last.text !== text) last = { text, key: hash('sha256', text) }
    return last.key
  }
  return Object.freeze({
    find: (text: string): Parsed | undefined => cache.get(keyOf(text)),
    keep(text: string, parsed: Parsed): void {
      if (isPublic(parsed.value, text)) cache.put(keyOf(text), parsed)
    },
  })
}
