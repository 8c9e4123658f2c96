// Who may write: the server's lock keeps others away, and a record in the document tells them whether its holder lives.
//
// The two are no `LockPlace`: there a record is replaced under a condition and is the lock itself, here no write has conditions.
import { livedMs } from '../../../base/clock.ts'
import type { Clock } from '../../../base/clock.ts'
import { damagedLock, lockedBy, noDamagedLock, noSuchLock } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import { holderOf, waitedUntilMs } from '../../lease/shared-lock.ts'
import type { ProcessIdentity } from '../../process-identity.ts'
import type { Holder, Owner } from '../../store.ts'
import { leaseOf, lockedElsewhere, lockIdOf } from './lock-calls.ts'
import type { Held, LockCalls } from './lock-calls.ts'
import { writerOf } from './wire-document.ts'
import type { WireDocument } from './wire-document.ts'
import type { WirePlace } from './wire-place.ts'

export interface HttpLockSettings {
  readonly calls: LockCalls
  /** Where the record stands. */
  readonly place: WirePlace
  /** Whether the lock is that of this place, too: a journal with a place of its own has none. */
  readonly isLockOfPlace: boolean
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly identity: ProcessIdentity
  /** Whether a process of this machine is gone for certain; false for those of others. */
  readonly isGone: (other: ProcessIdentity) => Promise<boolean>
  readonly leaseMs: number
  /** The version of the tool, as others are told. */
  readonly version: string
}

/** The server's lock just taken: the record to write, its epoch not known yet, and when it was asked for. */
export interface Taken {
  readonly record: LockRecord
  readonly beganMs: number // as `livedMs` tells it
}

const notARecord = 'It is not what was written.'
const [firstPollMs, longestPollMs, leastPollMs] = [500, 4000, 20]

/**
 * Takes the server's lock, waits at most `timeoutMs` for it; Failure 7 with the holder, or the signal's reason. A holder of ours that gives no
 * sign of life is believed dead once lock and document have stood unchanged for its whole lease on the clock of this process; locks of other tools are
 * never taken from them.
 */
export async function takeHttpLock(settings: HttpLockSettings, owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<Taken> {
  const { calls, place, clock, version } = settings
  const record = newRecord(settings, owner)
  const begun = clock.now()
  let watched = { sign: '', sinceMs: begun }
  let takenFrom: string | undefined
  let firstMs: number | undefined
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, longestPollMs)) {
    signal?.throwIfAborted()
    const [askedMs, beganMs] = [clock.now(), livedMs(clock)]
    const held = await calls.take(record, version)
    const found = await place.get().catch(async (error: unknown) => {
      if (!held) await calls.free(lockIdOf(record)).catch(() => undefined)
      throw error
    })
    const seenMs = clock.now()
    firstMs ??= seenMs
    if (!held && found?.isLockDamaged) await calls.free(lockIdOf(record))
    if (found?.isLockDamaged) throw damagedLock(place.where, notARecord)
    if (!held && takenFrom === undefined) return { record, beganMs }
    if (!held && takenFrom !== undefined) {
      if (!isRivals(found?.lock, takenFrom)) return { record, beganMs }
      // Another one has taken it over first, on a server that gave it away twice.
      await calls.free(lockIdOf(record))
      takenFrom = undefined
    }
    const said = held && recordOf(held, found)
    const sign = `${held?.id} ${found?.stamp}`
    if (sign !== watched.sign) watched = { sign, sinceMs: seenMs }
    if (held && (await isOver(settings, held, said, askedMs - watched.sinceMs))) {
      await calls.free(held.id)
      takenFrom = held.id
      continue
    }
    const untilMs = waitedUntilMs(begun + timeoutMs, firstMs, said && { record: said, quietMs: found?.quietMs })
    if (held && askedMs >= untilMs) throw said?.owner ? lockedBy(said.owner, said.lease_ms) : lockedElsewhere(held)
    await clock.sleep(Math.min(jittered(settings, pollMs), Math.max(leastPollMs, untilMs - clock.now())), signal)
  }
}

