// Follows one log for as long as it is wanted: a stream that is lost is asked for anew, from where it broke off.
import type { Call, Query } from '../../../api/calls/call.ts'
import { ApiError } from '../../../api/calls/call.ts'
import { StreamLostError } from '../../../api/calls/failed-call.ts'
import type { Client } from '../../../api/client.ts'
import { backoff } from '../../../base/backoff.ts'
import type { Clock } from '../../../base/clock.ts'
import { createContinuation, MOST_LINES } from './log-continuation.ts'

// Lines may be stamped before they arrive.
const AGAIN_FROM_MS = 5000
// What is told again comes at once.
const CATCHING_UP_MS = 2000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
const REOPEN_MS = 10 * 60_000

/** One log to follow. */
export interface Followed {
  readonly client: Pick<Client, 'stream' | 'serverNow'>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The call of the log, as a stream where the query says so. */
  call(query: Query): Call
  /** What is asked for first. */
  readonly query: Query
  print(line: string): void
  /** Told where the stream was lost and goes on. */
  note(text: string): void
}

/** Prints what comes until the signal is aborted, or the log has ended: its object is gone, or two streams in a row end at once without a line. Throws the ApiError of a refusal, and the UnreachableError of a stream that cannot be opened for ten minutes, or never will. */
export async function followLog(followed: Followed): Promise<'stopped' | 'ended'> {
  const { client, clock, signal, query, print, note } = followed
  const log = createContinuation()
  let asked: Query = { ...query, follow: true }
  // Streams in a row without a line, and those that ended at once as well.
  let [silent, barren] = [0, 0]
  // All that was written before has come: undefined while the first stream may still tell what there was.
  let wholeMs: number | undefined
  for (let streams = 0; ; streams += 1) {
    const openedMs = clock.now()
    let [lines, isLost] = [0, false]
    const tell = (some: readonly string[]): void => {
      for (const line of some) print(line)
      lines += some.length
    }
    const over = new AbortController()
    const caughtUp = (): void => {
      tell(log.settle())
      wholeMs = client.serverNow() - CATCHING_UP_MS
    }
    void clock.sleep(CATCHING_UP_MS, over.signal).then(caughtUp, passOver)
    try {
      for await (const line of client.stream(followed.call(asked), { signal, deadlineMs: REOPEN_MS })) {
        if (clock.now() - openedMs >= CATCHING_UP_MS) wholeMs = client.serverNow()
        tell(log.take(line))
      }
    } catch (error) {
      if (signal.aborted) return 'stopped'
      if (streams > 0 && error instanceof ApiError && error.status === 404) return 'ended'
      if (!(error instanceof StreamLostError)) throw error
      isLost = true
      note(`the stream was lost, and is asked for again: ${error.message}`)
    } finally {
      over.abort()
      tell(log.settle())
    }
    if (signal.aborted) return 'stopped'
    barren = !isLost && lines === 0 && clock.now() - openedMs < AGAIN_FROM_MS ? barren + 1 : 0
    if (barren >= 2) return 'ended'
    silent = lines === 0 ? silent + 1 : 0
    if (!(await rested(clock, backoff(silent, FIRST_PAUSE_MS, LONGEST_PAUSE_MS), signal))) return 'stopped'
    const since = wholeMs === undefined ? {} : { since_seconds: Math.max(0, Math.floor((wholeMs - AGAIN_FROM_MS) / 1000)) }
    asked = { ...query, follow: true, tail: MOST_LINES, ...since }
    log.reopened()
  }
}

async function rested(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
    return true
  } catch {
    return false
  }
}

function passOver(): void {}
