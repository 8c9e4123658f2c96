// A state in a bucket: one object, beside it its lock, the lines of its journal and its history.
import type { OpenTransport } from '../../../api/transport/socket-transport.ts'
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import { checkedGeneration, decodeDocument, longestKept } from '../../document.ts'
import { damagedLock, lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockRecord } from '../../lease/lock-record.ts'
import type { LockPlace, SharedLock, SharedLockSettings } from '../../lease/shared-lock.ts'
import { breakSharedLock, mendSharedLock, sharedHolder, takeSharedLock } from '../../lease/shared-lock.ts'
import type { Machine } from '../../process-identity.ts'
import type { Sealing } from '../../sealing.ts'
import type { Lease, Loaded, Owner, StateStore } from '../../store.ts'
import { createBucket } from './bucket.ts'
import type { Bucket, BucketAddress, ETag } from './bucket.ts'
import { fence } from './fence.ts'
import { checkConditions, checkConditionsAgain } from './probe.ts'
import { openS3Lease } from './s3-lease.ts'
import type { Standing } from './snapshot.ts'
import { readGenerations, readStanding, stampOf, understood } from './snapshot.ts'
import { generationName, stateKeys } from './state-keys.ts'
import type { StateKeys } from './state-keys.ts'

/** What a state in any bucket needs from outside. */
interface Around {
  readonly key: string
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Pick<Machine, 'identity' | 'isGone'>
  readonly leaseMs: number
  readonly sealing: Sealing
}

export interface S3StoreOptions extends Around {
  readonly address: BucketAddress
  /** Opens a way to the address's origin. */
  readonly connect: () => OpenTransport
}

/** A bucket by whatever way it is reached; `patience` is that of `BucketParts`. */
export interface BucketStoreOptions extends Around {
  /** How messages name the bucket. */
  readonly where: string
  open(patience: () => number | undefined): { readonly bucket: Bucket; close(): Promise<void> }
}

const maxLockBytes = 64 << 10
/** Of what stands in the place of one. */
const mostLockBytes = 1 << 30
/** A request without an answer is asked again within a lease. */
const [leastQuietMs, mostQuietMs] = [2000, 15_000]

/** Sends when it is asked for something. */
export function s3Store(options: S3StoreOptions): StateStore {
  return bucketStore({ ...options, where: options.address.where, open: (patience) => open(options, patience) })
}

/** A state over a bucket that is opened for each piece of work. */
export function bucketStore(options: BucketStoreOptions): StateStore {
  const { key, clock } = options
  const keys = stateKeys(key, `the state ${key} in ${options.where}`, options.sealing)
  async function once<T>(work: (bucket: Bucket) => Promise<T>): Promise<T> {
    const { bucket, close } = options.open(() => undefined)
    try {
      return await work(bucket)
    } finally {
      await close()
    }
  }
  function standingIn(bucket: Bucket): Promise<Standing> {
    const place = lockPlace(bucket, keys, options.randomBytes)
    return readStanding(bucket, keys, clock, async () => (await place.read())?.record.serial ?? 0)
  }
  function loadedFrom(standing: Standing): Loaded {
    const { document, entries, torn } = understood(standing, keys)
    return { document, entries, torn }
  }
  return Object.freeze({
    where: keys.where,
    read: () => once(async (bucket) => loadedFrom(await standingIn(bucket))),
    stamps: {
      read: () =>
        once(async (bucket) => {
          const standing = await standingIn(bucket)
          return { loaded: loadedFrom(standing), stamp: stampOf(standing) }
        }),
      now: () => once(async (bucket) => stampOf(await standingIn(bucket))),
    },
    lock: (owner, timeoutMs, signal) => lock(options, keys, owner, timeoutMs, signal),
    holder: () =>
      once((bucket) => sharedHolder({ place: lockPlace(bucket, keys, options.randomBytes), isGone: (other) => options.machine.isGone(other, false) })),
    obstacle: async () => undefined,
    unlock: (id) =>
      once(async (bucket) => {
        await breakSharedLock(settings(options, lockPlace(bucket, keys, options.randomBytes)), id)
        await fence(bucket, keys, options.randomBytes(8))
      }),
    unlockDamaged: () =>
      once(async (bucket) => {
        await mendSharedLock(settings(options, lockPlace(bucket, keys, options.randomBytes)))
        await fence(bucket, keys, options.randomBytes(8))
      }),
    history: () => once((bucket) => readGenerations(bucket, keys)),
    generation: (serial) =>
      once(async (bucket) => {
        const found = await bucket.get(keys.history + generationName(serial), longestKept(keys.sealing))
        if (!found) throw failure('state_command', `there is no generation ${serial} of ${keys.where}`, { hint: 'see `iac state history`' })
        const named = `generation ${serial} of ${keys.where}`
        return checkedGeneration(decodeDocument(found.bytes, named, { sealing: keys.sealing }), serial, named)
      }),
  } satisfies StateStore)
}

