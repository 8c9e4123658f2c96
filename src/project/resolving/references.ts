// Reads what stands in a reference field: a declared resource, an id, or a name that is looked up.
import { formatAddress, parseAddress } from '../../base/address.ts'
import type { Code } from '../../base/catalogue.ts'
import { isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { withArticle } from '../../base/words/article.ts'
import { nearest } from '../../base/words/nearest.ts'
import { describe, listed } from '../findings/issues.ts'
import { quote } from '../findings/source.ts'
import type { Names } from './names.ts'

/** What a reference points at; `output` of it stands in the field. */
export type Target =
  | { readonly is: 'resource'; readonly address: string; readonly output: string }
  | { readonly is: 'id'; readonly id: string }
  | { readonly is: 'lookup'; readonly kind: string; readonly name: string; readonly output: string }

/** Where a field may point. */
export interface Pointing {
  readonly kinds: readonly string[]
  readonly output: string
  /** Written as `{ id }`: what an expression gives there is never a name. */
  readonly isId?: true
}

interface Wrong {
  readonly is: 'wrong'
  readonly code: Code
  readonly message: string
  readonly hint?: string
}

const unmanagedHint = 'use { id: "…" } or { name: "…" } for what this project does not manage'

/** Reads `name`, `name["key"]`, `Kind/name`, digits, `{ id }` or `{ name }`. */
export function readReference(value: JsonValue, pointing: Pointing, names: Names): Target | Wrong {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return byId(String(value), pointing)
  if (typeof value === 'string') return byText(value, pointing, names)
  if (isObject(value)) return byMap(value, pointing, names)
  return wrong('invalid_value', `a reference is a name, { id } or { name }, got ${describe(value)}`)
}

function byMap(value: { readonly [key: string]: JsonValue }, pointing: Pointing, names: Names): Target | Wrong {
  const [key, ...more] = Object.keys(value)
  const inner = key === undefined ? undefined : value[key]
  if (more.length > 0 || (key !== 'id' && key !== 'name')) return wrong('unknown_field', 'a reference as a map holds exactly one of id and name', unmanagedHint)
  if (key === 'id') {
    const id = typeof inner === 'bigint' ? String(inner) : inner
    return typeof id === 'string' && id !== '' ? byId(id, pointing) : wrong('invalid_value', `an id is digits in quotes, got ${describe(inner)}`)
  }
  if (typeof inner !== 'string' || inner === '') return wrong('invalid_value', `a name is a text, got ${describe(inner)}`)
  const looked = pointing.kinds.filter((kind) => names.kinds.has(kind))
  const [only, other] = looked
  if (only !== undefined && other === undefined) return { is: 'lookup', kind: only, name: inner, output: pointing.output }
  if (only === undefined) return wrong('invalid_value', 'this field takes an id, not a name: nothing is looked up for it', 'write { id: "…" }')
  return wrong('ambiguous_reference', `the name ${quote(inner)} could be one of ${listed(looked)}`, 'use { id: "…" }')
}

/** Reads what an expression over resources gives in a reference field: an id, a whole number as one, or the name of something that is looked up. */
export function readPointed(value: JsonValue, pointing: Pointing, names: Names): Exclude<Target, { readonly is: 'resource' }> | Wrong {
  const { kinds, output } = pointing
  const [kind, other] = kinds
  if (output !== 'id')
    return typeof value === 'string' ? { is: 'id', id: value } : wrong('invalid_value', `the expression gives no ${output}, but ${describe(value)}`)
  const text = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)) ? String(value) : value
  const noId = (): Wrong => wrong('invalid_value', `the expression gives no id, but ${describe(value)}`, 'an id is a positive whole number')
  if (typeof text !== 'string') return noId()
  if (isId(text)) return { is: 'id', id: text }
  if (kind === undefined || text === '' || /^-?\d+$/.test(text)) return noId()
  if (other === undefined && pointing.isId !== true && names.kinds.get(kind)?.managed === false) return { is: 'lookup', kind, name: text, output }
  return wrong('invalid_value', 'an expression over resources gives an id here, not a name', `write ${kind}['name'].id`)
}

/** Whether a text is an id that requests can carry; no field points at what has none of its own (`<instance>/<vpc>`). */
function isId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text)
}

function byId(id: string, pointing: Pointing): Target | Wrong {
  if (pointing.output === 'id') return isId(id) ? { is: 'id', id } : wrong('invalid_value', `${quote(id)} is no id`, 'an id is a positive whole number')
  return wrong(
    'invalid_value',
    `this field takes the ${pointing.output} of ${pointing.kinds.map(withArticle).join(' or ')}, not an id`,
    'name a manifest, or use { name: "…" }',
  )
}

