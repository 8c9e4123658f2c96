// What a test gives the library, checked as the control routes check it: a mistyped word would make a test pass that shows nothing.
import * as z from 'zod'
import { nearest } from '../nearest.ts'
import { faultBody } from './control/bodies.ts'
import { presetNames } from './faults/fault-presets.ts'
import type { ListedFault } from './faults/faults.ts'
import { checkReadings } from './readings/readings-given.ts'
import { defaultQuota } from './seed/seed.ts'
import type { PlaceOptions } from './time/place.ts'
import { clockModes } from './time/sandbox-clock.ts'
import { profiles } from './time/durations.ts'

/** Throws a TypeError for a clock, profile, reading or limit that there is none of. */
export function checkOptions(options: Partial<PlaceOptions>): void {
  if (options.mode !== undefined) checkWord('clock', options.mode, clockModes)
  if (options.profile !== undefined) checkWord('profile', options.profile, profiles)
  for (const name of Object.keys(options.quota ?? {})) checkWord('limit', name, Object.keys(defaultQuota))
  const checked = checkReadings(Object.entries(options.readings ?? {}))
  if ('mistake' in checked) throw new TypeError(checked.mistake + suggested(checked.nearest))
}

/** Throws a TypeError for a preset that there is none of. */
export function checkPreset(name: string): void {
  checkWord('preset', name, presetNames)
}

/** Throws a TypeError for a fault that befalls nobody, makes itself void, or comes by a chance that no seed draws. */
export function checkedFault(fault: Omit<ListedFault, 'id'>): Omit<ListedFault, 'id'> {
  const { delayMs, retryAfterSeconds, lateMs, truncateBytes, staleMs, workflow, preset, ...rest } = fault
  const words = { delay_ms: delayMs, retry_after_seconds: retryAfterSeconds, late_ms: lateMs, truncate_bytes: truncateBytes, stale_ms: staleMs }
  const course = workflow && { ...without(workflow, ['lagMs', 'durationMs']), lag_ms: workflow.lagMs, duration_ms: workflow.durationMs }
  const checked = faultBody.safeParse({ ...rest, ...words, workflow: course })
  if (!checked.success) throw new TypeError(`not a fault: ${z.prettifyError(checked.error)}`)
  return preset === undefined ? checked.data : { ...checked.data, preset }
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

function checkWord(what: string, word: string, words: readonly string[]): void {
  if (!words.includes(word)) throw new TypeError(`no ${what} is called ${word}${suggested(nearest(word, words))}`)
}

function suggested(word: string | undefined): string {
  return word === undefined ? '' : `; did you mean ${word}?`
}
