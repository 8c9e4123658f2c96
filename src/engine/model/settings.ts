// Settings of `provider.compat` that are spans of time.
import type { Compat } from '../../api/calls/compat.ts'
import { parseDuration } from '../../base/units.ts'

/** How far the clocks of the service's own machines may be apart. */
export const slackMs = 60_000

/** Milliseconds of a setting of compat. */
export function settingMs(text: string): number {
  return parseDuration(text) ?? 0
}

/** Milliseconds until nothing more can come of a request that was lost: as long as it may arrive late, and its effect show late. */
export function settleMs({ settle_window: arrival, read_grace: showing }: Compat): number {
  return Math.max(settingMs(arrival), settingMs(showing))
}
