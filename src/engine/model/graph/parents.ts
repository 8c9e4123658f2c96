// Below which objects one of a kind is listed.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'

/** The ids in the parent field of these specs, each once; none for a kind without parents, and none that is not known yet. */
export function parentsOf(kind: Pick<AnyKind, 'parentField'>, ...specs: readonly (JsonObject | null | undefined)[]): readonly string[] {
  const { parentField } = kind
  if (parentField === undefined) return []
  const ids: string[] = []
  for (const spec of specs) {
    const id = spec?.[parentField]
    if (isId(id) && !ids.includes(id)) ids.push(id)
  }
  return ids
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && !hasToken(value)
}
