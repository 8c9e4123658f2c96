// Limits that hold for each place apart: which new objects have to wait there until old ones are gone.
import { compareAddresses } from '../address.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { LiveObject } from './live.ts'
import { push } from './needs.ts'
import type { Planned, PlanInput } from './planned.ts'

/** What is counted at one place: objects there now, after the plan, and how many may be there. */
export interface CrowdedPlace {
  readonly workspaceId: string
  readonly limitName: string
  readonly limit: number
  readonly now: number
  readonly members: readonly Planned[] // what the plan changes there
}

type Facts = Pick<PlanInput, 'observation' | 'compat' | 'limits' | 'lookupById'>

/** The places that a plan changes and whose limit is known; linear in the plan and in what was listed. */
export function crowdedPlaces(input: Facts, selected: readonly Planned[]): readonly CrowdedPlace[] {
  const crowds = selected.filter((one) => one.kind.crowd?.counts(input.compat) && isChange(one))
  if (crowds.length === 0) return []
  const lookup = lookupIn(input, selected)
  const groups = new Map<string, { readonly members: Planned[]; readonly limit: number; readonly place: string }>()
  for (const one of crowds) {
    const found = one.kind.crowd?.at(specOf(one), lookup, input.compat)
    const each = input.limits.get(one.workspaceId ?? '')?.[one.kind.crowd?.limit ?? '']
    if (!found || typeof each !== 'number') continue
    const key = `${one.kind.name} ${one.workspaceId} ${found.place}`
    const group = groups.get(key)
    if (group) group.members.push(one)
    else groups.set(key, { members: [one], limit: each * found.times, place: found.place })
  }
  const counted = new Map<string, Map<string, LiveObject[]>>()
  return [...groups.values()].flatMap(({ members, limit, place }): CrowdedPlace[] => {
    const [first] = members
    if (!first) return []
    const { kind, workspaceId } = first
    const area = `${kind.name} ${workspaceId}`
    const byPlace = counted.get(area) ?? listedByPlace(input, first, lookup)
    counted.set(area, byPlace)
    return [{ workspaceId: workspaceId ?? '', limitName: kind.crowd?.limit ?? '', limit, now: byPlace.get(place)?.length ?? 0, members }]
  })
}

/** The addresses whose new object waits for old ones, since there is no room for all at once; what comes first has it first. */
export function lateComers(places: readonly CrowdedPlace[], createFirst: ReadonlySet<string>, forced: ReadonlySet<string>): ReadonlySet<string> {
  const late = new Set<string>()
  for (const { members, limit, now } of places) {
    const arriving = members.filter((one) => one.action === 'create' || (one.action === 'replace' && createFirst.has(one.address)))
    const rankOf = (one: Planned): number => (forced.has(one.address) ? -1 : (one.kind.place?.(one.desired ?? {}, 'new')?.rank ?? 0))
    const waiting = arriving.toSorted((a, b) => rankOf(a) - rankOf(b) || compareAddresses(a.address, b.address)).slice(Math.max(0, limit - now))
    for (const one of waiting) if (!forced.has(one.address)) late.add(one.address)
  }
  return late
}

function isChange({ action }: Planned): boolean {
  return action === 'create' || action === 'replace' || action === 'delete'
}

function specOf(one: Planned): JsonObject {
  return one.action === 'delete' ? { ...one.record?.spec, ...one.object?.seen } : (one.desired ?? {})
}

/** Outputs of what is looked up, and of what the plan holds. */
function lookupIn(input: Facts, selected: readonly Planned[]): (kind: string, id: string) => Readonly<Record<string, JsonValue>> | undefined {
  const byObject = new Map(selected.map((one) => [`${one.kind.name} ${one.objectId}`, one]))
  return (kind, id) => {
    const one = byObject.get(`${kind} ${id}`)
    const own = one && { ...one.record?.outputs, ...(one.object ? one.kind.outputsOf(one.object.live) : {}) }
    return own ?? input.lookupById(kind, id)
  }
}

function listedByPlace(input: Facts, { kind, workspaceId }: Planned, lookup: ReturnType<typeof lookupIn>): Map<string, LiveObject[]> {
  const out = new Map<string, LiveObject[]>()
  for (const object of input.observation.listed(kind.name, workspaceId ?? '') ?? []) {
    const found = kind.crowd?.at(object.seen, lookup, input.compat)
    if (found) push(out, found.place, object)
  }
  return out
}
