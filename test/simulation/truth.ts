// Invariant I9: what a run tells while it goes on is what its journal says by then, and what it tells at its end is what the state holds.
import type { Event } from '../../src/engine/model/events.ts'
import type { Applied } from '../../src/engine/session.ts'
import type { Folded } from '../../src/state/fold.ts'
import type { Entry } from '../../src/state/record.ts'
import type { Violation } from './violation.ts'

export interface Truth {
  /** A new process begins: it tells of nothing yet. */
  begins(): void
  /** Lines of the journal became durable. */
  noted(entries: readonly Entry[]): void
  /** The run told something. */
  told(event: Event): void
  /** The run has ended by itself; `folded` is what a new process would read. */
  ended(applied: Applied, folded: Folded): void
}

/** What the durable lines say, as far as this process has written or rewritten them. */
interface Heard {
  readonly intents: Map<number, { readonly address: string; readonly removes: boolean; id: string | null; open: boolean }>
  /** Intents by the workflow that they were answered with. */
  readonly workflows: Map<string, number>
  /** `address id` of what is recorded as ready, and of what was forgotten. */
  readonly ready: Set<string>
  readonly forgotten: Set<string>
  /** Addresses whose object is on its way out. */
  readonly deleting: Set<string>
}

/** What the run has told so far. */
interface Told {
  readonly started: Set<string>
  /** Addresses that it left under way. */
  readonly underWay: Set<string>
  complete: number
  failed: number
}

/** Adds what it finds to `broken`. */
export function createTruth(broken: Violation[]): Truth {
  let heard = nothingHeard()
  let told = nothingTold()
  const claim = (isSo: boolean, text: string): void => void (isSo || broken.push({ invariant: 'I9', text }))
  return {
    begins() {
      heard = nothingHeard()
      told = nothingTold()
    },
    noted(entries) {
      for (const entry of entries) note(heard, entry)
    },
    told(event) {
      for (const text of untrue(heard, told, event)) claim(false, text)
    },
    ended({ outcome, exitCode, diagnostics, document }, folded) {
      const open = folded.open.map((one) => one.intent.address)
      claim(exitCode !== 0 || open.length === 0, `exit code 0 hides what is under way: ${open.join(', ')}`)
      const named = new Set([...told.underWay, ...diagnostics.map((one) => one.address)])
      for (const address of open) claim(named.has(address), `${address} is under way, and nothing was told of it`)
      const recorded = [...folded.resources.values()].map((one) => `${one.address} ${one.id} ${one.status}`).toSorted()
      const shown = document.resources.map((one) => `${one.address} ${one.id} ${one.status}`).toSorted()
      if (exitCode === 0) claim(recorded.join() === shown.join(), `the state holds ${recorded.join(', ')}, told was ${shown.join(', ')}`)
      if (!outcome) return
      const { added, changed, destroyed, imported, forgotten, failed } = outcome
      claim(failed.length >= told.failed, `${told.failed} operations failed, ${failed.length} were told`)
      // An import that also changes something counts twice.
      const most = added + changed + destroyed + imported + forgotten
      claim(told.complete <= most && most - imported <= told.complete, `${told.complete} operations are complete, ${most} were told`)
    },
  }
}

function nothingHeard(): Heard {
  return { intents: new Map(), workflows: new Map(), ready: new Set(), forgotten: new Set(), deleting: new Set() }
}

function nothingTold(): Told {
  return { started: new Set(), underWay: new Set(), complete: 0, failed: 0 }
}

function note({ intents, workflows, ready, forgotten, deleting }: Heard, entry: Entry): void {
  if (entry.t === 'intent') intents.set(entry.seq, { address: entry.address, removes: entry.removes, id: entry.id, open: true })
  if (entry.t === 'accepted') {
    if (entry.workflow_id !== null) workflows.set(entry.workflow_id, entry.seq)
    const intent = intents.get(entry.seq)
    if (intent?.removes) deleting.add(intent.address)
  }
  if (entry.t === 'done' || entry.t === 'rejected' || entry.t === 'failed' || entry.t === 'closed') {
    const intent = intents.get(entry.seq)
    if (intent) intent.open = false
  }
  if (entry.t === 'accepted' || entry.t === 'adopted' || entry.t === 'done') {
    const intent = intents.get(entry.seq)
    if (intent) intent.id = entry.id ?? intent.id
  }
  if (entry.t === 'forget') {
    forgotten.add(`${entry.address} ${entry.id}`)
    // What is gone has nothing under way.
    for (const one of intents.values()) if (one.address === entry.address && one.id === entry.id) one.open = false
  }
  if (entry.t !== 'record') return
  const { address, id, status } = entry.resource
  if (status === 'ready') ready.add(`${address} ${id}`)
  if (status === 'deleting') deleting.add(address)
}

/** What of an event is not borne out by the lines that are durable by then. */
function untrue(heard: Heard, told: Told, event: Event): readonly string[] {
  if (event.type === 'step') return untrueStep(heard, event)
  if (event.type === 'complete') {
    told.complete += 1
    const key = `${event.address} ${event.id}`
    const isGone = event.task === 'remove' || event.action === 'forget'
    if (isGone) return event.scheduled || heard.forgotten.has(key) ? [] : [`${key} is told to be gone before that is durable`]
    return heard.ready.has(key) ? [] : [`${key} is told to be there before that is durable`]
  }
  if (event.type === 'failed') {
    told.failed += 1
    const { address, inFlight, diagnostics } = event
    // Of a line whose answer never came nobody can tell whether it stands there: its request did not leave, or its lease was over by then.
    const isUnkept = diagnostics.some((one) => /the (?:bucket|server) cannot be reached|the lease of .* is over/.test(one.summary))
    if (inFlight || isUnkept) told.underWay.add(address)
    if (isUnkept) return []
    if (!inFlight) return isOpen(heard, address) ? [`${address} is told to have failed and is under way`] : []
    return isOpen(heard, address) || heard.deleting.has(address) ? [] : [`${address} is told to be under way and is neither open nor on its way out`]
  }
  if (event.type === 'start') told.started.add(`${event.address} ${event.task} ${event.id}`)
  const isBegun = event.type === 'skipped' && told.started.has(`${event.address} ${event.task} ${event.id}`)
  return isBegun ? [`${event.address} is told to be skipped and was begun`] : []
}

function untrueStep(heard: Heard, { address, workflowId, step }: Extract<Event, { type: 'step' }>): readonly string[] {
  const seq = workflowId === null ? undefined : heard.workflows.get(workflowId)
  const isOther = workflowId !== null && (seq === undefined || heard.intents.get(seq)?.address !== address)
  return [
    ...(isOther ? [`${address} is told to run in workflow ${workflowId}`] : []),
    ...(isOpen(heard, address) ? [] : [`${address} is told to do "${step}" without an open intent`]),
  ]
}

function isOpen({ intents }: Heard, address: string): boolean {
  return [...intents.values()].some((one) => one.open && one.address === address)
}
