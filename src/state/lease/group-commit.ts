// One write after another, and one for all entries that come while another is under way, or shortly after each other.
import type { Clock } from '../../base/clock.ts'
import type { Entry } from '../record.ts'

export interface GroupCommit {
  /** Runs work after all that was asked for before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the entries are durable. */
  append(entries: readonly Entry[]): Promise<void>
}

/** Where writes are dear: a group is complete once no entry was added for `stillMs`, or `mostMs` after its first. */
export interface Gathering {
  readonly clock: Clock
  readonly stillMs: number
  readonly mostMs: number
  /** Whether it is worth waiting for more. */
  readonly isOpen: () => boolean
}

/** Whoever appends while a write is under way shares the next one; `flush` is given what came together. */
export function groupCommit(flush: (entries: readonly Entry[]) => Promise<void>, gathering?: Gathering): GroupCommit {
  let tail: Promise<unknown> = Promise.resolve()
  let batch: { readonly entries: Entry[]; readonly done: Promise<void> } | undefined
  let lastMs = 0

  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }
  function append(entries: readonly Entry[]): Promise<void> {
    lastMs = gathering?.clock.now() ?? 0
    if (!batch) {
      const collected: Entry[] = []
      const firstMs = lastMs
      const done = inOrder(async () => {
        if (gathering) await gathered(gathering, firstMs)
        batch = undefined
        return flush(collected)
      })
      batch = { entries: collected, done }
    }
    for (const entry of entries) batch.entries.push(entry)
    return batch.done
  }
  async function gathered({ clock, stillMs, mostMs, isOpen }: Gathering, firstMs: number): Promise<void> {
    for (;;) {
      const leftMs = Math.min(firstMs + mostMs, lastMs + stillMs) - clock.now()
      if (leftMs <= 0 || !isOpen()) return
      await clock.sleep(leftMs)
    }
  }
  return { inOrder, append }
}
