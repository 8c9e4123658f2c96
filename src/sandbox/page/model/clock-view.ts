// The sandbox's clock as the page reckons it between two looks.
import type { ClockView } from '../view-wire.ts'
import { dayText, durationText, timeText } from './plain-text.ts'

/** How fast it goes by itself: 0 where it does not. */
function rateOf({ mode, scale }: ClockView): number {
  return mode === 'real' ? 1 : mode === 'scaled' ? scale : 0
}

/** What the clock shows so many ms after it was looked at. */
export function clockNow(clock: ClockView, sinceMs: number): number {
  return clock.now_ms + Math.max(0, sinceMs) * rateOf(clock)
}

/** The clock in words; `due` says when something happens next, in the sandbox's time. */
export function clockWords(
  { mode, scale, next_due_ms }: ClockView,
  nowMs: number,
): { readonly time: string; readonly day: string; readonly about: string; readonly due: string } {
  const due = next_due_ms === null ? 'Nothing is due.' : `Next is due in ${durationText(Math.max(0, next_due_ms - nowMs))}.`
  return { time: timeText(nowMs), day: dayText(nowMs), about: aboutOf(mode, scale), due }
}

function aboutOf(mode: ClockView['mode'], scale: number): string {
  return mode === 'scaled' && scale !== 1 ? `Time passes ${scale.toLocaleString('en')} times as fast as outside.` : abouts[mode]
}

const abouts: Readonly<Record<ClockView['mode'], string>> = {
  real: 'Time passes as outside.',
  scaled: 'Time passes as outside.',
  frozen: 'Time stands until you advance it.',
  jumping: 'Time jumps on whenever a caller waits.',
}
