// The names a project declares, for references, expressions and patterns.
import * as z from 'zod'
import { compareAddresses, formatAddress, matchesAddress } from '../../base/address.ts'
import type { CheckScope } from '../../expressions/check.ts'
import type { SureType } from '../../expressions/value.ts'
import type { AnyKind, Output } from '../../kinds/definition/kind.ts'
import { hintForWord } from '../../kinds/other-words.ts'
import { childOf, unwrap } from '../findings/schema.ts'

/** Everything that is declared; `keysOf` is undefined for what has no for_each (and no list that was expanded). */
export interface Names {
  readonly kinds: ReadonlyMap<string, AnyKind>
  /** Whether nothing can be said against a name or address pattern that no sound manifest declares. */
  isOpen(kind: string, name: string): boolean
  isDeclared(kind: string, name: string): boolean
  keysOf(kind: string, name: string): ReadonlySet<string> | undefined
  namesOf(kind: string): ReadonlySet<string>
  /** The addresses of a name: all of its keys, or the one. */
  addressesOf(kind: string, name: string): readonly string[]
  /** What an expression may name. */
  checkScope(hasEach: boolean): CheckScope
}

/** Declared names of each kind with the keys of those that have several. */
export type Declarations = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string> | undefined>>

/** Keys as expressions go through them: by their bytes, whatever the order of a manifest or a plan. */
export function inOrder(keys: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...keys].toSorted(compareAddresses))
}

/** Names that may be there although no sound manifest declares them: all of them (-f: other files are not read), or those of broken documents, as `Kind/name`. */
interface Open {
  readonly all: boolean
  readonly broken: ReadonlySet<string>
}

const closed: Open = { all: false, broken: new Set() }

/** Answers questions about names; word lists are made once. */
export function createNames(kinds: ReadonlyMap<string, AnyKind>, declarations: Declarations, variableNames: readonly string[], open = closed): Names {
  const variables = new Set(variableNames)
  const kindNames = [...kinds.keys()]
  const lists = new Map([...declarations].map(([kind, names]) => [kind, new Set(names.keys())]))
  const none: ReadonlySet<string> = new Set()
  // The same texts for all that name them: each of a for_each may.
  const addresses = new Map<string, { readonly keys: ReadonlySet<string> | undefined; readonly found: readonly string[] }>()
  const keysOf = (kind: string, name: string) => declarations.get(kind)?.get(name)
  const isDeclared = (kind: string, name: string) => declarations.get(kind)?.has(name) ?? false
  const namesOf = (kind: string) => lists.get(kind) ?? none
  const isOpen = (kind: string, name: string) => {
    if (isDeclared(kind, name) || !kinds.has(kind)) return false
    return open.all || open.broken.has(`${kind}/${name}`) || (name.includes('*') && [...open.broken].some((one) => matchesAddress(`${kind}/${name}`, one)))
  }
  const scopes = [false, true].map((each): CheckScope => ({
    each,
    isOpen,
    hasVar: (name) => variables.has(name),
    varNames: () => variableNames,
    kindNames: () => kindNames,
    kindHint: (word) => hintForWord(word) ?? hintForPlural(word, kinds),
    resources: namesOf,
    keysOf,
    attributes(kind) {
      const definition = kinds.get(kind)
      return definition ? attributesOf(definition) : []
    },
    isScalar(kind, attribute) {
      const definition = kinds.get(kind)
      return definition !== undefined && isScalarIn(definition, attribute)
    },
  }))
  const [without, within] = scopes
  return Object.freeze({
    kinds,
    isOpen,
    isDeclared,
    keysOf,
    namesOf,
    addressesOf(kind: string, name: string) {
      if (!isDeclared(kind, name)) return []
      const whole = formatAddress({ kind, name })
      const keys = keysOf(kind, name)
      const known = addresses.get(whole)
      if (known && known.keys === keys) return known.found
      const found = keys ? Array.from(keys, (key) => formatAddress({ kind, name, key })) : [whole]
      addresses.set(whole, { keys, found })
      return found
    },
    checkScope(hasEach: boolean) {
      const scope = hasEach ? within : without
      if (!scope) throw new Error('two scopes were made')
      return scope
    },
  })
}

function hintForPlural(word: string, kinds: ReadonlyMap<string, AnyKind>): string | undefined {
  const lower = word.toLowerCase()
  const meant = [...kinds.values()].find((one) => one.plural.toLowerCase() === lower)
  return meant && `did you mean ${meant.name}?`
}

/** What an expression can ask of a resource: its spec fields and its outputs, id always. */
export function attributesOf(kind: AnyKind): readonly string[] {
  const known = attributes.get(kind)
  if (known) return known
  const found = [...new Set([...Object.keys(kind.fields), ...Object.keys(kind.outputs), 'id'])]
  attributes.set(kind, found)
  return found
}

const outputTypes: Readonly<Record<Output['type'], SureType>> = { string: 'string', integer: 'int', boolean: 'bool', list: 'list', map: 'map' }

/** What an output of an object that is yet to be made will be unless it is absent; undefined where a field of its name may be of another type. */
export function outputTypeIn({ fields, outputs, spec }: AnyKind, name: string): SureType | undefined {
  const output = Object.hasOwn(outputs, name) ? outputs[name] : undefined
  if (!output || output.once) return undefined
  const type = outputTypes[output.type]
  return !Object.hasOwn(fields, name) || fieldType(childOf(spec, name)) === type ? type : undefined
}

function isScalarIn({ fields, outputs, spec }: AnyKind, attribute: string): boolean {
  const output = Object.hasOwn(outputs, attribute) ? outputs[attribute] : undefined
  const type = Object.hasOwn(fields, attribute) ? fieldType(childOf(spec, attribute)) : output && outputTypes[output.type]
  return type === undefined ? attribute === 'id' : type !== 'list' && type !== 'map'
}

/** The type of every value that a field takes; undefined where it takes several. */
function fieldType(schema: z.core.$ZodType | undefined): SureType | undefined {
  const inner = schema && unwrap(schema)
  if (inner instanceof z.ZodString || inner instanceof z.ZodEnum) return 'string'
  if (inner instanceof z.ZodNumber) return 'int'
  if (inner instanceof z.ZodBoolean) return 'bool'
  if (inner instanceof z.ZodArray) return 'list'
  return inner instanceof z.ZodObject || inner instanceof z.ZodRecord ? 'map' : undefined
}

// Asked for each key of a for_each.
const attributes = new WeakMap<AnyKind, readonly string[]>()
