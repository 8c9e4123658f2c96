// Drift for people.
import type { Blamed } from '../../engine/blame.ts'
import { managerName } from '../../engine/model/other-environments.ts'
import type { Change } from '../../engine/model/plan-data.ts'
import { groupBy } from '../../kinds/definition/live-fields.ts'
import { blameText } from './blame-text.ts'
import type { Found } from './drift-json.ts'
import { coverageOf } from './drift-json.ts'
import type { BlockOptions } from './plan/plan-block.ts'
import { driftSection } from './plan/plan-text.ts'
import { ownWords } from './plan/plan-words.ts'
import { noStateAt } from './plan/state-lines.ts'
import { counted } from './text/counted.ts'
import { tableText } from './text/tables.ts'

export interface DriftTextOptions extends BlockOptions {
  /** The place where there is no state, so that nothing was compared. */
  readonly noStateAt?: string | null
}

/** Every difference as a block, the workflows that may have made it, what nobody manages as a table, and a counted last line. */
export function driftText(drift: readonly Change[], found: Found | undefined, options: DriftTextOptions, blamed?: Blamed): string {
  const { bold } = options.palette
  const sections = drift.length === 0 ? [] : [`${driftSection(drift, options).join('\n')}\n`]
  if (blamed && drift.length > 0) sections.push(blameText(blamed))
  if (found) sections.push(unmanagedText(found))
  return [...sections, `${bold(driftSentence(drift, options.words, options.noStateAt))}\n`].join('\n')
}

/** `Drift: 1 changed, 0 deleted.` */
export function driftSentence(drift: readonly Change[], words = ownWords, place: string | null = null): string {
  if (place !== null) return `${noStateAt(place)}: nothing was compared.`
  const gone = drift.filter((one) => one.action === 'delete').length
  return drift.length === 0 ? words.noDrift : `Drift: ${drift.length - gone} changed, ${gone} deleted.`
}

function unmanagedText(found: Found): string {
  const all = found.managed + found.unmanaged.length
  const percent = coverageOf(found)
  if (percent === null) return 'Coverage: there is no object.\n'
  const coverage = `Coverage: ${percent} % of ${counted(all, 'object')} ${all === 1 ? 'is' : 'are'} managed.\n`
  const elsewhere = [...groupBy(found.elsewhere ?? [], (one) => managerName(one.environment))].map(
    ([name, ones]) => `${counted(ones.length, 'object')} ${ones.length === 1 ? 'is' : 'are'} managed by ${name}.\n`,
  )
  if (found.unmanaged.length === 0) return [coverage, ...elsewhere].join('')
  const rows = found.unmanaged.map((one) => [one.kind, one.id, one.name ?? '-'])
  const title = found.unread === undefined ? 'Not managed by any manifest' : `In no state of this environment (${found.unread})`
  return `${title}:\n\n${tableText(['kind', 'id', 'name'], rows)}\n${[coverage, ...elsewhere].join('')}`
}
