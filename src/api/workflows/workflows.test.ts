// The watcher: few requests for many workflows, and every way in which a workflow may end or not end.
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/builders/random-of.ts'
import { answer, double } from '../../../test/builders/wire-double.ts'
import type { VirtualClock } from '../../base/clock.ts'
import { virtualClock } from '../../base/clock.ts'
import { ApiError } from '../calls/call.ts'
import { compatSchema } from '../calls/compat.ts'
import { createClient } from '../client.ts'
import type { WireRequest, WireResponse } from '../transport/wire.ts'
import type { Watched, WatchOptions } from './workflows.ts'
import { createWatcher } from './workflows.ts'

/** The state of a workflow at a time; undefined where the service does not know it. */
type Life = (ms: number) => string | undefined

interface Service {
  readonly lives: ReadonlyMap<string, Life>
  readonly filters?: boolean
  /** By how many milliseconds a sleep ends too early. */
  readonly earlyMs?: number
  /** Another answer than usual. */
  readonly instead?: (request: WireRequest, clock: VirtualClock) => WireResponse | undefined
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

function completes(atMs: number): Life {
  return (ms) => (ms >= atMs ? 'COMPLETED' : 'RUNNING')
}

function world(service: Service, settings: unknown = {}, shown?: () => ReadonlySet<string>) {
  const clock = virtualClock()
  const record = (id: string, single: boolean) => {
    const state = service.lives.get(id)?.(clock.now())
    return state === undefined
      ? undefined
      : { id, name: 'instance.create', state, data: null, ...(single ? { progress: { completed: 1, total: 4, activities: [] } } : {}) }
  }
  const wire = double((request) => {
    const other = service.instead?.(request, clock)
    if (other) return other
    const url = new URL(`https://host${request.path}`)
    const id = /\/workflows\/(.+)$/.exec(url.pathname)?.[1]
    if (id !== undefined) {
      const one = record(id, true)
      return one ? answer(200, one) : answer(404)
    }
    const asked = service.filters === false ? [...service.lives.keys()] : url.searchParams.getAll('id')
    return answer(200, { items: asked.map((one) => record(one, false)).filter((one) => one !== undefined), hasNext: false, after: null })
  })
  const client = createClient({ transport: wire.transport, token: 't', clock, random: randomOf(1), compat: compatSchema.parse(settings), userAgent: 'iac/0' })
  const warnings: string[] = []
  const { earlyMs } = service
  const napping =
    earlyMs === undefined ? clock : { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(Math.max(earlyMs, ms - earlyMs), signal) }
  const watcher = createWatcher({ client, clock: napping, random: randomOf(2), shown, onWarning: (text) => warnings.push(text) })
  const watch = (number: number, options: Partial<WatchOptions> = {}): Promise<Watched> => watcher.watch('1', uuid(number), { deadlineMs: 600_000, ...options })
  return { clock, watcher, watch, warnings, ...wire }
}

function lives(...each: Life[]): ReadonlyMap<string, Life> {
  return new Map(each.map((life, index) => [uuid(index), life]))
}

describe('watch', () => {
  test('a workflow that completes is seen soon, with few looks', async () => {
    for (const atMs of [0, 100, 1000, 10_000, 120_000]) {
      const { watch, clock, requests } = world({ lives: lives(completes(atMs)) })
      expect(await watch(0)).toMatchObject({ is: 'ended', state: 'COMPLETED', workflow: { id: uuid(0) } })
      expect(clock.now() - atMs).toBeLessThanOrEqual(Math.max(250, Math.min(atMs * 0.35, 18_000)))
      expect(requests.length).toBeLessThan(35)
      const early = world({ lives: lives(completes(atMs)), earlyMs: 0.5 })
      await early.watch(0)
      expect([early.requests.length, Math.round(early.clock.now())]).toEqual([requests.length, Math.round(clock.now())])
    }
  })

  test.each(['FAILED', 'ABORTED', 'TIMED_OUT', 'failed'])('%s ends it', async (state) => {
    expect(await world({ lives: lives(() => state) }).watch(0)).toMatchObject({ is: 'ended', state: state.toUpperCase() })
  })

  test('two hundred workflows cost a listing per tick, in batches of ids', async () => {
    const { watch, requests, seen } = world({ lives: lives(...Array.from({ length: 200 }, (_, index) => completes(20_000 + index))) })
    const ended = await Promise.all(Array.from({ length: 200 }, (_, index) => watch(index)))
    expect(ended.every((one) => one.is === 'ended')).toBe(true)
    expect(requests.length).toBeLessThan(100)
    expect(seen().filter((one) => /workflows\/./.test(one)).length).toBeLessThanOrEqual(1)
  })

  test('those that begin within a moment are looked at together', async () => {
    const { watch, clock, seen } = world({ lives: lives(completes(80), completes(110), completes(125)) })
    const first = watch(0)
    await clock.sleep(30)
    const second = watch(1)
    await clock.sleep(15)
    await Promise.all([first, second, watch(2)])
    expect(seen()).toHaveLength(1)
    expect(clock.now()).toBeLessThan(200)
  })

  test('a listing that ignores ids is given up for single fetches in turns', async () => {
    const service = { filters: false, lives: lives(...Array.from({ length: 120 }, () => completes(5000))) }
    const { watch, seen } = world(service)
    const ended = await Promise.all(Array.from({ length: 120 }, (_, index) => watch(index)))
    expect(ended.every((one) => one.is === 'ended')).toBe(true)
    expect(seen().filter((one) => one.includes('workflows?')).length).toBeLessThanOrEqual(3)
  })

  test('a listing that lacks them is replaced by single fetches', async () => {
    const { watch, seen } = world({
      lives: lives(completes(60_000), completes(60_000)),
      instead: (request) => (request.path.includes('workflows?') ? answer(200, { items: [] }) : undefined),
    })
    expect(await Promise.all([watch(0), watch(1)])).toMatchObject([{ is: 'ended' }, { is: 'ended' }])
    expect(seen().filter((one) => one.includes('workflows?')).length).toBeLessThanOrEqual(2)
  })

  test('a listing that fails holds nobody up for longer than once', async () => {
    const endsMs = [400_000, 65_000, 100_000, 200_000]
    const { watch, clock } = world({
      lives: lives(...endsMs.map(completes)),
      instead: (request) => (request.path.includes('workflows?') ? answer(500) : undefined),
    })
    const lateMs = endsMs.map(async (endMs, number) => ((await watch(number)).is === 'ended' ? clock.now() - endMs : Infinity))
    expect(Math.max(...(await Promise.all(lateMs)))).toBeLessThan(20_000)
  })

  test('a listing that failed for a while is used again', async () => {
    const { watch, seen } = world({
      lives: lives(completes(500_000), completes(500_000)),
      instead: (request, { now }) => (request.path.includes('workflows?') && now() < 100_000 ? answer(500) : undefined),
    })
    expect(await Promise.all([watch(0), watch(1)])).toMatchObject([{ is: 'ended' }, { is: 'ended' }])
    expect(seen().filter((one) => one.includes('workflows/')).length).toBeGreaterThan(0)
    expect(
      seen()
        .slice(-10)
        .every((one) => one.includes('workflows?')),
    ).toBe(true)
  })

  test('one is first looked at when its like have taken that long, and others as soon as ever', async () => {
    const { watch, seen, clock } = world({ lives: lives(completes(10_000), completes(50_000), completes(50_500), completes(50_300)) })
    expect(await watch(0, { like: 'create' })).toMatchObject({ is: 'ended' })
    const tookMs = clock.now()
    await clock.sleep(40_000 - tookMs)
    const before = seen().length
    const [, other] = [watch(1, { like: 'create' }), watch(2, { like: 'delete' })]
    const early = watch(3, { like: 'create' })
    expect(await early).toMatchObject({ is: 'ended' })
    expect(clock.now()).toBeLessThan(53_000)
    const asked = seen().slice(before)
    expect(asked.some((one) => one.includes(uuid(2)))).toBe(true)
    expect(asked.filter((one) => one.includes(uuid(1))).length).toBeLessThan(5)
    expect(asked.filter((one) => one.includes(uuid(1)))).toHaveLength(asked.filter((one) => one.includes(uuid(3))).length)
    expect(await other).toMatchObject({ is: 'ended' })
  })

  test('one slow workflow holds up the first look at none of its like for longer than other looks, nor beyond a watch', async () => {
    const { watch, clock } = world({ lives: lives(completes(900_000), completes(901_000), completes(2_000_000)) })
    const options = { deadlineMs: 3_600_000, like: 'create' }
    expect(await watch(0, options)).toMatchObject({ is: 'ended' })
    const begunMs = clock.now()
    expect(await watch(1, options)).toMatchObject({ is: 'ended' })
    expect(clock.now() - begunMs).toBeLessThanOrEqual(16_000)
    expect(await watch(2, { ...options, deadlineMs: 20_000 })).toMatchObject({ is: 'timeout', workflow: { state: 'RUNNING' } })
  })

  test('404 right after acceptance is lag, later the workflow is lost', async () => {
    const lagging = world({ lives: lives((ms) => (ms < 6000 ? undefined : ms < 9000 ? 'RUNNING' : 'COMPLETED')) })
    expect(await lagging.watch(0)).toMatchObject({ is: 'ended', state: 'COMPLETED' })
    const gone = world({ lives: lives((ms) => (ms < 30_000 ? 'RUNNING' : undefined)) })
    expect(await gone.watch(0)).toMatchObject({ is: 'lost' })
    expect(gone.clock.now()).toBeGreaterThan(40_000)
    expect(gone.clock.now()).toBeLessThan(70_000)
    for (let phase = 0; phase < 20_000; phase += 1000) {
      const flickering = world({ lives: lives((ms) => ((ms + phase) % 20_000 < 4000 ? undefined : ms < 90_000 ? 'RUNNING' : 'COMPLETED')) })
      expect(await flickering.watch(0)).toMatchObject({ is: 'ended' })
    }
    const never = world({ lives: lives() })
    expect(await never.watch(0)).toMatchObject({ is: 'lost' })
    expect(never.clock.now()).toBeGreaterThan(10_000)
  })

  test('a terminal state is not remembered: who watches again is told what is true now', async () => {
    const { watch, clock } = world({ lives: lives((ms) => (ms < 1000 ? 'COMPLETED' : ms < 5000 ? 'RUNNING' : 'FAILED')) })
    expect(await watch(0)).toMatchObject({ state: 'COMPLETED' })
    await clock.sleep(1000)
    expect(await watch(0)).toMatchObject({ state: 'FAILED' })
  })

  test('an unknown state is taken as running and named once', async () => {
    const life: Life = (ms) => (ms < 30_000 ? 'PAUSED' : 'COMPLETED')
    const { watch, warnings } = world({ lives: lives(life, life) })
    expect(await Promise.all([watch(0), watch(1)])).toMatchObject([{ is: 'ended' }, { is: 'ended' }])
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('"PAUSED"')
  })

  test('one that never ends times out, to the moment', async () => {
    const { watch, clock } = world({ lives: lives(() => 'QUEUED', completes(400_000)) })
    const other = watch(1)
    expect(await watch(0, { deadlineMs: 90_000 })).toMatchObject({ is: 'timeout', workflow: { state: 'QUEUED' } })
    expect(clock.now()).toBeGreaterThanOrEqual(90_000)
    expect(clock.now()).toBeLessThan(90_100)
    expect(await other).toMatchObject({ is: 'ended' })
  })

  test('trouble of the service ends no watch, being forbidden does', async () => {
    const troubled = world({ lives: lives(completes(1000), completes(1000)), instead: (_, clock) => (clock.now() < 150_000 ? answer(500) : undefined) })
    expect(await Promise.all([troubled.watch(0), troubled.watch(1)])).toMatchObject([{ is: 'ended' }, { is: 'ended' }])
    const forbidden = world({ lives: lives(completes(1000)), instead: () => answer(401) })
    await expect(forbidden.watch(0)).rejects.toBeInstanceOf(ApiError)
  })

  test('the signal ends one watch and leaves the others', async () => {
    const { watch, clock } = world({ lives: lives(completes(20_000), completes(20_000)) })
    const stop = new AbortController()
    const other = watch(1)
    const stopped = watch(0, { signal: stop.signal })
    void clock.sleep(3000).then(() => stop.abort(new Error('stopped')))
    await expect(stopped).rejects.toThrow('stopped')
    expect(clock.now()).toBe(3000)
    expect(await other).toMatchObject({ is: 'ended' })
  })

  test('progress is fetched for what is shown alone', async () => {
    const { watch, seen } = world({ lives: lives(completes(10_000), completes(10_000), completes(10_000)) }, {}, () => new Set([uuid(1)]))
    const progress: unknown[] = []
    await Promise.all([watch(0), watch(1, { onProgress: (workflow) => progress.push(workflow.progress) }), watch(2)])
    expect(progress[0]).toEqual({ completed: 1, total: 4 })
    const singles = seen().filter((one) => /workflows\/./.test(one))
    expect(singles.length).toBeGreaterThan(3)
    expect(singles.every((one) => one.endsWith(uuid(1)))).toBe(true)
  })

  test('progress is fetched of all that a terminal of 24 rows shows, and follows what it shows', async () => {
    const count = 30
    let shown: readonly string[] = Array.from({ length: 22 }, (_, at) => uuid(at))
    const { watch, clock } = world({ lives: lives(...Array.from({ length: count }, () => completes(30_000))) }, {}, () => new Set(shown))
    const told = new Map<string, number>()
    const onProgress = (workflow: { readonly id: string; readonly progress?: unknown }): void => {
      if (workflow.progress) told.set(workflow.id, clock.now())
    }
    const all = Promise.all(Array.from({ length: count }, (_, at) => watch(at, { onProgress })))
    await clock.sleep(10_000)
    expect([...told.keys()].toSorted()).toEqual([...shown])
    shown = [uuid(29)]
    await clock.sleep(10_000)
    expect([...told].filter(([, atMs]) => atMs > 15_000).map(([id]) => id)).toEqual([uuid(29)])
    await all
  })

  test('without a workspace the workflow itself is asked', async () => {
    const { watcher, seen } = world({ lives: lives(completes(500)) })
    expect(await watcher.watch(undefined, uuid(0), { deadlineMs: 60_000 })).toMatchObject({ is: 'ended' })
    expect(new Set(seen())).toEqual(new Set([`GET /v1/workflows/${uuid(0)}`]))
  })
})
