// Filters of lists as flags: made from the queries of the routes by which kinds are listed.
import * as z from 'zod'
import type { Query } from '../../../api/calls/call.ts'
import { compatSchema } from '../../../api/calls/compat.ts'
import type { Route } from '../../../api/routes/route.ts'
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import type { AnyKind, Reader } from '../../../kinds/definition/kind.ts'
import { kinds } from '../../../kinds/registry.ts'
import type { Flag, Flags, Given } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'

/** The shared pagination parameters, and what NAME stands for. */
const others = new Set(['limit', 'page', 'sort', 'dir', 'after', 'before', 'id'])

/** What a list is asked with: the route that takes it, the query, and what of it an object shows itself. */
export interface Filtered {
  readonly route: Route
  readonly query: Query
  fits(shown: Readonly<Record<string, JsonValue>>): boolean
}

/** The route of a kind's list, as the kind itself asks for it; undefined where it is made of other lists. */
function listRoute(kind: AnyKind): Route | undefined {
  const asked: Route[] = []
  const never = new Promise<never>(() => undefined)
  const noteOf = ({ route }: { readonly route: Route }): Promise<never> => {
    asked.push(route)
    return never
  }
  const reader: Reader = { compat: compatSchema.parse({}), text: () => never, all: noteOf, one: noteOf }
  // What is asked for before the first answer stands there at once.
  if (kind.readable) void kind.list(reader, { workspaceId: '1', parents: ['1'], wants: () => false })
  return asked[0]
}

interface Filter {
  readonly name: string
  readonly schema: z.ZodType
  readonly words: readonly string[]
}

function filtersOf(route: Route | undefined): readonly Filter[] {
  const shape: Readonly<Record<string, unknown>> = route?.query?.().shape ?? {}
  return Object.entries(shape).flatMap(([name, schema]) =>
    others.has(name) || !(schema instanceof z.ZodType) ? [] : [{ name, schema, words: wordsOf(schema) }],
  )
}

/** The words that a parameter takes; none where it takes any text. */
function wordsOf(schema: z.ZodType): readonly string[] {
  const { enum: words, anyOf } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const nested = (anyOf ?? []).flatMap((one) => (typeof one === 'object' && one.enum ? one.enum : []))
  return [...(words ?? []), ...nested].filter((one) => typeof one === 'string')
}

/** A flag for each filter of any kind. */
export function filterFlags(): Flags {
  const known = new Map<string, Known>()
  for (const kind of kinds)
    for (const { name, words } of filtersOf(listRoute(kind))) {
      const one = known.get(name) ?? { words: new Set(), plurals: [] }
      known.set(name, { words: new Set([...one.words, ...words]), plurals: [...one.plurals, kind.plural] })
    }
  return Object.fromEntries([...known].map(([name, one]) => [flagName(name), flagOf(name, one)]))
}

/** The words of a filter, and the kinds whose lists take it. */
interface Known {
  readonly words: ReadonlySet<string>
  readonly plurals: readonly string[]
}

function flagOf(name: string, { words, plurals }: Known): Flag {
  const value = words.size === 0 ? 'TEXT' : words.size <= 2 ? [...words].join('|') : 'WORD'
  const about = `filter of ${plurals.join(', ')}${value === 'WORD' ? `: ${[...words].join(', ')}` : name === 'q' ? ': any text in them' : ''}`
  return { type: 'list', value, about, completes: [...words] }
}

function flagName(name: string): string {
  return name.replaceAll('_', '-')
}

/** What the flags ask of the list of a kind; undefined without any. Throws a Failure `usage` for a filter that the list does not take, and for a value that it refuses. */
export function filteredBy(kind: AnyKind, given: Given, flags: Flags): Filtered | undefined {
  const names = Object.keys(flags).filter((flag) => given.list(flag).length > 0)
  const route = listRoute(kind)
  if (names.length === 0) return undefined
  const filters = filtersOf(route)
  const wrong = names.find((flag) => !filters.some(({ name }) => flagName(name) === flag))
  const taken = filters.map(({ name }) => `--${flagName(name)}`)
  if (wrong !== undefined || !route)
    throw usageFailure(`${kind.plural} cannot be listed by --${wrong ?? ''}: the service takes ${taken.length === 0 ? 'no filter' : taken.join(', ')}`)
  const asked = filters.filter(({ name }) => names.includes(flagName(name))).map((one) => ({ ...one, value: valueOf(one, given.list(flagName(one.name))) }))
  const exact = asked.filter(({ words, value }) => words.length > 0 || typeof value === 'boolean')
  return {
    route,
    query: Object.fromEntries(asked.map(({ name, value }) => [name, value])),
    fits: (shown) => exact.every(({ name, value }) => isShown(shown[name], value)),
  }
}

/** The value that the route's schema makes of the words, in any letter case where it lists its own. */
function valueOf({ name, schema, words }: Filter, given: readonly string[]): string | number | boolean | readonly string[] {
  const texts = given.map((text) => words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text)
  const [only, more] = texts
  const found = z.safeDecode(schema, more === undefined ? only : texts)
  if (found.success) return queryValue(found.data)
  const flag = `--${flagName(name)}`
  if (more !== undefined && z.safeDecode(schema, only).success) throw usageFailure(`${flag} is given once; here it stands ${given.length} times`)
  if (words.length === 0 && z.safeDecode(schema, ANY_ID).success) throw usageFailure(`${flag} ${given.join(' ')}: it takes ids${listing(name)}`)
  const known = words.length === 0 ? (found.error.issues[0]?.message ?? 'it does not fit') : `it is one of ${words.join(', ')}`
  throw usageFailure(`${flag} ${given.join(' ')}: ${known}`)
}

const ANY_ID = '1152921504606846976'

/** Where ids of what a filter is about are found; '' where that is no kind. */
function listing(name: string): string {
  const word = name.replaceAll('_', '').toLowerCase()
  const kind = kinds.find((one) => one.name.toLowerCase() === word || `${one.name.toLowerCase()}id` === word)
  return kind ? `, as \`iac get ${kind.plural}\` shows them` : ''
}

function queryValue(value: unknown): string | number | boolean | readonly string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? value.map(String) : ''
}

/** A service may pass over a filter: what an object shows to be otherwise is none of those. */
function isShown(shown: JsonValue | undefined, value: string | number | boolean | readonly string[]): boolean {
  if (shown === undefined || shown === null || isList(shown) || isObject(shown)) return true
  const wanted = typeof value === 'object' ? value : [String(value)]
  return wanted.some((one) => one.toLowerCase() === String(shown).toLowerCase())
}
