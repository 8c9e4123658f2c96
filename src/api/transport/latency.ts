// Whether answers take longer than they usually do, each route held against itself.
import type { Clock } from '../../base/clock.ts'

const WEIGHT = 0.1
const HIGHEST_RATIO = 4
// Differences of this size are noise, whatever their ratio.
const NOISE_MS = 50
// What is usual follows what is measured upwards, so that a service that became slower is accepted as such after a while.
const DRIFT_MS = 60_000
const MOST_DRIFT = 0.02

interface Usual {
  readonly ms: number
  readonly at: number
}

/** A smoothed ratio of each answer's time to what is usual for its route. */
export function createLatency(clock: Clock) {
  const usual = new Map<string, Usual>()
  let ratio = 1

  function measured(route: string, ms: number): void {
    const at = clock.now()
    const before = usual.get(route) ?? { ms, at }
    ratio += (Math.min(HIGHEST_RATIO, (ms + NOISE_MS) / (before.ms + NOISE_MS)) - ratio) * WEIGHT
    const drift = Math.min(MOST_DRIFT, (at - before.at) / DRIFT_MS)
    usual.set(route, { ms: ms < before.ms ? ms : before.ms + (ms - before.ms) * drift, at })
  }
  return Object.freeze({
    measured,
    /** Slow enough that nothing more should be sent at once. */
    rising: () => ratio > 1.5,
    /** By how much to send less at once; 1 for not at all. */
    factor: () => (ratio > 3 ? 0.7 : ratio > 2.2 ? 0.9 : 1),
  })
}
