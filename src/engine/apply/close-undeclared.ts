// Creates of what nothing reads that nobody asks about any more, or that nothing in this run tells of.
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { Intent } from '../../state/record.ts'
import type { Plan } from '../model/plan-data.ts'
import { distinctCreates, staysOpen } from '../model/untold-creates.ts'
import type { Work } from '../operation/operation.ts'
import { hasEnded, openUnread, ownerNames, tellGivenUp } from '../recover/unread-creates.ts'

/** No create will tell any more whether an earlier one arrived, where neither a manifest nor the state is about it. People are told, also of those that stay open. */
export async function closeUndeclared(work: Work, plan: Plan): Promise<void> {
  const open = openUnread(work).map(({ intent }) => intent)
  if (open.length === 0 || !work.ledger.valid()) return
  const undeclared = open.filter((one) => !isAsked(work, plan, one))
  for (const { seq } of undeclared) await work.ledger.append({ t: 'closed', seq, why: 'nothing declares it' })
  for (const one of distinctCreates(undeclared, work.kindOf)) tellGivenUp(work, one, false)
  for (const one of untoldHere(work, plan)) work.run.report({ type: 'note', diagnostic: work.placed(one) })
}

/** What no run like this one tells of. One that failed to be made in this run has said why, and the next run goes on with it. */
export function untoldHere(work: Work, plan: Plan): readonly Diagnostic[] {
  const making = new Set(plan.changes.flatMap(({ address, action }) => (action === 'create' || action === 'replace' ? [address] : [])))
  const open = openUnread(work).flatMap(({ intent }) => (isAsked(work, plan, intent) && !making.has(intent.address) ? [intent] : []))
  return distinctCreates(open, work.kindOf).map((intent) => {
    const kind = work.kindOf(intent.kind)
    const isBeside = work.ledger.record(intent.address) !== undefined
    return staysOpen({ kind, intent, place: ownerNames(work, kind, intent.sets) }, isBeside)
  })
}

/** A destroy plans nothing for what is in no state, though its manifest may stand: only with what it ends with is it gone for sure. */
function isAsked(work: Work, { mode, changes }: Plan, intent: Intent): boolean {
  return !hasEnded(work, intent) && (mode === 'destroy' || changes.some((one) => one.address === intent.address))
}
