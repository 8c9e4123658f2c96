// The clock of a sandbox: every course, switching between them, and what falls due on the way.
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { realClock, virtualClock } from '../../base/clock.ts'
import type { TimedSource } from './sandbox-clock.ts'
import { clockModes, LAST_MS, sandboxClock, UnreachableInstant } from './sandbox-clock.ts'

const START = Date.UTC(2026, 0, 1)

function frozen(mode: 'frozen' | 'jumping' = 'frozen') {
  return sandboxClock({ base: virtualClock(START, false), mode })
}

/** Things that happen at instants, and at what time they saw themselves happen. */
function sourceOf(clock: Clock, instants: readonly number[]): TimedSource & { readonly seen: number[] } {
  const left = [...instants]
  const seen: number[] = []
  return {
    seen,
    nextMs: () => (left[0] === undefined ? undefined : START + left[0]),
    run() {
      while (left[0] !== undefined && START + left[0] <= clock.wall()) {
        left.shift()
        seen.push(clock.wall() - START)
      }
    },
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a frozen clock', () => {
  test('stands until it is advanced, through sleepers and instants in order', async () => {
    const clock = frozen()
    const source = sourceOf(clock, [5, 15, 40])
    clock.follow(source)
    const woken: number[] = []
    const chain = (async () => {
      await clock.sleep(10)
      woken.push(clock.now())
      await clock.sleep(10)
      woken.push(clock.now())
    })()
    await turns()
    expect([clock.now(), woken, source.seen]).toEqual([0, [], []])
    expect(await clock.advance(30)).toBe(4)
    await chain
    expect([clock.wall(), woken, source.seen]).toEqual([START + 30, [10, 20], [5, 15]])
  })

  test('goes as far as all who advance it at once have asked for, one after the other', async () => {
    const clock = frozen()
    const source = sourceOf(clock, [5, 15, 25])
    clock.follow(source)
    const passages = await Promise.all([clock.pass({ ms: 10 }), clock.pass({ toMs: START + 12 }), clock.advance(10), clock.pass({ until: 'idle' })])
    expect(passages).toEqual([{ movedMs: 10, instants: 1 }, { movedMs: 2, instants: 0 }, 1, { movedMs: 3, instants: 1 }])
    expect(clock.now()).toBe(25)
    await expect(Promise.all([clock.advance(10), clock.pass({ toMs: START + 30 })])).rejects.toThrow('does not go back')
    expect([await clock.advance(1), clock.now()]).toEqual([0, 36])
  })

  test('goes no further for who asked before it was halted', async () => {
    const clock = frozen()
    const source = sourceOf(clock, [5, 15])
    clock.follow(source)
    let isHalted = false
    const run = (): void => {
      if (clock.now() === 5 && !isHalted) clock.halt()
      isHalted = clock.now() === 5
    }
    clock.follow({ nextMs: () => undefined, run })
    expect(await Promise.all([clock.pass({ ms: 100 }), clock.pass({ until: 'idle' })])).toEqual([
      { movedMs: 5, instants: 1 },
      { movedMs: 0, instants: 0 },
    ])
    expect([await clock.advance(10), clock.now(), source.seen]).toEqual([1, 15, [5, 15]])
  })

  test('jumps when it is told, to what is due next', async () => {
    const clock = frozen()
    const source = sourceOf(clock, [7, 9])
    clock.follow(source)
    expect([await clock.jump(), clock.now(), await clock.jump(), clock.now(), await clock.jump(), clock.now()]).toEqual([true, 7, true, 9, false, 9])
    expect(source.seen).toEqual([7, 9])
  })

  test('a source that has nothing new to do does not hold time up', async () => {
    const clock = frozen()
    clock.follow({ nextMs: () => START + 5, run: () => undefined })
    expect([await clock.advance(20), clock.now()]).toEqual([1, 20])
  })
})

test('who is due already is woken while a clock stands, in order, and nobody else', async () => {
  const base = virtualClock(START, false)
  const clock = sandboxClock({ base })
  const woken: string[] = []
  const wakes = (name: string) => (): void => void woken.push(name)
  void clock.sleep(10).then(wakes('overdue'))
  clock.set('frozen')
  await clock.advance(5)
  void clock.sleep(0).then(wakes('at once'))
  void clock.doze(-1).then(wakes('dozing'))
  void clock.sleep(1).then(wakes('later'))
  await turns()
  expect([woken, clock.now()]).toEqual([['at once', 'dozing'], 5])
  await clock.advance(1)
  expect(woken).toEqual(['at once', 'dozing', 'later'])
  const passage = clock.advance(4)
  void clock.sleep(0).then(() => clock.sleep(0).then(wakes('before time goes on')))
  await passage
  expect(woken.slice(3)).toEqual(['before time goes on', 'overdue'])
})

