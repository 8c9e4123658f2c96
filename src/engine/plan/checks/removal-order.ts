// What ends with what: through an `endsWith` field, or because a kind takes all of another kind in its workspace along.
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { push } from '../../model/needs.ts'
import { isLeaving, ownersOf } from '../../model/owners.ts'
import type { Action } from '../../model/plan-data.ts'
import type { Planned } from '../../model/planned.ts'

/** An object as far as what it ends with is concerned; `spec` is what is recorded and live of it. */
interface Being {
  readonly kind: AnyKind
  readonly workspaceId: string | null
  readonly id: string | null
  readonly spec: JsonObject
}

/** An object and what becomes of it: whether it `goes` by a call of its own, and whether it is there and `stays` unless something takes it along. */
export interface Fate extends Being {
  readonly address: string
  readonly goes: boolean
  readonly stays: boolean
}

/** Which of some objects another one ends with; making it and asking are linear in what is pointed at. */
export function createEndings<T extends Being>(owners: readonly T[]): (one: Being) => readonly T[] {
  const byObject = new Map<string, T[]>()
  const byTaken = new Map<string, T[]>()
  for (const owner of owners) {
    if (owner.id === null) continue
    push(byObject, `${owner.kind.name} ${owner.id}`, owner)
    for (const kind of owner.kind.takes) push(byTaken, placeOf(kind, owner.workspaceId), owner)
  }
  return ({ kind, workspaceId, spec }) => [
    ...(byTaken.get(placeOf(kind.name, workspaceId)) ?? []),
    ...(byObject.size === 0 ? [] : ownersOf(kind, spec).flatMap((owner) => byObject.get(`${owner.kind} ${owner.id}`) ?? [])),
  ]
}

/** Whether a decision deletes the object that is there. */
export function isGoing({ action }: { readonly action: Action }): boolean {
  return action === 'delete' || action === 'replace'
}

/** What a decision means for its object. */
export function fateOf(one: Planned): Fate {
  const { address, kind, workspaceId, objectId, situation, object } = one
  const goes = isGoing(one)
  const isThere = () => (object ? !isLeaving(kind, object, situation.nowMs) : !kind.readable)
  return { address, kind, workspaceId, id: objectId, spec: { ...situation.recorded, ...object?.seen }, goes, stays: !goes && objectId !== null && isThere() }
}

function placeOf(kind: string, workspaceId: string | null): string {
  return `${kind} ${workspaceId ?? ''}`
}
