// A server's lock whose holder died, and answers that take long.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../base/clock.ts'
import { newRecord, stampOf, takeHttpLock } from './http-lock.ts'
import type { LockCalls } from './lock-calls.ts'
import { lockIdOf } from './lock-calls.ts'
import type { WireDocument } from './wire-document.ts'
import type { WirePlace } from './wire-place.ts'

const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

test.each([10, 700, 1500, 7000])('of a holder that has been silent for its lease is had without a timeout, where a look takes %i ms', async (lookMs) => {
  const clock = virtualClock()
  const around = { randomBytes, identity, leaseMs: 60_000 }
  const died = newRecord(around, owner)
  let id: string | undefined = lockIdOf(died)
  const calls: LockCalls = {
    async take(record) {
      if (id !== undefined) return { id, who: '', operation: '', created: '', record: undefined }
      id = lockIdOf(record)
      return undefined
    },
    async free(freed) {
      if (id === freed) id = undefined
    },
  }
  const document: WireDocument = { serial: 1, lineage: 'l', stamp: stampOf(died), lock: died, state: null, journal: null, history: null, damaged: null }
  const place: WirePlace = {
    where: 'the state',
    async get() {
      await clock.sleep(lookMs)
      return { ...document, quietMs: 3_600_000 }
    },
    put: async () => undefined,
  }
  const settings = { ...around, calls, place, isLockOfPlace: true, clock, isGone: async () => false, version: '1' }
  const taken = await takeHttpLock(settings, { ...owner, id: 'two' }, 0)
  expect(id).toBe(lockIdOf(taken.record))
})
