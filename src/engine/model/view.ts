// The views that kinds are shown, and the steps they answer with.
import type { JsonObject } from '../../base/json.ts'
import { tokenText } from '../../base/token.ts'
import type { AnyKind, Step, View, Wanted } from '../../kinds/definition/kind.ts'
import type { Difference } from './diff/diff.ts'
import { toJsonObject } from './live.ts'

export type AnyStep = Step<Record<string, unknown>>

/** What is known of one resource when its kind is asked. */
export interface Situation {
  readonly kind: AnyKind
  readonly address: string
  readonly id: string | undefined
  readonly workspaceId: string
  readonly recorded: JsonObject
  readonly live: unknown
  readonly fresh: boolean
  readonly blind?: readonly string[] | undefined
  readonly nowMs: number
}

/** What kinds are shown as live: the object as it was read; of what nothing reads, its record. */
export function shownLive(kind: AnyKind, id: string | null | undefined, object: { readonly live: unknown } | undefined, recorded: JsonObject): unknown {
  if (object) return object.live
  return kind.readable || id === undefined || id === null ? undefined : recorded
}

export function viewOf(situation: Situation): View<Record<string, unknown>, unknown> {
  const { id, address, workspaceId, recorded, live, fresh, blind, nowMs } = situation
  return { id: id ?? tokenText({ is: 'unknown', place: address }), workspaceId, recorded, live, fresh, blind, nowMs }
}

/** What live shows of fields that it does not carry, where that differs from what is recorded; of an object taken over, from what is declared. */
export function straysOf(situation: Situation, declared: JsonObject = situation.recorded): JsonObject {
  const { kind, live } = situation
  if (live === undefined || !kind.strays) return {}
  return toJsonObject(kind.strays(viewOf({ ...situation, recorded: declared })))
}

/** A view with what is wanted; without a live object every declared field has changed. */
export function wantedView(situation: Situation, desired: JsonObject, differences: readonly Difference[]): Wanted<Record<string, unknown>, unknown> {
  const fields = new Set(differences.filter((one) => one.effect !== 'note').map((one) => one.field))
  const changed = (...names: string[]): boolean => names.some((name) => (situation.live === undefined ? desired[name] !== undefined : fields.has(name)))
  return { ...viewOf(situation), desired, changed }
}

/** The requests that are still missing for being there as desired, in order. */
export function stepsFor(situation: Situation, desired: JsonObject, differences: readonly Difference[]): readonly AnyStep[] {
  return situation.kind.steps(wantedView(situation, desired, differences))
}

/** The requests that are still missing for being gone. */
export function removalFor(situation: Situation): readonly AnyStep[] {
  return situation.kind.removal(viewOf(situation))
}
