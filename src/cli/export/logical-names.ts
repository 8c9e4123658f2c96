// Logical names of exported objects: made of what they are called, valid, unique per kind, and the same at each export.
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

/** What is said of an object that has no name: whom it belongs to, then its values in the order of its fields. */
function describing(thing: LiveThing, nameBehind: (field: string) => string | undefined): string {
  const { kind, seen } = thing
  const words: string[] = []
  for (const [field, marks] of Object.entries(kind.fields)) {
    const value = seen[field]
    if (value === undefined || value === null || value === kind.defaults[field] || hasToken(value)) continue
    if (marks.ref !== undefined && typeof value === 'string') words.push(nameBehind(field) ?? '')
    else if ((typeof value === 'string' || typeof value === 'number') && !isLong(value)) words.push(slug(String(value), '').replace(/^-/, '').toLowerCase())
    if (words.join('-').length >= ENOUGH) break
  }
  const told = words.filter((word) => word !== '').join('-')
  return told === '' ? kindWord(kind) : told
}

function isLong(value: string | number): boolean {
  return String(value).length > ENOUGH
}

function kindWord(kind: AnyKind): string {
  return kind.name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()
}
