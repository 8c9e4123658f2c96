// What a lease read when it was opened, for whoever reads next: under the lock nobody else writes.
import type { Loaded } from '../store.ts'

export interface FirstRead {
  /** Gives what was read at opening, once; after that, or a write, reads anew. */
  read(): Promise<Loaded>
  /** Something is about to be written. */
  spoil(): void
}

/** `opened` is undefined where that could not be read; of both only what everybody may see is handed on. */
export function firstRead(opened: Loaded | undefined, again: () => Promise<Loaded>): FirstRead {
  let left = opened && loadedOf(opened)
  const taken = (): Loaded | undefined => {
    const loaded = left
    left = undefined
    return loaded
  }
  return Object.freeze({ read: async () => taken() ?? loadedOf(await again()), spoil: () => void taken() })
}

function loadedOf({ document, entries, torn }: Loaded): Loaded {
  return { document, entries, torn }
}