function byText(text: string, pointing: Pointing, names: Names): Target | Wrong {
  const { kinds, output } = pointing
  if (/^\d+$/.test(text) || kinds.length === 0 || pointing.isId) return byId(text, pointing)
  const managed = kinds.filter((kind) => names.kinds.get(kind)?.managed === true)
  const [first] = kinds
  if (managed.length === 0 && first !== undefined) {
    const lookedUp = kinds.filter((kind) => names.kinds.has(kind))
    if (lookedUp.length <= 1)
      return text === '' ? wrong('invalid_value', 'the name is empty') : { is: 'lookup', kind: lookedUp[0] ?? first, name: text, output }
  }
  const [only, other] = managed
  const bare = parseAddress(`${only ?? 'Kind'}/${text}`)
  const address = parseAddress(text) ?? (only !== undefined && other === undefined ? bare : undefined)
  if (!address) {
    const named = bare && managed.filter((kind) => names.isDeclared(kind, bare.name))
    if (named && named.length > 0)
      return wrong('ambiguous_reference', `${quote(text)} may be of several kinds`, `write ${named.map((kind) => `${kind}/${text}`).join(' or ')}`)
    if (bare)
      return wrong('unknown_reference', `${quote(text)} is written with its kind here: ${managed.map((kind) => `${kind}/name`).join(', ')}`, unmanagedHint)
    return wrong('unknown_reference', `${quote(text)} is no name of a resource`, keysHint(text, managed, names) ?? unmanagedHint)
  }
  if (!kinds.includes(address.kind))
    return wrong('unknown_reference', `this field points at ${listed(managed.map(withArticle))}, not at ${quote(address.kind)}`)
  return declared(address, text, output, names)
}

/** The keys of what a text begins with, where that has some. */
function keysHint(text: string, kinds: readonly string[], names: Names): string | undefined {
  const [name = ''] = /^[A-Za-z_][\w-]*/.exec(text) ?? []
  const keys = kinds.flatMap((kind) => [...(names.keysOf(kind, name) ?? [])])
  return keys.length === 0 ? undefined : `keys: ${listed(keys, (one) => `${name}[${JSON.stringify(one)}]`)}`
}

function declared(
  address: { readonly kind: string; readonly name: string; readonly key?: string | undefined },
  text: string,
  output: string,
  names: Names,
): Target | Wrong {
  const { kind, name, key } = address
  if (!names.isDeclared(kind, name)) {
    if (names.isOpen(kind, name)) return { is: 'resource', address: formatAddress(address), output }
    const words = names.namesOf(kind)
    const near = nearest(name, words)
    const others = [...names.kinds.keys()].filter((one) => one !== kind && names.isDeclared(one, name))
    const also = others.length > 0 ? `${others.map((one) => `${one}/${name}`).join(', ')} is of another kind` : `declared: ${listed(words)}`
    const hint =
      near === undefined ? `${also}; ${unmanagedHint}: \`iac get ${names.kinds.get(kind)?.plural ?? kind}\` lists it` : `did you mean ${quote(near)}?`
    return wrong('unknown_reference', `no ${kind} named ${quote(name)} is declared`, hint)
  }
  const keys = names.keysOf(kind, name)
  if (keys === undefined) {
    if (key === undefined) return { is: 'resource', address: `${kind}/${name}`, output }
    return wrong('unknown_reference', `${kind}/${name} has no for_each, so it takes no key`, `write ${name}`)
  }
  if (key === undefined)
    return wrong('ambiguous_reference', `${kind}/${name} has a for_each: a key is missing`, `keys: ${listed(keys, (one) => `${name}[${JSON.stringify(one)}]`)}`)
  if (keys.has(key)) return { is: 'resource', address: `${kind}/${name}[${JSON.stringify(key)}]`, output }
  const near = nearest(key, keys)
  return wrong(
    'unknown_reference',
    `${kind}/${name} has no key ${quote(key)}`,
    near === undefined ? `keys: ${listed(keys)}` : `did you mean ${text.slice(0, text.indexOf('['))}[${JSON.stringify(near)}]?`,
  )
}

function wrong(code: Code, message: string, hint?: string): Wrong {
  return { is: 'wrong', code, message, ...(hint === undefined ? {} : { hint }) }
}
