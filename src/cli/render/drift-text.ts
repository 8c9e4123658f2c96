// Drift for people.
import type { Change } from '../../engine/plan-data.ts'
import type { BlockOptions } from './plan-block.ts'
import { driftSection } from './plan-text.ts'

/** Every difference as a block, and a counted last line. */
export function driftText(drift: readonly Change[], options: BlockOptions): string {
  if (drift.length === 0) return `${options.palette.bold('No drift. What is live matches what was last applied.')}\n`
  const gone = drift.filter((one) => one.action === 'delete').length
  const last = options.palette.bold(`Drift: ${drift.length - gone} changed, ${gone} deleted.`)
  return `${driftSection(drift, options).join('\n')}\n\n${last}\n`
}
