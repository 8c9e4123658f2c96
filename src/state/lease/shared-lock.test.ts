// A lock in a place whose answers are lost, and beside which lines of earlier runs stand.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import type { LockRecord } from './lock-record.ts'
import { takeSharedLock } from './shared-lock.ts'
import type { LockPlace } from './shared-lock.ts'

const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

/** One record; with `isDeaf` what is put there arrives, and the answer says that it did not. */
function memoryPlace() {
  let [version, isDeaf] = [0, false]
  let standing: LockRecord | undefined
  const place: LockPlace<number> = {
    read: async () => standing && { record: standing, tag: version },
    damaged: async () => undefined,
    leastEpoch: async () => 41,
    async replace(before, record) {
      if ((before ?? 0) !== version) return undefined
      version += 1
      standing = record
      const tag = isDeaf ? undefined : version
      isDeaf = false
      return tag
    },
  }
  return { place, record: () => standing, loseAnswer: () => void (isDeaf = true), renew: () => void (version += 1) }
}

function take(place: LockPlace<number>) {
  return takeSharedLock({ place, clock: virtualClock(), randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }, owner, 0)
}

test('is not relied on once the machine slept for as long as a lease, until a sign of life says that it is still ours', async () => {
  const { place } = memoryPlace()
  let asleepMs = 0
  const clock = virtualClock()
  const settings = { place, randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }
  const lock = await takeSharedLock({ ...settings, clock: { ...clock, asleepMs: () => asleepMs } }, owner, 0)
  expect(lock.valid()).toBe(true)
  asleepMs = 600_000
  expect([lock.valid(), lock.leftMs()]).toEqual([false, 0])
  await clock.sleep(15_000)
  expect(lock.valid()).toBe(true)
  await lock.release(1)
})

test('whose epoch is behind that of what was written goes on behind it', async () => {
  const { place, record } = memoryPlace()
  const lock = await take(place)
  expect([lock.record.epoch, record()?.epoch]).toEqual([42, 42])
  await lock.release(1)
})

test.each(['loseAnswer', 'renew'] as const)('is given back although its record is another version of ours (%s)', async (what) => {
  const memory = memoryPlace()
  const lock = await take(memory.place)
  memory[what]()
  await lock.release(7)
  expect(memory.record()).toMatchObject({ owner: null, process: null, serial: 7 })
  expect(lock.valid()).toBe(false)
})

test('whose first answer is lost is ours', async () => {
  const memory = memoryPlace()
  memory.loseAnswer()
  const lock = await take(memory.place)
  expect(lock.valid()).toBe(true)
  await lock.release(0)
})

test('that is lost while a sign of life is under way stays lost when that arrives', async () => {
  const clock = virtualClock()
  const { place } = memoryPlace()
  let arrive = (): void => undefined
  let isUnderWay = false
  const slow: LockPlace<number> = {
    ...place,
    async replace(before, record) {
      if (record.renewals === 1) {
        isUnderWay = true
        await new Promise<void>((resolve) => (arrive = resolve))
      }
      return place.replace(before, record)
    },
  }
  const lock = await takeSharedLock({ place: slow, clock, randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }, owner, 0)
  await clock.advance(10_000)
  expect([isUnderWay, lock.valid()]).toEqual([true, true])
  lock.lose()
  arrive()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect([lock.valid(), lock.leftMs()]).toEqual([false, 0])
})

test('lives its whole lease from the sign of life on that is known to stand there', async () => {
  const clock = virtualClock()
  const { place } = memoryPlace()
  const lossy: LockPlace<number> = {
    ...place,
    async replace(before, record) {
      const tag = await place.replace(before, record)
      if (record.renewals !== 1) return tag
      await clock.sleep(30_000)
      return undefined
    },
  }
  const lock = await takeSharedLock({ place: lossy, clock, randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }, owner, 0)
  await clock.advance(39_999)
  const before = lock.leftMs()
  await clock.advance(1)
  expect([before, lock.leftMs()]).toEqual([20_001, 60_000])
})

test('tells whether somebody had it who did not give it back', async () => {
  const { place } = memoryPlace()
  const first = await take(place)
  await first.release(1)
  const second = await take(place)
  const clock = virtualClock()
  const third = await takeSharedLock({ place, clock, randomBytes, identity, isGone: async () => true, leaseMs: 60_000 }, { ...owner, id: 'three' }, 0)
  expect([first.superseded, second.superseded, third.superseded]).toEqual([false, false, true])
})

test('of a holder that has been silent for its lease is watched for another one, by whoever waits for none too', async () => {
  const { place } = memoryPlace()
  const died = { format: 'iac-lock/v1', key: 'k', epoch: 1, renewals: 3, serial: 0, lease_ms: 60_000, process: null, owner } as const
  await place.replace(undefined, died)
  const clock = virtualClock()
  const beside = (quietMs: number) => ({
    ...place,
    read: async () => {
      const found = await place.read()
      return found && { ...found, quietMs }
    },
  })
  const takeBeside = (quietMs: number) =>
    takeSharedLock({ place: beside(quietMs), clock, randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }, { ...owner, id: 'two' }, 0)
  await expect(takeBeside(59_999)).rejects.toMatchObject({ exitCode: 7 })
  expect(clock.now()).toBe(0)
  const second = await takeBeside(60_000)
  expect([second.superseded, second.valid(), clock.now()]).toEqual([true, true, 60_000])
})

test('of a holder that has been silent for its lease is had however long a look takes', async () => {
  for (const lookMs of [700, 1500, 7000]) {
    const { place } = memoryPlace()
    const died = { format: 'iac-lock/v1', key: 'k', epoch: 1, renewals: 3, serial: 0, lease_ms: 60_000, process: null, owner } as const
    await place.replace(undefined, died)
    const clock = virtualClock()
    const slow = {
      ...place,
      read: async () => {
        await clock.sleep(lookMs)
        const found = await place.read()
        return found && { ...found, quietMs: 3_600_000 }
      },
    }
    const settings = { place: slow, clock, randomBytes, identity, isGone: async () => false, leaseMs: 60_000 }
    const lock = await takeSharedLock(settings, { ...owner, id: 'two' }, 0)
    expect(lock.superseded).toBe(true)
  }
})
