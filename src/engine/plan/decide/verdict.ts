// The decision on one resource alone, by what is recorded, live and different: for a plan that is made, and for a saved one that is judged again.
import type { ResourceRecord } from '../../../state/record.ts'
import type { Difference } from '../../model/diff/diff.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Action, Reason } from '../../model/plan-data.ts'
import type { Situation } from '../../model/view.ts'
import { removalFor, viewOf } from '../../model/view.ts'

/** What is done, and why; `found` are the differences that it was decided by. */
export interface Verdict {
  readonly action: Action
  readonly reason: Reason | null
  readonly found: readonly Difference[]
}

/** A resource that is recorded, or is to be imported. */
export interface Standing {
  readonly record: ResourceRecord | undefined
  readonly object: LiveObject | undefined
  readonly situation: Situation
  /** The state stands for what is live. */
  readonly unread: boolean
  /** A trigger asks for a restart. */
  readonly restart: boolean
  differences(): readonly Difference[]
  /** Why it is replaced whatever differs. */
  forced(): Reason | undefined
}

/** What becomes of something that is declared and has an object, or had one. */
export function verdictOnDeclared(one: Standing): Verdict {
  const { record, object, situation, restart } = one
  if (!object && situation.kind.readable) return { action: 'create', reason: 'missing', found: [] }
  if (stillFailed(one) || failedWhileMade(one)) return { action: 'replace', reason: 'failed', found: [] }
  if (object && isOnItsWayOut(situation)) return { action: 'create', reason: 'missing', found: [] }
  const found = one.differences()
  // Replaced at once it would be destroyed by the plan that takes it over.
  if (!record) return { action: 'import', reason: 'new', found }
  const forced = one.forced()
  if (forced) return { action: 'replace', reason: forced, found }
  if (found.some((each) => each.effect === 'replace')) return { action: 'replace', reason: 'immutable_field', found }
  if (record.status === 'creating') return { action: 'update', reason: 'resumed', found }
  const updates = found.filter((each) => each.effect === 'update')
  if (updates.length > 0) return { action: 'update', reason: updates.every((each) => each.drifted) ? 'drifted' : 'changed', found }
  if (record.status === 'failed') return { action: 'update', reason: 'resumed', found }
  return restart ? { action: 'update', reason: 'trigger', found } : { action: 'no-op', reason: null, found }
}

/** What becomes of a record, or an old half of one, that nothing declares. */
export function verdictOnUndeclared(one: {
  readonly record: Pick<ResourceRecord, 'status'>
  readonly object: LiveObject | undefined
  readonly situation: Situation
  readonly deposed: boolean
  /** It is forgotten, and stays. */
  readonly retain: boolean
  readonly destroy: boolean
  /** Whether what it ends with is leaving. */
  endsByItself(): boolean
}): Omit<Verdict, 'found'> {
  const { record, object, situation, deposed } = one
  if (one.retain) return { action: 'forget', reason: 'removed' }
  // An end that was recorded and has come is no difference: the next apply forgets it silently.
  if (!object && situation.kind.readable)
    return deposed || record.status === 'deleting' ? { action: 'no-op', reason: null } : { action: 'forget', reason: 'missing' }
  if (isOnItsWayOut(situation) || one.endsByItself()) return { action: 'no-op', reason: null }
  if (removalFor(situation).length === 0) return { action: 'forget', reason: 'removed' }
  return { action: 'delete', reason: deposed ? 'resumed' : one.destroy ? 'requested' : 'removed' }
}

/** An object that is ready by now, though its making failed, is in use for all that is known. */
function stillFailed({ unread, record, situation }: Standing): boolean {
  if (record?.status !== 'failed') return false
  return unread || !isUp(situation)
}

/** Whether an object reads as ready, judged as one that never was; false for what is not there. */
export function isUp(situation: Situation): boolean {
  const { kind, live } = situation
  return live !== undefined && kind.status(live, viewOf({ ...situation, fresh: true })) === 'ready' && kind.showsReady?.(live) !== false
}

/** An object that never was ready says itself that it failed. */
function failedWhileMade({ record, situation }: Standing): boolean {
  return record?.status === 'creating' && situation.live !== undefined && situation.kind.status(situation.live, viewOf(situation)) === 'failed'
}

/** Whether an object was seen, and is neither leaving nor failed. */
export function isSeenStanding(situation: Situation): boolean {
  const { kind, live } = situation
  if (!kind.readable || live === undefined) return false
  const status = kind.status(live, viewOf(situation))
  return status !== 'leaving' && status !== 'failed'
}

/** Whether an object shows that it is leaving. */
export function isOnItsWayOut(situation: Situation): boolean {
  return situation.live !== undefined && situation.kind.status(situation.live, viewOf(situation)) === 'leaving'
}
