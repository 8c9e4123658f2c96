// Who is attached to what a plan is to delete, and was not when it was made: the service would refuse that.
import { holdersSeen } from '../model/graph/holder-outcomes.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { isGoing } from '../plan/checks/leaving/cascade.ts'
import { heldByNow } from '../plan/checks/leaving/holders.ts'
import type { Touched } from './saved-plan.ts'

/** What to say of each change that would be refused; of who was attached to an old half the plan itself warns. */
export function heldNow(
  touched: readonly Omit<Touched, 'isStale'>[],
  { changes, diagnostics }: Pick<Plan, 'changes' | 'diagnostics'>,
): ReadonlyMap<Change, string> {
  const addresses = new Map(changes.map((one) => [`${one.kind} ${one.id}`, one.address]))
  const warned = new Set(diagnostics.flatMap((one) => (one.code === 'advice' ? [one.address] : [])))
  const out = new Map<Change, string>()
  for (const { change, kind, found } of touched) {
    if (!isGoing(change) || (change.deposed && warned.has(change.address))) continue
    const text = heldByNow(change, holdersSeen(kind, found), (one) => addresses.get(`${one.kind} ${one.id}`) ?? `${one.kind} ${one.id}`)
    if (text !== undefined) out.set(change, text)
  }
  return out
}
