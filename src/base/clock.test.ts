// The clocks: order of waking, jumps, holds, aborts, and long waits of the real one.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fc } from '../../test/builders/properties.ts'
import { realClock, virtualClock } from './clock.ts'

describe('virtualClock', () => {
  test('jumps by itself to each sleeper, in order of time, then of coming', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { minLength: 1, maxLength: 40 }), async (waits) => {
        const clock = virtualClock()
        const woken: { readonly ms: number; readonly index: number }[] = []
        const sleepOne = async (ms: number, index: number): Promise<void> => {
          await clock.sleep(ms)
          expect(clock.now()).toBe(ms)
          woken.push({ ms, index })
        }
        await Promise.all(waits.map(sleepOne))
        expect(woken).toEqual(waits.map((ms, index) => ({ ms, index })).toSorted((a, b) => a.ms - b.ms || a.index - b.index))
      }),
    )
  })

  test('passes an hour of chained waits at once, and wall time with it', async () => {
    const clock = virtualClock(1_000_000)
    for (let minute = 0; minute < 60; minute += 1) await clock.sleep(60_000)
    expect(clock.now()).toBe(3_600_000)
    expect(clock.wall()).toBe(4_600_000)
  })

  test('stands still while work is held', async () => {
    const clock = virtualClock()
    const slept = clock.sleep(1000)
    const seen = await clock.hold(
      (async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return clock.now()
      })(),
    )
    expect(seen).toBe(0)
    await slept
    expect(clock.now()).toBe(1000)
  })

  test('lets go of work that fails', async () => {
    const clock = virtualClock()
    await expect(clock.hold(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await clock.sleep(5)
    expect(clock.now()).toBe(5)
  })

  test('who is aborted is rejected with the reason and takes no time', async () => {
    const clock = virtualClock()
    const stop = new AbortController()
    const long = clock.sleep(1_000_000, stop.signal)
    const short = clock.sleep(10)
    stop.abort(new Error('enough'))
    await expect(long).rejects.toThrow('enough')
    await short
    await clock.sleep(10)
    expect(clock.now()).toBe(20)
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough')
  })

  test('by hand, only advance moves it, through what the woken begin', async () => {
    const clock = virtualClock(0, false)
    const times: number[] = []
    const run = async (): Promise<void> => {
      await Promise.resolve()
      for (const ms of [10, 20, 30]) {
        await clock.sleep(ms)
        times.push(clock.now())
      }
    }
    const running = run()
    await clock.advance(29)
    expect(times).toEqual([10])
    await clock.advance(1)
    expect(times).toEqual([10, 30])
    await clock.advance(100)
    expect(times).toEqual([10, 30, 60])
    expect(clock.now()).toBe(130)
    await running
  })
})

describe('realClock', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('waits the scaled time', async () => {
    vi.useFakeTimers()
    const clock = realClock(60)
    const woken = vi.fn<() => void>()
    void clock.sleep(60_000).then(woken)
    await vi.advanceTimersByTimeAsync(998)
    expect(woken).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(4)
    expect(woken).toHaveBeenCalledOnce()
    expect(clock.now()).toBeGreaterThanOrEqual(59_900)
  })

  test('waits longer than a timer can', async () => {
    vi.useFakeTimers()
    const clock = realClock()
    const woken = vi.fn<() => void>()
    const days = 86_400_000
    void clock.sleep(60 * days).then(woken)
    await vi.advanceTimersByTimeAsync(59 * days)
    expect(woken).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(days + 10)
    expect(woken).toHaveBeenCalledOnce()
  })

  test('an abort ends the wait and its timer', async () => {
    vi.useFakeTimers()
    const stop = new AbortController()
    const waiting = realClock().sleep(1000, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('what the machine slept is told by the wall clock, and is not taken back when that is put right', () => {
  const start = Date.now()
  const wall = vi.spyOn(Date, 'now')
  const at = (aheadMs: number): number => {
    wall.mockImplementation(() => start + aheadMs)
    return Math.round((clock.asleepMs?.() ?? 0) / 1000)
  }
  wall.mockImplementation(() => start)
  const clock = realClock()
  expect([0, 400, 60_000, 60_200, 0, 30_000, 30_000].map(at)).toEqual([0, 0, 60, 60, 60, 90, 90])
  wall.mockRestore()
})
