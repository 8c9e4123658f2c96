// A change as policies read it: where something sensitive gives what is not known yet it may have chosen that, and it looks like what is known of it.
import type { Operation } from 'fast-json-patch'
import type { JsonValue } from '../../../base/json.ts'
import { isObject } from '../../../base/json.ts'
import { pathOf } from '../../../base/pointer.ts'
import { readHidden } from '../../../project/resolving/unresolved.ts'
import { setAt } from '../../model/diff/desired.ts'
import { toJson } from '../../model/live.ts'
import type { Change } from '../../model/plan-data.ts'

/** What gives the unknown is left out where no plan was made. */
export type Awaiting = Pick<Change, 'after' | 'after_unknown'> & Partial<Pick<Change, 'unresolved'>>

const sensitive: JsonValue = Object.freeze({ $sensitive: true })

/** With a sensitive value in the place of each that is hidden. */
export function withoutHidden<One extends Awaiting>(one: One): One {
  const { after, after_unknown: unknown, unresolved = {} } = one
  const hidden = new Set(unknown.filter((pointer) => readHidden(unresolved[pointer] ?? '${}')))
  if (hidden.size === 0) return one
  const marked = [...hidden].reduce<JsonValue>((value, pointer) => setAt(value, pathOf(pointer), sensitive), after ?? {})
  return { ...one, after: isObject(marked) ? marked : after, after_unknown: unknown.filter((pointer) => !hidden.has(pointer)) }
}

/** The same of all that tells of values beside them: each that is hidden has a digest, and none an expression. */
export function withoutHiddenLists(one: Change): Change {
  const hidden = Object.entries(one.unresolved).flatMap(([pointer, source]) => {
    const found = readHidden(source)
    return found ? [[pointer, found.digest] as const] : []
  })
  const digests = Object.entries({ ...one.digests, ...Object.fromEntries(hidden) }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const pointers = hidden.map(([pointer]) => pointer)
  const shown = Object.entries(one.unresolved).filter(([pointer]) => !pointers.includes(pointer))
  return {
    ...withoutHidden(one),
    digests: Object.fromEntries(digests),
    unresolved: Object.fromEntries(shown),
    patch: pointers.length === 0 ? one.patch : one.patch.map((operation) => withMarks(operation, pointers)),
  }
}

/** An operation with the mark of something sensitive wherever its value has one of these places of the spec. */
function withMarks(operation: Operation, pointers: readonly string[]): Operation {
  if (!('value' in operation)) return operation
  const { path } = operation
  const within = pointers.filter((pointer) => `${pointer}/`.startsWith(`${path}/`))
  const value = within.reduce<JsonValue>((found, pointer) => setAt(found, pathOf(pointer.slice(path.length)), sensitive), toJson(operation.value))
  return { ...operation, value }
}
