// How many reads are begun at once: one that waits inside holds ten times the memory of one that waits here, and a service decides how many there are.
import type { Clock } from '../clock.ts'
import type { ReadOptions } from './read.ts'
import { createWaiting } from './waiting.ts'

// As many as can be in flight, so that nothing is slowed down.
const MOST_INSIDE = 1000

/** Runs work at once, or first come first served when so many are inside; polls never wait for others. Rejects with the signal's reason. */
export function createGate(clock: Clock, most = MOST_INSIDE) {
  const waiting = createWaiting<undefined>(clock)
  let inside = 0

  async function holding<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      if (waiting.size() > 0) waiting.admit(() => undefined)
      else inside -= 1
    }
  }
  async function afterOthers<T>({ signal }: ReadOptions, work: () => Promise<T>): Promise<T> {
    await waiting.add('', 'normal', signal)
    return await holding(work)
  }
  return <T>(options: ReadOptions, work: () => Promise<T>): Promise<T> => {
    if (options.priority === 'poll') return work()
    if (inside >= most) return afterOthers(options, work)
    inside += 1
    return holding(work)
  }
}
