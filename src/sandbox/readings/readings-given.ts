// Readings as people give them: checked by name and value, or drawn by a seed.
import { nearest } from '../../nearest.ts'
import type { Readings } from './assumptions.ts'
import { assumptions, readingsOf } from './assumptions.ts'
import { mix } from '../store/table.ts'

type Name = keyof Readings

/** Readings that were checked, or what is wrong with one of them and the right word that is nearest. */
export type CheckedReadings = { readonly readings: Partial<Readings> } | { readonly mistake: string; readonly nearest: string | undefined }

/** The stream of random numbers that readings are drawn from. */
const READING_STREAM = 4097

const names: readonly Name[] = Object.keys(assumptions).filter((name): name is Name => Object.hasOwn(assumptions, name))

/** Checks readings by name; a number may be given as text. */
export function checkReadings(given: readonly (readonly [string, unknown])[]): CheckedReadings {
  const readings = new Map<Name, string | number>()
  for (const [name, value] of given) {
    const known = names.find((one) => one === name)
    if (known === undefined) return { mistake: `no reading is called ${name}`, nearest: nearest(name, names) }
    const choices = choicesOf(known)
    const chosen = valueOf(choices, value)
    if (chosen === undefined) {
      const wanted = typeof choices[0] === 'number' ? 'a whole number' : `one of ${choices.join(', ')}`
      return { mistake: `the reading ${name} is ${wanted}`, nearest: nearest(String(value), choices.map(String)) }
    }
    readings.set(known, chosen)
  }
  return { readings: Object.fromEntries(readings) }
}

/** One reading for each question, all of them drawn by the seed. */
export function drawReadings(seed: number): Readings {
  const drawn = names.map((name, index): readonly [Name, string | number | undefined] => {
    const choices = choicesOf(name)
    return [name, choices[mix(seed, READING_STREAM, index) % choices.length]]
  })
  return readingsOf(Object.fromEntries(drawn))
}

function choicesOf(name: Name): readonly (string | number)[] {
  return assumptions[name].readings
}

function valueOf(choices: readonly (string | number)[], value: unknown): string | number | undefined {
  if (typeof choices[0] !== 'number') return choices.find((one) => one === value)
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
