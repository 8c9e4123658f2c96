// Looking again: what is seen is believed at once where it is sure, else once reads can lag no longer.
import { slower } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import type { Run } from '../model/run.ts'
import { settingMs } from '../model/settings.ts'

interface Pace {
  readonly firstMs: number
  readonly mostMs: number
}

/** What is seen first that is sure, or last of all: quick at first, then slower, with one look that begins after `untilMs`, since an answer tells of when it was asked for. */
export async function lookUntil<T>(
  clock: Clock,
  untilMs: number,
  look: () => Promise<T>,
  isSure: (seen: T) => boolean,
  { firstMs, mostMs }: Pace = { firstMs: 500, mostMs: Infinity },
): Promise<T> {
  for (let pauseMs = firstMs; ; pauseMs = slower(pauseMs, mostMs)) {
    const closing = clock.now() >= untilMs
    const seen = await look()
    if (closing || isSure(seen)) return seen
    await clock.sleep(Math.min(pauseMs, Math.max(1, untilMs - clock.now())))
  }
}

/** The same for as long as reads may lag (`read_grace`) from now on. */
export async function whileReadsLag<T>({ clock, compat }: Pick<Run, 'clock' | 'compat'>, look: () => Promise<T>, isSure: (seen: T) => boolean): Promise<T> {
  return lookUntil(clock, clock.now() + settingMs(compat.read_grace), look, isSure)
}

/** Waits until reads cannot lag any more behind what has happened by now (`read_grace`). */
export function readsCaughtUp({ clock, compat }: Pick<Run, 'clock' | 'compat'>): Promise<void> {
  return clock.sleep(settingMs(compat.read_grace))
}
