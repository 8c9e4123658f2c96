// How long an exchange may be silent, and that of a process that was stopped.
import { expect, test } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import type { Clock } from '../../base/clock.ts'
import { createWatch } from './watch.ts'

/** A clock on which each sleep ends as much later as is said next. */
function lateBy(...lates: number[]): { readonly clock: Clock; readonly sleeps: number[] } {
  const clock = virtualClock()
  const sleeps: number[] = []
  const sleep: Clock['sleep'] = (ms, signal) => {
    sleeps.push(ms)
    return clock.sleep(ms + (lates.shift() ?? 0), signal)
  }
  return { clock: { ...clock, sleep }, sleeps }
}

test.each([
  ['after its time', [], [2000]],
  ['after its time where the process was busy', [900], [2000]],
  ['after its time from when a stopped process goes on', [60_000], [2000, 2000]],
])('silence ends %s', async (_, lates, expected) => {
  const { clock, sleeps } = lateBy(...lates)
  const watch = createWatch(clock, 2000)
  await expect(watch.race(new Promise(() => undefined))).rejects.toThrow('no answer within 2 s')
  expect([sleeps, watch.signal.aborted]).toEqual([expected, true])
})

test('what came while the process was stopped is taken', async () => {
  const { clock } = lateBy(60_000)
  const watch = createWatch(clock, 2000)
  expect(await watch.race(clock.sleep(62_500).then(() => 'answer'))).toBe('answer')
  watch.end()
})
