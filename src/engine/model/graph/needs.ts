// What each resource needs: references, written dependencies, its workspace, and what kinds imply; joined in one hash pass.
import type { Compat } from '../../../api/calls/compat.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList } from '../../../base/json.ts'
import { readToken } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Planned } from '../planned-resource.ts'
import { inCircles } from './topological.ts'

export interface Needs {
  /** Everything that must be done before: addresses. What only comes first when this is made (`needsYield`) is none of it. */
  readonly requires: readonly string[]
  /** The part that holds the other object there: references and implied needs, not through an `endsWith` field, not `depends_on`. */
  readonly holds: readonly string[]
}

/** The needs of every resource that is to be there, by address; linear in resources and edges. */
export function needsOf(all: readonly Planned[]): ReadonlyMap<string, Needs> {
  const present = all.filter(isThere)
  const ids = new Map<string, string | null>()
  const providers = new Map<string, string[]>()
  for (const one of present) {
    ids.set(one.address, one.objectId)
    for (const name of one.kind.provides?.(specOf(one), workspaceOf(one)) ?? []) push(providers, name, one.address)
  }
  const out = new Map<string, Needs>()
  const inOrder = createOrders()
  for (const one of present) {
    if (one.desired === undefined) continue
    const { address, declared } = one
    const implied = one.kind.needsYield ? none : listsOf(one.kind.needs?.(one.desired, workspaceOf(one)) ?? [], providers)
    const references = declared?.references ?? none
    const workspace = declared?.workspace && 'address' in declared.workspace ? [declared.workspace.address] : none
    const usable = (other: string): boolean => other !== address && ids.has(other)
    const own = [...references, ...(declared?.dependsOn ?? none), ...(declared?.lifecycle.redeployTriggeredBy ?? none), ...workspace].filter(usable)
    // Only what provides something may be among those who do.
    const others = one.kind.provides ? implied.filter(usable) : implied
    const ended = endingReferences(one, ids)
    const held = references.filter((other) => usable(other) && !ended.has(other))
    out.set(address, { requires: inOrder(own, others), holds: held.length === 0 ? others : [...new Set([...held, ...others])] })
  }
  return out
}

const none: readonly string[] = Object.freeze([])

/** The lists of some names as one, each member once; of a single name that of all who ask for it. */
function listsOf(names: readonly string[], lists: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const [only = '', ...more] = names
  return more.length === 0 ? (lists.get(only) ?? none) : [...new Set(names.flatMap((name) => lists.get(name) ?? none))]
}

/** Brings two lists into one order, each member once. What thousands are implied to need is put in order once for all who need nothing besides. */
function createOrders(): (own: readonly string[], implied: readonly string[]) => readonly string[] {
  const orders = new Map<readonly string[], readonly string[]>()
  return (own, implied) => {
    if (own.length > 0) return own.length + implied.length === 1 ? own : [...new Set([...own, ...implied])].toSorted()
    const order = orders.get(implied) ?? [...new Set(implied)].toSorted()
    orders.set(implied, order)
    return order
  }
}

/** Implied needs that yield are none where what is needed waits for who needs it: by who has them, those that are none. */
export function givenWay(
  required: ReadonlyMap<string, readonly string[] | ReadonlySet<string>>,
  yielding: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const waits = (address: string): boolean => {
    const others = required.get(address) ?? none
    return ('size' in others ? others.size : others.length) > 0
  }
  if (![...new Set(yielding.values())].some((implied) => implied.some(waits))) return new Map()
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
    const value = output === 'id' ? spec[field] : undefined
    if (value !== undefined) for (const id of idsIn(value)) out.push({ kinds: ref, id, endsWith, bound })
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
