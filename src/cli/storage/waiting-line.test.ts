// Whoever waits for a lock is told so, once it takes a while.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeAt } from '../../../test/builders/left-lines.ts'
import { virtualClock } from '../../base/clock.ts'
import { tellingOfWaiting } from './waiting-line.ts'

const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }

test('a wait of more than three seconds is told once, and a shorter one is not', async () => {
  const clock = virtualClock()
  const told: string[] = []
  const store = await storeAt(join(mkdtempSync(join(tmpdir(), 'iac-waiting-')), 'state.json'))
  const waiting = (ms: number) =>
    tellingOfWaiting(
      { ...store, lock: (...how) => clock.sleep(ms).then(() => clock.hold(store.lock(...how))) },
      clock,
      ({ summary }) => void told.push(summary),
    )
  await (await waiting(2900).lock(owner, 0)).release()
  expect(told).toEqual([])
  await (await waiting(9000).lock(owner, 0)).release()
  expect(told).toEqual([`waiting for the lock of ${store.where}`])
})
