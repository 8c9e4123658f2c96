// What an apply tells while it runs: data that the reporters of cli/render turn into lines, a live frame or a JSON stream.
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { Action } from './plan-data.ts'

/** How far a workflow is, as single fetches show it. */
export interface Progress {
  readonly completed: number
  readonly total: number
  readonly activity: string | undefined
}

/** `task` is what runs: the making or the removing of an object; times are the clock's milliseconds. */
export type Event =
  | { readonly type: 'begin'; readonly operations: number }
  | {
      readonly type: 'start'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly action: Action
      readonly id: string | null
      readonly atMs: number
    }
  | {
      readonly type: 'step'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly step: string
      readonly workflowId: string | null
      readonly atMs: number
    }
  | {
      readonly type: 'progress'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly workflowId: string | null
      readonly progress: Progress | undefined
      readonly waitingFor: string
      readonly atMs: number
    }
  | {
      readonly type: 'complete'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly action: Action
      readonly id: string | null
      readonly elapsedMs: number
      readonly scheduled: boolean // a deletion that the service has scheduled
    }
  | {
      readonly type: 'failed'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly action: Action
      readonly elapsedMs: number
      readonly diagnostics: readonly Diagnostic[]
      readonly inFlight: boolean // still under way at the service, or unknown
      readonly stopped: boolean // nothing went wrong: the run was told to stop
      readonly isEarlier?: true // an earlier run began it, and this one nothing
    }
  | {
      readonly type: 'skipped'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly id: string | null // an address can have several objects that are to go
      readonly because: string
      readonly stopped: boolean
    }
  // What an earlier run left open is settled before anything is planned: it counts among no operations of the plan.
  | {
      readonly type: 'recovering'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly action: Action
      readonly step: string
      readonly workflowId: string | null
      readonly atMs: number
    }
  | {
      readonly type: 'recovered'
      readonly address: string
      readonly task: 'make' | 'remove'
      readonly action: Action
      readonly id: string | null
      readonly elapsedMs: number
      readonly end: 'done' | 'gone' | 'failed' | 'closed' | 'open' // gone: a removal took its object away; closed: nothing came of it; open: what it came to is not known yet
    }
  | { readonly type: 'note'; readonly diagnostic: Diagnostic }
  | { readonly type: 'end' }

export type Report = (event: Event) => void

/** What an apply did, counted for its last line. */
export interface Outcome {
  readonly added: number
  readonly changed: number
  readonly destroyed: number
  readonly imported: number
  readonly forgotten: number
  /** Addresses of the forgotten whose objects stay. */
  readonly staying: readonly string[]
  readonly failed: readonly Diagnostic[]
  readonly interrupted: boolean
  readonly unauthorized: boolean
}

/** How an apply went that records and does nothing out there. */
export const nothingDone: Outcome = Object.freeze({
  added: 0,
  changed: 0,
  destroyed: 0,
  imported: 0,
  forgotten: 0,
  staying: Object.freeze([]),
  failed: Object.freeze([]),
  interrupted: false,
  unauthorized: false,
})
