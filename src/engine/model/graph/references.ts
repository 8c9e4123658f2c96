// Who holds an object, by what is recorded: asked at each refusal, hence looked up and not searched for.
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { groupBy } from '../../../kinds/definition/live-fields.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { heldIds, heldValues } from './needs.ts'

/** An object as records point at it: by its id, or by the value of another output. */
export interface Target {
  readonly kind: string
  readonly id: string
  /** What its record shows of it. */
  readonly shown: JsonObject
}

/** The addresses whose recorded objects, old halves included, pointed at an object when the index was made. */
export type References = (target: Target) => ReadonlySet<string>

/** An index over records; linear in what they point at. */
export function createReferences(records: Iterable<ResourceRecord>, kindOf: (name: string) => AnyKind): References {
  const byTarget = new Map<string, Set<string>>()
  const note = (key: string, address: string): void => {
    const addresses = byTarget.get(key)
    if (addresses) addresses.add(address)
    else byTarget.set(key, new Set([address]))
  }
  for (const { address, kind, spec, deposed } of records)
    for (const half of [spec, ...deposed.map((old) => old.spec)])
      for (const { names, held } of pointers(kindOf(kind), half)) for (const name of names) note(`${name} ${held}`, address)
  return ({ kind, id, shown }) => {
    const others = Object.entries(shown).flatMap(([output, value]) => (typeof value === 'string' ? [`${kind} ${output} ${value}`] : []))
    const keys = [`${kind} id ${id}`, ...others]
    return new Set(keys.flatMap((key) => [...(byTarget.get(key) ?? [])]))
  }
}

/** Objects of a kind that hang on another one, by the records as they are now: what is forgotten later is still to outlive what it hangs on. */
export function hangingOn(
  records: Iterable<ResourceRecord>,
  kindOf: (name: string) => AnyKind | undefined,
): (kind: string, on: string, id: string) => readonly string[] {
  const all = [...records].flatMap(({ kind: name, id, spec }) => {
    const kind = kindOf(name)
    return kind ? heldIds(kind, spec).flatMap((held) => held.kinds.map((on) => ({ id, key: `${name} ${on} ${held.id}` }))) : []
  })
  const found = groupBy(all, (one) => one.key)
  return (kind, on, id) => (found.get(`${kind} ${on} ${id}`) ?? []).map((one) => one.id)
}

/** The ids of a kind in records, wherever they hang by now; gathered once for each kind, when it is first asked for. */
export function idsIn(records: Iterable<Pick<ResourceRecord, 'kind' | 'id'>>): (kind: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (kind) => {
    const ids = known.get(kind) ?? new Set([...records].flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : [])))
    known.set(kind, ids)
    return ids
  }
}

/** Whether a spec points at an object. */
export function isHeldBy(kind: AnyKind, spec: JsonObject, { kind: name, id, shown }: Target): boolean {
  if (heldIds(kind, spec).some((held) => held.id === id && held.kinds.includes(name))) return true
  return heldValues(kind, spec).some((held) => held.kinds.includes(name) && shown[held.output] === held.value)
}

function pointers(kind: AnyKind, spec: JsonObject): readonly { readonly names: readonly string[]; readonly held: string }[] {
  return [
    ...heldIds(kind, spec).map((one) => ({ names: one.kinds, held: `id ${one.id}` })),
    ...heldValues(kind, spec).map((one) => ({ names: one.kinds, held: `${one.output} ${one.value}` })),
  ]
}
