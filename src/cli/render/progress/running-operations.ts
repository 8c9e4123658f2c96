// What is under way, folded from the events of an apply: the model that frame and lines are drawn from.
import type { Event, Progress } from '../../../engine/model/events.ts'
import type { Action } from '../../../engine/model/plan-data.ts'

/** One operation that has begun and not ended. */
export interface Running {
  readonly address: string
  readonly task: 'make' | 'remove'
  readonly action: Action
  readonly id: string | null
  readonly startedMs: number
  readonly step: string | undefined
  readonly workflowId: string | null
  readonly progress: Progress | undefined
  readonly waitingFor: string | undefined
}

export interface Under {
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Ended because the run was told to stop: nothing went wrong with them. */
  readonly stopped: number
  /** What needs one that failed or was stopped. */
  readonly notBegun: number
  /** By address and task, in the order in which they began. */
  readonly running: ReadonlyMap<string, Running>
}

/** The model, told each event in order. */
export interface UnderWay extends Under {
  take(event: Event): void
  of(about: Named): Running | undefined
}

interface Named {
  readonly address: string
  readonly task: 'make' | 'remove'
}

/** Nothing under way yet; changed in place, since an apply may have a hundred thousand events. */
export function createUnderWay(): UnderWay {
  const counts = { total: 0, done: 0, failed: 0, stopped: 0, notBegun: 0 }
  const running = new Map<string, Running>()
  const put = (one: Running): void => void running.set(keyOf(one), one)
  function change(about: Named, to: Partial<Running>): void {
    const known = running.get(keyOf(about))
    if (known) put({ ...known, ...to })
  }
  function end(about: Named, count: 'done' | 'failed' | 'stopped' | 'notBegun'): void {
    counts[count] += 1
    running.delete(keyOf(about))
  }
  return {
    get total() {
      return counts.total
    },
    get done() {
      return counts.done
    },
    get failed() {
      return counts.failed
    },
    get stopped() {
      return counts.stopped
    },
    get notBegun() {
      return counts.notBegun
    },
    running,
    of: (about) => running.get(keyOf(about)),
    take(event) {
      if (event.type === 'begin') counts.total = event.operations
      else if (event.type === 'start') put({ ...fresh, address: event.address, task: event.task, action: event.action, id: event.id, startedMs: event.atMs })
      else if (event.type === 'recovering')
        put({
          ...fresh,
          address: event.address,
          task: event.task,
          action: event.action,
          id: null,
          startedMs: event.atMs,
          step: event.step,
          workflowId: event.workflowId,
        })
      else if (event.type === 'recovered') running.delete(keyOf(event))
      else if (event.type === 'step') change(event, { step: event.step, workflowId: event.workflowId, progress: undefined, waitingFor: undefined })
      else if (event.type === 'progress') change(event, { workflowId: event.workflowId, progress: event.progress, waitingFor: event.waitingFor })
      else if (event.type === 'complete') end(event, 'done')
      else if (event.type === 'failed') end(event, event.stopped ? 'stopped' : 'failed')
      else if (event.type === 'skipped') end(event, 'notBegun')
    },
  }
}

const fresh = { step: undefined, workflowId: null, progress: undefined, waitingFor: undefined } as const

function keyOf({ address, task }: Named): string {
  return `${task} ${address}`
}
