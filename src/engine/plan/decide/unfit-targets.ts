// What references point at, as the plan leaves it: kinds say what the service asks of it, such as a node of its instance that it runs.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import type { AnyKind, Target } from '../../../kinds/definition/kind.ts'
import type { LiveObject } from '../../model/live.ts'
import { toJsonObject } from '../../model/live.ts'
import { placesOf, pointedAt } from '../../model/places.ts'
import type { Places } from '../../model/places.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'
import { viewOf } from '../../model/view.ts'
import type { Situation } from '../../model/view.ts'
import { stepsOf } from '../change.ts'
import { acrossWorkspaces, isSent } from '../checks/across-workspaces.ts'

/** An object that a field names by its id, and that is in no state. */
export interface Outside {
  readonly one: Planned
  readonly field: string
  readonly kind: AnyKind
  readonly id: string
}

/** What is wrong with what references point at: where it is, and how the plan leaves it. */
export function targetProblems(input: Pick<PlanInput, 'kinds' | 'observation' | 'nowMs'>, planned: readonly Planned[]): readonly Diagnostic[] {
  return [...acrossWorkspaces(planned), ...unfitTargets(input, planned)]
}

/** An error for each reference to something that is not as the service asks, once the plan has done what it does with it. */
function unfitTargets(input: Pick<PlanInput, 'kinds' | 'observation' | 'nowMs'>, planned: readonly Planned[]): readonly Diagnostic[] {
  const judged = judging(planned)
  if (judged.length === 0) return []
  const places = placesOf(planned)
  const managed = judged.flatMap(({ one, field, ref, value }) => {
    const target = pointedAt(one, value, ref, places)
    return target === undefined ? [] : problemsOf(one, field, targetOf(target, places), places)
  })
  const outside = outsideOf(input.kinds, planned).flatMap((each) => {
    const object = seenOf(input, each)
    return object ? unfitAt(each, object, places, input.nowMs) : []
  })
  return [...managed, ...outside]
}

/** What fields point at that no address holds, where their kind has something to say of it. */
export function outsideOf(kinds: readonly AnyKind[], planned: readonly Planned[]): readonly Outside[] {
  const judged = judging(planned)
  if (judged.length === 0) return []
  const places = placesOf(planned)
  return judged.flatMap(({ one, field, ref, value }) => {
    // What is there already shows by itself that it may be.
    if (!isSent(one, field) || hasToken(value) || pointedAt(one, value, ref, places) !== undefined) return []
    // An id of one of several kinds says nothing of which.
    const [kind, other] = kinds.filter(({ name }) => ref.includes(name))
    return kind === undefined || other !== undefined ? [] : [{ one, field, kind, id: value }]
  })
}

/** What was seen of one. */
export function seenOf({ observation }: Pick<PlanInput, 'observation'>, { one, kind, id }: Outside): LiveObject | undefined {
  return observation.find(kind.name, one.workspaceId ?? '', id)
}

/** The same of what was read of an object that is in no state. */
export function unfitOutside(each: Outside, object: LiveObject, planned: readonly Planned[], nowMs: number): readonly Diagnostic[] {
  return unfitAt(each, object, placesOf(planned), nowMs)
}

function unfitAt({ one, field, kind, id }: Outside, object: LiveObject, places: Places, nowMs: number): readonly Diagnostic[] {
  const { workspaceId, live, seen } = object
  if (isPassing(kind, object, { kind, address: '', id, workspaceId, recorded: {}, live, fresh: false, nowMs })) return []
  return problemsOf(one, field, { address: `${kind.name} ${id}`, now: addressed(one, kind, seen, places), sets: {} }, places)
}

/** The references of which kinds have something to say. */
function judging(planned: readonly Planned[]) {
  return planned.flatMap((one) => {
    const { kind, desired, deposed, leftOut, action, reason } = one
    // What an earlier run sent already is taken as it is.
    if (!kind.suits || !desired || deposed || leftOut || reason === 'resumed' || action === 'delete' || action === 'forget') return []
    return kind.referenceFields.flatMap(({ field, ref, output }) => {
      const value = desired[field]
      return output === 'id' && typeof value === 'string' ? [{ one, field, ref, value }] : []
    })
  })
}

function problemsOf(one: Planned, field: string, target: Target | undefined, places: Places): readonly Diagnostic[] {
  const { address, kind, desired, declared } = one
  if (target === undefined || !desired) return []
  return (kind.suits?.(addressed(one, kind, desired, places), field, target, isSent(one, field)) ?? []).map(({ message, path, hint }) =>
    diagnostic('plan_impossible', `${address}: ${message}`, { address, position: declared?.positionOf(`/${path.join('/')}`), hint }),
  )
}

/** A resource as the plan leaves it; undefined for what goes, and for what is still on its way and shows nothing of how it will be. */
function targetOf(one: Planned, places: Places): Target | undefined {
  const { address, kind, action, object, situation } = one
  const isMade = action === 'create' || action === 'replace'
  if (action === 'delete' || (!isMade && (!object || isPassing(kind, object, situation)))) return undefined
  const sets: Record<string, JsonValue> = {}
  for (const step of stepsOf(isMade ? { ...one, action: 'create' } : one, false)) {
    for (const field of step.clears ?? []) sets[field] = null
    Object.assign(sets, toJsonObject(step.sets))
  }
  const now = isMade ? undefined : addressed(one, kind, { ...situation.recorded, ...object?.seen }, places)
  return { address, now, sets: addressed(one, kind, sets, places) }
}

/** Whether an object is still on its way in or out, and shows nothing of how it will be. */
export function isPassing(kind: AnyKind, { live }: LiveObject, situation: Situation): boolean {
  const status = kind.status(live, viewOf(situation))
  return status === 'pending' || status === 'leaving'
}

/** A spec whose references are addresses where the plan has what they mean, and undefined where that is not known; an object that is replaced is known by its id alone. */
function addressed(one: Planned, kind: AnyKind, spec: JsonObject, places: Places): Readonly<Record<string, JsonValue | undefined>> {
  const out: Record<string, JsonValue | undefined> = { ...spec }
  for (const { field, ref, output } of kind.referenceFields) {
    const value = spec[field]
    if (output !== 'id' || typeof value !== 'string') continue
    const found = pointedAt(one, value, ref, places)
    if (hasToken(value)) out[field] = found?.address
    else if (found && found.action !== 'replace') out[field] = found.address
  }
  return out
}