/** Takes the lock. Where a former holder did not give it back, nothing that it still has under way may be done after that. */
async function lock(options: BucketStoreOptions, keys: StateKeys, owner: Owner, timeoutMs: number, signal?: AbortSignal): Promise<Lease> {
  let held: SharedLock | undefined
  const { bucket, close } = options.open(() => held?.leftMs())
  const place = lockPlace(bucket, keys, options.randomBytes)
  try {
    const isFirst = !(await place.read())
    if (isFirst) await checkConditions(bucket, keys, options.randomBytes(8))
    held = await takeSharedLock(settings(options, place), owner, timeoutMs, signal)
    await settle(options, { bucket, keys, held, isFirst })
    return await openS3Lease({ bucket, keys, place, lock: held, clock: options.clock, close })
  } catch (error) {
    await held?.release(held.serialBefore).catch(() => undefined)
    await close()
    throw error
  }
}

/** After this nothing of a former holder is done any more. */
async function settle(
  { randomBytes }: BucketStoreOptions,
  { bucket, keys, held, isFirst }: { readonly bucket: Bucket; readonly keys: StateKeys; readonly held: SharedLock; readonly isFirst: boolean },
): Promise<void> {
  try {
    if (!isFirst) await checkConditionsAgain(bucket, keys, textOf(held.record))
    if (held.superseded) await fence(bucket, keys, randomBytes(8))
  } catch (error) {
    // Given back, it would look to the next run as if nothing were under way.
    if (held.superseded) held.lose()
    throw error
  }
}

function open({ connect, address, clock, leaseMs }: S3StoreOptions, patience: () => number | undefined): { readonly bucket: Bucket; close(): Promise<void> } {
  const { transport, close } = connect()
  return { bucket: createBucket({ address, transport, clock, patience, quietMs: Math.min(mostQuietMs, Math.max(leastQuietMs, leaseMs / 4)) }), close }
}

function settings({ clock, randomBytes, machine, leaseMs }: Around, place: LockPlace<ETag>): SharedLockSettings<ETag> {
  return { place, clock, randomBytes, identity: machine.identity, isGone: (other) => machine.isGone(other, false), leaseMs }
}

/** The object of the lock; its version is the ETag. Whatever else is written is written after it, in the form of ETags that was found here. */
function lockPlace(bucket: Bucket, keys: StateKeys, randomBytes: S3StoreOptions['randomBytes']): LockPlace<ETag> {
  const { lock: key, where } = keys
  return {
    async read() {
      const found = await bucket.get(key, maxLockBytes)
      if (!found) return undefined
      const record = lockRecordSchema.safeParse(jsonOf(found.bytes))
      if (!record.success) throw damagedLock(where, record.error.issues[0]?.message ?? 'unreadable')
      return { record: record.data, tag: found.tag, quietMs: found.quietMs }
    },
    async damaged() {
      const found = await bucket.get(key, mostLockBytes)
      return found && !lockRecordSchema.safeParse(jsonOf(found.bytes)).success ? found.tag : undefined
    },
    async replace(before, record) {
      const write = (): Promise<ETag | undefined> => bucket.put(key, textOf(record), before === undefined ? 'absent' : { is: before })
      const tag = await write()
      // Refused, although it is the version that stands there: the store compares another form of it.
      if (tag !== undefined || before === undefined || (await bucket.tagOf(key)) !== before) return tag
      await checkConditions(bucket, keys, randomBytes(8))
      return write()
    },
  }
}

function textOf(record: LockRecord): string {
  return `${stringifyJson(record)}\n`
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
