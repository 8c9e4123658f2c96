// Pauses that double: where they begin, where they end, and that an attempt however late has one.
import { expect, test } from 'vitest'
import { backoff, slower } from './backoff.ts'

test.each([
  ['doubles from the first to the longest', 200, 2000, [200, 400, 800, 1600, 2000, 2000]],
  ['has no end unless told', 1000, undefined, [1000, 2000, 4000, 8000, 16_000, 32_000]],
  ['is never longer than the longest', 500, 100, [100, 100, 100, 100, 100, 100]],
  ['stays at none', 0, 2000, [0, 0, 0, 0, 0, 0]],
])('%s', (_, first, longest, pauses) => {
  expect(pauses.map((_pause, attempt) => backoff(attempt, first, longest))).toEqual(pauses)
})

test.each([
  [200, 2000],
  [0, 0],
])('after thousands of attempts, %i ms at first are %i ms', (first, pause) => {
  expect(backoff(5000, first, 2000)).toBe(pause)
})

test('between looks a pause grows by half, up to the longest', () => {
  const pauses = [500]
  while (pauses.length < 5) pauses.push(slower(pauses.at(-1) ?? 0, 1200))
  expect(pauses).toEqual([500, 750, 1125, 1200, 1200])
})
