// The processor time of a piece of work, which a busy machine does not stretch as it stretches a clock's.

/** Does the work and says what came of it and how long this process computed, in ms over all its threads; throws what `work` throws. */
export function cpuTime<T>(work: () => T): { readonly result: T; readonly spentMs: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, spentMs: (user + system) / 1000 }
}
