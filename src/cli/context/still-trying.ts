// Says on standard error that a service which does not answer, or can serve nobody, is still being tried.
import type { TraceEvent } from '../../api/exchange.ts'
import type { AskedWait } from '../../api/read.ts'
import { formatDuration } from '../../base/units.ts'

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

/** A listener for pauses that the service asks for: one of 3 s or more is told with its reason, those that end with it or soon after are not. */
export function createWaitTeller(nowMs: () => number, say: (text: string) => void): (wait: AskedWait) => void {
  let toldUntilMs = -Infinity
  return ({ ms, why }) => {
    const endsMs = nowMs() + ms
    if (ms < SILENT_FOR_MS || endsMs < toldUntilMs + SAID_EVERY_MS) return
    toldUntilMs = endsMs
    say(`waiting for ${formatDuration(Math.ceil(ms / 1000) * 1000)}, as asked: ${why}`)
  }
}

/** What is asked again later: the service is overloaded, or has a defect that may pass. */
function isUnserved(status: number): boolean {
  return status === 429 || status >= 500
}
