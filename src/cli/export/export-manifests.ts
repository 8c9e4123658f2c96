// Manifests for what is live: read, named, written, folded, and proven to change nothing.
import { isList, stringifyJson } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { createReader } from '../../engine/model/live.ts'
import type { Looking } from '../../engine/model/observation.ts'
import { fetchLists } from '../../engine/refresh/lookups.ts'
import type { AnyKind, ReferenceField } from '../../kinds/definition/kind.ts'
import { digestOf, newSalt } from '../../state/digest.ts'
import { collect } from './collect.ts'
import type { Collected, Wanted } from './collect.ts'
import type { AskedVariable, LiveThing, Manifest, SpokenFor, Target, Written } from './exported.ts'
import { keyOf } from './exported.ts'
import { foldManifests } from './for-each.ts'
import { logicalNames } from './logical-names.ts'
import { addressesOf, manifestDocument, variableText } from './manifest-document.ts'
import type { Places } from './manifest-document.ts'
import { fieldsOf } from './manifest-fields.ts'
import { manifestText } from './manifest-text.ts'
import { unproven } from './prove.ts'

/** Why an object is left out that may be part of another one. */
export const mayBelong = 'it is attached to what is exported, and may have come with it'

/** What is exported, and what it is put beside. */
export interface Asked extends Omit<Wanted, 'nowMs'> {
  readonly workspaceKind: string
  /** Addresses of what the project manages already, by kind and id with a space between: referred to, and not exported. */
  readonly known: ReadonlyMap<string, string>
  /** Names that manifests of the project have, by kind. */
  readonly taken: (kind: string) => Iterable<string>
  /** Which of what is to be exported is left out after all, by `keyOf`. */
  readonly spokenFor?: (things: readonly LiveThing[]) => Promise<ReadonlyMap<string, SpokenFor>>
  /** The one object to be exported, where it is not all. */
  readonly only?: { readonly kind: string; readonly id: string; readonly name: string } | undefined
  /** `kind id` of each object to be exported, where it is not all. */
  readonly these?: ReadonlySet<string> | undefined
  /** Names of variables that are declared for something else. */
  readonly variables: Iterable<string>
  /** Whether manifests name their workspace: what is exported is of several. */
  readonly isPlaced?: boolean
  /** Whether objects that differ in a key may become one manifest. */
  readonly folds: boolean
}

/** One manifest as text, with what it is about. */
export interface ExportedManifest {
  readonly manifest: Manifest
  readonly text: string
  readonly addresses: readonly (readonly [Written, string])[]
}

/** An object that no manifest is made of. */
export interface LeftOut extends SpokenFor {
  readonly thing: LiveThing
}

export interface Exported {
  readonly manifests: readonly ExportedManifest[]
  readonly variables: readonly AskedVariable[]
  readonly refused: Collected['refused']
  /** Objects that no manifest can say as they are, with the reason. */
  readonly leftOut: readonly LeftOut[]
  /** Why a plan may not stay empty; none as a rule. */
  readonly doubts: readonly string[]
}

// Each pass leaves out or unfolds what the one before found; what is left after these is left out.
const MOST_PASSES = 4

/** Reads everything that is asked for and makes manifests of it, each proven. Throws a Failure where something cannot be read. */
export async function exportManifests(
  looking: Omit<Looking, 'digest'>,
  asked: Asked,
  around: { readonly randomBytes: (count: number) => Uint8Array; readonly nowMs: number },
): Promise<Exported> {
  const salt = newSalt(around.randomBytes)
  const { digest } = asked.secrets ?? { digest: (value: JsonValue) => digestOf(salt, value) }
  const collected = await collect({ ...looking, digest }, { ...asked, nowMs: around.nowMs })
  const byId = new Map(collected.things.map((one) => [`${one.kind.name} ${one.id}`, one]))
  const wanted = collected.things.filter((one) => isAsked(one, asked))
  const owned = new Map(wanted.map((one) => [one, ownershipOf(one, byId, asked)]))
  const free = wanted.filter((one) => owned.get(one) === undefined)
  const spoken = await asked.spokenFor?.(free)
  const things = free.filter((one) => spoken?.has(keyOf(one)) !== true)
  const looked = await lookedUpNames(looking, asked, things, around.nowMs)
  const left = wanted.flatMap((thing): readonly LeftOut[] => {
    const reason = owned.get(thing) === 'perhaps' ? { why: mayBelong } : spoken?.get(keyOf(thing))
    return reason ? [{ thing, ...reason }] : []
  })
  const result = made(things, [...collected.things, ...collected.beside], asked, looked)
  return { ...result, leftOut: [...result.leftOut, ...left], refused: collected.refused }
}

function isAsked({ kind, id }: LiveThing, { only, these, known }: Asked): boolean {
  if (these) return these.has(`${kind.name} ${id}`)
  if (only) return kind.name === only.kind && id === only.id
  return !known.has(`${kind.name} ${id}`)
}

