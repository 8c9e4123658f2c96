// Limits that hold for each place apart: which new objects have to wait there until old ones are gone.
import { compareAddresses } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import type { Turn } from '../../../kinds/definition/kind.ts'
import { recordedSpec } from '../../model/graph.ts'
import type { LiveObject } from '../../model/live.ts'
import { push } from '../../model/needs.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'

/** What is limited at one place: objects there now, after the plan, and how many may be there. */
export interface ParentAtLimit {
  readonly workspaceId: string
  readonly limitName: string
  readonly limit: number
  readonly now: number
  readonly members: readonly Planned[] // what the plan changes there
  readonly going: readonly { readonly address: string; readonly rank: number }[] // old objects that make room there, and their ranks
}

type Facts = Pick<PlanInput, 'observation' | 'compat' | 'limits' | 'lookupById'>

/** The places that a plan changes and whose limit is known; linear in the plan and in what was listed. */
export function parentsAtLimit(input: Facts, selected: readonly Planned[]): readonly ParentAtLimit[] {
  const limited = selected.filter((one) => one.kind.limitPerParent?.counts(input.compat) && isChange(one))
  if (limited.length === 0) return []
  const lookup = lookupIn(input, selected)
  const groups = new Map<
    string,
    { readonly members: Planned[]; readonly limit: number; readonly place: string; readonly going: ParentAtLimit['going'][number][] }
  >()
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
    // An old half stays until what takes its place is there.
    if (one.action === 'create' || (one.deposed && made.has(one.address))) continue
    const old = recordedSpec(one.record, one.objectId ?? '')
    const found = one.kind.limitPerParent?.at(old, lookup, input.compat)
    const group = found && groups.get(`${one.kind.name} ${one.workspaceId} ${found.place}`)
    group?.going.push({ address: one.address, rank: one.kind.place?.(old, 'old')?.rank ?? 0 })
  }
  const counted = new Map<string, Map<string, LiveObject[]>>()
  return [...groups.values()].flatMap(({ members, limit, place, going }): ParentAtLimit[] => {
    const [first] = members
    if (!first) return []
    const { kind, workspaceId } = first
    const area = `${kind.name} ${workspaceId}`
    const byPlace = counted.get(area) ?? listedByPlace(input, first, lookup)
    counted.set(area, byPlace)
    return [{ workspaceId: workspaceId ?? '', limitName: kind.limitPerParent?.limit ?? '', limit, now: byPlace.get(place)?.length ?? 0, members, going }]
  })
}

/** What waits for room, and how its halves follow each other. */
export interface Waiting {
  /** Addresses whose new object waits for those old ones that may go before it. */
  readonly next: ReadonlySet<string>
  /** Addresses whose new object waits for all old ones. */
  readonly late: ReadonlySet<string>
  /** Addresses, of those that wait, whose own old object goes before. */
  readonly destroyFirst: ReadonlySet<string>
  /** Warnings: what goes although its successor should come before. */
  readonly gaps: readonly Diagnostic[]
}

/** Which new objects wait for old ones since there is no room for all at once: what comes first has it first, then what old ones may make room for. */
export function waiting(places: readonly ParentAtLimit[], createFirst: ReadonlySet<string>, forced: ReadonlySet<string>): Waiting {
  const next = new Set<string>()
  const late = new Set<string>()
  const destroyFirst = new Set<string>()
  const gaps: Diagnostic[] = []
  for (const place of places) {
    const { members, limit, now, going } = place
    const arriving = members.filter((one) => one.action === 'create' || (one.action === 'replace' && createFirst.has(one.address)))
    const order = (one: Planned): number => (forced.has(one.address) ? -1 : rankOf(one, 'new'))
    const sorted = arriving.toSorted((a, b) => order(a) - order(b) || compareAddresses(a.address, b.address))
    const early = Math.max(0, limit - now)
    const without = sorted.slice(early).toSorted((a, b) => rankOf(a, 'new') - rankOf(b, 'new'))
    const ownRanks = new Map(going.map((old) => [old.address, old.rank]))
    const goBefore = countBelow(going.map((old) => old.rank))
    let there = now + Math.min(early, sorted.length)
    for (const one of without) {
      const { address } = one
      const rank = rankOf(one, 'next')
      const own = one.action === 'replace' ? ownRanks.get(address) : undefined
      // One that has to come first cannot wait for its own old object.
      const mayWait = rank < rankOf(one, 'late') && !(forced.has(address) && own !== undefined && own < rank)
      if (mayWait && there - goBefore(rank) < limit) {
        next.add(address)
        there += 1
        if (own !== undefined && own < rank) destroyFirst.add(address)
      } else if (!forced.has(address)) {
        late.add(address)
        destroyFirst.add(address)
        if (mayWait && goBefore(Infinity) > goBefore(rank)) gaps.push(gapOf(one, place, own !== undefined && own > rank))
      }
    }
  }
  return { next, late, destroyFirst, gaps }
}

function rankOf(one: Planned, turn: Turn): number {
  return one.kind.place?.(one.desired ?? {}, turn)?.rank ?? 0
}

/** How many of some ranks are below one; the ranks are few, however many objects have them. */
function countBelow(ranks: readonly number[]): (rank: number) => number {
  const counts = new Map<number, number>()
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1)
  return (rank) => [...counts].reduce((sum, [one, count]) => (one < rank ? sum + count : sum), 0)
}

function gapOf({ address, kind, declared }: Planned, { limitName, limit }: ParentAtLimit, isOwn: boolean): Diagnostic {
  const goes = isOwn ? 'its old object goes first' : 'what it takes over from goes first'
  return diagnostic('advice', `${address}: ${limitName} (${limit}) leaves no room for it, so ${goes}; ${kind.limitPerParent?.gap}`, {
    address,
    position: declared?.position,
    hint: 'remove or replace another one in the same plan, which makes room, or have the limit raised',
  })
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
