// The counted sentences at the end of a plan, an apply and a destroy, in the words that scripts look for.
import { compareAddresses } from '../../../base/address.ts'
import type { Outcome } from '../../../engine/model/events.ts'
import type { Change, Summary } from '../../../engine/model/plan-data.ts'

/** The counts as people read them: a replacement adds and destroys. */
export interface Counts {
  readonly import: number
  readonly add: number
  readonly change: number
  readonly destroy: number
  readonly forget: number
}

export function countsOf(summary: Summary): Counts {
  return {
    import: summary.import,
    add: summary.create + summary.replace,
    change: summary.update,
    destroy: summary.delete + summary.replace,
    forget: summary.forget,
  }
}

/** Whether carrying the plan out would do anything; a new name is a change, too. */
export function hasChanges(changes: readonly Change[]): boolean {
  return changes.some((one) => one.action !== 'no-op' || one.previous_address !== null)
}

/** `Plan: 1 to import, 3 to add, 1 to change, 0 to destroy.` */
export function planSentence(summary: Summary): string {
  const counts = countsOf(summary)
  const imports = counts.import > 0 ? `${counts.import} to import, ` : ''
  const forgets = counts.forget > 0 ? `, ${counts.forget} to forget` : ''
  return `Plan: ${imports}${counts.add} to add, ${counts.change} to change, ${counts.destroy} to destroy${forgets}.`
}

/** `Apply complete! Resources: 3 added, 1 changed, 0 destroyed.` */
export function applySentence(outcome: Pick<Outcome, 'added' | 'changed' | 'destroyed' | 'imported' | 'forgotten'>): string {
  const imports = outcome.imported > 0 ? `${outcome.imported} imported, ` : ''
  const forgets = outcome.forgotten > 0 ? `, ${outcome.forgotten} forgotten` : ''
  return `Apply complete! Resources: ${imports}${outcome.added} added, ${outcome.changed} changed, ${outcome.destroyed} destroyed${forgets}.`
}

const mostNamed = 10

/** `Destroy complete! Resources: 3 destroyed.`, or `… 3 destroyed, 1 forgotten (Vpc/main).` with what stays. */
export function destroySentence(outcome: Pick<Outcome, 'destroyed' | 'forgotten' | 'staying'>): string {
  const staying = outcome.staying.toSorted(compareAddresses)
  const more = staying.length > mostNamed ? ` and ${staying.length - mostNamed} more` : ''
  const names = staying.length > 0 ? ` (${staying.slice(0, mostNamed).join(', ')}${more})` : ''
  const forgets = outcome.forgotten > 0 ? `, ${outcome.forgotten} forgotten${names}` : ''
  return `Destroy complete! Resources: ${outcome.destroyed} destroyed${forgets}.`
}
