// What every lease refuses alike, how much of the past it keeps, and how it ends.
import { failure, Failure } from '../../base/diagnostic.ts'
import type { StateDocument } from '../record.ts'
import type { FirstRead } from './first-read.ts'
import type { SharedLock } from './shared-lock.ts'

/** How many generations stay in the history. */
export const keptGenerations = 20

/** Throws Failure 9 for a document that is not newer than the serial that was there, or of another lineage; undefined where that is not known. */
export function checkFits(document: StateDocument, serial: number, lineage: string | undefined, where: string): void {
  if (document.serial <= serial)
    throw failure('state_damaged', `${where}: the serial ${document.serial} is not newer than ${serial}`, { detail: 'Nothing was written.' })
  if (lineage === undefined || lineage === document.lineage) return
  throw failure('state_damaged', `${where}: the lineage ${document.lineage} is not ${lineage}`, { detail: 'Nothing was written: this is another state.' })
}

/** The failure of a holder whose lock is another's by now, exit code 7. */
export function lockLost(where: string): Failure {
  const detail = 'Another run has taken it over, or it was broken. What this run has recorded before is kept.'
  return failure('locked', `the lock of ${where} was lost`, { detail, hint: 'run again' })
}

/** The failure of a holder whose folder is not there any more, exit code 7: nobody has taken its lock, and nothing that it recorded can be relied on. */
export function stateGone(where: string): Failure {
  return gone(`the files of ${where} are gone`)
}

/** The failure of a holder in whose place older files were put, exit code 7: what it recorded went with its own. */
export function stateReplaced(where: string): Failure {
  return gone(`the files of ${where} were replaced by older ones`)
}

function gone(summary: string): Failure {
  return failure('state_gone', summary, {
    detail: 'Their folder was removed, moved or replaced while this run held their lock. What it did is recorded only where they are still kept.',
    hint: 'put them back from where they were moved to, and run again; where they are lost, `iac drift --unmanaged` shows what this run has made, and `iac import` takes it over: the next apply would make it once more',
  })
}

/** The failure of a holder that could not renew its lease in time, of which nobody is known to have taken it over, exit code 9: what it knows is worth keeping. */
function leaseOver(where: string): Failure {
  const detail = 'It could not be renewed in time, and whether another run has taken it over is not known. What this run has recorded before is kept.'
  return failure('state_unreachable', `the lease of ${where} is over`, { detail, hint: 'run again' })
}

/** What ends a lease, said so that nobody relies on it any more. */
export interface LeaseEnds {
  /** It is another's by now: Failure 7. */
  lost(): Failure
  /** Its time is over, whoever has it: Failure 9, and 7 where it was another's before. */
  over(): Failure
}

/** The ends of a lease on one lock; one that was over is not told of as another's afterwards. */
export function leaseEnds(lock: Pick<SharedLock, 'lose' | 'isLost'>, where: string): LeaseEnds {
  let isOver = false
  function lost(): Failure {
    lock.lose()
    return lockLost(where)
  }
  return {
    lost,
    over() {
      if (lock.isLost() && !isOver) return lost()
      isOver = true
      lock.lose()
      return leaseOver(where)
    },
  }
}

/** One write of the holder. What fails leaves open whether it was done, and ends all writing. */
export async function durably(holder: { readonly first: FirstRead; failed: unknown }, work: () => Promise<void>): Promise<void> {
  holder.first.spoil()
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== 7) holder.failed = error
    throw error
  }
}

/** Throws where a write of this lease never became known, Failure 9: nothing that it says can be trusted after that. */
export function checkKept(failed: unknown, where: string): void {
  if (failed === undefined) return
  const detail = `${failed instanceof Error ? failed.message : 'unknown error'}; what came before is recorded.`
  throw failure('state_unreachable', `${where}: the backend failed to keep what was written`, { detail })
}

/** Gives a lock back and closes the way to it; a failure is a warning's text. */
export async function giveBack(lock: SharedLock, serial: number, where: string, close: () => Promise<void>): Promise<string | undefined> {
  try {
    await lock.release(serial)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return `the lock of ${where} could not be given back (${reason}); it is free ${lock.record.lease_ms / 1000} s after it was last renewed`
  } finally {
    await close()
  }
}
