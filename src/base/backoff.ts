// Exponential backoff: how long to pause before something is tried, or looked at, again.

/** `first` doubled with each attempt, and `longest` at most, in the unit of both; `attempt` counts from 0. */
export function backoff(attempt: number, first: number, longest = Infinity): number {
  // 2 ** 1024 is Infinity, of which no pause at all would make NaN.
  return Math.min(longest, first * 2 ** Math.min(attempt, 1000))
}

/** The pause after one of `pauseMs` between looks at what goes on: half as long again, and `longest` at most. */
export function slower(pauseMs: number, longest: number): number {
  return Math.min(longest, pauseMs * 1.5)
}
