// One write after another, and one for all entries that come while another is under way.
import type { Entry } from '../record.ts'

export interface GroupCommit {
  /** Runs work after all that was asked for before. */
  inOrder<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the entries are durable. */
  append(entries: readonly Entry[]): Promise<void>
}

/** Whoever appends while a write is under way shares the next one; `flush` is given what came together. */
export function groupCommit(flush: (entries: readonly Entry[]) => Promise<void>): GroupCommit {
  let tail: Promise<unknown> = Promise.resolve()
  let batch: { readonly entries: Entry[]; readonly done: Promise<void> } | undefined

  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }
  function append(entries: readonly Entry[]): Promise<void> {
    if (!batch) {
      const collected: Entry[] = []
      const done = inOrder(() => {
        batch = undefined
        return flush(collected)
      })
      batch = { entries: collected, done }
    }
    for (const entry of entries) batch.entries.push(entry)
    return batch.done
  }
  return { inOrder, append }
}
