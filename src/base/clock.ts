// Time from outside: the clock that all waiting goes through, real, scaled, or virtual.
import { onAbort } from './abort.ts'

/** Monotonic time for waiting and deadlines, wall time for what people read; both in milliseconds. */
export interface Clock {
  /** Milliseconds since some fixed instant; never goes back. */
  now(): number
  /** Milliseconds since 1970. */
  wall(): number
  /** How long the machine slept since the clock began, as far as that shows: what is monotonic may stand still meanwhile. Absent where nothing sleeps. */
  asleepMs?(): number
  /** Waits, for no time at all until others have had their turn; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `action` once that time is over; the result takes it back. */
  alarm(ms: number, action: () => void): () => void
}

/** Milliseconds since some fixed instant, those included in which the machine slept: for what others may believe to be over meanwhile. */
export function livedMs(clock: Pick<Clock, 'now' | 'asleepMs'>): number {
  return clock.now() + (clock.asleepMs?.() ?? 0)
}

/** What is less may be a clock that is slewed. */
const leastSleepMs = 1000

/** The longest time that setTimeout can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The machine's clock; with `scale` 60 a minute passes in a second. `monotonicMs` gives the milliseconds since some fixed instant. */
export function realClock(scale = 1, monotonicMs = (): number => performance.now()): Clock {
  const start = monotonicMs()
  const wallStart = Date.now()
  const now = (): number => (monotonicMs() - start) * scale
  function alarm(ms: number, action: () => void): () => void {
    const end = now() + ms
    const realMs = (): number => Math.min(Math.max(0, end - now()) / scale, MAX_TIMER_MS)
    let timer = setTimeout(ring, realMs())
    function ring(): void {
      if (realMs() >= 1) timer = setTimeout(ring, realMs())
      else action()
    }
    return () => clearTimeout(timer)
  }
  const sleeping = sleepingBy(alarm)
  const sleep: Clock['sleep'] = (ms, signal) => (ms > 0 || signal?.aborted ? sleeping(ms, signal) : idle())
  let [sleptMs, beforeMs] = [0, 0]
  // A wall clock that was set forward looks the same; one that is set back takes nothing off.
  const asleepMs = (): number => {
    const aheadMs = Date.now() - wallStart - (monotonicMs() - start)
    if (aheadMs - beforeMs > leastSleepMs) sleptMs += aheadMs - beforeMs
    if (Math.abs(aheadMs - beforeMs) > leastSleepMs) beforeMs = aheadMs
    return sleptMs * scale
  }
  return Object.freeze({ now, wall: () => wallStart + now(), asleepMs, alarm, sleep })
}

/** So late, in milliseconds, alarms go off in a process that was stopped: it hears them before what was sent to it meanwhile. */
export const stoppedMs = 1000

/** The sleep of a clock with such alarms. */
export function sleepingBy(alarm: Clock['alarm']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const cancel = alarm(ms, () => {
        forget?.()
        resolve()
      })
      const forget =
        signal &&
        onAbort(signal, () => {
          cancel()
          reject(reasonOf(signal))
        })
    })
}

/** One who waits: woken at `at`, equals by `order`; left out once it has stopped waiting. */
export interface Sleeper {
  readonly at: number
  readonly order: number
  readonly wake: () => void
  stopped: boolean
}

/** A clock that jumps to the next sleeper whenever nothing else is left to run. */
export interface VirtualClock extends Clock {
  /** Keeps time still while `work` (real IO) is under way. */
  hold<T>(work: Promise<T>): Promise<T>
  /** Wakes everything due within `ms`, in order, and moves the clock there. */
  advance(ms: number): Promise<void>
}

/** A virtual clock; `auto` jumps by itself when all that waits is waiting for time, otherwise only `advance` moves it. */
export function virtualClock(startWallMs = Date.UTC(2026, 0, 1), auto = true): VirtualClock {
  const sleepers = sleeperHeap()
  let now = 0
  let order = 0
  let held = 0
  let watching = false

  function wakeNext(limit: number): boolean {
    const due = sleepers.take(limit)
    if (!due) return false
    now = Math.max(now, due.at)
    due.wake()
    return true
  }
  async function watch(): Promise<void> {
    watching = true
    do await idle()
    while (held > 0 || wakeNext(Infinity))
    watching = false
  }
  function alarm(ms: number, wake: () => void): () => void {
    const sleeper: Sleeper = { at: now + Math.max(0, ms), order: order++, wake, stopped: false }
    sleepers.add(sleeper)
    if (auto && !watching) void watch()
    return () => void (sleeper.stopped = true)
  }
  async function hold<T>(work: Promise<T>): Promise<T> {
    held += 1
    try {
      return await work
    } finally {
      held -= 1
    }
  }
  async function advance(ms: number): Promise<void> {
    const end = now + ms
    do await idle()
    while (wakeNext(end))
    now = Math.max(now, end)
  }
  return Object.freeze({ now: () => now, wall: () => startWallMs + now, alarm, sleep: sleepingBy(alarm), hold, advance })
}

/** Who waits, the earliest first. */
export interface Sleepers {
  add(one: Sleeper): void
  /** Takes the earliest out, if its time is at most `limit`. */
  take(limit: number): Sleeper | undefined
  /** When the earliest is to be woken; undefined when nobody waits. */
  nextAt(): number | undefined
}

/** A binary heap: the earliest first, equals in the order they came; who stopped waiting is left out. */
export function sleeperHeap(): Sleepers {
  const heap: Sleeper[] = []
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a], heap[b]]
    return one !== undefined && other !== undefined && (one.at - other.at || one.order - other.order) < 0
  }
  const swap = (a: number, b: number): void => {
    const [one, other] = [heap[a], heap[b]]
    if (one && other) [heap[a], heap[b]] = [other, one]
  }
  function add(one: Sleeper): void {
    heap.push(one)
    for (let at = heap.length - 1; at > 0; at = (at - 1) >> 1) {
      if (!isBefore(at, (at - 1) >> 1)) break
      swap(at, (at - 1) >> 1)
    }
  }
  function removeFirst(): void {
    swap(0, heap.length - 1)
    heap.pop()
    for (let at = 0; ;) {
      const child = isBefore(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1
      if (!isBefore(child, at)) break
      swap(child, at)
      at = child
    }
  }
  function take(limit: number): Sleeper | undefined {
    for (let first = heap[0]; first && (first.stopped || first.at <= limit); first = heap[0]) {
      removeFirst()
      if (!first.stopped) return first
    }
    return undefined
  }
  function nextAt(): number | undefined {
    while (heap[0]?.stopped) removeFirst()
    return heap[0]?.at
  }
  return { add, take, nextAt }
}

/** Why a signal was aborted, as an Error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error('aborted')
}

/** One turn of the event loop: every promise that can settle without time has settled. */
export function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
