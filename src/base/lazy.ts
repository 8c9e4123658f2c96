// What many would make at once, and few need.

/** What is made when it is first asked for, and kept. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
