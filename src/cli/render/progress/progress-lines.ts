// An apply as lines: one per event, and one now and then of what still runs; without any control character.
import type { Event } from '../../../engine/model/events.ts'
import { safeLine } from '../text/sanitise.ts'
import { elapsedText, wordsFor } from './operation-words.ts'
import { activityOf } from './progress-frame.ts'
import type { Running, Under } from './running-operations.ts'

const MOST_NAMED = 5

/** The line for an event; undefined for events that have none. */
export function eventLine(event: Event): string | undefined {
  switch (event.type) {
    case 'start':
      return `${safeLine(event.address)}: ${wordsFor(event.action, event.task).running}...${idText(event.id)}`
    case 'complete': {
      const { noun } = wordsFor(event.action, event.task)
      const late = event.action === 'forget' ? 'waits until what stands in it is gone; destroy again then' : 'scheduled by the service'
      const end = event.scheduled ? late : `complete after ${elapsedText(event.elapsedMs)}`
      return `${safeLine(event.address)}: ${noun} ${end}${idText(event.id)}`
    }
    case 'failed': {
      const { noun } = wordsFor(event.action, event.task)
      const end = event.inFlight ? (isInDoubt(event) ? 'not settled' : 'still under way') : event.stopped ? 'stopped' : 'errored'
      // What an earlier run began is open for longer than this one lasts.
      const after = event.isEarlier ? '' : ` after ${elapsedText(event.elapsedMs)}`
      const why = event.stopped ? undefined : event.diagnostics[0]?.summary.replace(`${event.address}: `, '')
      return `${safeLine(event.address)}: ${noun} ${end}${after}${why === undefined ? '' : `: ${safeLine(why)}`}`
    }
    case 'skipped':
      return `${safeLine(event.address)}: Not begun: ${safeLine(event.because)}`
    case 'recovering':
      return `${safeLine(event.address)}: Resuming ${safeLine(event.step)}...${event.workflowId === null ? '' : ` [workflow=${safeLine(event.workflowId)}]`}`
    case 'recovered':
      // What was made or changed is in the plan that follows; what is gone is in none any more.
      if (event.end !== 'gone') return undefined
      return `${safeLine(event.address)}: ${wordsFor(event.action, event.task).noun} complete after ${elapsedText(event.elapsedMs)}${idText(event.id)}`
    case 'step':
      return event.workflowId === null ? undefined : `${safeLine(event.address)}: ${safeLine(event.step)} [workflow=${safeLine(event.workflowId)}]`
    default:
      return undefined
  }
}

/** Whether nothing tells that the service is at work on it: what became of a request is not known. */
function isInDoubt({ diagnostics: [first] }: Extract<Event, { readonly type: 'failed' }>): boolean {
  return first?.code === 'operation_unknown' || first?.code === 'ambiguous_adoption'
}

/** One line on all that is under way; undefined when nothing is. */
export function stillLine(under: Under, nowMs: number): string | undefined {
  const running = [...under.running.values()]
  if (running.length === 0) return undefined
  const [only] = running
  if (only && running.length === 1) return `${safeLine(only.address)}: Still ${activityOf(only)}... [${elapsedText(nowMs - only.startedMs)} elapsed]`
  const named = running.slice(0, MOST_NAMED).map((one) => briefly(one, nowMs))
  const more = running.length - named.length
  return `Still running: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function briefly(one: Running, nowMs: number): string {
  return `${safeLine(one.address)} ${activityOf(one)} [${elapsedText(nowMs - one.startedMs)}]`
}

function idText(id: string | null): string {
  return id === null || id === '' ? '' : ` [id=${safeLine(id)}]`
}
