// Objects that differ in a key alone become one manifest with a `for_each`: the key stands in their name, or is that of what they belong to.
import { isLogicalName } from '../../base/address.ts'
import { stringifyJson } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { FieldValue, Manifest, Target, Written } from './exported.ts'
import { keyOf } from './exported.ts'
import { givenName } from './logical-names.ts'

/** Where an object went that others may refer to. */
export interface Folded {
  readonly name: string
  readonly key: string | undefined
}

interface Member {
  readonly one: Written
  readonly key: string
}

interface Group {
  readonly name: string
  readonly owner: { readonly field: string; readonly of: string } | undefined
  readonly members: Member[]
}

/** Keys that stand in references and expressions as they are. */
const plainKey = /^[A-Za-z0-9._-]{1,100}$/

/** The manifests of these objects, in their order; `single` are those that must stay alone, `used` the names that manifests of a kind have already. Linear but for sorting the kinds. */
export function foldManifests(written: readonly Written[], single: ReadonlySet<string>, used: (kind: string) => Iterable<string>): readonly Manifest[] {
  const folded = new Map<string, Folded>()
  const manifests = new Map<Written, Manifest>()
  const isGone = new Set<Written>()
  for (const ones of inOrderOfReferences(written)) {
    const taken = new Set([...ones.map((one) => one.name), ...ones.slice(0, 1).flatMap((one) => [...used(one.thing.kind.name)])])
    for (const { name, owner, members } of groupsOf(ones, folded, single)) {
      const [first] = members
      const isFree = !taken.has(name) || members.some(({ one }) => one.name === name)
      if (!first || members.length < 2 || !isFree || new Set(members.map((one) => one.key)).size < members.length) continue
      taken.add(name)
      manifests.set(first.one, { name, owner, each: new Map(members.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ key, one }) => [key, one])) })
      for (const { one, key } of members) {
        folded.set(keyOf(one.thing), { name, key })
        if (one !== first.one) isGone.add(one)
      }
    }
  }
  return written.flatMap((one) => (isGone.has(one) ? [] : [manifests.get(one) ?? { name: one.name, only: one }]))
}

/** The objects by kind, those that others point at first. */
function inOrderOfReferences(written: readonly Written[]): readonly (readonly Written[])[] {
  const byKind = new Map<AnyKind, Written[]>()
  for (const one of written) byKind.set(one.thing.kind, [...(byKind.get(one.thing.kind) ?? []), one])
  const order: (readonly Written[])[] = []
  const seen = new Set<string>()
  const visit = (kind: AnyKind): void => {
    if (seen.has(kind.name)) return
    seen.add(kind.name)
    const pointed = new Set(kind.referenceFields.flatMap((one) => one.ref))
    for (const other of byKind.keys()) if (pointed.has(other.name)) visit(other)
    order.push(byKind.get(kind) ?? [])
  }
  for (const kind of byKind.keys()) visit(kind)
  return order
}

function groupsOf(ones: readonly Written[], folded: ReadonlyMap<string, Folded>, single: ReadonlySet<string>): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const one of ones) {
    if (single.has(keyOf(one.thing))) continue
    const part = partOf(one, folded)
    if (!part || !plainKey.test(part.key)) continue
    const id = stringifyJson([one.thing.workspaceId, part.name, part.owner?.field ?? null, part.owner?.of ?? null, signatureOf(one, part, folded)])
    const group = groups.get(id) ?? { name: part.name, owner: part.owner, members: [] }
    groups.set(id, group)
    group.members.push({ one, key: part.key })
  }
  return groups.values()
}

/** How an object could be one of several: `NAME-KEY` by its own name, else by what it belongs to. */
function partOf(one: Written, folded: ReadonlyMap<string, Folded>): (Pick<Group, 'name' | 'owner'> & { readonly key: string }) | undefined {
  const { thing } = one
  if (Object.hasOwn(thing.kind.fields, 'name')) {
    const [, name, key] = /^(.+)-([^-]+)$/s.exec(givenName(thing) ?? '') ?? []
    return name === undefined || key === undefined || !isLogicalName(name) || typeof thing.seen['name'] !== 'string'
      ? undefined
      : { name, key, owner: undefined }
  }
  for (const [field, value] of one.fields) {
    const place = value.is === 'reference' ? placeOf(value.target, folded) : undefined
    if (place?.key === undefined) continue
    const behind = one.name.startsWith(`${place.name}-${place.key}`) ? `${place.name}${one.name.slice(`${place.name}-${place.key}`.length)}` : one.name
    return { name: behind, key: place.key, owner: { field, of: place.name } }
  }
  return undefined
}

function placeOf(target: Target, folded: ReadonlyMap<string, Folded>): Folded | undefined {
  return 'to' in target ? folded.get(keyOf(target.to)) : undefined
}

/** All that must be equal: every field, but for the name and for references to what has the same key. */
function signatureOf(one: Written, part: { readonly key: string; readonly owner: Group['owner'] }, folded: ReadonlyMap<string, Folded>): string {
  const targetText = (target: Target): string => {
    if (!('to' in target)) return stringifyJson(target)
    const place = folded.get(keyOf(target.to))
    return place?.key === part.key ? `each of ${place.name}` : keyOf(target.to)
  }
  const fields = [...one.fields].filter(([field]) => field !== 'name' || part.owner !== undefined)
  return stringifyJson(fields.map(([field, value]) => [field, value.is, fieldText(value, targetText)]))
}

function fieldText(value: FieldValue, targetText: (target: Target) => string): string {
  if (value.is === 'value') return stringifyJson(value.value)
  if (value.is === 'reference') return targetText(value.target)
  if (value.is === 'references') return stringifyJson(value.targets.map(targetText))
  if (value.is === 'variable') return value.variable.name
  return [...(value.is === 'variables' ? value.byKey : value.byPointer).values()].map((each) => each.name).join(' ')
}

/** Numbers by their value, other keys by their letters. */
function compareKeys(a: string, b: string): number {
  const areNumbers = /^\d+$/.test(a) && /^\d+$/.test(b)
  return (areNumbers ? a.length - b.length : 0) || (a < b ? -1 : 1)
}
