// The first of two instants, either of which may never come.

/** The earlier one; undefined stands for never. */
export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}
