// What the meaning of a journal is proven for: what is on its way out is neither recorded anew nor deleted twice before the end of that is written.
import type { Entry } from '../../src/state/record.ts'
import type { Violation } from './violation.ts'

export interface Leaving {
  /** Lines of the journal became durable, or are heard again from its beginning. */
  noted(entries: readonly Entry[]): void
}

interface Removal {
  readonly kind: string
  readonly id: string
  accepted: boolean
}

/** Adds what it finds to `broken`. */
export function createLeaving(broken: Violation[]): Leaving {
  const removals = new Map<number, Removal>()
  const runs = new Set<string>()
  function isLeaving(kind: string, id: string, but?: number): boolean {
    return [...removals].some(([seq, one]) => one.accepted && one.kind === kind && one.id === id && seq !== but)
  }
  function claim(isSo: boolean, text: string): void {
    if (!isSo) broken.push({ invariant: 'order', text })
  }
  function note(entry: Entry): void {
    if (entry.t === 'begin') {
      // A run that was heard before: the journal is written or read anew, with all that is open in it.
      if (runs.has(entry.run)) removals.clear()
      runs.add(entry.run)
    } else if (entry.t === 'intent') {
      if (entry.removes && entry.id !== null) removals.set(entry.seq, { kind: entry.kind, id: entry.id, accepted: false })
    } else if (entry.t === 'accepted' || entry.t === 'adopted') {
      const removal = removals.get(entry.seq)
      if (!removal) return
      removal.accepted = true
      claim(!isLeaving(removal.kind, removal.id, entry.seq), `${removal.kind} ${removal.id} is deleted while it is on its way out`)
    } else if (entry.t === 'record') {
      claim(!isLeaving(entry.resource.kind, entry.resource.id), `${entry.resource.address} is recorded anew while it is on its way out`)
    } else if (entry.t === 'forget') {
      for (const [seq, { id }] of removals) if (id === entry.id) removals.delete(seq)
    } else if (entry.t === 'done' || entry.t === 'failed' || entry.t === 'rejected' || entry.t === 'closed') removals.delete(entry.seq)
  }
  return {
    noted(entries) {
      for (const entry of entries) note(entry)
    },
  }
}
