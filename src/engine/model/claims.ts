// What only one object of a kind in a workspace may have at a time: by its unique fields, and by what its kind says besides.
import type { JsonObject } from '../../base/json.ts'
import { canonicalJson } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import { uniqueFields } from '../../kinds/definition/kind.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Change } from './plan-data.ts'

/** What tells a claim from all others → the fields that make it. */
export type Claims = ReadonlyMap<string, readonly string[]>

const none: Claims = new Map()

/** The claims of an object as a spec has it; `place` is its workspace, or the manifest that makes it. What is not known yet claims nothing. */
export function claimsOf(kind: AnyKind, place: string | null, spec: JsonObject): Claims {
  const unique = uniqueFields(kind)
  if (unique === undefined && kind.claims === undefined) return none
  const claims = new Map<string, readonly string[]>()
  const add = (fields: readonly string[], value: unknown): void => {
    const key = canonicalJson([kind.name, place, fields, value])
    if (!hasToken(key)) claims.set(key, fields)
  }
  if (unique)
    add(
      unique,
      unique.map((field) => spec[field] ?? null),
    )
  for (const [field, what] of kind.claims?.(spec) ?? []) add([field], what)
  return claims
}

/** Whether two objects of one place claim the same. */
export function claimsAlike(kind: AnyKind, one: JsonObject, other: JsonObject): boolean {
  const theirs = claimsOf(kind, null, other)
  return theirs.size > 0 && [...claimsOf(kind, null, one).keys()].some((claim) => theirs.has(claim))
}

/** What the making of a change takes that its object did not have before. */
export function taken(kind: AnyKind, change: Change): Claims {
  const { action, before, after } = change
  if (after === null || action === 'no-op' || action === 'delete' || action === 'forget') return none
  const next = claimsOf(kind, placeOf(change), after)
  return action === 'create' || action === 'replace' || before === null ? next : without(next, claimsOf(kind, placeOf(change), before))
}

/** What an object lets go of that stays and is changed. */
export function letGo(kind: AnyKind, change: Change): Claims {
  const { action, before, after } = change
  if ((action !== 'update' && action !== 'import') || before === null || after === null) return none
  return without(claimsOf(kind, placeOf(change), before), claimsOf(kind, placeOf(change), after))
}

/** Where a change stands: no two objects of one place have the same. */
export function placeOf({ workspace_id, workspace_address }: Pick<Change, 'workspace_id' | 'workspace_address'>): string | null {
  return workspace_id ?? workspace_address
}

function without(all: Claims, others: Claims): Claims {
  return all.size === 0 ? all : new Map([...all].filter(([key]) => !others.has(key)))
}
