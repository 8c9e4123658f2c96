// What a test gives the library, checked as the control routes check it: a mistyped word would make a test pass that shows nothing.
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Clock } from '../base/clock.ts'
import { nearest } from '../base/words/nearest.ts'
import { courseBody, faultBody } from './control/bodies.ts'
import { presetNames } from './faults/fault-presets.ts'
import type { ListedFault } from './faults/faults.ts'
import { tokenPattern } from './people/callers.ts'
import { checkReadings, checkStrains } from './readings/readings-given.ts'
import { gateRules } from './request/authorization.ts'
import { routeNames } from './request/route-index.ts'
import { catalogueSchema } from './seed/catalogue-schema.ts'
import { defaultQuota } from './seed/seed.ts'
import { service } from './service.ts'
import { misfitOf } from './store/snapshot-head.ts'
import { profiles, workflowOperations } from './time/durations.ts'
import type { PlaceOptions } from './time/place.ts'
import { clockModes } from './time/sandbox-clock.ts'
import { ANY_OPERATION } from './time/workflow-engine.ts'
import type { WorkflowCourse } from './world.ts'

const given = z.record(z.string(), z.union([z.string(), z.number()]))
const functionForm = z.custom((value) => typeof value === 'function', 'expected a function')
/** The last instant whose year has four digits, as in every instant that is written. */
const LAST_MS = Date.UTC(10_000, 0) - 1

/** What options look like, whatever their words mean. */
const optionForms = z
  .object({
    base: z.custom<Clock>(
      (value) => z.looseObject({ now: functionForm, wall: functionForm, sleep: functionForm }).safeParse(value).success,
      'expected a clock',
    ),
    scale: z.number().positive(),
    startWallMs: z.number().min(0).max(LAST_MS),
    seed: z.int(),
    readings: given,
    strains: given,
    without: z.array(z.string()),
    faults: z.object({ list: z.array(z.looseObject({})), hook: functionForm }).partial(),
    courses: z.array(z.looseObject({})),
    token: z.string().regex(tokenPattern, 'a token is 1 to 200 letters, digits, - and _'),
    password: z.string().min(1),
    quota: z.record(z.string(), z.int().min(0).nullable()),
  })
  .partial()

/** Throws a TypeError for an option that cannot be, and for a word that there is none of; of a snapshot only beginning with it tells. */
export function checkOptions(options: Partial<PlaceOptions>): void {
  const formed = optionForms.safeParse(options)
  if (!formed.success) throw new TypeError(`no sandbox has such options: ${z.prettifyError(formed.error)}`)
  checkNames('option of faults', options.faults ?? {}, ['list', 'hook'])
  for (const { id: _, ...fault } of options.faults?.list ?? []) checkedFault(fault)
  for (const course of options.courses ?? []) checkCourse(course)
  if (options.mode !== undefined) checkWord('clock', options.mode, clockModes)
  if (options.profile !== undefined) checkWord('profile', options.profile, profiles)
  checkNames('limit', options.quota ?? {}, Object.keys(defaultQuota))
  const rules = [...gateRules, ...service.rules].map(({ id }) => id)
  for (const id of options.without ?? []) checkWord('rule', id, rules)
  if (options.catalogue !== undefined) checkCatalogue(options.catalogue)
  const checked = checkReadings(Object.entries(options.readings ?? {}))
  if ('mistake' in checked) throw new TypeError(checked.mistake + suggested(checked.nearest))
  const strained = checkStrains(Object.entries(options.strains ?? {}))
  if ('mistake' in strained) throw new TypeError(strained.mistake + suggested(strained.nearest))
}

/** A file may leave out or spell otherwise what is filled in where it is read, which nobody does here. */
function checkCatalogue(catalogue: unknown): void {
  const checked = catalogueSchema.safeParse(catalogue)
  if (!checked.success) throw new TypeError(`not a catalogue: ${z.prettifyError(checked.error)}`)
  if (!isDeepStrictEqual(checked.data, catalogue)) {
    throw new TypeError('not a catalogue: it has plans, images, regions, nodes, prices and quota, all prices their qualifiers, and sizes in bytes')
  }
}

