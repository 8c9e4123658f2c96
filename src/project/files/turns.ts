// Long work in pieces: it pauses wherever something else may have its turn, and knows neither clock nor event loop.

/** Work that pauses; from one pause to the next it takes well below a second. */
export type Turns<T> = Generator<undefined, T>

/** All of it at once. */
export function atOnce<T>(work: Turns<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
