// How many long answers are taken in at once: as many as there are requests in flight would not fit into memory.
import type { Clock } from '../../base/clock.ts'
import { createWaiting } from './waiting.ts'
import type { WireResponse } from './wire.ts'

const LARGE_BYTES = 1024 * 1024
const MOST_LARGE = 16

/** Reads bodies as text; of those beyond 1 MiB so many at once, the others wait where they are. Throws what the body throws. */
export function createBodies(clock: Clock) {
  const waiting = createWaiting<undefined>(clock)
  let large = 0

  async function enter(): Promise<void> {
    if (large >= MOST_LARGE) return await waiting.add('', 'normal', undefined)
    large += 1
  }
  function leave(): void {
    if (waiting.size() > 0) waiting.admit(() => undefined)
    else large -= 1
  }
  return async (response: WireResponse, maxBytes: number): Promise<string> => {
    let isLarge = false
    const grown = async (sizeBytes: number): Promise<void> => {
      if (isLarge || sizeBytes <= LARGE_BYTES) return
      await enter()
      isLarge = true
    }
    try {
      return await response.text(maxBytes, grown)
    } finally {
      if (isLarge) leave()
    }
  }
}
