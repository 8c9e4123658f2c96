// What is no longer as the plan showed it when somebody said yes: no operation on it is begun.
import type { Looking } from './model/observation.ts'
import type { Change } from './model/plan-data.ts'
import type { Planning } from './model/planning-result.ts'
import { keptInsteadOfSuccessors } from './plan/abandoned.ts'
import { isGoing } from './plan/checks/leaving/cascade.ts'
import { cascadeNow, untoldIn } from './saved/cascade-now.ts'
import { heldNow } from './saved/held-now.ts'
import { missingNow } from './saved/missing-now.ts'
import { lookAtTouched } from './saved/saved-plan.ts'
import type { Standing } from './saved/saved-plan.ts'

/** The changes whose object others changed since the plan was made, or whose deletion is refused by now, or takes along what nobody was shown, or is for the sake of what can be made no more. */
export async function changedSince(looking: Looking, { plan, cascade }: Pick<Planning, 'plan' | 'cascade'>, standing: Standing): Promise<ReadonlySet<Change>> {
  const kept = keptInsteadOfSuccessors(plan, standing.records)
  const [touched, now, missing] = await Promise.all([
    lookAtTouched(looking, plan, { ...standing, also: (one) => kept.has(one) }),
    cascadeNow(looking, plan, standing),
    missingNow(looking, plan, standing),
  ])
  const takers = new Set(untoldIn(now, cascade).map((one) => one.by))
  // What somebody else has deleted is what a deletion wants.
  const changed = touched.filter(({ change, found, isStale }) => isStale && (found !== undefined || change.action !== 'delete')).map(({ change }) => change)
  // Nothing goes for the sake of what does not stand as it was shown.
  const changedKept = new Set(changed.flatMap((one) => (kept.has(one) ? [one.address] : [])))
  const refused = plan.changes.filter((one) => (isGoing(one) && takers.has(one.address)) || (one.deposed && changedKept.has(one.address)))
  return new Set([...changed, ...heldNow(touched, plan).keys(), ...missing.keys(), ...refused])
}
