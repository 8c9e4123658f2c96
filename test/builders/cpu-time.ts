// The processor time of a piece of work, which a busy machine does not stretch as it stretches a clock's, nor a slow one.

/** How long the yardstick takes where the limits of tests were found, in ms. */
const usualMs = 26

/**
 * Does the work and says what came of it and how long this process computed, in ms over all its threads; throws what `work` throws. Where a yardstick
 * before and after it takes longer than usual, so does the work, and its time counts in proportion.
 */
export function cpuTime<T>(work: () => T): { readonly result: T; readonly spentMs: number } {
  const beforeMs = recentYardstickMs()
  const before = process.cpuUsage()
  const result = work()
  const spentMs = millisecondsSince(before)
  return { result, spentMs: spentMs / Math.max(1, beforeMs / usualMs, yardstickMs() / usualMs) }
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The last yardstick and when it ended: what follows at once is measured by it as well. */
let last: { readonly tookMs: number; readonly atMs: number } | undefined
const RECENT_MS = 500

function recentYardstickMs(): number {
  return last && performance.now() - last.atMs < RECENT_MS ? last.tookMs : yardstickMs()
}

/** Sums, texts, maps and small objects, as most work is made of. */
function yardstickMs(): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < 20; turn += 1) oneTurn()
  last = { tookMs: millisecondsSince(before), atMs: performance.now() }
  return last.tookMs
}

function oneTurn(): number {
  const seen = new Map<string, { readonly sum: number }>()
  let [sum, text] = [0, '']
  for (let at = 0; at < 200_000; at += 1) {
    sum = (Math.imul(sum, 31) + at) | 0
    if (at % 16 === 0) seen.set(`k${sum & 4095}`, { sum })
    if (at % 64 === 0) text = (text + sum).slice(-40)
  }
  return sum + seen.size + text.length
}

// What is not compiled yet takes several times as long.
for (let turn = 0; turn < 10; turn += 1) oneTurn()
