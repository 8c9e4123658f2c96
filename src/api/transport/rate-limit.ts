// How fast requests may start, where their number at once is not what the service limits: off until refusals say so.
import type { Clock } from '../../base/clock.ts'

/** How an admitted request ended; `slow` ran into its deadline, `failed` says nothing about load. */
export interface Ending {
  readonly as: 'answered' | 'refused' | 'slow' | 'failed'
  readonly retryAfterMs?: number | undefined
}

const BETA = 0.7
const CUBIC = 0.4
// With most requests refused the service is out; a few refused ones are no reason to crawl.
const LOWEST_PER_S = 0.5
const LOWEST_WHILE_SERVED_PER_S = 5
const OFF_PER_S = 500
const WINDOW_MS = 1000
const STREAK = 4

/** Pauses everything for a Retry-After that more than one call was told, and lowers the rate by 30 % under refusals; it recovers along a cubic curve. */
export function createPace(clock: Clock) {
  let pausedUntil = 0
  let perS = Infinity
  let topPerS = 0
  let loweredAt = 0
  let nextAt = 0
  let streak = 0
  let refusedShare = 0
  let windowAt = clock.now()
  let starts = 0
  let measuredPerS = 0

  function started(): void {
    const now = clock.now()
    if (now - windowAt >= WINDOW_MS) {
      measuredPerS = (starts * 1000) / (now - windowAt)
      windowAt = now
      starts = 0
    }
    starts += 1
    nextAt = perS === Infinity ? 0 : Math.max(nextAt, now - 1000 / perS) + 1000 / perS
  }
  function ended(ending: Ending, alone: boolean, fresh: boolean): void {
    if (ending.as !== 'refused' && ending.as !== 'answered') return
    const refused = ending.as === 'refused'
    refusedShare += ((refused ? 1 : 0) - refusedShare) * 0.1
    if (!refused) {
      streak = 0
      recover()
      return
    }
    if (fresh) streak += 1
    const general = alone || streak >= STREAK
    if (general && ending.retryAfterMs !== undefined) pausedUntil = Math.max(pausedUntil, clock.now() + ending.retryAfterMs)
    if (general) slowDown()
  }
  function slowDown(): void {
    const now = clock.now()
    if (perS !== Infinity && now - loweredAt < 1000 / perS) return
    topPerS = Math.min(perS, Math.max(measuredPerS, (starts * 1000) / WINDOW_MS))
    perS = Math.max(refusedShare > 0.5 ? LOWEST_PER_S : LOWEST_WHILE_SERVED_PER_S, topPerS * BETA)
    loweredAt = now
    nextAt = now + 1000 / perS
  }
  function recover(): void {
    if (perS === Infinity) return
    const t = (clock.now() - loweredAt) / 1000
    const plateauAt = Math.cbrt((topPerS * (1 - BETA)) / CUBIC)
    perS = Math.max(perS, topPerS + CUBIC * (t - plateauAt) ** 3)
    if (perS > OFF_PER_S) perS = Infinity
  }
  return Object.freeze({
    started,
    ended,
    /** Milliseconds until the next request may start; 0 for now. */
    pauseMs: () => Math.max(0, pausedUntil - clock.now(), nextAt - clock.now()),
  })
}
