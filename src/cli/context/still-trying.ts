// Says on standard error that a service which does not answer is still being tried.
import type { TraceEvent } from '../../api/exchange.ts'

const SILENT_FOR_MS = 3000
const SAID_EVERY_MS = 10_000

/** A listener for exchanges: once none was answered for 3 s it says so, and again each 10 s; `nowMs` is the clock's. */
export function createPatience(nowMs: () => number, say: (text: string) => void): (event: TraceEvent) => void {
  let failingSinceMs: number | undefined
  let saidAtMs = -Infinity
  return (event) => {
    if (event.status !== undefined) {
      failingSinceMs = undefined
      return
    }
    const now = nowMs()
    failingSinceMs ??= now - event.ms
    if (now - failingSinceMs < SILENT_FOR_MS || now - saidAtMs < SAID_EVERY_MS) return
    saidAtMs = now
    say(`still trying: ${event.why ?? 'no answer'}`)
  }
}
