// The processor time of a piece of work: other processes on a busy machine do not count, as they do on a clock.

/** How long this process computed for `work`, in ms, all its threads together; throws what `work` throws. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
