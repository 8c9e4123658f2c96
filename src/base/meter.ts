// What work is charged to, counted in steps and bytes, so that no small input can ask for endless work.

/** Takes charges; throws Exhausted for one that is more than is left. A step is some 100 ns of work. */
export interface Meter {
  spend(steps: number): void
  /** What was made on the way, and may be dropped again. */
  make(bytes: number): void
  /** What stays as long as the project does. */
  keep(bytes: number): void
}

/** Ends work that has used up what it may: nothing goes on behind it, unlike behind a mistake. */
export class Exhausted extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Exhausted'
  }
}

/** A meter that takes any charge. */
export const unmetered: Meter = Object.freeze({ spend: () => undefined, make: () => undefined, keep: () => undefined })
