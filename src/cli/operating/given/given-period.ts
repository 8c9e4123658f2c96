// The period that --from and --to name, for what was used and what the wallet held.
import type { Flags, Given } from '../../arguments/flags.ts'
import { givenInstant } from '../../arguments/given-instant.ts'
import { usageFailure } from '../../arguments/usage.ts'

/** From an instant, inclusive, to another one, exclusive, both as ISO 8601 in UTC. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The flags of a period. */
export const periodFlags = {
  from: { type: 'text', value: 'D', about: 'from when on: a day, a month or an instant of ISO 8601 (UTC), or how long ago, such as 7d' },
  to: { type: 'text', value: 'D', about: 'until when, exclusive (default now)' },
} as const satisfies Flags

/** What the flags say; where they say nothing, what the command takes by itself. Throws a Failure `usage` where it ends before it begins. */
export function givenPeriod(given: Given, nowMs: number, otherwise: { readonly fromMs: number; readonly toMs: number }): Period {
  const [from, to] = [given.text('from'), given.text('to')]
  const toMs = to === undefined ? (from === undefined ? otherwise.toMs : nowMs) : givenInstant('to', to, nowMs)
  const fromMs = from === undefined ? Math.min(otherwise.fromMs, toMs - 1) : givenInstant('from', from, nowMs)
  if (from === undefined && to !== undefined && toMs <= otherwise.fromMs) throw usageFailure('--to lies before the default of --from: give --from, too')
  if (to === undefined && toMs <= fromMs) throw usageFailure('--from lies in the future')
  if (toMs <= fromMs) throw usageFailure('--to must lie behind --from')
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

/** Refuses what can be no period whatever the time is, before anything is asked for. Throws a Failure `usage`. */
export function checkPeriod(given: Given): void {
  const at = (flag: 'from' | 'to'): number | undefined => {
    const text = given.text(flag)
    const [early, late] = text === undefined ? [] : [givenInstant(flag, text, 0), givenInstant(flag, text, 1)]
    return early === late ? early : undefined
  }
  const [from, to] = [at('from'), at('to')]
  if (from !== undefined && to !== undefined && to <= from) throw usageFailure('--to must lie behind --from')
}

/** The calendar month of an instant, in UTC. */
export function monthOf(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return { fromMs: Date.UTC(year, month), toMs: Date.UTC(year, month + 1) }
}
