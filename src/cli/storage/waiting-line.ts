// A store that tells that its lock is waited for, once that takes longer than people expect.
import type { Clock } from '../../base/clock.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { StateStore } from '../../state/store.ts'

const quietlyMs = 3000

/** The same store; `tell` hears of each wait that goes on for 3 seconds. */
export function tellingOfWaiting(store: StateStore, clock: Pick<Clock, 'sleep'>, tell: (one: Diagnostic) => void): StateStore {
  return Object.freeze({
    ...store,
    async lock(owner, timeoutMs, signal) {
      const stop = new AbortController()
      const telling = clock.sleep(quietlyMs, stop.signal).then(
        () =>
          tell(
            diagnostic('note', `waiting for the lock of ${store.where}`, {
              hint: '`iac status` says whose it is; who has been silent for its whole lease loses it',
            }),
          ),
        () => undefined,
      )
      try {
        return await store.lock(owner, timeoutMs, signal)
      } finally {
        stop.abort()
        await telling
      }
    },
  } satisfies StateStore)
}
