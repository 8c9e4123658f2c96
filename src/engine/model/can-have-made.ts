// Whether an object can be what a create made, by what it shows.
import type { JsonValue } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import type { Marks } from '../../kinds/definition/fields.ts'
import type { Intent } from '../../state/record.ts'
import { isTelling, same } from './diff/equal.ts'
import type { LiveObject } from './live.ts'

/** Whether what cannot change afterwards is as a create asked for it, as far as the object shows it. */
export function canHaveMade({ sets }: Intent, { kind, seen, live }: LiveObject): boolean {
  if (kind.canBe?.(live, sets) === false) return false
  return Object.entries(sets).every(([field, wanted]) => {
    const marks = kind.fields[field] ?? {}
    const shown = seen[field]
    // What is empty, or has parts, may be filled in while the object comes up.
    if (!marks.immutable || marks.asAsked || shown === undefined || shown === null || typeof shown === 'object') return true
    return !differs(wanted, shown, marks)
  })
}

/** The fields that can change afterwards and show something else than a create asked for: it is somebody else's object, one that was changed since, or of a service that shows values its own way. */
export function unlikeFields({ sets }: Pick<Intent, 'sets'>, { kind, seen }: LiveObject, isPending: boolean): readonly string[] {
  return Object.entries(sets).flatMap(([field, wanted]) => {
    const marks = kind.fields[field] ?? {}
    const shown = seen[field]
    // What is passing is no sign: as on it is asked for, and off while it is made.
    if (marks.immutable || marks.asAsked || marks.passing || shown === undefined || shown === null || (isPending && typeof shown === 'object')) return []
    return differs(wanted, shown, marks) ? [field] : []
  })
}

/** Whether what is shown is known to be something else: what stands for a secret may be the same. */
function differs(wanted: JsonValue, shown: JsonValue, marks: Marks): boolean {
  return !hasToken(wanted) && !hasToken(shown) && isTelling(wanted, shown, marks) && !same(wanted, shown, marks)
}