/** Whether another object's own manifest says this one: surely where it names what this one points at as well, as an instance its networks; else perhaps, as its addresses. */
function ownershipOf({ kind, seen }: LiveThing, byId: ReadonlyMap<string, LiveThing>, { only, these, known, named }: Asked): 'surely' | 'perhaps' | undefined {
  if (only ?? these) return undefined
  for (const { field, ref } of kind.referenceFields) {
    if (kind.fields[field]?.declarer !== true) continue
    const owner = ref.map((name) => `${name} ${textOf(seen[field])}`).find((key) => byId.has(key) || known.has(key))
    if (owner === undefined) continue
    const others = kind.referenceFields.filter((one) => one.field !== field)
    if (others.some((one) => names(byId.get(owner), one, textOf(seen[one.field])))) return 'surely'
    if (!named.has(kind.name)) return 'perhaps'
  }
  return undefined
}

/** Whether an object lists another one in a field that points at its kind. */
function names(owner: LiveThing | undefined, { ref }: ReferenceField, id: string): boolean {
  return (owner?.kind.referenceFields ?? []).some(({ field, ref: kinds }) => {
    const listed = owner?.seen[field]
    return kinds.some((one) => ref.includes(one)) && isList(listed) && listed.includes(id)
  })
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

interface LookedUp {
  nameOf(kind: string, id: string): string | undefined
  idOf(kind: string, name: string): string | undefined
}

/** Names of what is looked up, not managed, where something points at it: one list for each kind. */
async function lookedUpNames(looking: Omit<Looking, 'digest'>, asked: Asked, things: readonly LiveThing[], nowMs: number): Promise<LookedUp> {
  const wanted = new Map<string, { kind: AnyKind; workspaceId: string }>()
  for (const { kind, seen, workspaceId } of things)
    for (const { field, ref } of kind.referenceFields)
      for (const target of seen[field] === undefined || seen[field] === null ? [] : asked.all.filter((one) => !one.managed && ref.includes(one.name))) {
        const place = target.scope === 'account' ? '' : workspaceId
        wanted.set(`${target.name} ${place}`, { kind: target, workspaceId: place })
      }
  const found = await fetchLists(createReader(looking.source, looking.compat), [...wanted.values()], asked.all, nowMs)
  const [ids, names] = [new Map<string, string[]>(), new Map<string, string>()]
  for (const [place, ones] of found)
    for (const one of ones)
      for (const name of new Set(one.names)) ids.set(`${place.split(' ')[0]} ${name}`, [...(ids.get(`${place.split(' ')[0]} ${name}`) ?? []), one.id])
  for (const [key, [id, more]] of ids) {
    const [kind = '', ...words] = key.split(' ')
    const name = words.join(' ')
    // What reads as an id is one.
    if (id !== undefined && more === undefined && !/^\d+$/.test(name) && !name.includes('${')) names.set(`${kind} ${id}`, name)
  }
  return { nameOf: (kind, id) => names.get(`${kind} ${id}`), idOf: (kind, name) => ids.get(`${kind} ${name}`)?.[0] }
}

function made(things: readonly LiveThing[], all: readonly LiveThing[], asked: Asked, looked: LookedUp): Omit<Exported, 'refused'> {
  const left = new Map<string, string>()
  const single = new Set<string>()
  for (let pass = 0; ; pass += 1) {
    const staying = things.filter((one) => !left.has(keyOf(one)))
    const written = writtenOf(staying, all, asked, looked)
    const manifests = asked.folds ? foldManifests(written, single, asked.taken) : written.map((only) => ({ name: only.name, only }))
    const problems = problemsOf(manifests, asked, looked)
    if (problems.size === 0 || pass === MOST_PASSES) {
      const places = placesOf(manifests, variableText, asked)
      const leftOut = things.flatMap((thing) => (left.has(keyOf(thing)) ? [{ thing, why: left.get(keyOf(thing)) ?? '' }] : []))
      return {
        manifests: manifests.map((one) => ({ manifest: one, text: manifestText(manifestDocument(one, places)), addresses: addressesOf(one) })),
        variables: variablesOf(written),
        leftOut,
        doubts: [...problems].map(([address, why]) => `${address}: ${why}`),
      }
    }
    for (const manifest of manifests)
      for (const [one, address] of addressesOf(manifest)) {
        const why = problems.get(address) ?? problems.get(address.replace(/\[.*$/s, ''))
        if (why === undefined) continue
        if ('each' in manifest) for (const other of manifest.each.values()) single.add(keyOf(other.thing))
        else left.set(keyOf(one.thing), why)
      }
  }
}

function writtenOf(things: readonly LiveThing[], all: readonly LiveThing[], asked: Asked, looked: LookedUp): readonly Written[] {
  const exported = new Map(things.map((one) => [keyOf(one), one]))
  const find = finder(things, all, asked, looked)
  const pointed = (thing: LiveThing, field: string): LiveThing | undefined => {
    const value = thing.seen[field]
    const target = typeof value === 'string' ? find(thing, field, value) : undefined
    return target && 'to' in target ? target.to : undefined
  }
  const there = new Map(all.map((one) => [keyOf(one), one]))
  const beside = ({ kind, workspaceId, seen }: LiveThing, field: string): LiveThing | undefined => {
    const { ref = [], output = 'id' } = kind.fields[field] ?? {}
    const found = output === 'id' ? ref.map((name) => there.get(`${name} ${workspaceId} ${textOf(seen[field])}`)) : []
    return found.find((one) => one !== undefined)
  }
  const names = asked.only ? new Map(things.map((one) => [keyOf(one), asked.only?.name ?? ''])) : logicalNames(things, asked.taken, pointed)
  const used = new Set(asked.variables)
  const managed = new Set(asked.all.filter((one) => one.managed).map((one) => one.name))
  return [...exported].map(([key, thing]) => {
    const name = names.get(key) ?? ''
    const naming = {
      name,
      target: find,
      isMixed: (field: string) => (thing.kind.fields[field]?.ref ?? []).filter((one) => managed.has(one)).length > 1,
      beside: (field: string) => beside(thing, field),
      variable: (wanted: string) => freeVariable(wanted, used),
    }
    return { thing, name, fields: fieldsOf(thing, naming) }
  })
}

/** At most 63 letters, and no other variable's. */
function freeVariable(wanted: string, used: Set<string>): string {
  const base = wanted.slice(0, 56)
  let name = base
  for (let number = 2; used.has(name); number += 1) name = `${base}_${number}`
  used.add(name)
  return name
}

/** Finds by the output that a field asks for; another workspace's objects are out of reach. */
function finder(
  things: readonly LiveThing[],
  all: readonly LiveThing[],
  asked: Asked,
  looked: LookedUp,
): (thing: LiveThing, field: string, value: string) => Target {
  const exported = new Set(things.map(keyOf))
  const index = new Map<string, LiveThing>()
  for (const one of all)
    for (const [output, value] of [...Object.entries(one.outputs), ['id', one.id] as const])
      if (typeof value === 'string') index.set(`${one.kind.name} ${one.workspaceId} ${output} ${value}`, one)
  return ({ kind, workspaceId }, field, value) => {
    const { ref = [], output = 'id' } = kind.fields[field] ?? {}
    for (const name of ref) {
      const found = index.get(`${name} ${workspaceId} ${output} ${value}`) ?? index.get(`${name}  ${output} ${value}`)
      if (found && exported.has(keyOf(found))) return { to: found }
      const address = asked.known.get(`${name} ${found?.id ?? (output === 'id' ? value : '')}`)
      if (address !== undefined) return { address }
      const word = output === 'id' ? looked.nameOf(name, value) : undefined
      if (word !== undefined) return { word }
    }
    return output === 'id' ? { id: value } : { name: value }
  }
}

function placesOf(manifests: readonly Manifest[], variable: Places['variable'], { isPlaced = false }: Pick<Asked, 'isPlaced'>): Places {
  const places = new Map<string, { name: string; key: string | undefined }>()
  for (const one of manifests) {
    if ('only' in one) places.set(keyOf(one.only.thing), { name: one.name, key: undefined })
    else for (const [key, { thing }] of one.each) places.set(keyOf(thing), { name: one.name, key })
  }
  return { of: (key) => places.get(key), variable, isPlaced }
}

function problemsOf(manifests: readonly Manifest[], asked: Asked, looked: LookedUp): ReadonlyMap<string, string> {
  const [first] = asked.all
  // A value that nobody knows yet: so no variable is needed to load.
  const places = placesOf(manifests, () => `\${lookup('${first?.name ?? ''}', '-').id}`, asked)
  const addresses = manifests.flatMap((one) => addressesOf(one))
  return unproven({
    documents: manifests.map((one) => ({ text: stringifyJson(manifestDocument(one, places)), address: addressesOf(one)[0]?.[1] ?? '' })),
    kinds: asked.all,
    workspaceKind: asked.workspaceKind,
    things: new Map(addresses.map(([one, address]) => [address, one.thing])),
    known: new Map([...asked.known].map(([key, address]) => [address, key.slice(key.indexOf(' ') + 1)])),
    idOf: looked.idOf,
  })
}

function variablesOf(written: readonly Written[]): readonly AskedVariable[] {
  return written.flatMap(({ fields }) =>
    [...fields.values()].flatMap((value) => {
      if (value.is === 'variable') return [value.variable]
      return value.is === 'variables' ? [...value.byKey.values()] : value.is === 'mixed' ? [...value.byPointer.values()] : []
    }),
  )
}
