// What ends with another object: while that one is on its way out it is left alone, and it is no difference for a plan.
import type { JsonObject } from '../json.ts'
import type { AnyKind } from '../kinds/kind.ts'
import type { LiveObject } from './live.ts'
import { heldIds } from './needs.ts'
import { readAgain } from './observe.ts'
import type { Current, Work } from './operation.ts'
import { viewOf } from './view.ts'

/** The objects that one ends with, by what is recorded or live of its spec. */
export function ownersOf(kind: AnyKind, spec: JsonObject): readonly { readonly kind: string; readonly id: string }[] {
  return heldIds(kind, spec).flatMap((held) => (held.endsWith ? held.kinds.map((name) => ({ kind: name, id: held.id })) : []))
}

/** Whether an object, as it was read, is on its way out; `nowMs` is the server's clock. */
export function isLeaving(kind: AnyKind, object: LiveObject, nowMs: number): boolean {
  const { id, workspaceId, live } = object
  return kind.status(live, viewOf({ kind, address: '', id, workspaceId, recorded: {}, live, fresh: false, nowMs })) === 'leaving'
}

/** Whether an object goes without a call of its own: it is leaving, or what it ends with is. `recorded` is what the state remembers of its spec. */
export async function leavesAlone(work: Work, at: Pick<Current, 'kind' | 'workspaceId'>, recorded: JsonObject, object: LiveObject): Promise<boolean> {
  if (isLeaving(at.kind, object, work.run.client.serverNow())) return true
  for (const owner of ownersOf(at.kind, { ...recorded, ...object.seen })) if (await ownerLeaves(work, at, owner)) return true
  return false
}

/** What is recorded as current tells; an old half, or one that is in no record, is read. */
async function ownerLeaves(work: Work, at: Pick<Current, 'workspaceId'>, owner: { readonly kind: string; readonly id: string }): Promise<boolean> {
  const record = work.ledger.holder(owner.kind, owner.id)
  if (record?.id === owner.id) return record.status === 'deleting'
  const kind = work.kindOf(owner.kind)
  const object = await readAgain(work.looking, { kind, workspaceId: at.workspaceId, id: owner.id, fields: [], parents: [] })
  return object !== undefined && isLeaving(kind, object, work.run.client.serverNow())
}
