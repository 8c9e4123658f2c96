// Whose it is what a create of ours may have made: other environments of the project may make things like it in the same place.
import { diagnostic } from '../../base/diagnostic.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Intent } from '../../state/record.ts'
import { importCommand } from '../model/import-command.ts'
import type { LiveObject } from '../model/live.ts'
import { managerName, unreadDetail, unreadText } from '../model/other-environments.ts'
import type { OtherEnvironments, Manager } from '../model/other-environments.ts'
import type { Run } from '../model/run.ts'
import { settingMs, slackMs } from '../model/settings.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'

/** Whether creates may have made nothing, so that all that appears may be somebody else's, or are known to have made something. */
export type Certainty = 'lost' | 'made'

/** What another environment manages by now is not ours, however like it is: asked anew each time, since it may be at work as well. Throws where that may have made it. */
export async function nobodys(
  work: Work,
  current: Current,
  intent: Intent,
  found: readonly LiveObject[],
  certainty: Certainty = 'lost',
): Promise<readonly LiveObject[]> {
  const { run } = work
  const otherEnvironments = found.length === 0 ? undefined : await run.otherEnvironments?.('anew')
  if (!otherEnvironments) return found
  const { kind, workspaceId } = current
  const left = found.filter(({ id }) => otherEnvironments.manager({ kind, workspaceId, id }) === undefined)
  if (left.length === 0) return left
  const rival = intent.natural_key === null ? undefined : otherEnvironments.rival(intent, shownSinceMs(work, current, intent))
  if (rival) throw eithers(run, current, left, rival)
  // Whatever it stands in: what is ours may be named there by its id, too.
  if (certainty === 'lost' && otherEnvironments.unread.length > 0) throw perhapsTheirs(run, current, left, otherEnvironments.unread)
  return left
}

/** What a lost request that was sent before this made stood there when the run of the intent looked, however long it was tried, on its way and under way; undefined where nobody noted when that was. */
function shownSinceMs({ run: { compat }, ledger }: Work, { kind }: Current, intent: Intent): number | undefined {
  const lookedMs = ledger.lookedMs(intent)
  const { settle_window: arrival, read_grace: showing } = compat
  return lookedMs === undefined ? undefined : lookedMs - kind.timeoutsMs.create - settingMs(arrival) - settingMs(showing) - slackMs
}

function eithers(run: Run, { address }: Current, found: readonly LiveObject[], rival: Manager): OperationError {
  const other = `${rival.address} of ${managerName(rival.environment)}`
  const text = `${address}: the outcome of its create is unknown, as is that of ${other}, and either may have made ${idsOf(found)}`
  const hint = `apply there first; where both stay open, say whose it is with: ${importCommand(run, address, 'ID')}`
  return new OperationError(diagnostic('ambiguous_adoption', text, { address, hint }), { inFlight: true })
}

/** Taken for ours, the next destroy here would take it from whoever has it: one command of somebody who knows settles it. */
function perhapsTheirs(run: Run, { address }: Current, found: readonly LiveObject[], unread: OtherEnvironments['unread']): OperationError {
  const text = `${address}: the outcome of its create is unknown, and ${unreadText(unread)}, which may manage ${idsOf(found)}`
  const [only, more] = found
  const keep = importCommand(run, address, only && !more ? only.id : 'ID')
  const letGo = `\`iac state rm ${shellWord(address)}\` forgets its create`
  const hint = `let it be read and run again; or, if nothing there manages it, take it over with: ${keep}; if something does, ${letGo}`
  return new OperationError(diagnostic('ambiguous_adoption', text, { address, detail: unreadDetail(unread), hint }), { inFlight: true })
}

/** Their ids, as messages list them. */
export function idsOf(found: readonly LiveObject[]): string {
  return found.map(({ id }) => id).join(', ')
}
