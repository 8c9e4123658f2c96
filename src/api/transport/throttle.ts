// Adaptive concurrency for one host, shared by reads and writes: finds how much the service takes, by its refusals and its latency.
import { backoff } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { createLatency } from './latency.ts'
import type { Ending } from './rate-limit.ts'
import { createPace } from './rate-limit.ts'
import type { Priority } from './waiting.ts'
import { createWaiting } from './waiting.ts'

/** The right to send one request now; ended exactly once, later calls do nothing. */
export interface Ticket {
  end(ending: Ending): void
}

export interface Throttle {
  /** Waits for a place; `route` names what is called, for its usual latency. Rejects with the signal's reason. */
  enter(route: string, priority: Priority, signal?: AbortSignal): Promise<Ticket>
  /** What it does now, for traces and benchmarks. */
  state(): { readonly limit: number; readonly underWay: number; readonly waiting: number }
}

interface Sent {
  readonly route: string
  readonly at: number
  /** Requests under way at that moment, itself included. */
  readonly inFlight: number
  /** How often the limit had been lowered before. */
  readonly round: number
}

const FIRST_LIMIT = 4
const HIGHEST_LIMIT = 128
const STEP_MS = 100
const FIRST_PROBE_MS = 2000
const LONGEST_PROBE_MS = 30_000

/**
 * A limiter that starts at 4 and doubles until something is refused; then it falls by half, later by a tenth (by 30 % after a deadline), and rises by one.
 * Just below the number in flight that was refused it stays, and probes at growing intervals whether more is taken by now.
 * Answers slower than usual stop the rise, then lower it by a tenth or by 30 %. `parallelism` caps it. Numbers and windows of the service's own limits are not shown ("Limits").
 */
export function createThrottle(clock: Clock, parallelism = HIGHEST_LIMIT): Throttle {
  const waiting = createWaiting<Ticket>(clock)
  const pace = createPace(clock)
  const latency = createLatency(clock)
  const bounds = createBounds(clock, parallelism)
  let underWay = 0
  let asleep = false

  function end(sent: Sent, ending: Ending): void {
    underWay -= 1
    const fresh = sent.round === bounds.round()
    pace.ended(ending, fresh && sent.inFlight === 1, fresh)
    if (ending.as === 'answered') latency.measured(sent.route, clock.now() - sent.at)
    if (ending.as === 'refused') bounds.refused(sent.inFlight, fresh)
    else if (fresh && ending.as === 'slow') bounds.lower(0.7)
    else if (fresh && ending.as === 'answered' && latency.factor() < 1) bounds.lower(latency.factor())
    else if (ending.as === 'answered' && !latency.rising()) bounds.answered(fresh ? sent.inFlight : 0)
    admit()
  }
  function admit(): void {
    while (waiting.size() > 0) {
      const pauseMs = pace.pauseMs()
      if (pauseMs > 0) return wakeIn(pauseMs)
      if (underWay >= bounds.limit()) return bounds.reached()
      underWay += 1
      pace.started()
      waiting.admit((route) => ticket({ route, at: clock.now(), inFlight: underWay, round: bounds.round() }))
    }
  }
  function ticket(sent: Sent): Ticket {
    let open = true
    return Object.freeze({
      end(ending: Ending) {
        if (!open) return
        open = false
        end(sent, ending)
      },
    })
  }
  function wakeIn(ms: number): void {
    if (asleep) return
    asleep = true
    void wake(ms)
  }
  async function wake(ms: number): Promise<void> {
    await clock.sleep(ms)
    asleep = false
    admit()
  }
  return Object.freeze({
    enter(route: string, priority: Priority, signal?: AbortSignal) {
      const place = waiting.add(route, priority, signal)
      admit()
      return place
    },
    state: () => ({ limit: bounds.limit(), underWay, waiting: waiting.size() }),
  })
}

/** The limit and what is known about where it ends. */
function createBounds(clock: Clock, parallelism: number) {
  const highest = Math.max(1, Math.min(parallelism, 1000))
  let limit = Math.min(FIRST_LIMIT, highest)
  let refusedInFlight = Infinity
  let doubling = true
  let demanded = false
  let round = 0
  let stepAt = 0
  let probeAt = 0
  let failedProbes = 0

  function lower(factor: number, atMost = Infinity): void {
    limit = Math.max(1, Math.min(Math.floor(limit * factor), atMost))
    doubling = false
    round += 1
    stepAt = clock.now() + STEP_MS
  }
  /** One refusal speaks for all that left before it was known; the others only tell how small a number was too large. */
  function refused(inFlight: number, fresh: boolean): void {
    if (!fresh) {
      refusedInFlight = Math.min(refusedInFlight, Math.max(inFlight, limit + 1))
      return
    }
    failedProbes = inFlight >= refusedInFlight ? failedProbes + 1 : 0
    probeAt = clock.now() + backoff(failedProbes, FIRST_PROBE_MS, LONGEST_PROBE_MS)
    refusedInFlight = Math.max(2, inFlight)
    const half = Math.floor(limit / 2)
    lower(doubling ? 0.5 : 0.9, Math.max(half, inFlight - 1))
  }
  /** So many were served: rises by one for each answer while doubling, else by one per step once the limit itself is proven. */
  function answered(inFlight: number): void {
    if (!demanded || limit >= highest) return
    if (doubling) limit += 1
    else if (inFlight < limit || clock.now() < stepAt) return
    else step()
    demanded = false
  }
  function step(): void {
    if (limit >= refusedInFlight) refusedInFlight = Infinity
    if (limit + 1 >= refusedInFlight && clock.now() < probeAt) return
    limit += 1
    stepAt = clock.now() + STEP_MS
  }
  function reached(): void {
    demanded = true
  }
  return { limit: () => limit, round: () => round, lower: (factor: number) => lower(factor), refused, answered, reached }
}
