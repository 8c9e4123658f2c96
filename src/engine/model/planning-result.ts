// A plan, and what its planning knows beside it.
import type { JsonValue } from '../../base/json.ts'
import type { Plan } from './plan-data.ts'
import type { Planned } from './planned-resource.ts'

/** What planning hands on: the plan as data, and what is never saved with it. */
export interface Planning {
  readonly plan: Plan
  /** Token text → value, for the requests of this plan; never saved. */
  readonly secrets: ReadonlyMap<string, JsonValue>
  readonly planned: readonly Planned[]
  /** What goes although nothing of the plan deletes it. */
  readonly cascade: readonly Cascaded[]
}

/** An object with the resource whose deletion takes it along. */
export interface Cascaded {
  readonly by: string
  readonly kind: string
  readonly id: string
  /** Where it is managed; null for what nobody manages. */
  readonly address: string | null
  /** What people call it. */
  readonly name: string
}
