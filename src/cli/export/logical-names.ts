// Logical names of exported objects: made of what they are called, valid, unique per kind, and the same at each export.
import type * as z from 'zod'
import * as zod from 'zod'
import { isLogicalName } from '../../base/address.ts'
import { hasToken } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { LiveThing } from './exported.ts'
import { keyOf } from './exported.ts'

// Room for a number behind it, where several are called the same.
const MOST = 56
// What describes an object without a name says enough in so many letters.
const ENOUGH = 40

/** A text as a logical name: what cannot stand in one is a hyphen, and a name that begins with none of its letters gets the kind before it. */
export function slug(text: string, kind: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const begun = /^[A-Za-z_]/.test(plain) ? plain : `${kind}${plain === '' ? '' : `-${plain}`}`
  return begun.slice(0, MOST).replaceAll(/-+$/g, '')
}

/** What the service calls an object, undefined where it has no name. */
export function givenName({ seen, outputs }: LiveThing): string | undefined {
  const name = seen['name'] ?? outputs['name']
  return typeof name === 'string' && name !== '' && !hasToken(name) ? name : undefined
}

/** Names by what tells objects apart; `taken` are those that manifests of a kind have already, `pointed` the object that a field points at. */
export function logicalNames(
  things: readonly LiveThing[],
  taken: (kind: string) => Iterable<string>,
  pointed: (thing: LiveThing, field: string) => LiveThing | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const describing = describer(things)
  const used = new Map<string, Set<string>>()
  const usedOf = (kind: string): Set<string> => {
    const known = used.get(kind) ?? new Set(taken(kind))
    used.set(kind, known)
    return known
  }
  const nameOf = (thing: LiveThing, above: ReadonlySet<string>): string => {
    const key = keyOf(thing)
    const known = names.get(key)
    if (known !== undefined) return known
    const within = new Set([...above, key])
    const nameBehind = (field: string): string | undefined => {
      const target = pointed(thing, field)
      return target && !within.has(keyOf(target)) ? nameOf(target, within) : undefined
    }
    const words = thing.kind.unique === 'singleton' && thing.kind.scope === 'workspace' ? 'main' : (givenName(thing) ?? describing(thing, nameBehind))
    const name = unique(slug(words, kindWord(thing.kind)), usedOf(thing.kind.name))
    names.set(key, name)
    return name
  }
  for (const thing of things) nameOf(thing, new Set())
  return names
}

/** A free name: the one wanted, or with the next number behind it. */
function unique(wanted: string, used: Set<string>): string {
  const candidate = isLogicalName(wanted) ? wanted : 'unnamed'
  let name = candidate
  for (let number = 2; used.has(name); number += 1) name = `${candidate}-${number}`
  used.add(name)
  return name
}

/** What is said of an object that has no name, `nameBehind` a field that points at another: whom it belongs to, then as many of its values as tell it from others of its kind. */
type Describe = (thing: LiveThing, nameBehind: (field: string) => string | undefined) => string

function describer(things: readonly LiveThing[]): Describe {
  const nameless = new Map<AnyKind, LiveThing[]>()
  for (const one of things) if (givenName(one) === undefined) nameless.set(one.kind, [...(nameless.get(one.kind) ?? []), one])
  const told = new Map([...nameless].flatMap(([kind, ones]) => [...tellingWords(kind, ones)]))
  return (thing, nameBehind) => {
    const owners = thing.kind.referenceFields.flatMap(({ field }) => (typeof thing.seen[field] === 'string' ? (nameBehind(field) ?? []) : []))
    const words = [...owners, ...(told.get(thing) ?? [])].filter((word) => word !== '')
    return words.length === 0 ? kindWord(thing.kind) : words.join('-')
  }
}

/** Values in the order of their fields, up to the first that is no word of a few, and on until no other has the same: alike for those that differ in their owner alone. */
function tellingWords(kind: AnyKind, things: readonly LiveThing[]): ReadonlyMap<LiveThing, readonly string[]> {
  const all = things.map(wordsOf)
  const isFree = (field: string): boolean => !isChoice(kind.spec.shape[field])
  const first = Object.keys(kind.fields).find((field) => isFree(field) && all.some((one) => one.has(field)))
  const isOwned = kind.referenceFields.length > 0
  const kept = Object.keys(kind.fields).filter((field) => !isOwned || field === first || new Set(all.map((one) => one.get(field))).size > 1)
  const lists = all.map((one) => kept.flatMap((field) => (one.has(field) ? [{ word: one.get(field) ?? '', isFree: isFree(field) }] : [])))
  const counts = new Map<string, number>()
  const distinct = new Map(lists.map((list) => [list.map((one) => one.word).join('/'), list]))
  for (const list of distinct.values()) for (const prefix of prefixesOf(list)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  return new Map(
    things.map((thing, at) => {
      const list = lists[at] ?? []
      const least = list.findIndex((one) => one.isFree) + 1
      const unique = prefixesOf(list).findIndex((prefix) => counts.get(prefix) === 1) + 1
      const most = unique === 0 ? list.length : Math.max(least, unique)
      return [thing, list.slice(0, most).map((one) => one.word)]
    }),
  )
}

function prefixesOf(list: readonly { readonly word: string }[]): readonly string[] {
  return list.map((_, at) =>
    list
      .slice(0, at + 1)
      .map((one) => one.word)
      .join('/'),
  )
}

/** What may stand in a name, by field: neither what is like the default, nor references, amounts and long texts. */
function wordsOf({ kind, seen }: LiveThing): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  for (const [field, { ref, unit, form }] of Object.entries(kind.fields)) {
    const value = seen[field]
    if (value === null || value === kind.defaults[field] || ref !== undefined || unit !== undefined || hasToken(value)) continue
    if ((typeof value !== 'string' && typeof value !== 'number') || isLong(value)) continue
    const text = form === 'instant' ? String(value).slice(0, '2026-01-31'.length) : String(value)
    words.set(field, slug(text, '').replace(/^-/, '').toLowerCase())
  }
  return words
}

/** Whether a field takes one of a few words. */
function isChoice(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof zod.ZodOptional || schema instanceof zod.ZodNullable || schema instanceof zod.ZodDefault) return isChoice(schema.unwrap())
  return schema instanceof zod.ZodEnum
}

function isLong(value: string | number): boolean {
  return String(value).length > ENOUGH
}

function kindWord(kind: AnyKind): string {
  return kind.name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
}
