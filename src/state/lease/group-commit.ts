// One write after another, and one for all entries that come while another is under way, or shortly after each other, until the lock is given back.
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Entry } from '../record.ts'

export interface GroupCommit {
  /** Runs work after all that was asked for before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the entries are durable. */
  append(entries: readonly Entry[]): Promise<void>
  /** Runs what gives the lock back after all that was asked for before; whatever is asked for later is refused with Failure 7: the lock may be another's by then. */
  end<T>(work: () => Promise<T>): Promise<T>
  /** Whether `end` was called. */
  isOver(): boolean
}

/** Where writes are dear: a group is complete once no entry was added for `stillMs`, or `mostMs` after its first. */
export interface Gathering {
  readonly clock: Clock
  readonly stillMs: number
  readonly mostMs: number
  /** Whether it is worth waiting for more. */
  readonly isOpen: () => boolean
}

/** Whoever appends while a write is under way shares the next one; `flush` is given what came together; messages name the lock by `where`. */
export function groupCommit(where: string, flush: (entries: readonly Entry[]) => Promise<void>, gathering?: Gathering): GroupCommit {
  let tail: Promise<unknown> = Promise.resolve()
  let batch: { readonly entries: Entry[]; readonly done: Promise<void> } | undefined
  let lastMs = 0
  let isOver = false

  function queued<T>(work: () => Promise<T>): Promise<T> {
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    return isOver ? Promise.reject(givenBack(where)) : queued(work)
  }
  function end<T>(work: () => Promise<T>): Promise<T> {
    isOver = true
    return queued(work)
  }
  function append(entries: readonly Entry[]): Promise<void> {
    if (isOver) return Promise.reject(givenBack(where))
    lastMs = gathering?.clock.now() ?? 0
    if (!batch) {
      const collected: Entry[] = []
      const firstMs = lastMs
      const done = queued(async () => {
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
  return { inOrder, append, end, isOver: () => isOver }
}

function givenBack(where: string): Error {
  return failure('locked', `the lock of ${where} was given back`, { detail: 'What came after that is not recorded.', hint: 'run again' })
}
