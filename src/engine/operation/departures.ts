// Requests that wait for their place in what the service takes at once: while many do, there is no hurry to prepare more of them.

/** How many wait, and who is told when one has left. */
export interface Departures {
  /** One more waits; what this gives is called when it leaves, or never will. */
  wait(): () => void
  waiting(): number
  /** Has a function called each time that one has left; the last one that was given. */
  tell(left: () => void): void
}

/** None waits. */
export function createDepartures(): Departures {
  let waiting = 0
  let told: (() => void) | undefined
  return Object.freeze({
    wait() {
      let isWaiting = true
      waiting += 1
      return () => {
        if (!isWaiting) return
        isWaiting = false
        waiting -= 1
        told?.()
      }
    },
    waiting: () => waiting,
    tell: (left: () => void) => void (told = left),
  })
}
