// The figures of a report under the names that pipelines know them by.
import { units } from '../../../base/micro-units.ts'
import { countsOf } from '../plan/plan-counts.ts'
import type { Report } from './report.ts'

/** The sentence's numbers, `changes` and `drift` as true or false, money as the plan's totals differ; null where the report does not tell it. */
export function planNumbers({ subject, plan, drift, differs }: Pick<Report, 'subject' | 'plan' | 'drift' | 'differs'>) {
  const counts = plan && subject === 'plan' ? countsOf(plan.summary) : null
  return {
    changes: counts ? String(differs) : null,
    to_add: counts ? String(counts.add) : null,
    to_change: counts ? String(counts.change) : null,
    to_destroy: counts ? String(counts.destroy) : null,
    to_replace: counts && plan ? String(plan.summary.replace) : null,
    to_import: counts ? String(counts.import) : null,
    drift: drift ? (drift.no_state_at === null ? String(drift.has_drift) : null) : plan?.drift ? String(plan.drift.length > 0) : null,
    monthly_delta: plan?.cost && counts ? units(BigInt(plan.cost.monthly_after) - BigInt(plan.cost.monthly_before)) : null,
    review: counts ? (plan?.review ?? null) : null,
  }
}
