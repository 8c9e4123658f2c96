// What of the drift in a plan is worth a reader's time.
import type { Change, Plan } from '../../../engine/model/plan-data.ts'

/** The drift that a plan shows to people: of what it deletes anyway, its block shows what is there. The plan's data, `iac drift` and a plan that records hold all of it. */
export function plannedDrift({ mode, changes, drift }: Pick<Plan, 'mode' | 'changes' | 'drift'>): readonly Change[] {
  const found = drift ?? []
  if (mode !== 'normal' || found.length === 0) return found
  const goers = new Set(changes.flatMap((one) => (one.action === 'delete' && !one.deposed ? [one.address] : [])))
  return found.filter((one) => !goers.has(one.address))
}
