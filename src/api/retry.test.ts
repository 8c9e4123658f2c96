// Backoff, Retry-After and the retry quota.
import { describe, expect, test } from 'vitest'
import { virtualClock } from '../base/clock.ts'
import { backoffMs, createRetryQuota, retryAfterMs, waitMs } from './retry.ts'

const date = 'Thu, 01 Jan 2026 00:00:00 GMT'

describe('backoffMs', () => {
  test('doubles up to the cap and takes a random share', () => {
    expect([0, 1, 2, 9, 30].map((attempt) => backoffMs('transient', attempt, () => 1))).toEqual([50, 100, 200, 20_000, 20_000])
    expect(backoffMs('throttled', 1, () => 0.25)).toBe(500)
  })
})

describe('retryAfterMs', () => {
  test.each([
    ['3', 3000],
    [' 0 ', 0],
    ['0.5', 500],
    ['301', 300_000],
    ['1000000000000', 300_000],
    ['1e12', undefined],
    ['-1', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['', undefined],
    ['soon', undefined],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7000],
    ['Thu, 01 Jan 2026 09:00:00 GMT', 300_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', undefined],
    ['Thu, 99 Foo 2026 00:00:00 GMT', undefined],
  ])('%j is %j', (text, ms) => {
    expect(retryAfterMs({ 'retry-after': text, date })).toBe(ms)
  })

  test('a date means nothing without the date of the answer', () => {
    expect(retryAfterMs({ 'retry-after': date })).toBeUndefined()
    expect(retryAfterMs({})).toBeUndefined()
  })
})

describe('waitMs', () => {
  test('is never shorter than told', () => {
    for (const random of [0, 0.5, 0.999]) {
      const ms = waitMs('throttled', 0, 30_000, () => random)
      expect(ms).toBeGreaterThanOrEqual(30_000)
      expect(ms).toBeLessThanOrEqual(31_000)
    }
  })
})

describe('createRetryQuota', () => {
  test('lasts for 35 transient retries, then pays them out by time', async () => {
    const clock = virtualClock()
    const quota = createRetryQuota(clock)
    const waits = Array.from({ length: 37 }, () => quota.take('transient'))
    expect(waits.slice(0, 35).every((ms) => ms === 0)).toBe(true)
    expect(waits[35]).toBeCloseTo((4 / 14) * 1000)
    expect(waits[36]).toBeCloseTo((18 / 14) * 1000)
    await clock.advance(60_000)
    expect(quota.take('transient')).toBe(0)
  })

  test('successes give back what their last retry took', () => {
    const quota = createRetryQuota(virtualClock())
    for (let i = 0; i < 1000; i += 1) {
      expect(quota.take('throttled')).toBe(0)
      quota.succeeded('throttled')
    }
  })
})
