// A plan that was just made, with what it was made of.
import type { Folded } from '../state/fold.ts'
import type { Digest } from './live.ts'
import type { PlanInput } from './planned.ts'
import type { Planning } from './planning.ts'
import type { Survey } from './survey.ts'

/** A plan with its facts: what this very run may apply without reading them again. */
export interface Prepared extends Planning {
  readonly input: PlanInput
  readonly survey: Survey
  readonly digest: Digest
  /** What was recorded when it was planned. */
  readonly folded: Folded
}
