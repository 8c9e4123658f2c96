// What a saved plan has to leave in place: what is retained, and what that lives on.
import type { ResourceRecord } from '../../state/record.ts'
import { isHalfMade, isObjectStill } from '../../state/slot.ts'
import { holdersSeen } from '../model/graph/holder-outcomes.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import { createRetained } from '../model/retained.ts'
import { staysWith } from '../plan/decide/stays-with.ts'
import type { Staying } from '../plan/decide/stays-with.ts'
import { isSeenStanding } from '../plan/decide/verdict.ts'
import { changedHalf } from './plan-derived.ts'
import type { Ground } from './plan-standing.ts'

type Found = ReadonlyMap<Change, LiveObject | undefined>

interface Leaver extends Staying {
  readonly change: Change
}

/** Whether what a change is about is seen to be there, neither leaving nor failed; nobody looked where the plan was made without reading. */
export function standingNow({ plan, records, kindOf }: Ground, found: Found, nowMs: number): (change: Change) => boolean {
  return (change) => {
    const { address, id, workspace_id: workspaceId } = change
    const record = records.get(address)
    const recorded = changedHalf(change, record)?.spec
    if (plan.refreshed === false || !record || !recorded) return false
    const live = found.get(change)?.live
    const fresh = record.status === 'creating'
    return isSeenStanding({ kind: kindOf(change.kind), address, id: id ?? undefined, workspaceId: workspaceId ?? '', recorded, live, fresh, nowMs })
  }
}

/** The changes whose objects are to be forgotten and to stay; `found` is what is there of each. */
export function stayingIn({ plan, project, records, kindOf }: Ground, found: Found, isStanding: (change: Change) => boolean): ReadonlySet<Change> {
  const isRetained = createRetained(project, plan.mode === 'destroy')
  const ends = plan.changes.filter((one) => one.action === 'delete' || one.action === 'forget')
  const beside = new Set(ends.flatMap((one) => (one.deposed && isStanding(one) ? [`${one.address}#${one.id}`] : [])))
  const own = ends.filter((one) => {
    const record = records.get(one.address)
    return record !== undefined && mayStay(one, record, beside) && isRetained(record)
  })
  if (own.length === 0) return new Set()
  const roots = new Set(own)
  const leavers = ends.map((change): Leaver => {
    const { address, workspace_id: workspaceId, id } = change
    const kind = kindOf(change.kind)
    const object = found.get(change)
    const record = records.get(address)
    // A plan that was made without reading went by the record.
    const spec = { ...changedHalf(change, record)?.spec, ...(plan.refreshed === false ? {} : object?.seen) }
    const isThere = object !== undefined || !kind.readable
    const holders = holdersSeen(kind, object)
    return { change, address, kind, workspaceId, id, spec, shown: record?.outputs ?? {}, holders, retained: roots.has(change) && isThere }
  })
  const deleted = (change: Change): boolean => found.get(change) !== undefined || !kindOf(change.kind).readable
  return new Set([...own, ...[...staysWith(leavers, plan.mode === 'destroy').keys()].flatMap(({ change }) => (deleted(change) ? [change] : []))])
}

/** Of several objects those that are the object still, for all that is known: a plan that leaves a successor in place as well destroys nothing. */
function mayStay({ address, action, deposed, id }: Change, record: ResourceRecord, beside: ReadonlySet<string>): boolean {
  if (deposed) return record.deposed.some((old) => old.id === id && isObjectStill(record, old))
  return action === 'forget' || !isHalfMade(record, (old) => beside.has(`${address}#${old.id}`))
}
