// What is wrong in a project, gathered: each mistake once, and no more of them than are told.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import { mostTold } from '../../base/told-diagnostics.ts'
import { byPlace } from './by-place.ts'

/** So many errors are kept, and so many warnings: as many as are told. */
export const mostKept = mostTold

/** A gatherer of diagnostics. */
export interface Findings {
  /** Throws Exhausted when there are more errors than are kept. */
  report(found: Diagnostic): void
  /** Counts errors like the last ones that nobody made. */
  leaveOut(count: number): void
  /** By file and place; what was left out is counted at the end. */
  all(): readonly Diagnostic[]
}

export function createFindings(): Findings {
  const kept: Diagnostic[] = []
  const seen = new Set<string>()
  const keptOf = { error: 0, warning: 0 }
  const leftOut = { error: 0, warning: 0 }
  return {
    report(found) {
      const severity = found.severity === 'error' ? 'error' : 'warning'
      // Of warnings there may be one for each of 100,000 resources: these are not compared any more.
      const isFull = keptOf[severity] >= mostKept
      if (isFull && severity === 'warning') return void (leftOut.warning += 1)
      const key = keyOf(found)
      if (seen.has(key)) return undefined
      seen.add(key)
      if (isFull) throw new Exhausted(`it holds more than ${mostKept} mistakes`)
      kept.push(found)
      keptOf[severity] += 1
      return undefined
    },
    leaveOut: (count) => void (leftOut.error += count),
    all: () => [
      ...kept.toSorted(byPlace),
      ...(leftOut.warning > 0 ? [diagnostic('more_warnings', `${leftOut.warning} more warnings are left out`)] : []),
      ...(leftOut.error > 0 ? [diagnostic('more_errors', `${leftOut.error} more mistakes are left out`, { hint: 'mend these first' })] : []),
    ],
  }
}

/** What every key of a for_each gets wrong is one mistake. */
function keyOf({ code, summary, hint, position }: Diagnostic): string {
  return JSON.stringify([code, summary, hint, position?.file, position?.line, position?.column])
}
