// Limits that hold for each place apart: which new objects have to wait there until old ones are gone.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { Member } from '../../../kinds/definition/kind.ts'
import { recordedSpec } from '../../model/graph/graph.ts'
import { push } from '../../model/graph/needs.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'

/** What is limited at one place: objects there now, after the plan, and how many may be there. */
export interface ParentAtLimit {
  readonly workspaceId: string
  readonly limitName: string
  readonly limit: number
  readonly now: number
  readonly members: readonly Planned[] // what the plan changes there
  readonly going: readonly Going[] // old objects that make room there
  readonly othersStay: boolean // of those that the state holds
}

type Going = Member<Record<string, unknown>> & { readonly deposed: boolean }

type Facts = Pick<PlanInput, 'observation' | 'compat' | 'limits' | 'lookupById'>

/** The places that a plan changes and whose limit is known; linear in the plan and in what was listed. */
export function parentsAtLimit(input: Facts, selected: readonly Planned[]): readonly ParentAtLimit[] {
  const limited = selected.filter((one) => one.kind.limitPerParent?.counts(input.compat) && isChange(one))
  if (limited.length === 0) return []
  const lookup = lookupIn(input, selected)
  const groups = new Map<string, { readonly members: Planned[]; readonly limit: number; readonly place: string; readonly going: Going[] }>()
  for (const one of limited) {
    const found = one.kind.limitPerParent?.at(specOf(one), lookup, input.compat)
    const each = input.limits.get(one.workspaceId ?? '')?.[one.kind.limitPerParent?.limit ?? '']
    if (!found || typeof each !== 'number') continue
    const key = `${one.kind.name} ${one.workspaceId} ${found.place}`
    const group = groups.get(key)
    if (group) group.members.push(one)
    else groups.set(key, { members: [one], limit: each * found.times, place: found.place, going: [] })
  }
  const made = new Set(limited.flatMap((one) => (one.deposed || one.action === 'delete' ? [] : [one.address])))
  for (const one of limited) {
    if (one.action === 'create') continue
    const { address, deposed, objectId } = one
    const old = recordedSpec(one.record, objectId ?? '')
    const found = one.kind.limitPerParent?.at(old, lookup, input.compat)
    const group = found && groups.get(`${one.kind.name} ${one.workspaceId} ${found.place}`)
    const rank = one.kind.place?.(old, 'old')?.rank ?? 0
    // An old half stays until what takes its place is there.
    group?.going.push({ id: `${address}#${objectId}`, address, awaitsOwn: deposed && made.has(address), spec: old, rank, does: 'goes', deposed })
  }
  const staying = new Set(selected.filter((one) => one.kind.limitPerParent && one.record && !isChange(one)).map((one) => placeKey(input, one, lookup)))
  const counted = new Map<string, Map<string, LiveObject[]>>()
  return [...groups.values()].flatMap(({ members, limit, place, going }): ParentAtLimit[] => {
    const [first] = members
    if (!first) return []
    const { kind, workspaceId } = first
    const area = `${kind.name} ${workspaceId}`
    const byPlace = counted.get(area) ?? listedByPlace(input, first, lookup)
    counted.set(area, byPlace)
    const limitName = kind.limitPerParent?.limit ?? ''
    const othersStay = staying.has(`${area} ${place}`)
    return [{ workspaceId: workspaceId ?? '', limitName, limit, now: byPlace.get(place)?.length ?? 0, members, going, othersStay }]
  })
}

/** What waits for room, and how its halves follow each other. */
export interface Waiting {
  /** Addresses whose new object takes the place of an old one. */
  readonly next: ReadonlySet<string>
  /** Addresses whose new object waits for all old ones. */
  readonly late: ReadonlySet<string>
  /** Addresses, of those that wait, whose own old object goes before. */
  readonly destroyFirst: ReadonlySet<string>
  /** Warnings: what goes although its successor should come before. */
  readonly gaps: readonly Diagnostic[]
}