describe('where time ends', () => {
  const clockAt = (leftMs: number, mode: 'scaled' | 'frozen' | 'jumping', base = virtualClock(START, false)) =>
    sandboxClock({ base, mode, startWallMs: LAST_MS - leftMs })

  test('no advance leads beyond it, and what is due later never comes', async () => {
    const clock = clockAt(100, 'frozen')
    clock.follow({ nextMs: () => LAST_MS + 1, run: () => undefined })
    let woken = 0
    void clock.sleep(101).then(() => (woken += 1))
    for (const distance of [{ ms: 101 }, { toMs: LAST_MS + 1 }, { ms: Number.MAX_VALUE }])
      await expect(clock.pass(distance)).rejects.toThrow(UnreachableInstant)
    expect([await clock.pass({ until: 'idle' }), await clock.jump(), clock.wall()]).toEqual([{ movedMs: 0, instants: 0 }, false, LAST_MS - 100])
    await clock.pass({ toMs: LAST_MS })
    expect([clock.wall(), await clock.advance(0), woken]).toEqual([LAST_MS, 0, 0])
  })

  test('a scaled clock stands still, and goes on from where it is set back to', async () => {
    const base = virtualClock(START, false)
    const clock = clockAt(100, 'scaled', base)
    void clock.sleep(1000)
    await base.advance(1000)
    expect([clock.wall(), clock.baseMsUntil(LAST_MS + 1)]).toEqual([LAST_MS, undefined])
    clock.show(START)
    expect(clock.wall()).toBe(START)
    await base.advance(1)
    expect(clock.wall()).toBe(START + 60)
    expect(sandboxClock({ base, startWallMs: 9e15 }).wall()).toBe(LAST_MS)
  })

  test('a jumping clock does not go there for who sleeps longer', async () => {
    const clock = clockAt(100, 'jumping')
    let woken = 0
    void clock.sleep(101).then(() => (woken += 1))
    await clock.sleep(50)
    await turns()
    expect([clock.wall(), woken]).toEqual([LAST_MS - 50, 0])
  })
})

test('what is overdue when a clock is stopped is done before all else', async () => {
  const base = virtualClock(START, false)
  const told: number[] = []
  const clock = sandboxClock({ base, moved: (wallMs) => told.push(wallMs) })
  const source = sourceOf(clock, [5, 40])
  await base.advance(10)
  clock.set('frozen')
  expect(told).toEqual([START + 10])
  clock.follow(source)
  await clock.pass({ until: 'idle' })
  expect([clock.wall(), source.seen]).toEqual([START + 40, [10, 40]])
  expect(told).toEqual([START + 10, START + 40])
})

describe('a jumping clock', () => {
  test('jumps to each sleeper by itself, past the instants on the way, and not without sleepers', async () => {
    const clock = frozen('jumping')
    const source = sourceOf(clock, [500, 5000])
    clock.follow(source)
    await turns()
    expect(clock.now()).toBe(0)
    await Promise.all([clock.sleep(3000), clock.sleep(1000)])
    expect([clock.now(), source.seen]).toEqual([3000, [500]])
  })

  test('who stops waiting takes no time', async () => {
    const clock = frozen('jumping')
    const stop = new AbortController()
    const long = clock.sleep(1_000_000, stop.signal)
    stop.abort(new Error('enough'))
    await expect(long).rejects.toThrow('enough')
    await clock.sleep(10)
    expect(clock.now()).toBe(10)
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough')
  })
})

describe('who dozes', () => {
  /** Dozes again and again, and says when it woke. */
  function dozing(clock: ReturnType<typeof frozen>, ms: number): readonly number[] {
    const woken: number[] = []
    const again = async (): Promise<never> => {
      for (;;) {
        await clock.doze(ms)
        woken.push(clock.now())
      }
    }
    void again()
    return woken
  }

  test('makes no time jump, and is woken in order where time goes on for another', async () => {
    const clock = frozen('jumping')
    const source = sourceOf(clock, [15])
    clock.follow(source)
    const woken = dozing(clock, 10)
    await turns()
    expect([clock.now(), woken]).toEqual([0, []])
    await clock.sleep(30)
    await turns()
    expect([clock.now(), woken, source.seen]).toEqual([30, [10, 20, 30], [15]])
  })

  test('is passed by a jump, is no reason for one, and is woken by an advance', async () => {
    const clock = frozen()
    const source = sourceOf(clock, [25])
    clock.follow(source)
    const woken = dozing(clock, 10)
    expect([await clock.jump(), clock.now(), woken]).toEqual([true, 25, [10, 20]])
    expect([await clock.jump(), clock.now()]).toEqual([false, 25])
    expect([await clock.advance(20), clock.now(), woken]).toEqual([2, 45, [10, 20, 30, 40]])
  })

  test('sees what has become due while a clock runs, even where that failed', async () => {
    const base = virtualClock(START, false)
    const clock = sandboxClock({ base })
    const source = sourceOf(clock, [5])
    clock.follow(source)
    clock.follow({
      nextMs: () => undefined,
      run() {
        throw new Error('no room')
      },
    })
    const seen: unknown[] = []
    void clock.doze(10).then(() => seen.push(...source.seen))
    await base.advance(10)
    expect(seen).toEqual([10])
  })
})

