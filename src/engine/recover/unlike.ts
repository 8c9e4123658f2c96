// The one object that a lost create can have made, which shows something else than was asked for: whose it is, only somebody who knows can say.
import { diagnostic } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Intent } from '../../state/record.ts'
import { unlikeFields } from '../model/can-have-made.ts'
import { importCommand } from '../model/import-command.ts'
import type { LiveObject } from '../model/live.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { statusOf } from '../operation/wait.ts'

/** The fields that can change and show something else than a create asked for. */
export function unlikeIn(work: Work, current: Current, intent: Intent, object: LiveObject): readonly string[] {
  return unlikeFields(intent, object, statusOf(work, current, object) === 'pending')
}

/** Taken for ours, somebody else's would be changed by the next apply and go with the next destroy; sent again, there would be two where a service shows values its own way. Throws. */
export function refuseUnlike(work: Work, current: Current, intent: Intent, object: LiveObject): void {
  const fields = unlikeIn(work, current, intent, object)
  if (fields.length === 0) return
  const { address, kind } = current
  const text = `${address}: the outcome of its create is unknown, and the one ${kind.name} that it can have made, with id ${object.id}, differs from what was asked for in ${fields.join(', ')}`
  const keep = importCommand(work.run, address, object.id)
  const letGo = `\`iac state rm ${shellWord(address)}\``
  const hint = `where it is that one, changed since or shown otherwise, take it over with: ${keep}; where it is somebody else's, ${letGo} forgets the create`
  throw new OperationError(diagnostic('ambiguous_adoption', text, { address, hint, settledBy: `\`${keep}\` or ${letGo}` }), { inFlight: true })
}
