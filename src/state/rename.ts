// Another address for a resource: every place in a record that names it follows.
import { isList, isObject } from '../base/json.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { readToken, tokenText } from '../base/token.ts'
import type { Deposed, Origin } from './record.ts'

type ByAddress = Readonly<Record<string, string>>

/** What a record or an intent says of addresses: its own, and those of what it depends on, takes values from, is restarted with or replaced for. */
interface Names {
  readonly address: string
  readonly depends_on: readonly string[]
  readonly origins: Readonly<Record<string, Origin>>
  /** What is recorded or to be recorded: it names where values known once come from. */
  readonly spec?: JsonObject
  readonly sets?: JsonObject
  readonly restarts?: ByAddress | undefined
  readonly triggered?: ByAddress | undefined
  readonly deposed?: readonly Deposed[]
}

/** The same with every address in its new form, its own and those it names. */
export function withNames<T extends Names>(one: T, renamed: (address: string) => string): T {
  const giversOf = (origins: Names['origins']): Names['origins'] =>
    Object.fromEntries(Object.entries(origins).map(([pointer, origin]) => [pointer, { ...origin, address: renamed(origin.address) }]))
  const keys = (given: ByAddress): ByAddress => Object.fromEntries(Object.entries(given).map(([address, value]) => [renamed(address), value]))
  const oldWithNames = (old: Deposed): Deposed => ({
    ...old,
    depends_on: old.depends_on.map(renamed),
    ...(old.origins ? { origins: giversOf(old.origins), spec: withOrigins(old.spec, renamed) } : {}),
    ...(old.restarts ? { restarts: keys(old.restarts) } : {}),
    ...(old.triggered ? { triggered: keys(old.triggered) } : {}),
  })
  const hasOrigins = Object.keys(one.origins).length > 0
  return {
    ...one,
    address: renamed(one.address),
    depends_on: one.depends_on.map(renamed),
    origins: giversOf(one.origins),
    ...(hasOrigins && one.spec ? { spec: withOrigins(one.spec, renamed) } : {}),
    ...(hasOrigins && one.sets ? { sets: withOrigins(one.sets, renamed) } : {}),
    ...(one.restarts ? { restarts: keys(one.restarts) } : {}),
    ...(one.triggered ? { triggered: keys(one.triggered) } : {}),
    ...(one.deposed ? { deposed: one.deposed.map(oldWithNames) } : {}),
  }
}

function withOrigins(spec: JsonObject, renamed: (address: string) => string): JsonObject {
  const walk = (value: JsonValue): JsonValue => {
    const token = readToken(value)
    if (token?.is === 'once') return tokenText({ ...token, address: renamed(token.address) })
    if (isList(value)) return value.map(walk)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)])) : value
  }
  return Object.fromEntries(Object.entries(spec).map(([key, one]) => [key, walk(one)]))
}

/** Who names an address: a superset, since who no longer does stays in it. */
export type Naming = Map<string, Set<string>>

/** Notes at which address something stands that names others. */
export function noteNames(naming: Naming, at: string, one: Names): void {
  const triggers = [one.restarts, one.triggered].flatMap((given) => Object.keys(given ?? {}))
  const named = [...one.depends_on, ...Object.values(one.origins).map((origin) => origin.address), ...triggers]
  for (const address of named) {
    const namers = naming.get(address)
    if (namers) namers.add(at)
    else naming.set(address, new Set([at]))
  }
}
