// What can only be where something else is, as a service on instances that are nodes: the places at which a plan has nothing that carries it.
import { parseAddress } from '../../../base/address.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import { withArticle } from '../../../base/words/article.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { awaitedAddress } from '../named-resources.ts'
import type { Planned } from '../planned-resource.ts'
import { isLeaving } from './owners.ts'

/** A resource and a place that it names, at which the plan has nothing that carries it; the service may have. */
export interface Uncarried {
  readonly one: Planned
  readonly carrier: AnyKind
  /** The field of the carrier that says where it is, and that of the resource. */
  readonly by: string
  readonly field: string
  /** The id of what both point at, or its address where this plan makes it. */
  readonly place: string
}

/** What has no carrier in a plan, by what is to be there after it; where one may be anywhere nothing is judged. Linear in what is pointed at. */
export function uncarried(kinds: readonly AnyKind[], planned: readonly Planned[]): readonly Uncarried[] {
  return kinds.flatMap((carrier) =>
    carrier.carries.flatMap(({ kind, field, by }) => {
      const carried = planned.filter((one) => one.kind.name === kind && one.action !== 'forget')
      if (carried.length === 0) return []
      const there = new Set<string>()
      const open = new Set<string>()
      for (const one of planned) {
        const spec = one.kind === carrier ? specAfter(one) : undefined
        if (spec === undefined) continue
        const place = placeIn(one, spec[by])
        if (place === undefined) open.add(whereOf(one))
        else there.add(keyOf(one, place))
      }
      return carried.flatMap((one) => {
        const places = open.has(whereOf(one)) ? [] : placesIn(one, specAfter(one)?.[field])
        return places.flatMap((place) => (there.has(keyOf(one, place)) ? [] : [{ one, carrier, by, field, place }]))
      })
    }),
  )
}

/** The workspace and the place at which a carrier is before the plan; undefined where that is not known. */
export function carriedPlace(one: Planned, by: string): string | undefined {
  const place = placeIn(one, specNow(one)[by])
  return place === undefined ? undefined : keyOf(one, place)
}

/** The same of a place that a resource names. */
export function uncarriedPlace({ one, place }: Uncarried): string {
  return keyOf(one, place)
}

/** What is said of a resource that nothing carries at one of its places. */
export function uncarriedText({ one, carrier, by, place }: Uncarried, planned: readonly Planned[]): string {
  const kinds = carrier.referenceFields.find(({ field }) => field === by)?.ref ?? []
  const at = planned.find((each) => each.objectId === place && kinds.includes(each.kind.name))?.address
  const name = at ?? (parseAddress(place) ? place : `${kinds.join(' or ')} ${place}`)
  return `${one.address}: ${withArticle(one.kind.name)} stands on ${withArticle(carrier.name)}, and ${name} has none`
}

/** A resource as it is after the plan; undefined where it is not there. */
function specAfter(one: Planned): JsonObject | undefined {
  const { deposed, action, desired, record } = one
  if (deposed || action === 'delete') return undefined
  if (desired !== undefined) return action === 'no-op' && record === undefined ? undefined : desired
  const { kind, object, situation } = one
  return (object ? !isLeaving(kind, object, situation.nowMs) : !kind.readable) ? specNow(one) : undefined
}

/** What is recorded and live of a resource. */
function specNow({ situation, object }: Planned): JsonObject {
  return { ...situation.recorded, ...object?.seen }
}

/** An id, or the address of what has none yet; undefined where it is not known. */
function placeIn(one: Planned, value: JsonValue | undefined): string | undefined {
  if (hasToken(value)) return awaitedAddress(one, value)
  return typeof value === 'string' ? value : undefined
}

function placesIn(one: Planned, value: JsonValue | undefined): readonly string[] {
  return (value !== undefined && isList(value) ? value : [value]).flatMap((each) => placeIn(one, each) ?? [])
}

function keyOf(one: Planned, place: string): string {
  return `${whereOf(one)} ${place}`
}

function whereOf({ workspaceId, workspaceAddress }: Planned): string {
  return workspaceId ?? workspaceAddress ?? ''
}
