// A state on a server that speaks OpenTofu's protocol: GitLab, Gitea and others; one document, or two with an address for the journal.
import type { OpenTransport } from '../../../api/transport/socket-transport.ts'
import { livedMs } from '../../../base/clock.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic, failure } from '../../../base/diagnostic.ts'
import { uuidOf } from '../../../base/uuid.ts'
import { checkedGeneration, decodeDocument, isDamage } from '../../document.ts'
import { noDamagedLock, noSuchLock } from '../../lease/lock-record.ts'
import { validPart } from '../../lease/shared-lock.ts'
import type { Machine } from '../../process-identity.ts'
import type { Sealing } from '../../sealing.ts'
import type { Lease, Loaded, Owner, StateStore } from '../../store.ts'
import { generationText } from './history.ts'
import { openHttpLease } from './http-lease.ts'
import type { HeldLock } from './http-lease.ts'
import { breakHttpLock, httpHolder, mendHttpLock, newRecord, takeHttpLock } from './http-lock.ts'
import type { HttpLockSettings } from './http-lock.ts'
import { lockCalls, lockIdOf } from './lock-calls.ts'
import type { LockCalls } from './lock-calls.ts'
import { createRemote } from './remote.ts'
import type { HttpAddress, Remote } from './remote.ts'
import type { Standing } from './standing.ts'
import { readStanding, stampOf, understood } from './standing.ts'
import type { WireDocument } from './wire-document.ts'
import { wirePlaces } from './wire-place.ts'
import type { WirePlaces } from './wire-place.ts'

export interface HttpStoreOptions {
  readonly address: HttpAddress
  /** Opens a way to the address's origin. */
  readonly connect: () => OpenTransport
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Pick<Machine, 'identity' | 'isGone'>
  readonly leaseMs: number
  /** The version of the tool, as others are told with a lock. */
  readonly version: string
  readonly sealing: Sealing
  /** How far apart entries may come that are written together, in milliseconds: servers keep a version of each write, and limit how often they are written. */
  readonly groupMs?: number
}

/** A request without an answer is asked again within a lease. */
const [leastQuietMs, mostQuietMs] = [2000, 15_000]
const usualGroupMs = 40

/** Sends when it is asked for something. */
export function httpStore(options: HttpStoreOptions): StateStore {
  const { clock, machine, address, sealing } = options
  const { where } = address
  const placesAt = (remote: Remote): WirePlaces => wirePlaces(remote, sealing)
  async function once<T>(work: (remote: Remote) => Promise<T>): Promise<T> {
    const { remote, close } = open(options, () => undefined)
    try {
      return await work(remote)
    } finally {
      await close()
    }
  }
  function loadedFrom(standing: Standing): Loaded {
    const { document, entries, torn } = understood(standing, { where, sealing })
    return { document, entries, torn }
  }
  return Object.freeze({
    where,
    advice: address.locking ? [] : [withoutLock(where)],
    read: () => once(async (remote) => loadedFrom(await readStanding(placesAt(remote), clock))),
    stamps: {
      read: () =>
        once(async (remote) => {
          const standing = await readStanding(placesAt(remote), clock)
          return { loaded: loadedFrom(standing), stamp: stampOf(standing) }
        }),
      now: () => once(async (remote) => stampOf(await readStanding(placesAt(remote), clock))),
    },
    lock: (owner, timeoutMs, signal) => lock(options, owner, timeoutMs, signal),
    holder: () =>
      once(async (remote) => (address.locking ? httpHolder({ place: placesAt(remote).journal, isGone: (other) => machine.isGone(other, false) }) : undefined)),
    obstacle: async () => undefined,
    unknownLock: address.locking
      ? 'no run of iac is known to have it. Whether another tool has the lock of the server, only a run that takes it finds out'
      : 'there is none, since no lock_address is set',
    unlock: (id) =>
      once(async (remote) => {
        const calls = lockCalls(remote)
        if (!calls) throw noSuchLock(id)
        await breakHttpLock(settings(options, calls, placesAt(remote)), id)
      }),
    unlockDamaged: () =>
      once(async (remote) => {
        const calls = lockCalls(remote)
        if (!calls) throw noDamagedLock()
        await mendHttpLock(settings(options, calls, placesAt(remote)))
      }),
    history: () =>
      once(async (remote) => {
        const { serial, history } = await generationsAt(placesAt(remote))
        const kept = history?.serials ?? []
        return serial === undefined || kept.includes(serial) ? kept : [serial, ...kept]
      }),
    generation: (wanted) =>
      once(async (remote) => {
        const { serial, state, history } = await generationsAt(placesAt(remote))
        const named = `generation ${wanted} of ${where}`
        if (serial === wanted && typeof state === 'string') return decodeDocument(state, named, { sealing })
        const text = history && (await generationText(history, wanted, { where, sealing }))
        if (typeof text !== 'string') throw failure('state_command', `there is no generation ${wanted} of ${where}`, { hint: 'see `iac state history`' })
        return checkedGeneration(decodeDocument(text, named), wanted, named)
      }),
  } satisfies StateStore)
}

