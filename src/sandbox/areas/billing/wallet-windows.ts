// Periods of a wallet's history, cut where days, weeks and months begin (UTC).
import { nextMonth } from '../../metering/charges.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Weeks begin on Monday; 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const nextStarts = {
  HOUR: (atMs) => (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS,
  DAY: (atMs) => (Math.floor(atMs / DAY_MS) + 1) * DAY_MS,
  WEEK: (atMs) => (Math.floor((atMs - FIRST_MONDAY_MS) / WEEK_MS) + 1) * WEEK_MS + FIRST_MONDAY_MS,
  MONTH: nextMonth,
} as const satisfies Record<string, (atMs: number) => number>

type Window = keyof typeof nextStarts

/** Whether a word names a window. */
export function isWindow(word: string): word is Window {
  return Object.hasOwn(nextStarts, word)
}

/** A period cut into at most `most` windows, the first and the last perhaps shorter; none for a word that names no window. */
export function segmentsOf(word: string, fromMs: number, toMs: number, most: number): readonly { readonly fromMs: number; readonly toMs: number }[] {
  const segments: { readonly fromMs: number; readonly toMs: number }[] = []
  if (!isWindow(word)) return segments
  for (let start = fromMs; start < toMs && segments.length < most;) {
    const end = Math.min(nextStarts[word](start), toMs)
    segments.push({ fromMs: start, toMs: end })
    start = end
  }
  return segments
}
