// Filters of lists: each is nothing when its parameter was not sent, so that an unfiltered list costs no pass over its rows.
import type { World } from '../../world.ts'

type Test<R> = ((row: R) => boolean) | undefined

/** The rows that pass every filter. */
export function filtered<R>(rows: readonly R[], tests: readonly Test<R>[]): readonly R[] {
  const active = tests.filter((test) => test !== undefined)
  return active.length === 0 ? rows : rows.filter((row) => active.every((test) => test(row)))
}

/** A parameter with a list of values, one of which must be the row's. */
export function among<R, T>(values: readonly T[] | undefined, valueOf: (row: R) => T | null): Test<R> {
  if (values === undefined) return undefined
  const wanted = new Set<T | null>(values)
  return (row) => wanted.has(valueOf(row))
}

/** A parameter whose value must be the row's. */
export function equals<R, T>(value: T | undefined, valueOf: (row: R) => T | null): Test<R> {
  return value === undefined ? undefined : (row) => valueOf(row) === value
}

/** A parameter that must stand in the row's text, in any letter case. */
export function contains<R>(text: string | undefined, textOf: (row: R) => string | null): Test<R> {
  if (text === undefined) return undefined
  const wanted = text.toLowerCase()
  return (row) => textOf(row)?.toLowerCase().includes(wanted) ?? false
}

/** A filter by name, whole or partial as the sandbox was told. */
export function named<R extends { readonly name: string }>(world: World, name: string | undefined): Test<R> {
  if (name === undefined) return undefined
  return world.readings.nameFilter === 'exact' ? equals(name, (row) => row.name) : contains(name, (row) => row.name)
}

/** The search `q`: in any of the texts. */
export function search<R>(q: string | undefined, textsOf: (row: R) => readonly string[]): Test<R> {
  if (q === undefined) return undefined
  const wanted = q.toLowerCase()
  return (row) => textsOf(row).some((text) => text.toLowerCase().includes(wanted))
}

/** The filters of most lists: by ids, by name, and `q` in name or id. */
export function identified<R extends { readonly id: string; readonly name: string }>(
  world: World,
  { id, name, q }: { readonly id?: readonly string[] | undefined; readonly name?: string | undefined; readonly q?: string | undefined },
): readonly Test<R>[] {
  return [among(id, (row) => row.id), named(world, name), search(q, (row) => [row.name, row.id])]
}
