// One operation of a plan's graph: an object that is made or changed, or one that goes.
import type { JsonObject } from '../../../base/json.ts'
import type { Change } from '../plan-data.ts'

export interface Node {
  readonly id: string // `ADDRESS` or `ADDRESS#OBJECT` for what goes
  readonly task: 'make' | 'remove'
  readonly change: Change
  readonly objectId: string | null
  readonly group: string | undefined
  readonly rank: number
  readonly spec: JsonObject // what is made or what was, as far as it is known
}

/** One object more than there was: the new half of a destroy-first replacement takes the room of the old one. */
export function isArrival({ task, change }: Node): boolean {
  return task === 'make' && (change.action === 'create' || (change.action === 'replace' && change.create_before_destroy))
}

/** What goes for good, or once its successor is there: the room of any other is that of its successor. */
export function freesQuota({ task, change }: Node): boolean {
  return task === 'remove' && (change.action === 'delete' || (change.action === 'replace' && (change.deposed || change.create_before_destroy)))
}
