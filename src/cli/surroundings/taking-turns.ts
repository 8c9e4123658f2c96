// Long work in turns with the event loop: signals are heard while it goes on.
import type { Clock } from '../../base/clock.ts'
import type { Turns } from '../../project/files/turns.ts'

const TURN_MS = 50

/** Does work that pauses, and lets the event loop turn whenever it took a while. */
export async function takingTurns<T>(work: Turns<T>, clock: Pick<Clock, 'now'>): Promise<T> {
  let since = clock.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (clock.now() - since < TURN_MS) continue
    await new Promise<void>((resolve) => void setImmediate(resolve))
    since = clock.now()
  }
}
