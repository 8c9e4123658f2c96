// What stands in a list or a map: by its place, its key or the name of a field.
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { fail, isSurely, maybeA, typeName } from './operators.ts'
import type { Site } from './operators.ts'
import { holdsSensitive, mark, unknown, unknownsOf, untyped } from './value.ts'
import type { MapKey, Term } from './value.ts'

/** The member of a map by the name of a field. */
export function select(target: Term, field: string, site: Site): Term {
  if (target.kind === 'unknown' && maybeA(target, 'map')) return untyped(target)
  if (target.kind !== 'map') fail(site, `${typeName(target)} has no field '${field}'`)
  const member = target.entries.get(field) ?? fail(site, missingKey(field, false))
  return mark(member, target.sensitive)
}

/** The item of a list, or the member of a map by its key. */
export function index(target: Term, at: Term, site: Site): Term {
  if (target.kind === 'scalar' || isSurely(target)) fail(site, `${typeName(target)} cannot be indexed`)
  if (target.kind === 'unknown') return unknown([...target.origins, ...unknownsOf(at)], target.sensitive || holdsSensitive(at))
  if (target.kind === 'list' && at.kind === 'unknown' && !maybeA(at, 'int')) fail(site, `the index of a list is an int, not ${typeName(at)}`)
  if (at.kind === 'unknown') return unknown(at.origins, at.sensitive || holdsSensitive(target))
  const sensitive = target.sensitive || holdsSensitive(at)
  const key = keyOf(at, site)
  if (target.kind === 'map') return mark(target.entries.get(key) ?? fail(site, missingKey(key, sensitive)), sensitive)
  if (typeof key !== 'bigint') fail(site, `the index of a list is an int, not ${typeName(at)}`)
  const item = key >= 0n && key < target.items.length ? target.items[Number(key)] : undefined
  return mark(item ?? fail(site, 'the index is outside of the list'), sensitive)
}

function missingKey(key: MapKey, sensitive: boolean): string {
  if (sensitive) return 'the map has no such key'
  return `the map has no key ${typeof key === 'string' ? `'${key.slice(0, 100)}'` : key}`
}

/** The key of a map that a value is; throws an ExpressionError for what is none. */
export function keyOf(term: Term, site: Site): MapKey {
  const value = term.kind === 'scalar' ? term.scalar : null
  if (value instanceof UnsignedInt) return value.value
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value
  return fail(site, `${typeName(term)} cannot be a key`)
}
