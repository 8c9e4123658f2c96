// A lock in a place that many machines reach: taken and renewed by writes that hold only if nobody wrote in between.
import { livedMs } from '../../base/clock.ts'
import type { Clock } from '../../base/clock.ts'
import type { ProcessIdentity } from '../process-identity.ts'
import type { Holder, Owner } from '../store.ts'
import { lockedBy, noDamagedLock, noSuchLock } from './lock-record.ts'
import type { LockRecord } from './lock-record.ts'

/** Where the record of one lock stands. `Tag` names one version of it: the tag of what was read is all that a write is held against. */
export interface LockPlace<Tag> {
  /** With how long it has stood there unchanged, in milliseconds, where the place tells. */
  read(): Promise<{ readonly record: LockRecord; readonly tag: Tag; readonly quietMs?: number | undefined } | undefined>
  /** The tag of what stands there and is no record; undefined for a record, and for nothing at all. */
  damaged(): Promise<Tag | undefined>
  /** Puts a record in the place of the version `before`, undefined for nothing at all: its tag, or undefined where that is not what stands there. */
  replace(before: Tag | undefined, record: LockRecord): Promise<Tag | undefined>
  /** The highest epoch that something written under the lock tells of, should the record be gone; absent where nothing does. */
  leastEpoch?(): Promise<number>
}

/** Everything that a shared lock needs from outside. */
export interface SharedLockSettings<Tag> {
  readonly place: LockPlace<Tag>
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly identity: ProcessIdentity
  /** Whether a process of this machine is gone for certain; false for those of others. */
  readonly isGone: (other: ProcessIdentity) => Promise<boolean>
  readonly leaseMs: number
}

/** The lock while it is ours. */
export interface SharedLock {
  readonly record: LockRecord
  /** Serial of the state when the lock was last given back. */
  readonly serialBefore: number
  /** Whether somebody had it and did not give it back: what that one sent may still be under way. */
  readonly superseded: boolean
  /** Whether what changes something may leave: false two thirds of a lease after the last sign of life, for good once the lock is lost. No IO. */
  valid(): boolean
  /** How long after now what is under way may still be waited for, in milliseconds; none once the lock is lost. */
  leftMs(): number
  /** Whether it is known to be another's, or not to be relied on. */
  isLost(): boolean
  /** For a write that renews the record itself: asked before that is sent, at the latest before it can be seen, and what it gives is called once it stands there. */
  renewing(): () => void
  /** The lock is another's from here on, or not to be relied on. */
  lose(): void
  /** Gives it back with the state's serial; throws where that cannot be written. */
  release(serial: number): Promise<void>
}

const pollMs = 500
/** Signs of life in a lease, and the part of it after which nothing more is begun. */
const renewalsInLease = 6
export const validPart = 2 / 3

/** The holder as people are told; undefined while the lock is free. */
export async function sharedHolder<Tag>({ place, isGone }: Pick<SharedLockSettings<Tag>, 'place' | 'isGone'>): Promise<Holder | undefined> {
  const found = await place.read()
  return found && holderOf(found.record, found.quietMs, isGone)
}

/** The holder that a record tells of, unless it is gone. */
export async function holderOf(
  record: LockRecord,
  quietMs: number | undefined,
  isGone: (other: ProcessIdentity) => Promise<boolean>,
): Promise<Holder | undefined> {
  if (!record.owner || (record.process && (await isGone(record.process)))) return undefined
  return { ...record.owner, heartbeat: { signs: record.renewals, lease_ms: record.lease_ms, quiet_ms: quietMs ?? null } }
}

/**
 * Takes the lock, waits at most `timeoutMs` for it; Failure 7 with the holder, or the signal's reason. A holder that gives no sign of life
 * is believed dead once its record has stood unchanged for its whole lease on the clock of this process: no two clocks are compared. One that
 * has been silent for longer already is watched for that long, whatever the `timeoutMs`: nobody may be there who unlocks by hand.
 */
