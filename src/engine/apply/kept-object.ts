// What stays for whose sake a successor goes: it is looked at once more, since nothing would be left without it.
import { diagnostic } from '../../base/diagnostic.ts'
import { halfOf } from '../../state/slot.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { refuseOutOfSight } from '../operation/out-of-sight.ts'
import { lastSeen, statusOf } from '../operation/wait.ts'

/** Throws an OperationError where the object that stays does not stand any more beside this old half, a successor that failed or is not wanted. */
export async function refuseWithoutKept(work: Work, current: Current, id: string): Promise<void> {
  const { address, kind } = current
  const record = work.ledger.record(address)
  if (!record || record.id === id || !kind.readable || halfOf(record, id)?.status !== 'failed') return
  const object = await lastSeen(work, current, record.id)
  const status = object && statusOf(work, current, object)
  if (status !== undefined && status !== 'leaving' && status !== 'failed') return
  if (!object) await refuseOutOfSight(work, current, record.id)
  const text = `${address}: object ${id} is not deleted, since object ${record.id}, which was to stay, does not stand any more`
  throw new OperationError(diagnostic('changed_elsewhere', text, { address, hint: 'plan again: the next plan shows it as it is' }))
}
