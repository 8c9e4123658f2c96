// The same work for each of many things: how many there are is often for others to say, and each that waits for its turn would take memory.

// As many requests as may be in flight at once.
const MOST_AT_ONCE = 1000

/** Like Promise.all over the works: results in order, rejects with the first failure; a thousand are under way at a time, and after a failure none is begun. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let failed = false
  async function worker(): Promise<void> {
    for (const [at, item] of left) {
      try {
        results[at] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
      if (failed) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, worker))
  return results
}
