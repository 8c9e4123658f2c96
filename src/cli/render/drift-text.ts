// Drift for people.
import type { Change } from '../../engine/model/plan-data.ts'
import type { Found } from './drift-json.ts'
import { coverageOf } from './drift-json.ts'
import type { BlockOptions } from './plan/plan-block.ts'
import { driftSection } from './plan/plan-text.ts'
import { counted } from './text/counted.ts'
import { tableText } from './text/tables.ts'

/** Every difference as a block, what nobody manages as a table, and a counted last line. */
export function driftText(drift: readonly Change[], found: Found | undefined, options: BlockOptions): string {
  const { bold } = options.palette
  const gone = drift.filter((one) => one.action === 'delete').length
  const sections = drift.length === 0 ? [] : [`${driftSection(drift, options).join('\n')}\n`]
  if (found) sections.push(unmanagedText(found))
  const last = drift.length === 0 ? 'No drift. What is live matches what was last applied.' : `Drift: ${drift.length - gone} changed, ${gone} deleted.`
  return [...sections, `${bold(last)}\n`].join('\n')
}

function unmanagedText(found: Found): string {
  const all = found.managed + found.unmanaged.length
  const percent = coverageOf(found)
  if (percent === null) return 'Coverage: there is no object.\n'
  const coverage = `Coverage: ${percent} % of ${counted(all, 'object')} ${all === 1 ? 'is' : 'are'} managed.\n`
  if (found.unmanaged.length === 0) return coverage
  const rows = found.unmanaged.map((one) => [one.kind, one.id, one.name ?? '-'])
  return `Not managed by any manifest:\n\n${tableText(['kind', 'id', 'name'], rows)}\n${coverage}`
}
