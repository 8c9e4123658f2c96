// Gives a request up that has been silent for too long.
import type { Clock } from '../../base/clock.ts'
import { stoppedMs } from '../../base/clock.ts'
import { TransportError } from './wire.ts'

/** Watches one exchange; `heard` puts the end off. */
export interface Watch {
  readonly signal: AbortSignal
  heard(): void
  /** What the work gives, or a TransportError once it was silent for too long. */
  race<T>(work: Promise<T>): Promise<T>
  end(): void
}

/** Begins to watch, on the clock. */
export function createWatch(clock: Clock, quietMs: number): Watch {
  const [given, ended] = [new AbortController(), new AbortController()]
  let heardMs = clock.now()
  const silence = new Promise<never>((_, reject) => {
    const untilSilent = async (): Promise<void> => {
      for (let leftMs = quietMs; leftMs > 0; leftMs = heardMs + quietMs - clock.now()) {
        const dueMs = clock.now() + leftMs
        await clock.sleep(leftMs, ended.signal)
        // What came meanwhile is not read yet: the silence begins anew.
        if (clock.now() - dueMs > stoppedMs) heardMs = clock.now()
      }
      const error = new TransportError(`no answer within ${Math.round(quietMs / 1000)} s`, true)
      reject(error)
      given.abort(error)
    }
    untilSilent().catch(() => undefined)
  })
  silence.catch(() => undefined)
  return {
    signal: given.signal,
    heard: () => void (heardMs = clock.now()),
    race: (work) => Promise.race([work, silence]),
    end: () => ended.abort(),
  }
}
