// What each resource needs: references, written dependencies, its workspace, and what kinds imply; joined in one hash pass.
import type { Compat } from '../../../api/calls/compat.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { readToken } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Planned } from '../planned-resource.ts'
import { inCircles } from './topological.ts'

export interface Needs {
  /** Everything that must be done before: addresses. */
  readonly requires: readonly string[]
  /** The part that holds the other object there: references and implied needs, not through an `endsWith` field, not `depends_on`. */
  readonly holds: readonly string[]
}

/** The needs of every resource that is to be there, by address; linear in resources and edges. */
export function needsOf(all: readonly Planned[]): ReadonlyMap<string, Needs> {
  const present = all.filter(isThere)
  const known = new Set(present.map((one) => one.address))
  const ids = new Map(present.map((one) => [one.address, one.objectId]))
  const providers = new Map<string, string[]>()
  for (const one of present) for (const name of one.kind.provides?.(specOf(one), workspaceOf(one)) ?? []) push(providers, name, one.address)
  const out = new Map<string, Needs>()
  const yielding = new Map<string, readonly string[]>()
  for (const one of present) {
    if (one.desired === undefined) continue
    const implied = (one.kind.needs?.(one.desired, workspaceOf(one)) ?? []).flatMap((name) => providers.get(name) ?? [])
    if (one.kind.needsYield && implied.length > 0) yielding.set(one.address, implied)
    const references = one.declared?.references ?? []
    const workspace = one.declared?.workspace && 'address' in one.declared.workspace ? [one.declared.workspace.address] : []
    const ended = endingReferences(one, ids)
    const usable = (address: string): boolean => address !== one.address && known.has(address)
    const holds = new Set([...references.filter((address) => !ended.has(address)), ...implied].filter(usable))
    const written = [...(one.declared?.dependsOn ?? []), ...(one.declared?.lifecycle.redeployTriggeredBy ?? [])]
    const requires = [...references, ...written, ...implied, ...workspace].filter(usable)
    out.set(one.address, { requires: requires.length > 1 ? [...new Set(requires)].toSorted() : requires, holds: [...holds] })
  }
  return withoutCircles(out, yielding)
}

function withoutCircles(all: Map<string, Needs>, yielding: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, Needs> {
  if (yielding.size === 0) return all
  const required = new Map([...all].map(([address, { requires }]) => [address, new Set(requires)]))
  for (const [address, given] of givenWay(required, yielding)) {
    const { requires, holds } = all.get(address) ?? { requires: [], holds: [] }
    all.set(address, { requires: requires.filter((one) => !given.has(one)), holds: holds.filter((one) => !given.has(one)) })
  }
  return all
}

/** Implied needs that yield are none where what is needed waits for who needs it: by who has them, those that are none. */
export function givenWay(
  required: ReadonlyMap<string, ReadonlySet<string>>,
  yielding: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const waiting = new Set([...yielding.values()].flat())
  if (![...waiting].some((address) => (required.get(address)?.size ?? 0) > 0)) return new Map()
  const within = inCircles(required.keys(), required)
  const given = [...yielding].map(([address, implied]) => [address, new Set(within.has(address) ? implied.filter((one) => within.has(one)) : [])] as const)
  return new Map(given.filter(([, one]) => one.size > 0))
}

/** What will be there: declared, or left alone with its file (-f). */
function isThere(one: Planned): boolean {
  return !one.deposed && (one.desired !== undefined || (one.leftOut && one.record !== undefined))
}

function specOf(one: Planned): JsonObject {
  return one.desired ?? one.record?.spec ?? {}
}

/** Adds one to the list of a key. */
export function push<K, T>(lists: Map<K, T[]>, key: K, one: T): void {
  const list = lists.get(key)
  if (list) list.push(one)
  else lists.set(key, [one])
}

function workspaceOf(one: Planned): string {
  return one.workspaceId ?? one.workspaceAddress ?? ''
}

/** Addresses that a resource points at through a field whose target takes it along when it goes. */
function endingReferences(one: Planned, ids: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { field, endsWith } of one.kind.referenceFields) {
    if (!endsWith) continue
    const value = one.desired?.[field]
    const token = readToken(value)
    if (token?.is === 'unknown') found.add(token.place)
    else for (const address of one.declared?.references ?? []) if (ids.get(address) === value) found.add(address)
  }
  return found
}

export interface Held {
  readonly kinds: readonly string[]
  readonly id: string
  readonly endsWith: boolean
  readonly bound: boolean
}

/** The ids that a recorded or live spec points at through reference fields, with whether the object ends with them, or cannot be without them. */
export function heldIds(kind: AnyKind, spec: JsonObject): readonly Held[] {
  const out: Held[] = []
  for (const { field, ref, output, endsWith, bound } of kind.referenceFields) {
    if (output === 'id') for (const id of idsIn(spec[field])) out.push({ kinds: ref, id, endsWith, bound })
  }
  return out
}

/** Of these the ones that cannot go while an object with this spec is there, as the service is said to be. */
export function keptIds(kind: AnyKind, spec: JsonObject, compat: Compat): readonly Held[] {
  const field = kind.keeps?.(compat)
  return field === undefined ? [] : heldIds(kind, { [field]: spec[field] ?? null })
}

/** The values of other outputs than ids that a spec points at. */
export function heldValues(kind: AnyKind, spec: JsonObject): readonly { readonly kinds: readonly string[]; readonly output: string; readonly value: string }[] {
  return kind.referenceFields.flatMap(({ field, ref, output }) => (output === 'id' ? [] : idsIn(spec[field]).map((value) => ({ kinds: ref, output, value }))))
}

function idsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return readToken(value) ? [] : [value]
  return value !== undefined && value !== null && isList(value) ? value.flatMap((one) => idsIn(one)) : []
}
