// What becomes of what the unread objects of a saved plan end with, as it is when the plan is carried out.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { LiveObject } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { ownerOutcome } from '../plan/decide/ends-along.ts'
import type { OwnerOutcome } from '../plan/decide/ends-along.ts'
import { observe } from '../refresh/observe.ts'
import { ownerTargets } from '../refresh/refresh.ts'

interface Standing {
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly kinds: readonly AnyKind[]
  readonly nowMs: number
  kindOf(name: string): AnyKind
}

/** Reads what nothing in the plan touches, and answers for each change. */
export async function ownersNow(
  looking: Looking,
  plan: Plan,
  { records, kinds, nowMs, kindOf }: Standing,
  touched: ReadonlyMap<Change, LiveObject | undefined>,
): Promise<(change: Change) => OwnerOutcome> {
  const unread = plan.refreshed === false
  const targets = ownerTargets(kinds, records)
  if (targets.length === 0) return () => 'stays'
  const observation = await observe(looking, unread ? [] : targets)
  const changes = new Map(plan.changes.map((one) => [`${one.kind} ${one.id}`, one]))
  return (change) => {
    const decisionOn = (kind: string, id: string) => {
      const owner = changes.get(`${kind} ${id}`)
      return owner && { action: owner.action, object: touched.get(owner) ?? observation.find(kind, change.workspace_id ?? '', id) }
    }
    const { spec } = records.get(change.address) ?? {}
    return ownerOutcome(kindOf(change.kind), change.workspace_id ?? '', spec ?? {}, { observation, nowMs, unread, kindOf, decisionOn })
  }
}