/** Which new objects wait for old ones since there is no room for all at once: each for one, as its kind ranks them; for all where there are more than there may be. */
export function waiting(places: readonly ParentAtLimit[], createFirst: ReadonlySet<string>, forced: ReadonlySet<string>): Waiting {
  const next = new Set<string>()
  const late = new Set<string>()
  const destroyFirst = new Set<string>()
  const gaps: Diagnostic[] = []
  for (const place of places) {
    const { members, limit, now } = place
    const arriving = members.filter((one) => one.action === 'create' || (one.action === 'replace' && createFirst.has(one.address)))
    const room = Math.max(0, limit - now)
    if (arriving.length <= room) continue
    const order = now > limit ? [] : orderAt(place, arriving, room, forced)
    const turns = new Map(order.map((one, turn) => [one.id, turn]))
    const turnOf = (id: string): number => turns.get(id) ?? 0
    const fitting = new Set(fittingIn(order, now, limit))
    for (const one of arriving.toSorted((a, b) => turnOf(a.address) - turnOf(b.address)).slice(room)) {
      const { address } = one
      const isNext = fitting.has(address)
      if (!isNext && forced.has(address)) continue
      ;(isNext ? next : late).add(address)
      const isBefore = (old: Going): boolean => !isNext || turnOf(old.id) < turnOf(address)
      const own = place.going.find((old) => old.address === address && !old.deposed)
      if (own && isBefore(own)) destroyFirst.add(address)
      const gap = one.kind.limitPerParent?.gap(one.desired ?? {})
      if (gap === undefined) continue
      const takenOver = own ? [own] : place.going.filter((old) => one.kind.limitPerParent?.gap(old.spec) !== undefined)
      if (takenOver.length > 0 && takenOver.every(isBefore)) gaps.push(gapOf(one, place, own !== undefined, gap))
    }
  }
  return { next, late, destroyFirst, gaps }
}

/** What comes and goes at a place, in the order of its kind. */
function orderAt({ going, othersStay }: ParentAtLimit, arriving: readonly Planned[], room: number, forced: ReadonlySet<string>) {
  const kind = arriving[0]?.kind
  const coming = arriving.map(({ address, desired }, at) => {
    const rank = kind?.place?.(desired ?? {}, at < room ? 'new' : 'next')?.rank ?? 0
    return { id: address, address, spec: desired ?? {}, rank, does: 'comes' as const }
  })
  const all = [...coming, ...going.map((old) => ({ ...old, awaitsOwn: old.awaitsOwn === true || forced.has(old.address) }))]
  const ranks = kind?.ranks?.(all, othersStay) ?? []
  return [...all.entries()].toSorted(([a], [b]) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).map(([, one]) => one)
}

/** Those that come, as far as there is room for them in that order. */
function fittingIn(order: readonly Member<Record<string, unknown>>[], now: number, limit: number): readonly string[] {
  let there = now
  return order.flatMap(({ address, does }) => {
    there += does === 'comes' ? 1 : -1
    return does === 'comes' && there <= limit ? [address] : []
  })
}

function gapOf({ address, declared }: Planned, { limitName, limit }: ParentAtLimit, isOwn: boolean, gap: string): Diagnostic {
  const goes = isOwn ? 'its old object goes first' : 'what it takes over from goes first'
  return diagnostic('advice', `${address}: ${limitName} (${limit}) leaves no room for it, so ${goes}; ${gap}`, {
    address,
    position: declared?.position(),
    hint: 'remove or replace another one in the same plan, which makes room, or have the limit raised',
  })
}

function placeKey({ compat }: Facts, { kind, workspaceId, record }: Planned, lookup: ReturnType<typeof lookupIn>): string {
  return `${kind.name} ${workspaceId} ${kind.limitPerParent?.at(record?.spec ?? {}, lookup, compat)?.place}`
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
    const found = kind.limitPerParent?.at(object.seen, lookup, input.compat)
    if (found) push(out, found.place, object)
  }
  return out
}
