// Which keys came lately: a bounded memory, so that who never asks the same twice does not fill it.
import { hash } from 'node:crypto'

/** Long enough that no two keys are taken for one. */
const HASH_LENGTH = 16

export interface RecentKeys {
  has(key: string): boolean
  add(key: string): void
  clear(): void
}

/** Knows the last `most` keys again; of each it keeps a short hash. */
export function recentKeys(most: number): RecentKeys {
  const known = new Set<string>()
  return {
    has: (key) => known.has(hashOf(key)),
    add(key) {
      const short = hashOf(key)
      // The order of a set is that of adding.
      known.delete(short)
      known.add(short)
      for (const oldest of known) {
        if (known.size <= most) break
        known.delete(oldest)
      }
    },
    clear: () => known.clear(),
  }
}

function hashOf(key: string): string {
  return hash('sha256', key, 'base64url').slice(0, HASH_LENGTH)
}