describe('a running clock', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('follows its base, scaled, and can be switched at any time', async () => {
    const base = virtualClock(START, false)
    const clock = sandboxClock({ base })
    const woken: number[] = []
    void clock.sleep(1000).then(() => woken.push(clock.now()))
    void clock.sleep(1000).then(() => woken.push(clock.now()))
    await base.advance(400)
    expect([clock.now(), clock.course]).toEqual([400, { mode: 'real', scale: 1 }])
    clock.set('scaled', 100)
    await base.advance(5)
    expect([clock.now(), woken]).toEqual([900, []])
    expect(clock.baseMsUntil(START + 1900)).toBe(10)
    await base.advance(1)
    expect(woken).toEqual([1000, 1000])
    clock.set('frozen')
    await base.advance(60_000)
    expect([clock.now(), clock.baseMsUntil(START + 1900)]).toEqual([1000, undefined])
    await clock.advance(500)
    clock.set('real')
    await base.advance(10)
    expect([clock.now(), clock.wall()]).toEqual([1510, START + 1510])
  })

  test('who sleeps in a frozen clock goes on when it runs again, or jumps', async () => {
    const base = virtualClock(START, false)
    const clock = sandboxClock({ base, mode: 'frozen' })
    const woken: string[] = []
    void clock.sleep(100).then(() => woken.push('first'))
    void clock.sleep(200).then(() => woken.push('second'))
    await base.advance(1000)
    expect(woken).toEqual([])
    clock.set('real')
    await base.advance(150)
    expect(woken).toEqual(['first'])
    clock.set('jumping')
    await turns()
    expect([woken, clock.now()]).toEqual([['first', 'second'], 200])
  })

  test('can be advanced while it runs', async () => {
    const base = virtualClock(START, false)
    const clock = sandboxClock({ base, mode: 'scaled', scale: 10 })
    const source = sourceOf(clock, [100, 70_000])
    clock.follow(source)
    await base.advance(1)
    await clock.advance(60_000)
    expect([clock.now(), source.seen]).toEqual([60_010, [100]])
  })

  test('starts at its own instant, and waits on real timers', async () => {
    vi.useFakeTimers()
    const clock = sandboxClock({ base: realClock(), startWallMs: START })
    const woken = vi.fn<() => void>()
    void clock.sleep(1000).then(woken)
    await vi.advanceTimersByTimeAsync(990)
    expect(woken).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(20)
    expect(woken).toHaveBeenCalledOnce()
    expect(Math.floor(clock.wall() - START)).toBeGreaterThanOrEqual(1000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a scale is a number of seconds in one, and counts in the mode scaled alone', () => {
  const clock = frozen()
  expect(() => Reflect.apply(clock.set, clock, ['frosen'])).toThrow('no clock is called frosen')
  for (const scale of [0, -1, 0.99, 100_001, NaN, Infinity]) expect(() => clock.set('scaled', scale)).toThrow('scale')
  clock.set('scaled')
  expect(clock.course.scale).toBe(60)
  for (const mode of clockModes.filter((one) => one !== 'scaled')) {
    clock.set(mode, 7)
    expect(clock.course).toEqual({ mode, scale: 1 })
  }
})

test('however many wait for one signal, it holds a single listener', async () => {
  const clock = frozen()
  const stop = new AbortController()
  const added = vi.spyOn(stop.signal, 'addEventListener')
  const waiting = Array.from({ length: 50 }, () => clock.sleep(10, stop.signal).catch(() => 'stopped'))
  expect(added.mock.calls).toHaveLength(1)
  stop.abort(new Error('enough'))
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['stopped']))
  expect([await clock.advance(20), clock.now()]).toEqual([0, 20])
})
