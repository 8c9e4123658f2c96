// The limits of workspaces with what is used of them, for people.
import { sizeText } from '../../../base/units.ts'
import type { QuotaNow } from '../../../engine/model/plan-data.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine } from '../text/sanitise.ts'
import { tableText } from '../text/tables.ts'

const BAR_WIDTH = 20
/** Beyond this share a limit is nearly reached. */
const NEARLY_USED = 0.8

/** A workspace with its limits. */
export interface WorkspaceQuota {
  readonly id: string
  readonly name: string
  readonly limits: readonly QuotaNow[]
}

/** A table for each workspace, a bar in each line of which both numbers are known. */
export function quotaText(workspaces: readonly WorkspaceQuota[], { red, yellow }: Pick<Palette, 'red' | 'yellow'>): string {
  return workspaces
    .map(({ id, name, limits }) => {
      const rows = limits.map((one) => [one.name, amountText(one.name, one.used, 'not counted'), amountText(one.name, one.limit, 'no limit'), barOf(one)])
      const [head = '', ...lines] = tableText(['limit', 'used', 'of', ''], rows, ['used', 'of']).split('\n')
      const coloured = lines.map((line, at) => (shareOf(limits[at]) >= 1 ? red(line) : shareOf(limits[at]) > NEARLY_USED ? yellow(line) : line))
      return `workspace ${safeLine(name === '' ? '-' : name)} (${safeLine(id)})\n\n${limits.length === 0 ? 'no limits\n' : [head, ...coloured].join('\n')}`
    })
    .join('\n')
}

/** A number of a limit: bytes as a size. */
export function amountText(name: string, amount: number | null, otherwise: string): string {
  if (amount === null) return otherwise
  return name.endsWith('_bytes') ? sizeText(amount) : String(amount)
}

function shareOf(one: QuotaNow | undefined): number {
  return one && one.used !== null && one.limit !== null && one.limit > 0 ? one.used / one.limit : 0
}

function barOf(one: QuotaNow): string {
  if (one.used === null || one.limit === null) return ''
  const share = one.limit > 0 ? shareOf(one) : one.used > 0 ? 1 : 0
  const filled = Math.min(BAR_WIDTH, one.used > 0 ? Math.max(1, Math.floor(share * BAR_WIDTH)) : 0)
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`
}
