// What a destroy leaves in place because something that is to be retained lives on it. Pure.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { heldIds, heldValues, push } from '../model/needs.ts'
import type { Planned } from '../model/planned-resource.ts'
import { createEndsWith, fateOf } from './checks/cascade.ts'
import type { Being } from './checks/cascade.ts'

/** An object of a destroy; `shown` is what is known of it beside its spec. */
export interface Staying extends Being {
  readonly address: string
  readonly retained: boolean
  readonly shown: JsonObject
}

interface Leaver extends Staying {
  readonly one: Planned
}

/** What a plan does; with `destroy`, what retained objects live on is forgotten like these, and `staying` is each of the former with the address of the one that needs it. */
export function withStaying(
  all: readonly Planned[],
  destroy: boolean,
): { readonly selected: readonly Planned[]; readonly staying: ReadonlyMap<Planned, string> } {
  if (!destroy) return { selected: all, staying: new Map() }
  const ends = all.flatMap((one): Leaver[] => {
    if (one.action !== 'delete' && one.action !== 'forget') return []
    return [{ ...fateOf(one), one, retained: one.retained && (one.object !== undefined || !one.kind.readable), shown: one.record?.outputs ?? {} }]
  })
  const staying = new Map([...staysWith(ends)].flatMap(([{ one }, by]) => (one.action === 'delete' ? [[one, by] as const] : [])))
  return { staying, selected: all.map((one) => (staying.has(one) ? { ...one, action: 'forget', reason: 'removed' } : one)) }
}

/** Says what stays although nothing says so of itself. */
export function stayingNote(staying: ReadonlyMap<Planned, string>): Diagnostic[] {
  return [...staying]
    .map(([{ address, deposed, objectId }, by]) =>
      diagnostic('note', `${address}${deposed ? ` (old object ${objectId})` : ''} is forgotten and stays: ${by}, which is to be retained, needs it`, {
        address,
      }),
    )
    .toSorted((a, b) => (a.summary < b.summary ? -1 : 1))
}

/** Every object that a retained one needs to stay as it is, with that one's address; retained ones with their own. Linear in what is pointed at. */
export function staysWith<T extends Staying>(all: readonly T[]): ReadonlyMap<T, string> {
  const found = new Map(all.flatMap((one) => (one.retained ? [[one, one.address] as const] : [])))
  if (found.size === 0) return found
  const neededBy = createNeeded(all)
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
function createNeeded<T extends Staying>(all: readonly T[]): (one: T) => readonly T[] {
  const byId = new Map<string, T[]>()
  const byValue = new Map<string, T[]>()
  const providers = new Map<string, T[]>()
  for (const one of all) {
    if (one.id !== null) push(byId, `${one.kind.name} ${one.id}`, one)
    for (const [output, value] of Object.entries({ ...one.shown, ...one.spec }))
      if (typeof value === 'string') push(byValue, `${one.kind.name} ${output} ${value}`, one)
    for (const name of one.kind.provides?.(one.spec, one.workspaceId ?? '') ?? []) push(providers, name, one)
  }
  const endsWith = createEndsWith(all)
  return (one) => [
    ...endsWith(one),
    ...heldIds(one.kind, one.spec).flatMap((held) => held.kinds.flatMap((name) => byId.get(`${name} ${held.id}`) ?? [])),
    ...heldValues(one.kind, one.spec).flatMap((held) => held.kinds.flatMap((name) => byValue.get(`${name} ${held.output} ${held.value}`) ?? [])),
    ...(one.kind.needs?.(one.spec, one.workspaceId ?? '') ?? []).flatMap((name) => providers.get(name) ?? []),
  ]
}
