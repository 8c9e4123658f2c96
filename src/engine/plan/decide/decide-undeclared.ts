// Decides what becomes of what the state holds and no manifest declares.
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { withArticle } from '../../../base/words/article.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Deposed, ResourceRecord } from '../../../state/record.ts'
import { sealedLike } from '../../model/diff/sealed-like.ts'
import { isLeaving, ownersOf } from '../../model/graph/owners.ts'
import type { PlanInput, Planned } from '../../model/planned-resource.ts'
import type { Situation } from '../../model/view.ts'
import { verdictOnUndeclared } from './verdict.ts'

/** Whether what something ends with is seen to be leaving. */
function leavesNow({ kinds, observation, nowMs }: PlanInput, workspaceId: string, owner: { readonly kind: string; readonly id: string }): boolean {
  const kind = kinds.find((one) => one.name === owner.kind)
  const object = observation.find(owner.kind, workspaceId, owner.id)
  return kind !== undefined && object !== undefined && isLeaving(kind, object, nowMs)
}

/** Whether what takes the objects of a kind along is seen to be leaving. */
function takerLeavesNow({ kinds, observation, nowMs }: PlanInput, workspaceId: string, { name, goesAlong }: AnyKind): boolean {
  if (!goesAlong) return false
  const takers = kinds.filter((one) => one.takes.includes(name))
  return takers.some((kind) => observation.listed(kind.name, workspaceId)?.some((object) => isLeaving(kind, object, nowMs)) === true)
}

/** What becomes of a record that no manifest declares; `retain` forgets the object instead. */
export function decideUndeclared(input: PlanInput, kind: AnyKind, record: ResourceRecord, retain: boolean, deposed?: Deposed): Planned {
  const workspaceId = record.workspace_id ?? ''
  const id = deposed?.id ?? record.id
  const recorded = deposed?.spec ?? record.spec
  const object = sealedLike(input.observation.find(kind.name, workspaceId, id), [recorded], input.digest)
  const situation: Situation = {
    kind,
    address: record.address,
    id,
    workspaceId,
    recorded,
    live: object?.live,
    fresh: record.status === 'creating',
    nowMs: input.nowMs,
  }
  const base = {
    address: record.address,
    previousAddress: null,
    kind,
    declared: undefined,
    record,
    object,
    objectId: id,
    workspaceId: record.workspace_id,
    workspaceAddress: null,
    resolved: undefined,
    desired: undefined,
    differences: [],
    inDoubt: [],
    situation,
    restart: false,
    deposed: deposed !== undefined,
    retained: retain,
    leftOut: false,
  }
  const spec = { ...recorded, ...object?.seen }
  const verdict = verdictOnUndeclared({
    record,
    object,
    situation,
    deposed: deposed !== undefined,
    retain,
    destroy: input.options.destroy,
    endsByItself: () => ownersOf(kind, spec).some((owner) => leavesNow(input, workspaceId, owner)) || takerLeavesNow(input, workspaceId, kind),
  })
  return { ...base, ...verdict, diagnostics: verdict.action === 'forget' && verdict.reason === 'removed' && !retain ? [endsHere(record, kind)] : [] }
}

function endsHere({ address }: ResourceRecord, kind: AnyKind): Diagnostic {
  return diagnostic('advice', `${address}: the service has no call that deletes ${withArticle(kind.name)}; it is forgotten and stays as it is`, { address })
}
