// What a saved plan has to leave in place: what is retained, and what that lives on.
import type { ResourceRecord } from '../../state/record.ts'
import { isObjectStill } from '../../state/slot.ts'
import { holdersSeen } from '../model/graph/fates.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import { createRetained } from '../model/retained.ts'
import { staysWith } from '../plan/decide/stays-with.ts'
import type { Staying } from '../plan/decide/stays-with.ts'
import { halfOf } from './plan-derived.ts'
import type { Ground } from './plan-standing.ts'

interface Leaver extends Staying {
  readonly change: Change
}

/** The changes whose objects are to be forgotten and to stay; `found` is what is there of each. */
export function stayingIn({ plan, project, records, kindOf }: Ground, found: ReadonlyMap<Change, LiveObject | undefined>): ReadonlySet<Change> {
  const isRetained = createRetained(project, plan.mode === 'destroy')
  const ends = plan.changes.filter((one) => one.action === 'delete' || one.action === 'forget')
  const own = ends.filter((one) => {
    const record = records.get(one.address)
    return record !== undefined && mayStay(one, record) && isRetained(record)
  })
  if (own.length === 0) return new Set()
  const roots = new Set(own)
  const leavers = ends.map((change): Leaver => {
    const { address, workspace_id: workspaceId, id } = change
    const kind = kindOf(change.kind)
    const object = found.get(change)
    const record = records.get(address)
    // A plan that was made without reading went by the record.
    const spec = { ...halfOf(change, record)?.spec, ...(plan.refreshed === false ? {} : object?.seen) }
    const isThere = object !== undefined || !kind.readable
    const holders = holdersSeen(kind, object)
    return { change, address, kind, workspaceId, id, spec, shown: record?.outputs ?? {}, holders, retained: roots.has(change) && isThere }
  })
  const deleted = (change: Change): boolean => found.get(change) !== undefined || !kindOf(change.kind).readable
  return new Set([...own, ...[...staysWith(leavers, plan.mode === 'destroy').keys()].flatMap(({ change }) => (deleted(change) ? [change] : []))])
}

/** Of old halves those that are the object still. */
function mayStay({ deposed, id }: Change, record: ResourceRecord): boolean {
  return !deposed || record.deposed.some((old) => old.id === id && isObjectStill(record, old))
}
