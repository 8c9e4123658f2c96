// Memoised making: at start-up much would be made that one run never needs.

/** What is made when it is first asked for, and kept. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What is made anew for whoever asks, and never twice at a time: who asks while it is being made shares the next one, which is as new as it was asked for. */
export function sharedAnew<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    if (next) return next
    next = making.then(() => {
      next = undefined
      return make()
    })
    making = next.catch(() => undefined)
    return next
  }
}
