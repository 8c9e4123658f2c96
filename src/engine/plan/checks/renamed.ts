// Resources that seem to have other names now: what would be deleted has the spec of what would be created.
import { formatAddress, parseAddress, withoutKey } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import { groupBy } from '../../../kinds/definition/live-fields.ts'
import { same } from '../../model/diff/equal.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { movedEntry } from './moved-entry.ts'

/** What would be deleted, and what would be made in its place. */
interface Renamed {
  readonly old: Planned
  readonly made: Planned
}

/** One warning, with the line to paste, for each delete that has a create of its kind and workspace with the same spec; one for all keys of a for_each that has another name. */
export function renamedAdvice(selected: readonly Planned[]): Diagnostic[] {
  const gone = selected.filter((one) => one.action === 'delete' && one.reason === 'removed' && !one.deposed)
  if (gone.length === 0) return []
  const pairs = pairsOf(
    gone,
    selected.filter((one) => one.action === 'create' && one.reason === 'new'),
  )
  const moved = wholeMoves(selected, pairs)
  const advice = new Map<string, Diagnostic>()
  for (const pair of pairs) {
    const { old, made } = pair
    const isWhole = hasSameKey(pair) && moved.has(withoutKey(old.address))
    const [from, to] = isWhole ? [withoutKey(old.address), withoutKey(made.address)] : [old.address, made.address]
    if (!advice.has(to)) advice.set(to, adviceFor(from, to, made, isWhole))
  }
  return [...advice.values()]
}

/** What has the very name at the service is taken before what only repeats its logical one; of specs that are all alike each for the one with the same key. */
const likenesses = [isSame, isAlike].flatMap((isLike) => [keyedPlaceOf, workspaceOf].map((placeOf) => ({ isLike, placeOf })))

function pairsOf(gone: readonly Planned[], made: readonly Planned[]): readonly Renamed[] {
  const oldOf = new Map<Planned, Planned>()
  let left = gone
  for (const { isLike, placeOf } of likenesses) {
    const candidates = groupBy(left, placeOf)
    for (const one of made) {
      const near = oldOf.has(one) ? [] : (candidates.get(placeOf(one)) ?? [])
      const index = near.findIndex((old) => isLike(one, old))
      const [old] = index < 0 ? [] : near.splice(index, 1)
      if (old) oldOf.set(one, old)
    }
    left = [...candidates.values()].flat()
  }
  return made.flatMap((one) => {
    const old = oldOf.get(one)
    return old ? [{ old, made: one }] : []
  })
}

/** The names of which one block without keys moves every key, and nothing onto what is there. */
function wholeMoves(selected: readonly Planned[], pairs: readonly Renamed[]): ReadonlySet<string> {
  const current = selected.filter((one) => !one.deposed)
  const addresses = new Set(current.map((one) => one.address))
  const byName = groupBy(current, (one) => withoutKey(one.address))
  const moving = new Set(pairs.map((one) => one.old.address))
  const alike = pairs.filter(hasSameKey)
  const [byOld, byMade] = [groupBy(alike, (one) => withoutKey(one.old.address)), groupBy(alike, (one) => withoutKey(one.made.address))]
  const whole = [...byOld].filter(([name, [first]]) => {
    if (!first) return false
    const to = withoutKey(first.made.address)
    const isOnly = [...(byOld.get(name) ?? []), ...(byMade.get(to) ?? [])].every(
      ({ old, made }) => withoutKey(old.address) === name && withoutKey(made.address) === to,
    )
    const stays = (one: Planned): boolean => one.declared === undefined && (moving.has(one.address) || !addresses.has(under(to, one)))
    return isOnly && (byName.get(name) ?? []).every(stays)
  })
  return new Set(whole.map(([name]) => name))
}

function hasSameKey({ old, made }: Renamed): boolean {
  const [was, is] = [keyOf(old), keyOf(made)]
  return was !== undefined && was === is
}

function keyOf({ address }: Planned): string | undefined {
  return parseAddress(address)?.key
}

/** The address that one has by its key under another name. */
function under(name: string, one: Planned): string {
  const { kind, name: bare } = parseAddress(name) ?? { kind: '', name: '' }
  return formatAddress({ kind, name: bare, key: keyOf(one) })
}

function workspaceOf(one: Planned): string {
  return `${one.kind.name} ${one.workspaceId ?? one.workspaceAddress ?? ''}`
}

function keyedPlaceOf(one: Planned): string {
  return `${workspaceOf(one)} ${keyOf(one) ?? ''}`
}

function isSame(made: Planned, old: Planned): boolean {
  return hasSpecOf(made, old, false)
}

/** Equal specs; a name that only repeats the logical one follows it. */
function isAlike(made: Planned, old: Planned): boolean {
  return hasSpecOf(made, old, repeatsName(made.desired ?? {}, made.address) && repeatsName(old.record?.spec ?? {}, old.address))
}

function hasSpecOf({ kind, desired = {} }: Planned, { record }: Planned, followed: boolean): boolean {
  const recorded = record?.spec ?? {}
  return Object.entries(kind.fields).every(([field, marks]) => (field === 'name' && followed) || same(desired[field], recorded[field], marks, recorded[field]))
}

function repeatsName(spec: JsonObject, address: string): boolean {
  const { name = '', key } = parseAddress(address) ?? {}
  return spec['name'] === (key === undefined ? name : `${name}-${key}`)
}

function adviceFor(from: string, to: string, { declared }: Planned, isWhole: boolean): Diagnostic {
  const text = `${from} would be deleted, and ${to} made with the same ${isWhole ? 'specs' : 'spec'}`
  const which = isWhole ? 'if they are the same ones' : 'if it is the same one'
  const hint = `${which} under another name, write in iac.yaml, under moved:  - ${movedEntry(from, to)}`
  return diagnostic('advice', text, { address: to, position: declared?.position(), hint, called: `${from} -> ${to}` })
}
