// Says on standard error that a service which does not answer, or can serve nobody, is still being tried.
import type { TraceEvent } from '../../api/exchange.ts'

const SILENT_FOR_MS = 3000
const SAID_EVERY_MS = 10_000

/**
 * A listener for exchanges: once none was served for 3 s (or a fifth of the time there is) it says so, and again each 10 s; `nowMs` is the clock's. `giveUpMs` is how long
 * a service is tried that has not answered at all; after its first answer that depends on what is asked.
 */
export function createPatience(nowMs: () => number, say: (text: string) => void, giveUpMs: number): (event: TraceEvent) => void {
  let failingSinceMs: number | undefined
  let saidAtMs = -Infinity
  let answered = false
  return (event) => {
    if (event.status !== undefined) answered = true
    if (event.status !== undefined && !isUnserved(event.status)) {
      failingSinceMs = undefined
      return
    }
    const now = nowMs()
    failingSinceMs ??= now - event.ms
    const leftS = Math.ceil((failingSinceMs + giveUpMs - now) / 1000)
    // The last try is told of by the error.
    if (!answered && leftS <= 0) return
    if (now - failingSinceMs < Math.min(SILENT_FOR_MS, giveUpMs / 5) || now - saidAtMs < SAID_EVERY_MS) return
    saidAtMs = now
    say(
      `still trying${answered ? '' : `, for another ${leftS} s`}: ${event.why ?? (event.status === undefined ? 'no answer' : `the service answers ${event.status}`)}`,
    )
  }
}

/** What is asked again later: the service is overloaded, or has a defect that may pass. */
function isUnserved(status: number): boolean {
  return status === 429 || status >= 500
}
