// Creates of what nothing reads that nobody asks about any more.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Intent } from '../../state/record.ts'
import { ownersOf } from '../model/graph/owners.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { openUnread } from '../recover/unread-creates.ts'

/** No create will tell any more whether an earlier one arrived, where neither a manifest nor the state is about it. */
export async function closeUndeclared(work: Work, plan: Plan): Promise<void> {
  const open = openUnread(work)
  if (open.length === 0 || !work.ledger.valid()) return
  const known = new Set(plan.changes.map((one) => one.address))
  for (const { intent } of open) {
    // A destroy plans nothing for what is in no state, though its manifest may stand: only with what it ends with is it gone for sure.
    if (known.has(intent.address) || (plan.mode === 'destroy' && !hasEnded(work, intent))) continue
    await work.ledger.append({ t: 'closed', seq: intent.seq, why: 'nothing declares it' })
    const text = `${intent.address}: whether a create of it arrived, whose answer was lost, nothing tells; it is in no state`
    work.run.report({ type: 'note', diagnostic: diagnostic('advice', text, { address: intent.address }) })
  }
}

/** Whether this run has seen everything go that the object of a create would end with. */
function hasEnded({ kindOf, went }: Work, { kind, sets }: Intent): boolean {
  const owners = ownersOf(kindOf(kind), sets)
  return owners.length > 0 && owners.every((owner) => went.has(`${owner.kind} ${owner.id}`))
}
