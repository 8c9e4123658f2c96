// Long work in turns with the event loop, which ^C and SIGTERM end wherever it is.
import { Failure } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import type { Budget } from '../../project/files/budget.ts'
import { createBudget, tooMuch } from '../../project/files/budget.ts'
import type { Turns } from '../../project/files/turns.ts'
import type { Surroundings } from './surroundings.ts'

type Around = Pick<Surroundings, 'clock' | 'plain'>

const TURN_MS = 50

/** Does work that pauses, and lets the event loop turn whenever it took a while; it must hold nothing that is to be given back. */
export async function takingTurns<T>(work: Turns<T>, { clock, plain }: Around): Promise<T> {
  // A signal that came before is heard first.
  await turn()
  plain(true)
  try {
    let since = clock.now()
    for (;;) {
      const step = work.next()
      if (step.done === true) return step.value
      if (clock.now() - since < TURN_MS) continue
      await turn()
      since = clock.now()
    }
  } finally {
    plain(false)
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

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
