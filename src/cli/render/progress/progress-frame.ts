// The live frame of an apply: every running operation on one line of a terminal of any size.
import { safeLine } from '../text/sanitise.ts'
import { cut, cutMiddle, pad, widthOf } from '../text/width.ts'
import { elapsedText, wordsFor } from './operation-words.ts'
import type { Running, Under } from './running-operations.ts'

export interface Screen {
  readonly columns: number
  readonly rows: number
}

/** Lines of at most `columns - 1` columns and `rows - 1` lines, so that nothing wraps or scrolls; what does not fit is counted. */
export function progressFrame(under: Under, screen: Screen, nowMs: number): string[] {
  const columns = Math.max(1, screen.columns - 1)
  const head = cut(headline(under), columns)
  const shown = shownIn(under, screen)
  const hidden = under.running.size - shown.length
  const widest = {
    address: shown.reduce((most, one) => Math.max(most, widthOf(safeLine(one.address))), 0),
    activity: shown.reduce((most, one) => Math.max(most, widthOf(activityOf(one))), 0),
  }
  const lines = shown.map((one) => operationLine(one, columns, widest, nowMs))
  const rest = hidden > 0 && roomOn(screen) > 0 ? [cut(`  … and ${hidden} more running`, columns)] : []
  return [head, ...lines, ...rest]
}

/** The operations that have a line of their own in the frame. */
export function shownIn(under: Under, screen: Screen): readonly Running[] {
  const running = [...under.running.values()]
  const room = roomOn(screen)
  return running.length <= room ? running : running.slice(0, Math.max(0, room - 1))
}

/** The lines below the headline. */
function roomOn({ rows }: Screen): number {
  return Math.max(1, rows - 1) - 1
}

function headline(under: Under): string {
  const { done, total, running, failed, stopped, notBegun } = under
  const others = Object.entries({ failed, stopped, 'not begun': notBegun }).filter(([, count]) => count > 0)
  // Nothing is planned yet while what an earlier run left open is settled.
  const whole = total === 0 ? 'settling what an earlier run began' : `${done} of ${total} done`
  return [whole, `${running.size} running`, ...others.map(([what, count]) => `${count} ${what}`)].join(', ')
}

/** `  ADDRESS  ACTIVITY  ELAPSED`: the address may take half of the line, or what no activity needs. */
function operationLine(one: Running, columns: number, widest: { readonly address: number; readonly activity: number }, nowMs: number): string {
  const elapsed = elapsedText(nowMs - one.startedMs)
  const free = columns - 2 - 2 - 2 - widthOf(elapsed)
  if (free < 6) return cut(`${safeLine(one.address)} ${elapsed}`, columns)
  const addressWidth = Math.min(widest.address, Math.max(3, Math.floor(free / 2), free - widest.activity))
  const address = pad(cutMiddle(safeLine(one.address), addressWidth), addressWidth)
  const activityWidth = free - addressWidth
  return `  ${address}  ${pad(cut(activityOf(one), activityWidth), activityWidth)}  ${elapsed}`
}

/** Steps that say no more than the operation's own word. */
const impliedSteps: ReadonlySet<string> = new Set(['create', 'update', 'delete'])

/** What an operation does now: its step, and how far the service says that its workflow is. */
export function activityOf(one: Running): string {
  const { progress, step, waitingFor } = one
  const doing = wordsFor(one.action, one.task).still
  const named = step === undefined || impliedSteps.has(step) ? doing : `${doing}: ${safeLine(step)}`
  const told = (text: string | undefined): boolean => text === undefined || text === '' || text === step || text === doing
  if (progress) return `${named} ${progress.completed}/${progress.total}${told(progress.activity) ? '' : ` ${safeLine(progress.activity ?? '')}`}`
  return told(waitingFor) ? named : `${named}, waiting for ${safeLine(waitingFor ?? '')}`
}
