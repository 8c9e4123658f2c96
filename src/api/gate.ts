// How many reads are begun at once: one that waits inside holds ten times the memory of one that waits here, and a service decides how many there are.
import type { Clock } from '../clock.ts'
import { bounds, tooMuch } from './bounds.ts'
import type { Call } from './call.ts'
import { ApiError } from './call.ts'
import { requestName } from './encode.ts'
import type { ReadOptions } from './read.ts'
import { createWaiting } from './waiting.ts'

// As many as can be in flight, so that nothing is slowed down.
const MOST_INSIDE = 1000

/** Runs work at once, or first come first served when so many are inside; polls never wait for others. What is under way or waits takes room of its allowance: throws an ApiError where there is none, and rejects with the signal's reason. */
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
  function entered<T>(options: ReadOptions, work: () => Promise<T>): Promise<T> {
    if (options.priority === 'poll') return work()
    if (inside >= most) return afterOthers(options, work)
    inside += 1
    return holding(work)
  }
  return async <T>(call: Call, options: ReadOptions, work: () => Promise<T>): Promise<T> => {
    takeRoom(call, options, bounds.callBytes)
    try {
      return await entered(options, work)
    } finally {
      options.allowance?.giveBack(bounds.callBytes)
    }
  }
}

/** Throws an ApiError where the allowance of those who read is used up. */
export function takeRoom(call: Call, { allowance }: ReadOptions, sizeBytes: number): void {
  if (allowance?.take(sizeBytes) === false) throw new ApiError(200, tooMuch('what is read here'), requestName(call.route))
}
