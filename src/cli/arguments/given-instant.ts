// Instants on the command line: a month, a day or an instant of ISO 8601, or how long ago.
import { instantMs } from '../../base/instant.ts'
import { parseDuration } from '../../base/units.ts'
import { usageFailure } from './usage.ts'

/** Milliseconds since 1970 of `2026-10`, `2026-10-31`, `2026-10-31T12:00:00Z` (UTC where no zone is named), or `7d` before now; throws a Failure `usage` that names the flag. */
export function givenInstant(flag: string, text: string, nowMs: number): number {
  const agoMs = parseDuration(text)
  const ms = agoMs === undefined ? instantMs(/^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text) : nowMs - agoMs
  // Beyond these years there are no dates.
  if (Number.isNaN(ms) || Math.abs(ms) > 8.64e15)
    throw usageFailure(`--${flag} must be a day such as 2026-10-31, a month, an instant of ISO 8601, or how long ago, such as 7d`)
  return ms
}