/** The holder as people are told; undefined while the lock is free, or the holder has said its last word. */
export async function httpHolder({ place, isGone }: Pick<HttpLockSettings, 'place' | 'isGone'>): Promise<Holder | undefined> {
  const found = await place.get()
  if (found?.isLockDamaged) throw damagedLock(place.where, notARecord)
  return found?.lock ? holderOf(found.lock, found.quietMs, isGone) : undefined
}

/** Breaks the lock whose owner, or which itself, has this id; Failure 3 if there is none. What its holder still writes is another's document from then on. */
export async function breakHttpLock(settings: HttpLockSettings, id: string): Promise<void> {
  const { calls, place, version } = settings
  const own = newRecord(settings, null)
  const held = await calls.take(own, version)
  if (held) {
    const said = [recordOf(held, await place.get()), held.record]
    if (held.id !== id && !said.some((one) => one?.owner?.id === id)) throw noSuchLock(id)
    await calls.free(held.id)
    // Whoever has it by now writes a record of its own.
    if (await calls.take(own, version)) return
  }
  await writeFree(settings, own, (standing) => {
    // Somebody has unlocked the server, and the record tells of its holder still.
    if (!held && standing?.lock?.owner?.id !== id) throw noSuchLock(id)
  })
}

/** Puts a free lock in the place of one that cannot be read, and takes the server's from whoever has it; Failure 3 if it can be read. */
export async function mendHttpLock(settings: HttpLockSettings): Promise<void> {
  const { calls, place, version } = settings
  if (!(await place.get())?.isLockDamaged) throw noDamagedLock()
  const own = newRecord(settings, null)
  const held = await calls.take(own, version)
  if (held) {
    await calls.free(held.id)
    if (await calls.take(own, version)) return
  }
  await writeFree(settings, own, () => undefined)
}

/** Writes a record that nobody has under the server's lock just taken, and gives that back; `check` may refuse. */
async function writeFree(
  { calls, place, isLockOfPlace }: HttpLockSettings,
  own: LockRecord,
  check: (standing: WireDocument | undefined) => void,
): Promise<void> {
  try {
    const standing = await place.get()
    check(standing)
    // What is damaged stays as it is, for whoever repairs it.
    if (!standing || standing.problem !== undefined) return
    const lock = { ...own, epoch: writerOf(standing).epoch + 1, serial: standing.lock?.serial ?? 0, process: null }
    const next = { ...standing, stamp: stampOf(lock), lock, isLockDamaged: false }
    await place.put({ next, lockId: isLockOfPlace ? lockIdOf(own) : undefined, check: async () => undefined })
  } finally {
    await calls.free(lockIdOf(own))
  }
}

/** What tells one write of a document from all others. */
export function stampOf({ epoch, key, renewals }: Pick<LockRecord, 'epoch' | 'key' | 'renewals'>): string {
  return `${epoch}-${key}-${renewals}`
}

/** A record of this process with a key of its own; its epoch follows from what stands there. */
export function newRecord({ randomBytes, identity, leaseMs }: Pick<HttpLockSettings, 'randomBytes' | 'identity' | 'leaseMs'>, owner: Owner | null): LockRecord {
  const key = Buffer.from(randomBytes(16)).toString('hex')
  return { format: 'iac-lock/v1', key, epoch: 0, renewals: 0, serial: 0, lease_ms: leaseMs, process: identity, owner }
}

/** What the holder has said of itself: in the document, or to the server. */
function recordOf(held: Held, found: WireDocument | undefined): LockRecord | undefined {
  return found?.lock && lockIdOf(found.lock) === held.id ? found.lock : held.record
}

/** Whether a holder is gone, or has been still for as long as its lock was lent to it. */
async function isOver(settings: HttpLockSettings, held: Held, said: LockRecord | undefined, stillMs: number): Promise<boolean> {
  const leaseMs = said?.lease_ms ?? leaseOf(held.id)
  if (leaseMs === undefined) return false
  return stillMs >= leaseMs || (said?.process ? settings.isGone(said.process) : false)
}

function isRivals(record: LockRecord | null | undefined, takenFrom: string): boolean {
  return record?.owner ? lockIdOf(record) !== takenFrom : false
}

/** Those who wait for one lock do not ask in step. */
function jittered({ randomBytes }: HttpLockSettings, ms: number): number {
  return ms * (0.5 + (randomBytes(1)[0] ?? 0) / 256)
}
