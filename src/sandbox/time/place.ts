// A sandbox with a clock of its own: what a server, a tenant or a test works with.
import * as z from 'zod'
import type { Clock } from '../../base/clock.ts'
import type { SandboxRequest, SandboxResponse } from '../request/exchange.ts'
import type { Sandbox, SandboxOptions } from '../sandbox.ts'
import { createSandbox } from '../sandbox.ts'
import { takenAtMs } from '../store/snapshot-head.ts'
import { recentKeys } from './recent-keys.ts'
import type { ClockMode, SandboxClock } from './sandbox-clock.ts'
import { sandboxClock } from './sandbox-clock.ts'

/** How many reads are known again. */
const MOST_READS = 10_000

/** How a sandbox begins, and how its time passes over the base clock. */
export interface PlaceOptions extends Omit<SandboxOptions, 'clock'> {
  readonly base: Clock
  readonly mode?: ClockMode
  readonly scale?: number
  /** Told what its clock shows, in ms since 1970, each time that it was set or moved on by hand, or went to another instant with other rows. */
  readonly onMoved?: (wallMs: number) => void
  /** How much later each request arrives, on the base clock. */
  readonly latencyMs?: number
  /** What its clock shows at first, in ms since 1970; without it the base clock's time, but never before what the snapshot holds. */
  readonly startWallMs?: number
}

export interface Place {
  readonly sandbox: Sandbox
  readonly clock: SandboxClock
  handle(request: SandboxRequest): Promise<SandboxResponse>
  /** Aborted by `end`. */
  readonly ended: AbortSignal
  /** Ends whoever is connected: the place will not be asked again. */
  end(): void
}

/**
 * Makes a place. While its clock jumps, whoever repeats a read without anything having changed since waits for time:
 * the clock goes on to what is due next before the answer, so that polls cost nothing and show every state on the way.
 */
export function createPlace(options: PlaceOptions): Place {
  const { base, mode, scale, latencyMs = 0, startWallMs = startOf(options), onMoved: moved, ...rest } = options
  const clock = sandboxClock({ base, startWallMs, moved, ...(mode === undefined ? {} : { mode }), ...(scale === undefined ? {} : { scale }) })
  const seen = recentKeys(MOST_READS)
  const ended = new AbortController()
  const sandbox = createSandbox({
    ...rest,
    clock,
    setTime: clock.show,
    onChange(event) {
      seen.clear()
      // Who waits for what was there before does not move the time of what is there now.
      if ('snapshot' in event) clock.halt()
      options.onChange?.(event)
      if ('snapshot' in event) moved?.(clock.wall())
    },
  })
  clock.follow({ nextMs: () => sandbox.nextDueMs(), run: () => sandbox.tick() })
  async function handle(request: SandboxRequest): Promise<SandboxResponse> {
    const life = sandbox.life()
    if (latencyMs > 0) await base.sleep(latencyMs, request.signal ? AbortSignal.any([request.signal, life]) : life)
    life.throwIfAborted()
    if (request.method !== 'GET' || clock.course.mode !== 'jumping') return await sandbox.handle(request)
    const key = `${request.path} ${request.headers['authorization']}`
    if (seen.has(key)) await clock.jump()
    life.throwIfAborted()
    const response = await sandbox.handle(request)
    seen.add(key)
    return response
  }
  function end(): void {
    clock.halt()
    sandbox.interrupt()
    ended.abort()
  }
  return { sandbox, clock, handle, ended: ended.signal, end }
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
