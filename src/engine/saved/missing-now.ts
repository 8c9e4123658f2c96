// Whether what a replacement is to be made with is still there: its old object goes first, and a create that is refused afterwards brings nothing back.
import { isList } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { isLeaving } from '../model/graph/owners.ts'
import type { Looking } from '../model/observation.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { isGoneTwice } from '../refresh/existence.ts'
import { plannedSpec } from './plan-specs.ts'

interface Standing {
  readonly nowMs: number
  kindOf(name: string): AnyKind
}

interface Named {
  readonly change: Change
  readonly kind: AnyKind
  readonly id: string
}

/** What each such replacement names and two reads (`read_grace` apart) did not show, or show on its way out; what the plan changes as well is looked at for itself, and what cannot be read is left open. */
export async function missingNow(looking: Looking, { changes }: Pick<Plan, 'changes'>, { kindOf, nowMs }: Standing): Promise<ReadonlyMap<Change, string>> {
  const decided = new Map(changes.map((one) => [`${one.kind} ${one.id}`, one]))
  const gone = new Map<string, Promise<boolean>>()
  const isGone = ({ change, kind, id }: Named): Promise<boolean> => {
    const key = `${kind.name} ${id}`
    const known =
      gone.get(key) ??
      isGoneTwice(looking, { kind, workspaceId: kind.scope === 'account' ? '' : (change.workspace_id ?? ''), id }, (found) => isLeaving(kind, found, nowMs))
    gone.set(key, known)
    return known
  }
  const named = changes.flatMap((change) => namedBy(change, kindOf)).filter((one) => isLeft(decided.get(`${one.kind.name} ${one.id}`)))
  const found = await Promise.all(named.map(async (one) => ((await isGone(one)) ? [one] : [])))
  return new Map(found.flat().map(({ change, kind, id }) => [change, `${decided.get(`${kind.name} ${id}`)?.address ?? `${kind.name} ${id}`} is there no more`]))
}

function isLeft(target: Change | undefined): boolean {
  return target === undefined || target.action === 'no-op'
}

/** The ids that a replacement sends whose old object goes before it is made. */
function namedBy(change: Change, kindOf: Standing['kindOf']): readonly Named[] {
  if (change.action !== 'replace' || change.create_before_destroy || change.reason === 'resumed') return []
  const spec = plannedSpec(change)
  return kindOf(change.kind).referenceFields.flatMap(({ field, ref, output }) => {
    const [name, other] = ref
    // An id of one of several kinds says nothing of which.
    if (output !== 'id' || name === undefined || other !== undefined) return []
    const value = spec[field] ?? null
    return (isList(value) ? value : [value]).flatMap((id) => (typeof id === 'string' && !hasToken(id) ? [{ change, kind: kindOf(name), id }] : []))
  })
}
