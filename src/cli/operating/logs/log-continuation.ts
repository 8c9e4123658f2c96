// Where a log goes on after its stream was lost: what is told again is passed over, and nothing new is.

/** What is remembered, and asked for again at most. */
export const MOST_LINES = 10_000
// Fewer may look alike by chance, more may not all be told again.
const ALIKE = 3

/** The lines of one log, over the streams that tell it one after the other. */
export interface Continuation {
  /** What of a line that came is to be printed: itself, or nothing while it is not known whether it was told before. */
  take(line: string): readonly string[]
  /** From here on lines of before may be told again. */
  reopened(): void
  /** What is still held back is new after all, unless all of it was told in this order: the place at which the stream before ended did not come again. */
  settle(): readonly string[]
}

/** A log of which nothing was told yet. Lines alike count as one where nothing else tells them apart: one of them may be passed over, none is told twice. */
export function createContinuation(): Continuation {
  let told: string[] = []
  let held: string[] | undefined
  function note(line: string): void {
    told.push(line)
    if (told.length > 2 * MOST_LINES) told = told.slice(-MOST_LINES)
  }
  function settle(): readonly string[] {
    // A stream that broke off before it came to anything new.
    const fresh = held && !holds(told, held) ? held : []
    held = undefined
    for (const line of fresh) note(line)
    return fresh
  }
  return {
    take(line) {
      if (!held) {
        note(line)
        return [line]
      }
      held.push(line)
      if (endsAlike(told, held)) held = undefined
      return held && held.length >= MOST_LINES ? settle() : []
    },
    reopened: () => void (held = told.length > 0 ? [] : undefined),
    settle,
  }
}

/** Whether the lines that came end as those that were told: with as many of them as tell that for certain, or all that came. */
function endsAlike(told: readonly string[], came: readonly string[]): boolean {
  const count = Math.min(ALIKE, came.length, told.length)
  return Array.from({ length: count }, (_, at) => at + 1).every((back) => told[told.length - back] === came[came.length - back])
}

/** Whether lines stand among those that were told, one behind the other. */
function holds(told: readonly string[], came: readonly string[]): boolean {
  return told.some((line, from) => line === came[0] && came.every((one, at) => one === told[from + at]))
}
