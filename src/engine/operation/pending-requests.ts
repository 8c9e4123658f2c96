// Requests whose outcome never became known: they hold back every other request to their object, and end unsettled.
import type { Entry, Intent } from '../../state/record.ts'
import { settleMs } from '../model/settings.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current, Work } from './operation.ts'
import { interrupted } from './send.ts'

/** What an operation knows of requests that were lost. */
export interface Holding {
  readonly work: Work
  readonly current: Current
  /** Set after an unknown outcome: until then only the same step may leave. */
  hold: { readonly step: string; readonly untilMs: number } | undefined
  /** Requests whose outcome is unknown. Their intents stay open, so that after a crash the next run holds back, too. */
  readonly lost: number[]
  /** Lost ones that were carried out by a repetition: their intents stay open only because they may still arrive. */
  readonly repeated: number[]
}

/** Notes that the outcome of a step did not become known at `atMs`, the clock's milliseconds. */
export function noteLost(holding: Holding, step: AnyStep, { intent, atMs }: { readonly intent: Intent; readonly atMs: number }): void {
  holding.lost.push(intent.seq)
  holding.hold = { step: step.name, untilMs: atMs + settleMs(holding.work.run.compat) }
}

/** After a request whose outcome is unknown a different one leaves only once the lost one can no longer arrive; true where that was waited for, and what was seen before is to be read anew. */
export async function holdBack(holding: Holding, step: AnyStep | undefined): Promise<boolean> {
  const { hold, work } = holding
  if (!hold || hold.step === step?.name) return false
  const leftMs = hold.untilMs - work.run.clock.now()
  if (leftMs > 0) await work.run.clock.sleep(leftMs, work.run.stop).catch(() => undefined)
  // A stop ends the wait, not the window: the intents stay open, and the next run holds back as well.
  if (work.run.stop.aborted) throw interrupted(holding.current)
  const ends = givenUp(holding)
  if (ends.length > 0) await work.ledger.append(...ends)
  holding.hold = undefined
  return true
}

/** Ends the requests whose outcome never became known: their fields are uncertain until something confirms them. */
export function givenUp(holding: Holding): Entry[] {
  return [
    ...holding.lost.splice(0).map((seq): Entry => ({ t: 'failed', seq, workflow_state: 'unknown' })),
    ...holding.repeated.splice(0).map((seq): Entry => ({ t: 'closed', seq, why: 'carried out by its repetition' })),
  ]
}
