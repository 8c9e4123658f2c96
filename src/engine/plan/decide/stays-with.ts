// What a plan leaves in place, though it would delete it, because something that is to be retained lives on it. Pure.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { Holder } from '../../../kinds/definition/kind.ts'
import { holdersSeen } from '../../model/graph/holder-outcomes.ts'
import { heldIds, heldValues, push } from '../../model/graph/needs.ts'
import type { Planned } from '../../model/planned-resource.ts'
import { resourceName } from '../../model/spoken-names.ts'
import { createEndsWith, plannedOutcome } from '../checks/leaving/cascade.ts'
import type { Being } from '../checks/leaving/cascade.ts'
import { wayOff } from '../checks/leaving/holders.ts'

/** An object that a plan deletes or forgets; `shown` is what is known of it beside its spec. */
export interface Staying extends Being {
  readonly address: string
  readonly retained: boolean
  readonly shown: JsonObject
  readonly holders: readonly Pick<Holder, 'kind' | 'id'>[]
}

interface Leaver extends Staying {
  readonly one: Planned
}

/** Decisions, those on what retained objects live on turned into forgetting it, too. */
export interface Kept {
  readonly selected: readonly Planned[]
  /** What was to be deleted, with the address of the retained one that needs it. */
  readonly staying: ReadonlyMap<Planned, string>
  /** What is replaced all the same, likewise. */
  readonly replaced: ReadonlyMap<Planned, string>
}

/** What a plan does once everything stays that retained objects live on. */
export function withStaying(all: readonly Planned[], destroy: boolean): Kept {
  const ends = all.filter((one) => one.action === 'delete' || one.action === 'forget').map(leaverOf)
  const found = staysWith(ends, destroy)
  const staying = new Map([...found].flatMap(([{ one }, by]) => (one.action === 'delete' ? [[one, by] as const] : [])))
  const selected = all.map((one): Planned => (staying.has(one) ? { ...one, action: 'forget', reason: 'removed' } : one))
  return { selected, staying, replaced: replacedUnder(found, all, destroy) }
}

function leaverOf(one: Planned): Leaver {
  return {
    ...plannedOutcome(one),
    one,
    retained: one.retained && (one.object !== undefined || !one.kind.readable),
    shown: one.record?.outputs ?? {},
    holders: holdersSeen(one.kind, one.object),
  }
}

/** What a manifest wants replaced while something that stays needs the old object; what only ends with it the plan names as taken along. */
function replacedUnder(found: ReadonlyMap<Leaver, string>, all: readonly Planned[], destroy: boolean): ReadonlyMap<Planned, string> {
  if (found.size === 0) return new Map()
  const replaced = all.filter((one) => one.action === 'replace').map(leaverOf)
  const neededBy = createNeeded(replaced, destroy)
  const endsWith = createEndsWith(replaced)
  return new Map(
    [...found].flatMap(([one, by]) => {
      const ends = new Set(endsWith(one))
      return neededBy(one).flatMap((other) => (ends.has(other) ? [] : [[other.one, by] as const]))
    }),
  )
}

/** Says what stays although nothing says so of itself, and what is replaced though it would have to stay. */
export function stayingNotes({ staying, replaced }: Kept): Diagnostic[] {
  const notes = [...staying].map(([one, by]) =>
    diagnostic('note', `${resourceName(one)} is forgotten and stays: ${needs(by)}`, {
      address: one.address,
      hint: one.kind.holders === undefined ? undefined : wayOff(one.address, [by]),
    }),
  )
  const advice = [...replaced].map(([{ address, declared }, by]) =>
    diagnostic('advice', `${address} is replaced, and its old object would have to stay: ${needs(by)}`, {
      address,
      position: declared?.position(),
      hint: `leave ${address} as it is: declare another one beside it`,
    }),
  )
  return [...notes, ...advice].toSorted((a, b) => (a.summary < b.summary ? -1 : 1))
}

function needs(by: string): string {
  return `${by}, which is to be retained, needs it`
}

/** Every object that a retained one needs to stay as it is, with that one's address; retained ones with their own. Linear in what is pointed at. In a destroy that is also what would let go of it before it goes, since no manifest says that it is to. */
export function staysWith<T extends Staying>(all: readonly T[], destroy: boolean): ReadonlyMap<T, string> {
  const found = new Map(all.flatMap((one) => (one.retained ? [[one, one.address] as const] : [])))
  if (found.size === 0) return found
  const neededBy = createNeeded(all, destroy)
  const queue = [...found.keys()]
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
    const root = found.get(one) ?? one.address
    for (const other of neededBy(one)) {
      if (found.has(other)) continue
      found.set(other, root)
      queue.push(other)
    }
  }
  return found
}

/** What an object points at, ends with, or needs as its kind says; not what is written in `depends_on`, which is about order. */
function createNeeded<T extends Staying>(all: readonly T[], destroy: boolean): (one: T) => readonly T[] {
  const byId = new Map<string, T[]>()
  const byValue = new Map<string, T[]>()
  const providers = new Map<string, T[]>()
  const byHolder = new Map<string, T[]>()
  for (const one of all) {
    for (const { kind, id } of one.holders) push(byHolder, `${kind} ${id}`, one)
    if (one.id !== null) push(byId, `${one.kind.name} ${one.id}`, one)
    for (const [output, value] of Object.entries({ ...one.shown, ...one.spec }))
      if (typeof value === 'string') push(byValue, `${one.kind.name} ${output} ${value}`, one)
    for (const name of one.kind.provides?.(one.spec, one.workspaceId ?? '') ?? []) push(providers, name, one)
  }
  const endsWith = createEndsWith(all)
  return (one) => [
    ...endsWith(one),
    ...(byHolder.get(`${one.kind.name} ${one.id}`) ?? []),
    ...heldIds(one.kind, destroy ? one.spec : withoutReleased(one)).flatMap((held) => held.kinds.flatMap((name) => byId.get(`${name} ${held.id}`) ?? [])),
    ...heldValues(one.kind, one.spec).flatMap((held) => held.kinds.flatMap((name) => byValue.get(`${name} ${held.output} ${held.value}`) ?? [])),
    ...(one.kind.needs?.(one.spec, one.workspaceId ?? '') ?? []).flatMap((name) => providers.get(name) ?? []),
  ]
}

function withoutReleased({ kind, spec }: Being): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => kind.fields[field]?.released !== true))
}
