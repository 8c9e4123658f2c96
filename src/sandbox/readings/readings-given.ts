// Readings and strains as people give them: checked by name and value; readings are drawn by a seed, too.
import { nearest } from '../../base/words/nearest.ts'
import { mix } from '../store/table.ts'
import type { GivenReadings, GivenStrains } from './assumptions.ts'
import { assumptions, strains } from './assumptions.ts'
import type { Assumption } from './questions.ts'
import { questions } from './questions.ts'

/** What is wrong with an answer that was given, the right word that is nearest, and the names there are where it has none of them. */
export interface Mistake {
  readonly mistake: string
  readonly nearest: string | undefined
  readonly names?: readonly string[]
}

/** Readings that were checked, or what is wrong with one of them. */
export type CheckedReadings = { readonly readings: GivenReadings } | Mistake

/** The same for strains. */
export type CheckedStrains = { readonly strains: GivenStrains } | Mistake

type Given = readonly (readonly [string, unknown])[]

/** The stream of random numbers that readings are drawn from. */
const READING_STREAM = 4097

/** Checks readings by name; a number may be given as text. */
export function checkReadings(given: Given): CheckedReadings {
  const checked = check('reading', assumptions, given)
  return 'mistake' in checked ? checked : { readings: Object.fromEntries(checked.answers) }
}

/** Checks strains by name. */
export function checkStrains(given: Given): CheckedStrains {
  const checked = check('strain', strains, given)
  return 'mistake' in checked ? checked : { strains: Object.fromEntries(checked.answers) }
}

/** One reading for each question that the document leaves open, all of them drawn by the seed. */
export function drawReadings(seed: number): GivenReadings {
  // Strains keep their places, so that what a seed draws for the others stays.
  const drawn = Object.entries(questions).flatMap(([name, { readings: choices }]: [string, Assumption], index) =>
    Object.hasOwn(strains, name) ? [] : [[name, choices[mix(seed, READING_STREAM, index) % choices.length]] as const],
  )
  return Object.fromEntries(drawn)
}

function check(what: string, table: Readonly<Record<string, Assumption>>, given: Given): { readonly answers: ReadonlyMap<string, string | number> } | Mistake {
  const names = Object.keys(table)
  const answers = new Map<string, string | number>()
  for (const [name, value] of given) {
    const row = Object.hasOwn(table, name) ? table[name] : undefined
    if (row === undefined) return { mistake: `no ${what} is called ${name}${elsewhere(what, name)}`, nearest: nearest(name, names), names }
    const chosen = valueOf(row, value)
    if (chosen === undefined) return { mistake: `the ${what} ${name} is ${wantedBy(row)}`, nearest: nearest(String(value), row.readings.map(String)) }
    answers.set(name, chosen)
  }
  return { answers }
}

function elsewhere(what: string, name: string): string {
  if (what === 'reading') return Object.hasOwn(strains, name) ? ': it is a strain' : ''
  return Object.hasOwn(assumptions, name) ? ': it is a reading' : ''
}

function wantedBy({ readings, least = 0, all }: Assumption): string {
  if (all || typeof readings[0] !== 'number') return `one of ${readings.join(', ')}`
  return least === 0 ? 'a whole number' : `a whole number from ${least} on`
}

function valueOf({ readings, least = 0, all }: Assumption, value: unknown): string | number | undefined {
  if (typeof readings[0] !== 'number') return readings.find((one) => one === value)
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (all) return readings.find((one) => one === number)
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least ? number : undefined
}
