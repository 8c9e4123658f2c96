// Exponential backoff: how long to pause before something is tried again.

/** `first` doubled with each attempt, and `longest` at most, in the unit of both; `attempt` counts from 0. */
export function backoff(attempt: number, first: number, longest = Infinity): number {
  // 2 ** 1024 is Infinity, of which no pause at all would make NaN.
  return Math.min(longest, first * 2 ** Math.min(attempt, 1000))
}
