// What ends with another object, and whether an object is on its way out.
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { LiveObject } from '../live.ts'
import { viewOf } from '../view.ts'
import { heldIds } from './needs.ts'

/** The objects that one ends with, by what is recorded or live of its spec. */
export function ownersOf(kind: AnyKind, spec: JsonObject): readonly { readonly kind: string; readonly id: string }[] {
  return heldIds(kind, spec).flatMap((held) => (held.endsWith ? held.kinds.map((name) => ({ kind: name, id: held.id })) : []))
}

/** The objects without which one cannot be: those it ends with, and those whose deletion takes it along. */
export function boundTo(kind: AnyKind, spec: JsonObject): readonly { readonly kind: string; readonly id: string }[] {
  return heldIds(kind, spec).flatMap((held) => (held.bound ? held.kinds.map((name) => ({ kind: name, id: held.id })) : []))
}

/** Whether an object, as it was read, is on its way out; `nowMs` is the server's clock. */
export function isLeaving(kind: AnyKind, object: Pick<LiveObject, 'id' | 'workspaceId' | 'live'>, nowMs: number): boolean {
  const { id, workspaceId, live } = object
  return kind.status(live, viewOf({ kind, address: '', id, workspaceId, recorded: {}, live, fresh: false, nowMs })) === 'leaving'
}
