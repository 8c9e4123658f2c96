// Creates of what nothing reads that nobody asks about any more, or that nothing in this run tells of.
import type { Intent } from '../../state/record.ts'
import type { Plan } from '../model/plan-data.ts'
import { distinctCreates, staysOpen } from '../model/untold-creates.ts'
import type { Work } from '../operation/operation.ts'
import { hasEnded, openUnread, ownerNames, tellGivenUp } from '../recover/unread-creates.ts'

/** No create will tell any more whether an earlier one arrived, where neither a manifest nor the state is about it. People are told, also of those that stay open. */
export async function closeUndeclared(work: Work, plan: Plan): Promise<void> {
  const open = openUnread(work).map(({ intent }) => intent)
  if (open.length === 0 || !work.ledger.valid()) return
  const known = new Set(plan.changes.map((one) => one.address))
  // A destroy plans nothing for what is in no state, though its manifest may stand: only with what it ends with is it gone for sure.
  const isAsked = (intent: Intent): boolean => !hasEnded(work, intent) && (plan.mode === 'destroy' || known.has(intent.address))
  const undeclared = open.filter((one) => !isAsked(one))
  for (const { seq } of undeclared) await work.ledger.append({ t: 'closed', seq, why: 'nothing declares it' })
  for (const one of distinctCreates(undeclared, work.kindOf)) tellGivenUp(work, one, false)
  for (const one of distinctCreates(open.filter(isAsked), work.kindOf)) tellOpen(work, plan, one)
}

/** One that failed to be made in this run has said why, and the next run goes on with it. */
function tellOpen(work: Work, { changes }: Plan, intent: Intent): void {
  const isMade = changes.some(({ address, action }) => address === intent.address && (action === 'create' || action === 'replace'))
  if (isMade) return
  const kind = work.kindOf(intent.kind)
  const isBeside = work.ledger.record(intent.address) !== undefined
  const told = staysOpen({ kind, intent, place: ownerNames(work, kind, intent.sets) }, isBeside)
  work.run.report({ type: 'note', diagnostic: work.placed(told) })
}
