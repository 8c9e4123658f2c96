// The types of values that are known only after apply: what fits none of them is refused before anything is made.
import type { SureType } from '../../expressions/value.ts'
import type { Declared, Scope } from '../../project/resolving/declared.ts'
import { outputTypeIn } from '../../project/resolving/names.ts'
import type { Planned } from '../model/planned-resource.ts'

/** The scope of a resource that this plan makes, all of whose expressions its create will evaluate: of what is there an update evaluates what differs alone. */
export function withSureTypes(scope: Scope, planned: ReadonlyMap<string, Planned>, { importId, importBy, lifecycle }: Declared): Scope {
  if (importId !== undefined || importBy !== undefined || lifecycle.ignoreChanges.length > 0) return scope
  return {
    ...scope,
    attribute(address, path) {
      const found = scope.attribute(address, path)
      if (found.is !== 'unknown' || path.length !== 1) return found
      const target = planned.get(address)
      const type = target && sureType(target, String(path[0]))
      return type ? { is: 'unknown', sensitive: found.sensitive, type } : found
    },
  }
}

/** The type of an output of what is being made. */
function sureType({ kind, action, record }: Planned, name: string): SureType | undefined {
  const isMade = action === 'replace' || (action === 'create' && record === undefined)
  return isMade ? outputTypeIn(kind, name) : undefined
}
