// What a project may cost: one account of steps and bytes for all of its loading, and one for all that is asked of it afterwards.
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import type { Meter } from '../../base/meter.ts'

/**
 * Steps are some 100 ns each, bytes are those of values that expressions make and of names; a part is one document or resource.
 * A text of a few lines has the least steps, and each of its UTF-16 units brings more, up to the most: who asks for much has written much.
 */
export interface Limits {
  readonly leastSteps: number
  readonly stepsOfUnit: number
  readonly steps: number
  readonly bytes: number
  readonly stepsOfPart: number
  readonly bytesOfPart: number
}

/** The least are several times what 100,000 resources of a few for_each take, the most what as many take that stand there each by itself. */
export const projectLimits: Limits = Object.freeze({
  leastSteps: 20_000_000,
  stepsOfUnit: 20_000,
  steps: 500_000_000,
  bytes: 1024 * 1024 * 1024,
  stepsOfPart: 2_000_000,
  bytesOfPart: 256 * 1024 * 1024,
})

// Planning and applying resolve each resource several times.
const timesAfterLoading = 5

type Place = () => Position | undefined

/** Takes charges for what is under way. */
export interface Budget extends Meter {
  /** Charges all of the project alone: for work that pauses. */
  readonly whole: Meter
  /** So many UTF-16 units of text are part of the work. */
  admit(units: number): void
  /** From here on another part is under way. */
  begin(place: Place): void
  /** The same part is further on. */
  reach(place: Place): void
  /** Where the part stands that was under way last. */
  place(): Position | undefined
  /** From here on what planning and applying ask is counted. */
  renew(): void
  isLoading(): boolean
}

const nowhere: Place = () => undefined

/** An account that is full. */
export function createBudget(limits: Limits = projectLimits): Budget {
  let { bytes, stepsOfPart, bytesOfPart } = limits
  let granted = Math.min(limits.leastSteps, limits.steps)
  let steps = granted
  let isLoading = true
  let current: Place = nowhere
  const whole: Meter = {
    spend(count) {
      steps -= count
      if (steps < 0) throw new Exhausted(`all of it together takes more than ${inWords(granted)} steps`)
    },
    make(count) {
      bytesOfPart -= count
      if (bytesOfPart < 0) throw new Exhausted(`the values that are made here take more than ${inMiB(limits.bytesOfPart)}`)
    },
    keep(count) {
      bytes -= count
      if (bytes < 0) throw new Exhausted(`all values that expressions make take more than ${inMiB(limits.bytes)} together`)
    },
  }
  return {
    whole,
    make: whole.make,
    keep: whole.keep,
    spend(count) {
      whole.spend(count)
      stepsOfPart -= count
      if (stepsOfPart < 0) throw new Exhausted(`what stands here takes more than ${inWords(limits.stepsOfPart)} steps`)
    },
    admit(units) {
      const more = Math.min(units * limits.stepsOfUnit, limits.steps - granted)
      granted += more
      steps += isLoading ? more : more * timesAfterLoading
    },
    begin(place) {
      current = place
      ;({ stepsOfPart, bytesOfPart } = limits)
    },
    reach: (place) => void (current = place),
    place: () => current(),
    isLoading: () => isLoading,
    renew() {
      isLoading = false
      steps = granted * timesAfterLoading
      bytes = limits.bytes * timesAfterLoading
    },
  }
}

/** What is said where an account is empty. */
export function tooMuch({ message }: Exhausted, position: Position | undefined, address?: string): Diagnostic {
  return diagnostic('too_much_work', 'this project asks for more work than iac does for one', {
    ...(position ? { position } : {}),
    ...(address === undefined ? {} : { address }),
    detail: `It was stopped here: ${message}.`,
    hint: 'make what stands here smaller, or divide the project',
  })
}

function inMiB(bytes: number): string {
  return `${bytes / 1024 / 1024} MiB`
}

function inWords(count: number): string {
  return count >= 1_000_000 ? `${Math.round(count / 100_000) / 10} million` : String(count)
}
