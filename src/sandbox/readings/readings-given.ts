// Readings as people give them: checked by name and value, or drawn by a seed.
import { nearest } from '../../base/nearest.ts'
import { mix } from '../store/table.ts'
import type { Assumption, Readings } from './assumptions.ts'
import { assumptions, readingsOf } from './assumptions.ts'

type Name = keyof Readings

/** Readings that were checked, or what is wrong with one of them, the right word that is nearest, and the names there are where it has none of them. */
export type CheckedReadings =
  | { readonly readings: Partial<Readings> }
  | { readonly mistake: string; readonly nearest: string | undefined; readonly names?: readonly string[] }

/** The stream of random numbers that readings are drawn from. */
const READING_STREAM = 4097

const names: readonly Name[] = Object.keys(assumptions).filter((name): name is Name => Object.hasOwn(assumptions, name))

/** Checks readings by name; a number may be given as text. */
export function checkReadings(given: readonly (readonly [string, unknown])[]): CheckedReadings {
  const readings = new Map<Name, string | number>()
  for (const [name, value] of given) {
    const known = names.find((one) => one === name)
    if (known === undefined) return { mistake: `no reading is called ${name}`, nearest: nearest(name, names), names }
    const row: Assumption = assumptions[known]
    const chosen = valueOf(row, value)
    if (chosen === undefined) return { mistake: `the reading ${name} is ${wantedBy(row)}`, nearest: nearest(String(value), row.readings.map(String)) }
    readings.set(known, chosen)
  }
  return { readings: Object.fromEntries(readings) }
}

/** One reading for each question, all of them drawn by the seed. */
export function drawReadings(seed: number): Readings {
  const drawn = names.map((name, index): readonly [Name, string | number | undefined] => {
    const choices: Assumption['readings'] = assumptions[name].readings
    return [name, choices[mix(seed, READING_STREAM, index) % choices.length]]
  })
  return readingsOf(Object.fromEntries(drawn))
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