/** The state that stands there, with its serial if it can be read, and the generations in its history. */
async function generationsAt({
  state: place,
  where,
  sealing,
}: WirePlaces): Promise<Partial<Pick<WireDocument, 'state' | 'history'>> & { readonly serial?: number }> {
  const { state = null, history = null } = (await place.get()) ?? {}
  try {
    return { state, history, ...(state !== null && { serial: decodeDocument(state, where, { sealing }).serial }) }
  } catch (error) {
    if (!isDamage(error)) throw error
    return { state, history }
  }
}

async function lock(options: HttpStoreOptions, owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<Lease> {
  const { clock, leaseMs, randomBytes, machine, groupMs = usualGroupMs } = options
  let held: HeldLock | undefined
  const { remote, close } = open(options, () => held?.leftMs())
  const newLineage = (): string => uuidOf(randomBytes(16))
  try {
    const places = wirePlaces(remote, options.sealing)
    const calls = lockCalls(remote)
    if (!calls) {
      const record = newRecord({ randomBytes, identity: machine.identity, leaseMs }, null)
      held = unheld(leaseMs)
      return await openHttpLease({ places, clock, record, lock: held, lockId: undefined, newLineage, groupMs, close })
    }
    const { record, beganMs } = await takeHttpLock(settings(options, calls, places), owner, timeoutMs, signal)
    const lockId = lockIdOf(record)
    held = heldLock(clock, leaseMs, beganMs, () => calls.free(lockId))
    return await openHttpLease({ places, clock, record, lock: held, lockId, newLineage, groupMs, close })
  } catch (error) {
    if (held && !held.isLost()) await held.free().catch(() => undefined)
    await close()
    throw error
  }
}

function open({ connect, address, clock, leaseMs }: HttpStoreOptions, patience: () => number | undefined): { readonly remote: Remote; close(): Promise<void> } {
  const { transport, close } = connect()
  return { remote: createRemote({ address, transport, clock, patience, quietMs: Math.min(mostQuietMs, Math.max(leastQuietMs, leaseMs / 4)) }), close }
}

function settings({ clock, randomBytes, machine, leaseMs, version }: HttpStoreOptions, calls: LockCalls, { journal, isOne }: WirePlaces): HttpLockSettings {
  const isGone: HttpLockSettings['isGone'] = (other) => machine.isGone(other, false)
  return { calls, place: journal, isLockOfPlace: isOne, clock, randomBytes, identity: machine.identity, isGone, leaseMs, version }
}

/** A lock as this process sees it: it begins nothing more two thirds of a lease after its last sign of life. */
function heldLock(clock: Clock, leaseMs: number, takenMs: number, free: () => Promise<void>): HeldLock {
  let [renewedMs, isLost] = [takenMs, false]
  const idleMs = (): number => livedMs(clock) - renewedMs
  return {
    valid: () => !isLost && idleMs() < leaseMs * validPart,
    leftMs: () => (isLost ? 0 : Math.max(0, leaseMs - idleMs())),
    idleMs,
    isLost: () => isLost,
    renewing() {
      const beganMs = livedMs(clock)
      return () => void (renewedMs = Math.max(renewedMs, beganMs))
    },
    lose: () => void (isLost = true),
    free,
  }
}

/** In the place of a lock where the server has none: nothing ends it but another that writes. */
function unheld(patienceMs: number): HeldLock {
  let isLost = false
  return {
    valid: () => !isLost,
    leftMs: () => (isLost ? 0 : patienceMs),
    idleMs: () => 0,
    isLost: () => isLost,
    renewing: () => () => undefined,
    lose: () => void (isLost = true),
    free: async () => undefined,
  }
}

function withoutLock(where: string): Diagnostic {
  return diagnostic('advice', `${where} is used without a lock`, {
    detail: 'Two runs at the same time could both work on it; the one that writes later finds out, and ends, after it may have sent something.',
    hint: 'set lock_address and unlock_address where the server has them; else let one run at a time work on it',
  })
}
