// Long work in turns with the event loop; where nothing is heeded yet, ^C and SIGTERM end it wherever it is.
import { getHeapStatistics } from 'node:v8'
import { Failure } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import type { Budget } from '../../project/files/budget.ts'
import { createBudget, tooMuch } from '../../project/files/budget.ts'
import type { Turns } from '../../project/files/turns.ts'
import type { Surroundings } from './surroundings.ts'

type Around = Pick<Surroundings, 'clock' | 'heed' | 'tuning'>

const TURN_MS = 50
// What a thousand resources take is less.
const LARGE_HEAP_BYTES = 48 * 1024 * 1024

/** Does work that pauses, and lets the event loop turn whenever it took a while; signals are heeded once it is done. */
export async function takingTurns<T>(work: Turns<T>, { clock, heed, tuning }: Around): Promise<T> {
  let since = clock.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) {
      heed()
      return step.value
    }
    if (clock.now() - since < TURN_MS) continue
    await new Promise<void>((resolve) => void setImmediate(resolve))
    if (getHeapStatistics().used_heap_size > LARGE_HEAP_BYTES) tuning.keepHeapSmall()
    since = clock.now()
  }
}

/** The same for reading outside of a project's loading, within a budget of its own; throws a Failure 3 with the place where that is used up. */
export async function readingInTurns<T>(work: (budget: Budget) => Turns<T>, around: Around): Promise<T> {
  const budget = createBudget()
  try {
    return await takingTurns(work(budget), around)
  } catch (error) {
    throw error instanceof Exhausted ? new Failure(3, [tooMuch(error, budget.place())]) : error
  }
}