/** What `work` gives that begins with a snapshot; throws a TypeError for one that does not fit. */
export function fitting<T>(snapshot: unknown, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (snapshot === undefined) throw error
    throw new TypeError(`the snapshot does not fit: ${misfitOf(snapshot, error)}`, { cause: error })
  }
}

/** Throws a TypeError for what is no port. */
export function checkPort(port: unknown): void {
  if (port === undefined || z.int().min(0).max(65_535).safeParse(port).success) return
  throw new TypeError(`a port is a whole number from 0 to 65535, not ${JSON.stringify(port)}`)
}

/** Throws a TypeError for members that are none of these. */
export function checkNames(what: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given)) checkWord(what, name, names)
}

const filterForms = z.object({ since: z.int().min(0), limit: z.int().min(0) }).partial()

/** Throws a TypeError for an operation that there is none of, and for what selects nothing. */
export function checkFilter(filter: { readonly operation?: string; readonly since?: number }): void {
  checkNames('filter', filter, ['operation', 'since', 'limit'])
  const formed = filterForms.safeParse(filter)
  if (!formed.success) throw new TypeError(`not a filter: ${z.prettifyError(formed.error)}`)
  if (filter.operation !== undefined) checkWord('operation', filter.operation, routeNames)
}

// As the library spells them: the words of the control routes would be overwritten below, and do nothing.
const courseMembers = ['outcome', 'leaves', 'lagMs', 'durationMs']
const routeWords = ['delay_ms', 'retry_after_seconds', 'late_ms', 'truncate_bytes', 'stale_ms']

/** Throws a TypeError for a course of no workflow, or one that none can take. */
export function checkCourse(course: WorkflowCourse): void {
  checkNames('member of a course', course, ['operation', ...courseMembers])
  const { operation, lagMs, durationMs, ...rest } = course
  checkWord('workflow', operation, [...workflowOperations, ANY_OPERATION])
  const checked = courseBody.safeParse({ ...rest, lag_ms: lagMs, duration_ms: durationMs })
  if (!checked.success) throw new TypeError(`not a course: ${z.prettifyError(checked.error)}`)
}

/** Throws a TypeError for a preset that there is none of. */
export function checkPreset(name: string): void {
  checkWord('preset', name, presetNames)
}

/** Throws a TypeError for a fault that befalls nobody, makes itself void, or comes by a chance that no seed draws. */
export function checkedFault(fault: Omit<ListedFault, 'id'>): Omit<ListedFault, 'id'> {
  const word = Object.keys(fault).find((name) => routeWords.includes(name))
  if (word !== undefined) throw new TypeError(`no member of a fault is called ${word}; did you mean ${camelCase(word)}?`)
  if (fault.workflow) checkNames('member of a course', fault.workflow, courseMembers)
  const { delayMs, retryAfterSeconds, lateMs, truncateBytes, staleMs, workflow, preset, ...rest } = fault
  const words = { delay_ms: delayMs, retry_after_seconds: retryAfterSeconds, late_ms: lateMs, truncate_bytes: truncateBytes, stale_ms: staleMs }
  const course = workflow && { ...without(workflow, ['lagMs', 'durationMs']), lag_ms: workflow.lagMs, duration_ms: workflow.durationMs }
  const checked = faultBody.safeParse({ ...rest, ...words, workflow: course })
  if (!checked.success) throw new TypeError(`not a fault: ${z.prettifyError(checked.error)}`)
  return preset === undefined ? checked.data : { ...checked.data, preset }
}

function camelCase(word: string): string {
  return word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/** The word may be anything: who writes JavaScript is stopped by no type. */
function checkWord(what: string, word: unknown, words: readonly string[]): void {
  const text = String(word)
  if (!words.includes(text)) throw new TypeError(`no ${what} is called ${text}${suggested(nearest(text, words))}`)
}

function suggested(word: string | undefined): string {
  return word === undefined ? '' : `; did you mean ${word}?`
}
