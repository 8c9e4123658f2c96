// A plan that was just made, with what it was made of.
import type { Route } from '../../api/routes/route.ts'
import type { Folded } from '../../state/fold.ts'
import type { Digest } from '../model/live.ts'
import type { PlanInput } from '../model/planned-resource.ts'
import type { Planning } from '../model/planning-result.ts'
import type { Refreshed } from '../refresh/refresh.ts'

/** A plan with its facts: what this very run may apply without reading them again. */
export interface Prepared extends Planning {
  /** The routes that were read for it. */
  readonly asked: ReadonlySet<Route>
  readonly input: PlanInput
  readonly refreshed: Refreshed
  readonly digest: Digest
  /** What was recorded when it was planned. */
  readonly folded: Folded
  /** Whether it was asked what the token of the run allows, and the service did not tell. */
  readonly isTokenUnknown: boolean
}

/** Whether the same facts make the same plan however late it is: no kind of it looks at the clock, and it says nothing of what other environments manage. */
export function isTimeless({ input: { project, state, kinds: all, otherEnvironments } }: Pick<Prepared, 'input'>): boolean {
  const names = new Set([...project.resources, ...state.resources.values()].map((one) => one.kind))
  return otherEnvironments === undefined && !all.some((one) => one.due !== undefined && names.has(one.name))
}
