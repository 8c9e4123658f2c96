// What comes first where something is made, and is no need of it afterwards: neither recorded nor followed by a selection.
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { placeOf } from '../claims.ts'
import { push } from './needs.ts'
import type { Node } from './node.ts'

/** What is made first, and what that comes before. */
export interface MadeFirst {
  readonly first: readonly string[]
  readonly waiting: readonly string[]
}

/** By what is needed. A replacement's old object stays until then. */
export function madeFirst(makes: ReadonlyMap<string, Node>, kindOf: (name: string) => AnyKind): ReadonlyMap<string, MadeFirst> {
  const made = [...makes.values()].filter(({ change }) => change.action === 'create' || change.action === 'replace')
  const waiting = new Map<string, string[]>()
  for (const { id, change, spec } of made) {
    const kind = kindOf(change.kind)
    if (!kind.needsYield) continue
    const own = change.action === 'replace' && change.id !== null && !change.create_before_destroy ? [id, `${id}#${change.id}`] : [id]
    for (const name of kind.needs?.(spec, placeOf(change) ?? '') ?? []) for (const one of own) push(waiting, name, one)
  }
  if (waiting.size === 0) return new Map()
  const providers = new Map<string, string[]>()
  for (const { id, change, spec } of made)
    for (const name of kindOf(change.kind).provides?.(spec, placeOf(change) ?? '') ?? []) if (waiting.has(name)) push(providers, name, id)
  return new Map(Array.from(providers, ([name, first]) => [name, { first, waiting: waiting.get(name) ?? [] }]))
}
