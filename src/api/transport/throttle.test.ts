// The limiter against services of known capacity, on the virtual clock: how much of it is used, and how much is refused.
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/builders/random-of.ts'
import type { VirtualClock } from '../../base/clock.ts'
import { virtualClock } from '../../base/clock.ts'
import { backoffMs } from '../retry.ts'
import type { Ending } from './rate-limit.ts'
import type { Throttle } from './throttle.ts'
import { createThrottle } from './throttle.ts'

interface Figures {
  readonly servedPerS: number
  readonly refusedShare: number
  readonly mostAtOnce: number
}

/** A service: answers after some time, or refuses, after some time as well. */
type Service = (clock: VirtualClock) => () => Promise<Ending>

const slots =
  (k: number, ms: number, refusalMs: number): Service =>
  (clock) => {
    let busy = 0
    return async () => {
      if (busy >= k) {
        await clock.sleep(refusalMs)
        return { as: 'refused' }
      }
      busy += 1
      await clock.sleep(ms)
      busy -= 1
      return { as: 'answered' }
    }
  }

const placesOverTime =
  (places: (ms: number) => number, takesMs: () => number = () => 20): Service =>
  (clock) => {
    let busy = 0
    return async () => {
      if (busy >= places(clock.now())) {
        await clock.sleep(2)
        return { as: 'refused' }
      }
      busy += 1
      await clock.sleep(takesMs())
      busy -= 1
      return { as: 'answered' }
    }
  }

/** A service with k places that refuses nobody: callers wait in its queue. */
async function queueing(k: number, ms: number, untilMs: number) {
  const clock = virtualClock()
  const throttle = createThrottle(clock)
  const freeAt = Array.from({ length: k }, () => 0)
  let served = 0
  async function caller(): Promise<void> {
    while (clock.now() < untilMs) {
      const ticket = await throttle.enter('GET /v1/things', 'normal')
      const place = freeAt.indexOf(Math.min(...freeAt))
      freeAt[place] = Math.max(freeAt[place] ?? 0, clock.now()) + ms
      await clock.sleep((freeAt[place] ?? 0) - clock.now())
      ticket.end({ as: 'answered' })
      served += 1
    }
  }
  await Promise.all(Array.from({ length: 200 }, caller))
  return { state: throttle.state(), servedPerS: (served * 1000) / untilMs }
}

const tokens =
  (perS: number, burst: number, ms: number, retryAfterMs?: number): Service =>
  (clock) => {
    let level = burst
    let at = 0
    return async () => {
      level = Math.min(burst, level + ((clock.now() - at) / 1000) * perS)
      at = clock.now()
      const refused = level < 1
      if (!refused) level -= 1
      await clock.sleep(ms)
      return refused ? { as: 'refused', retryAfterMs } : { as: 'answered' }
    }
  }

