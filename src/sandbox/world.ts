// What handlers, rules and effects are given: rows, time, the answers to the open questions, and the courses set for workflows.
import { createHmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { Readings } from './readings/assumptions.ts'
import type { Store } from './store/store.ts'
import type { Tables } from './store/tables.ts'
import type { Profile } from './time/durations.ts'

/** How a coming workflow of an operation shall go, used once: an end, or none; what it leaves behind; how long its effect lags behind its end. */
export interface WorkflowCourse {
  readonly operation: string
  readonly outcome: 'COMPLETED' | 'FAILED' | 'ABORTED' | 'TIMED_OUT' | 'RUNNING' | 'QUEUED'
  /** After a failure: no trace, a resource in FAILED, or all as if it had succeeded. */
  readonly leaves?: 'nothing' | 'failed' | 'done'
  readonly lagMs?: number
  readonly durationMs?: number
}

/** The clock of a world. `doze` sleeps without making time jump, in clocks that jump for who sleeps. */
export interface WorldClock extends Clock {
  readonly doze?: Clock['sleep']
}

/** The service from inside. `tables` are the present ones: a reset puts others in their place. */
export interface World {
  readonly clock: WorldClock
  readonly profile: Profile
  readonly readings: Readings
  /** What codes are drawn from: known to this sandbox alone. */
  readonly secret: string
  readonly store: Store
  readonly tables: Tables
  /** Courses of coming workflows, taken in order, each by the first workflow of its operation. */
  readonly courses: WorkflowCourse[]
}

/** Now, in whole milliseconds since 1970. */
export function nowMs(world: World): number {
  return Math.floor(world.clock.wall())
}

/** An instant as the wire shows it. */
export function isoOf(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** A code that nobody can tell without the sandbox's secret; always the same for one secret, seed and label: 40 letters and digits. */
export function secretOf(world: World, label: string): string {
  return createHmac('sha256', world.secret).update(`${world.store.seed}/${label}`).digest('hex').slice(0, 40)
}
