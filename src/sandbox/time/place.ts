// A sandbox with a clock of its own: what a server, a tenant or a test works with.
import * as z from 'zod'
import type { Clock } from '../../clock.ts'
import type { SandboxRequest, SandboxResponse } from '../request/exchange.ts'
import type { Sandbox, SandboxOptions } from '../sandbox.ts'
import { createSandbox } from '../sandbox.ts'
import { takenAtMs } from '../store/snapshot-head.ts'
import type { ClockMode, SandboxClock } from './sandbox-clock.ts'
import { sandboxClock } from './sandbox-clock.ts'

/** How a sandbox begins, and how its time passes over the base clock. */
export interface PlaceOptions extends Omit<SandboxOptions, 'clock'> {
  readonly base: Clock
  readonly mode?: ClockMode
  readonly scale?: number
  /** What its clock shows at first, in ms since 1970; without it the base clock's time, but never before what the snapshot holds. */
  readonly startWallMs?: number
}

export interface Place {
  readonly sandbox: Sandbox
  readonly clock: SandboxClock
  handle(request: SandboxRequest): Promise<SandboxResponse>
}

/**
 * Makes a place. While its clock jumps, whoever repeats a read without anything having changed since waits for time:
 * the clock goes on to what is due next before the answer, so that polls cost nothing and show every state on the way.
 */
export function createPlace(options: PlaceOptions): Place {
  const { base, mode, scale, startWallMs = startOf(options), ...rest } = options
  const clock = sandboxClock({ base, startWallMs, ...(mode === undefined ? {} : { mode }), ...(scale === undefined ? {} : { scale }) })
  const seen = new Set<string>()
  const sandbox = createSandbox({
    ...rest,
    clock,
    setTime: clock.show,
    onChange(event) {
      seen.clear()
      options.onChange?.(event)
    },
  })
  clock.follow({ nextMs: () => sandbox.nextDueMs(), run: () => sandbox.tick() })
  async function handle(request: SandboxRequest): Promise<SandboxResponse> {
    if (request.method !== 'GET' || clock.course.mode !== 'jumping') return await sandbox.handle(request)
    const key = `${request.path} ${request.headers['authorization']}`
    if (seen.has(key)) await clock.jump()
    const response = await sandbox.handle(request)
    seen.add(key)
    return response
  }
  return { sandbox, clock, handle }
}

/**
 * Where the clock begins. Time does not go back behind what was recorded: a clock that was moved on may be ahead of its base.
 * One that does not pass by itself stands where the snapshot was taken, whatever the base shows.
 */
function startOf({ snapshot, base, mode = 'real' }: PlaceOptions): number {
  const taken = takenAtMs(snapshot)
  const isPassing = mode === 'real' || mode === 'scaled'
  let latest = Math.max(taken ?? 0, taken === undefined || isPassing ? base.wall() : 0)
  if (typeof snapshot !== 'object' || snapshot === null || !('tables' in snapshot)) return latest
  const { tables } = snapshot
  if (typeof tables !== 'object' || tables === null) return latest
  for (const rows of Object.values(tables)) for (const row of Array.isArray(rows) ? rows : []) latest = Math.max(latest, recordedMs(row))
  return latest
}

const instant = z.number().nullable()

/** The instants in rows of any table; the begin and the effect of a workflow are laid out before they have passed. */
const instants = z
  .object({ createdAt: z.string(), endedAtMs: instant, lastUsedMs: instant, rolledOutAtMs: instant, toMs: instant })
  .extend({ state: z.string(), runsAtMs: instant, effectShown: z.boolean(), effectAtMs: instant })
  .partial()
  .catch({})

/** The last instant that a row tells to have passed. */
function recordedMs(row: unknown): number {
  const { createdAt = '', state, effectShown, ...at } = instants.parse(row)
  const begun = state === 'QUEUED' ? null : at.runsAtMs
  const shown = effectShown ? at.effectAtMs : null
  const passed = [Date.parse(createdAt), at.endedAtMs, at.lastUsedMs, at.rolledOutAtMs, at.toMs, begun, shown]
  return Math.max(...passed.map((one) => one || 0))
}
