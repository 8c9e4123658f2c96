// What workflows have taken in this run, by what they do.

export interface WorkflowTimes {
  note(like: string, tookMs: number): void
  /** Milliseconds that most of its like took at least; undefined before one has ended. */
  leastMs(like: string): number | undefined
}

const KEPT = 32
// Looked at as late as the quickest quarter, the others are looked at once more; as late as most, the quick ones would wait.
const QUICKEST = 0.25

/** Remembers the last 32 of each sort. */
export function createWorkflowTimes(): WorkflowTimes {
  const times = new Map<string, number[]>()
  return Object.freeze({
    note(like: string, tookMs: number) {
      const known = times.get(like) ?? []
      times.set(like, [...known.slice(1 - KEPT), tookMs])
    },
    leastMs(like: string) {
      const sorted = times.get(like)?.toSorted((a, b) => a - b)
      return sorted?.[Math.floor((sorted.length - 1) * QUICKEST)]
    },
  })
}