/** Runs callers that always have another call, and tells what happened from `fromMs` to `toMs`. */
async function load(service: Service, callers: number, fromMs: number, toMs: number, parallelism?: number): Promise<Figures> {
  const clock = virtualClock()
  const throttle = createThrottle(clock, parallelism)
  const send = service(clock)
  const random = randomOf(7)
  let served = 0
  let refused = 0
  let mostAtOnce = 0
  async function caller(): Promise<void> {
    for (let tries = 0; clock.now() < toMs;) {
      const ending = await one(throttle, send, () => (mostAtOnce = Math.max(mostAtOnce, throttle.state().underWay)))
      const counts = clock.now() >= fromMs && clock.now() < toMs
      if (counts && ending.as === 'answered') served += 1
      if (counts && ending.as === 'refused') refused += 1
      tries = ending.as === 'refused' ? tries + 1 : 0
      if (tries > 0) await clock.sleep(Math.max(ending.retryAfterMs ?? 0, backoffMs('throttled', tries - 1, random)))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { servedPerS: (served * 1000) / (toMs - fromMs), refusedShare: refused / (served + refused), mostAtOnce }
}

async function one(throttle: Throttle, send: () => Promise<Ending>, admitted: () => void): Promise<Ending> {
  const ticket = await throttle.enter('GET /v1/things', 'normal')
  admitted()
  const ending = await send()
  ticket.end(ending)
  return ending
}

describe('a service with k places, 20 ms a call, from a cold start', () => {
  for (const k of [2, 8, 32])
    for (const refusalMs of [0, 1, 20]) {
      test(`k = ${k}, a refusal takes ${refusalMs} ms`, async () => {
        const cold = await load(slots(k, 20, refusalMs), 200, 0, 5000)
        const warm = await load(slots(k, 20, refusalMs), 200, 5000, 15_000)
        expect(warm.servedPerS).toBeGreaterThanOrEqual(0.8 * (k / 0.02))
        expect(warm.refusedShare).toBeLessThanOrEqual(0.02)
        expect(cold.refusedShare).toBeLessThanOrEqual(0.02)
      })
    }
})

test('a bound that holds is tried ever less often: in the end every 30 s, not every 2', async () => {
  const { servedPerS, refusedShare } = await load(slots(4, 20, 1), 20, 60_000, 120_000)
  expect(refusedShare * servedPerS * 60).toBeLessThan(4)
})

describe('services that change', () => {
  test('one that shrinks from 32 places to 4, and grows again', async () => {
    const figures = async (fromMs: number, toMs: number) =>
      load(
        placesOverTime((ms) => (ms < 10_000 || ms >= 40_000 ? 32 : 4)),
        200,
        fromMs,
        toMs,
      )
    const small = await figures(15_000, 40_000)
    expect(small.servedPerS).toBeGreaterThan(0.8 * (4 / 0.02))
    expect(small.refusedShare).toBeLessThan(0.02)
    const large = await figures(75_000, 90_000)
    expect(large.servedPerS).toBeGreaterThan(0.8 * (32 / 0.02))
    expect(large.refusedShare).toBeLessThan(0.02)
  })

  test('one whose answers take 5 to 60 ms', async () => {
    const random = randomOf(11)
    const figures = await load(
      placesOverTime(
        () => 8,
        () => 5 + random() * 55,
      ),
      200,
      5000,
      20_000,
    )
    expect(figures.servedPerS).toBeGreaterThan(0.8 * (8 / 0.0325))
    expect(figures.refusedShare).toBeLessThan(0.02)
  })

  test('one that makes callers queue is sent less, and its latency stays bounded', async () => {
    const { state, servedPerS } = await queueing(8, 20, 20_000)
    expect(state.limit).toBeLessThan(64)
    expect(servedPerS).toBeGreaterThan(0.95 * (8 / 0.02))
  })

  test('one whose answers all come 30 s late is asked for little at once', async () => {
    const clock = virtualClock()
    const throttle = createThrottle(clock)
    let ms = 20
    const one = async () => {
      const ticket = await throttle.enter('GET /v1/things', 'normal')
      await clock.sleep(ms)
      ticket.end({ as: 'answered' })
    }
    await Promise.all(Array.from({ length: 2000 }, one))
    const before = throttle.state().limit
    ms = 30_000
    await Promise.all(Array.from({ length: 600 }, one))
    expect(before).toBeGreaterThan(60)
    expect(throttle.state().limit).toBeLessThan(before / 2)
  })
})

describe('who comes first', () => {
  test('polls wait for everything else, but not for ever', async () => {
    const clock = virtualClock()
    const throttle = createThrottle(clock, 1)
    const order: string[] = []
    const one = async (name: string, priority: 'normal' | 'poll', ms: number) => {
      const ticket = await throttle.enter('GET /v1/things', priority)
      order.push(name)
      await clock.sleep(ms)
      ticket.end({ as: 'answered' })
    }
    await Promise.all([one('first', 'normal', 10), one('poll', 'poll', 10), one('second', 'normal', 10), one('third', 'normal', 10)])
    expect(order).toEqual(['first', 'second', 'third', 'poll'])
    await Promise.all([one('a', 'normal', 1500), one('late poll', 'poll', 10), one('b', 'normal', 1500), one('c', 'normal', 10)])
    expect(order.slice(4)).toEqual(['a', 'b', 'late poll', 'c'])
  })

  test('a place that is given up is free for the next', async () => {
    const clock = virtualClock()
    const throttle = createThrottle(clock, 1)
    const ticket = await throttle.enter('GET /v1/things', 'normal')
    const stop = new AbortController()
    const left = throttle.enter('GET /v1/things', 'normal', stop.signal)
    const next = throttle.enter('GET /v1/things', 'normal')
    stop.abort(new Error('stopped'))
    await expect(left).rejects.toThrow('stopped')
    expect(throttle.state()).toEqual({ limit: 1, underWay: 1, waiting: 1 })
    ticket.end({ as: 'answered' })
    ticket.end({ as: 'answered' })
    await next
    expect(throttle.state()).toEqual({ limit: 1, underWay: 1, waiting: 0 })
  })
})

describe('other services', () => {
  test('one that refuses nothing is used up to the cap', async () => {
    const figures = await load(slots(Infinity, 20, 0), 200, 2000, 4000, 64)
    expect(figures.mostAtOnce).toBe(64)
    expect(figures.servedPerS).toBeGreaterThan(0.95 * (64 / 0.02))
  })

  test.each([
    [10, undefined],
    [50, undefined],
    [50, 1000],
  ])('one that takes %d a second (Retry-After %j)', async (perS, retryAfterMs) => {
    const figures = await load(tokens(perS, perS, 20, retryAfterMs), 100, 10_000, 70_000)
    expect(figures.servedPerS).toBeGreaterThan(0.6 * perS)
    expect(figures.refusedShare).toBeLessThan(0.1)
  })
})
