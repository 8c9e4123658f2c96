// What ends with what, and what goes although nothing of a plan deletes it: named in the plan, guarded, and counted as destroyed.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import type { JsonObject } from '../../../../base/json.ts'
import type { AnyKind } from '../../../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../../../state/record.ts'
import { push } from '../../../model/graph/needs.ts'
import { boundTo, isLeaving } from '../../../model/graph/owners.ts'
import type { Observation } from '../../../model/observation.ts'
import type { Action } from '../../../model/plan-data.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import type { Cascaded } from '../../../model/planning-result.ts'
import { objectName } from '../../../model/spoken-names.ts'

/** An object as far as what it ends with is concerned; `spec` is what is recorded and live of it. */
export interface Being {
  readonly kind: AnyKind
  readonly workspaceId: string | null
  readonly id: string | null
  readonly spec: JsonObject
}

/** An object and what becomes of it: whether it `goes` by a call of its own, and whether it is there and `stays` unless something takes it along. */
export interface PlannedOutcome extends Being {
  readonly address: string
  readonly goes: boolean
  readonly stays: boolean
}

/** Which of some objects another one ends with, or cannot be without; making it and asking are linear in what is pointed at. */
export function createEndsWith<T extends Being>(owners: readonly T[]): (one: Being) => readonly T[] {
  const byObject = new Map<string, T[]>()
  const byTaken = new Map<string, T[]>()
  for (const owner of owners) {
    if (owner.id === null) continue
    push(byObject, `${owner.kind.name} ${owner.id}`, owner)
    for (const kind of owner.kind.takes) push(byTaken, placeOf(kind, owner.workspaceId), owner)
  }
  return ({ kind, workspaceId, spec }) => [
    ...(byTaken.get(placeOf(kind.name, workspaceId)) ?? []),
    ...(byObject.size === 0 ? [] : boundTo(kind, spec).flatMap((owner) => byObject.get(`${owner.kind} ${owner.id}`) ?? [])),
  ]
}

/** Whether a decision deletes the object that is there. */
export function isGoing({ action }: { readonly action: Action }): boolean {
  return action === 'delete' || action === 'replace'
}

/** What a decision means for its object. */
export function plannedOutcome(one: Planned): PlannedOutcome {
  const { address, kind, workspaceId, objectId, situation, object } = one
  const goes = isGoing(one)
  const isThere = () => (object ? !isLeaving(kind, object, situation.nowMs) : !kind.readable)
  return { address, kind, workspaceId, id: objectId, spec: { ...situation.recorded, ...object?.seen }, goes, stays: !goes && objectId !== null && isThere() }
}

function placeOf(kind: string, workspaceId: string | null): string {
  return `${kind} ${workspaceId ?? ''}`
}

interface Around {
  readonly records: Iterable<ResourceRecord>
  readonly listed: Observation['listed']
  readonly nowMs: number // the server's clock
}

/** What ends with the deletions and replacements of a plan and is not deleted by it: managed objects, and of the kinds that others take those that nobody manages. */
export function cascadeOf(outcomes: readonly PlannedOutcome[], around: Around): readonly Cascaded[] {
  const goers = outcomes.filter((one) => one.goes)
  if (goers.length === 0) return []
  const endsWith = createEndsWith(goers)
  const managed = outcomes.flatMap((one): Cascaded[] => {
    const [owner] = one.stays ? endsWith(one) : []
    return owner && one.id !== null ? [{ by: owner.address, kind: one.kind.name, id: one.id, address: one.address, name: one.address }] : []
  })
  return [...managed, ...unmanagedCascade(outcomes, goers, around)]
}

function unmanagedCascade(outcomes: readonly PlannedOutcome[], goers: readonly PlannedOutcome[], { records, listed, nowMs }: Around): readonly Cascaded[] {
  const takers = goers.filter((one) => one.kind.takes.length > 0)
  if (takers.length === 0) return []
  const managed = new Set(outcomes.map((one) => `${one.kind.name} ${one.id}`))
  for (const one of records) for (const id of [one.id, ...one.deposed.map((old) => old.id)]) managed.add(`${one.kind} ${id}`)
  return takers.flatMap((taker) =>
    taker.kind.takes.flatMap((kind) =>
      (listed(kind, taker.workspaceId ?? '') ?? [])
        .filter((one) => !managed.has(`${kind} ${one.id}`) && (one.kind.ours?.(one.live) ?? true) && !isLeaving(one.kind, one, nowMs))
        .map((one) => ({ by: taker.address, kind, id: one.id, address: null, name: objectName(one) })),
    ),
  )
}

/** What each deletion takes along: warnings of what is managed, and of what is not; errors of what is declared, has no other place to stand in, and would be gone until it is made anew, or for good. */
export function cascadeProblems(cascade: readonly Cascaded[], planned: readonly Planned[]): Diagnostic[] {
  if (cascade.length === 0) return []
  const byAddress = new Map(planned.filter((one) => !one.deposed).map((one) => [one.address, one]))
  return [...new Set(cascade.map((one) => one.by))].flatMap((address) => {
    const along = cascade.filter((one) => one.by === address)
    const owner = byAddress.get(address)
    const isContent = (one: Cascaded): boolean =>
      owner?.action === 'delete' && owner.kind.takes.includes(one.kind) && isToStay(byAddress.get(one.address ?? ''))
    const managed = along.filter((one) => one.address !== null)
    const staying = managed.filter((one) => !isContent(one))
    const isReferred = owner?.action === 'replace' && staying.some((one) => isToStay(byAddress.get(one.address ?? '')))
    const say = (what: string, some: readonly Cascaded[], hint: string): Diagnostic[] =>
      some.length === 0 ? [] : [diagnostic('advice', `${address}: its deletion takes along ${what}: ${names(some)}`, { address, hint })]
    const contents = managed.filter(isContent)
    const text = `${address} is deleted by this plan, and what is declared ends with it: ${names(contents)}`
    const hint = `leave ${address} declared, or take out what stands in it as well; if it has another address now, \`moved\` says so`
    return [
      ...(contents.length === 0 ? [] : [diagnostic('plan_impossible', text, { address, hint })]),
      ...say('what is to stay', staying, isReferred ? madeAlong : 'it ends with this resource: leave this one in place, or remove both'),
      ...say(
        'what nobody manages',
        along.filter((one) => one.address === null),
        'import what is to stay under a manifest, or leave this resource in place',
      ),
    ]
  })
}

// An id, and what a lookup finds, is the old object's, whoever manages it.
const madeAlong = 'referred to by the name of its manifest, in place of `id` or `name`, this resource has what ends with it made anew along with it'

function names(some: readonly Cascaded[]): string {
  return some.map((one) => one.name).join(', ')
}

/** Whether a manifest that this plan goes by declares it; of what that protects the protection says more. */
function isToStay(one: Planned | undefined): boolean {
  return one?.desired !== undefined && one.declared?.lifecycle.preventDestroy === false && !one.leftOut
}