export async function takeSharedLock<Tag>(settings: SharedLockSettings<Tag>, owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<SharedLock> {
  const { place, clock, isGone } = settings
  const begun = clock.now()
  let watched = { sign: '', sinceMs: begun }
  let firstMs: number | undefined
  for (;;) {
    signal?.throwIfAborted()
    const askedMs = clock.now()
    const found = await place.read()
    const seenMs = clock.now()
    firstMs ??= seenMs
    const record = found?.record
    const sign = record ? `${record.key} ${record.renewals}` : ''
    if (sign !== watched.sign) watched = { sign, sinceMs: seenMs }
    const isAged = record !== undefined && askedMs - watched.sinceMs >= record.lease_ms
    const untilMs = waitedUntilMs(begun + timeoutMs, firstMs, found)
    if (!record?.owner || isAged || (record.process && (await isGone(record.process)))) {
      const taken = await take(settings, found, owner)
      if (taken) return taken
    } else if (askedMs >= untilMs) throw lockedBy(record.owner, record.lease_ms)
    await clock.sleep(Math.min(pollMs, Math.max(20, untilMs - clock.now())), signal)
  }
}

/** Until when a look at a lock may begin: where its place tells that its holder has been silent for its lease, for as long after the first one. */
export function waitedUntilMs(
  timedOutMs: number,
  firstMs: number,
  found: { readonly record: LockRecord; readonly quietMs?: number | undefined } | undefined,
): number {
  const isSilent = found?.quietMs !== undefined && found.quietMs >= found.record.lease_ms
  return isSilent ? Math.max(timedOutMs, firstMs + found.record.lease_ms) : timedOutMs
}

/** Breaks the lock whose owner has this id; Failure 3 if there is none. Whoever takes it next is told that it superseded somebody, should the one who breaks it end here. */
export async function breakSharedLock<Tag>(settings: SharedLockSettings<Tag>, id: string): Promise<void> {
  for (let isBroken = false; ;) {
    const found = await settings.place.read()
    if (found?.record.owner?.id !== id) {
      if (isBroken) return
      throw noSuchLock(id)
    }
    await settings.place.replace(found.tag, { ...found.record, key: newKey(settings), epoch: found.record.epoch + 1, process: null, owner: null, broken: true })
    isBroken = true
  }
}

/** Puts a free lock in the place of one that cannot be read; Failure 3 if it can be. A holder whose it was has lost it. */
export async function mendSharedLock<Tag>(settings: SharedLockSettings<Tag>): Promise<void> {
  const { place, leaseMs } = settings
  for (let isMended = false; !isMended;) {
    const tag = await place.damaged()
    if (tag === undefined) throw noDamagedLock()
    const free = { format: 'iac-lock/v1', renewals: 0, serial: 0, lease_ms: leaseMs, process: null, owner: null, broken: true } as const
    isMended = (await place.replace(tag, { ...free, key: newKey(settings), epoch: (await place.leastEpoch?.()) ?? 0 })) !== undefined
  }
}

async function take<Tag>(
  settings: SharedLockSettings<Tag>,
  found: { readonly record: LockRecord; readonly tag: Tag } | undefined,
  owner: Owner,
): Promise<SharedLock | undefined> {
  const { place, clock, identity, leaseMs } = settings
  const record: LockRecord = {
    format: 'iac-lock/v1',
    key: newKey(settings),
    epoch: Math.max(found?.record.epoch ?? 0, (await place.leastEpoch?.()) ?? 0) + 1,
    renewals: 0,
    serial: found?.record.serial ?? 0,
    lease_ms: leaseMs,
    process: identity,
    owner,
  }
  const beganMs = livedMs(clock)
  const tag = await place.replace(found?.tag, record)
  const superseded = found !== undefined && (found.record.owner !== null || found.record.broken === true)
  if (tag !== undefined) return hold(settings, record, tag, beganMs, superseded)
  // Of an answer that was lost and asked for again this tells that the first one arrived.
  const standing = await place.read()
  return standing?.record.key === record.key ? hold(settings, record, standing.tag, beganMs, superseded) : undefined
}

function hold<Tag>({ place, clock, leaseMs }: SharedLockSettings<Tag>, taken: LockRecord, first: Tag, takenMs: number, superseded: boolean): SharedLock {
  let [tag, record, renewedMs, isLost] = [first, taken, takenMs, false]
  const stop = new AbortController()

  /** A sign of life, once more on what stands there where that is another version of ours: an answer was lost, or a write renewed it. */
  async function put(change: Partial<LockRecord>): Promise<void> {
    for (let tries = 0; tries < 2; tries += 1) {
      const renewed = renewing()
      const next = { ...record, ...change, renewals: record.renewals + 1 }
      const written = await place.replace(tag, next)
      const standing = written === undefined ? await place.read() : { record: next, tag: written }
      // Once lost it stays so, whatever a sign of life that was under way comes back with.
      isLost ||= standing?.record.key !== record.key
      if (isLost || !standing) return
      ;({ tag, record } = standing)
      if (written !== undefined) return renewed()
    }
  }
  function renewing(): () => void {
    const beganMs = livedMs(clock)
    return () => void (renewedMs = Math.max(renewedMs, beganMs))
  }
  async function keepRenewing(): Promise<void> {
    while (!isLost) {
      await clock.sleep(leaseMs / renewalsInLease, stop.signal)
      // What cannot be reached is asked again; what lasts ends the lease by itself.
      await put({}).catch(() => undefined)
    }
  }
  const kept = keepRenewing().catch(() => undefined)
  return {
    record: taken,
    serialBefore: taken.serial,
    superseded,
    valid: () => !isLost && !stop.signal.aborted && livedMs(clock) - renewedMs < leaseMs * validPart,
    leftMs: () => (isLost ? 0 : Math.max(0, renewedMs + leaseMs - livedMs(clock))),
    isLost: () => isLost,
    renewing,
    lose: () => void (isLost = true),
    async release(serial) {
      stop.abort()
      await kept
      if (isLost) return
      await put({ serial, process: null, owner: null }).finally(() => (isLost = true))
    },
  }
}

function newKey({ randomBytes }: { readonly randomBytes: (sizeBytes: number) => Uint8Array }): string {
  return Buffer.from(randomBytes(16)).toString('hex')
}
