// A sandbox with its clock: waits that cost nothing, with every state on the way.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { instanceFields } from '../../../test/builders/instance-row.ts'
import { virtualClock } from '../../base/clock.ts'
import { createPlace } from './place.ts'
import type { PlaceOptions } from './place.ts'

const MINUTE = 60_000

function placeWith(options: Partial<PlaceOptions> = {}) {
  const place = createPlace({ base: virtualClock(Date.UTC(2026, 0, 1), false), ...options })
  const { sandbox } = place
  return {
    ...place,
    wid: sandbox.workspaceId,
    async call(method: string, path: string, body?: unknown) {
      const headers = { authorization: `Bearer ${sandbox.token}` }
      const response = await place.handle({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      return { status: response.status, body: JSON.parse((await response.text(1e7)) || 'null') }
    },
  }
}

const slowCluster = { courses: [{ operation: 'k3s.create', outcome: 'COMPLETED', durationMs: 25 * MINUTE }] } as const

describe('a cluster that takes 25 minutes', () => {
  test('is made in moments while the clock jumps, and shows its states to who polls', async () => {
    const { call, clock, wid } = placeWith({ mode: 'jumping', ...slowCluster })
    const path = `/v1/workspaces/${wid}/k3s`
    const { body: workflow } = await call('POST', path)
    const seen: string[] = []
    for (let polls = 0; polls < 10; polls += 1) {
      const [{ body: cluster }, { body: run }] = [await call('GET', path), await call('GET', `/v1/workflows/${workflow.id}`)]
      const state = `${cluster.status} ${run.state}`
      if (seen.at(-1) !== state) seen.push(state)
    }
    expect(seen).toEqual(['PROVISIONING QUEUED', 'PROVISIONING RUNNING', 'ACTIVE COMPLETED'])
    expect(clock.now()).toBe(25 * MINUTE)
  })

  test('is refused what needs it until it is there, while the clock is moved by hand', async () => {
    const { call, clock, wid } = placeWith({ mode: 'frozen', ...slowCluster })
    const path = `/v1/workspaces/${wid}/k3s`
    await call('POST', path)
    const secret = { name: 'database', data: { KEY: 'value' } }
    const status = async (): Promise<string> => (await call('GET', path)).body.status
    expect([await status(), await status(), (await call('POST', `${path}/secrets`, secret)).status]).toEqual(['PROVISIONING', 'PROVISIONING', 409])
    expect((await call('DELETE', path)).status).toBe(409)
    await clock.advance(25 * MINUTE - 1)
    expect(await status()).toBe('PROVISIONING')
    await clock.advance(1)
    expect([await status(), (await call('POST', `${path}/secrets`, secret)).status]).toEqual(['ACTIVE', 201])
  })
})

test('a read that is repeated waits for time only where nothing has changed since, and only while the clock jumps', async () => {
  const { call, clock, wid } = placeWith({ mode: 'jumping', ...slowCluster })
  const vpcs = `/v1/workspaces/${wid}/vpcs`
  await call('POST', `/v1/workspaces/${wid}/k3s`)
  await call('GET', vpcs)
  await call('POST', vpcs, { name: 'main', description: '', range: '10.0.0.0/24' })
  await call('GET', vpcs)
  expect(clock.now()).toBe(0)
  await call('GET', vpcs)
  expect(clock.now()).toBe(2.5 * MINUTE)
  clock.set('frozen')
  await call('GET', vpcs)
  await call('GET', vpcs)
  expect(clock.now()).toBe(2.5 * MINUTE)
})

test('a delay of no time passes at once while the clock stands', async () => {
  const { call, sandbox } = placeWith({ mode: 'frozen' })
  sandbox.faults.add({ operation: 'listPlans', delayMs: 0 })
  expect((await call('GET', '/v1/plans')).status).toBe(200)
})

describe('a jumping clock goes on to what shows by time alone, and no further:', () => {
  test.each([
    ['growing', 'services', [{ available_replicas: 0 }, { available_replicas: 1 }]],
    ['late', 'services', [null, { available_replicas: 1 }]],
    ['late', 'nodes', [null, { ready: true }]],
  ] as const)('live parts that are %s, of %s', async (liveParts, things, shown) => {
    const { call, clock, wid, sandbox } = placeWith({ mode: 'jumping', readings: { liveParts } })
    const { clusters, clusterNodes, clusterServices, instances } = sandbox.world.tables
    const instanceId = instances.insert({ ...instanceFields, workspaceId: wid, online: true }).id
    clusters.insert({ workspaceId: wid, name: 'ws', status: 'ACTIVE' })
    const node = clusterNodes.insert({ workspaceId: wid, instanceId, nodeName: 'node', status: 'READY' })
    const lists = { targetIds: [instanceId], ports: [], volumes: [], secretRefs: [] }
    const revision = { ...lists, image: 'nginx:1', replicas: null, environment: {}, updateStrategy: 'ROLLING' } as const
    const fields = { workspaceId: wid, name: 'web', mode: 'PINNED', status: 'RUNNING', previous: null, rollout: 1, rolledOutAtMs: clock.wall() } as const
    const service = clusterServices.insert({ ...fields, revision })
    const path = `/v1/workspaces/${wid}/k3s/${things}/${(things === 'nodes' ? node : service).id}`
    const seen: unknown[] = []
    while (seen.length < 3) seen.push((await call('GET', path)).body)
    expect(seen).toMatchObject([...shown, shown[1]].map((live) => ({ live })))
    expect(clock.now()).toBe(5000)
  })

  test('what was written, where reads lag behind', async () => {
    const { call, clock, wid } = placeWith({ mode: 'jumping', readings: { readLagMs: 2000 } })
    const vpcs = `/v1/workspaces/${wid}/vpcs`
    await call('POST', vpcs, { name: 'main', description: '', range: '10.0.0.0/24' })
    const counts: number[] = []
    while (counts.length < 4) counts.push((await call('GET', vpcs)).body.items.length)
    expect([counts, clock.now()]).toEqual([[0, 1, 1, 1], 2000])
  })
})

test('late requests arrive in their time when the clock is advanced, before what is due after them', async () => {
  const { call, clock, wid, sandbox } = placeWith({ mode: 'frozen', ...slowCluster })
  const path = `/v1/workspaces/${wid}/k3s`
  await call('POST', path)
  sandbox.faults.add({ operation: 'deleteK3s', lateMs: 24 * MINUTE })
  await expect(call('DELETE', path)).rejects.toThrow('connection reset')
  await clock.advance(26 * MINUTE)
  // It came one minute before the cluster was there, and was refused.
  expect((await call('GET', path)).body.status).toBe('ACTIVE')
})

describe('what was sent to rows that are gone', () => {
  const beginsAnew = {
    'a reset': ({ sandbox }: ReturnType<typeof placeWith>) => sandbox.reset(),
    'a load': ({ sandbox }: ReturnType<typeof placeWith>) => sandbox.load(createPlace({ base: virtualClock() }).sandbox.snapshot()),
    'the end': ({ end }: ReturnType<typeof placeWith>) => end(),
  }
  const failing = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )

  test.each(Object.entries(beginsAnew))('is lost at once by %s, and neither carried out nor logged', async (_, begin) => {
    const place = placeWith({ mode: 'frozen' })
    place.sandbox.faults.add({ operation: 'createVpc', delayMs: MINUTE })
    const path = `/v1/workspaces/${place.wid}/vpcs`
    const made = failing(place.call('POST', path, { name: 'main', description: '', range: '10.0.0.0/24' }))
    begin(place)
    expect(await made).toBe('connection reset')
    await place.clock.advance(2 * MINUTE)
    expect([place.sandbox.world.tables.vpcs.all(), place.sandbox.log.list()]).toEqual([[], []])
    expect((await place.call('GET', path)).status).toBe(200)
  })

  test('is lost also where it woke in the instant of a reset', async () => {
    const base = virtualClock(Date.UTC(2026, 0, 1), false)
    const place = placeWith({ mode: 'real', base })
    place.sandbox.faults.add({ operation: 'createVpc', delayMs: MINUTE })
    const path = `/v1/workspaces/${place.wid}/vpcs`
    void place.clock.sleep(MINUTE).then(() => place.sandbox.reset())
    const made = failing(place.call('POST', path, { name: 'main', description: '', range: '10.0.0.0/24' }))
    await base.advance(MINUTE)
    expect(await made).toBe('connection reset')
    expect(place.sandbox.world.tables.vpcs.all()).toEqual([])
  })

  test('is lost while it is on its way, too', async () => {
    const base = virtualClock(Date.UTC(2026, 0, 1), false)
    const place = placeWith({ mode: 'frozen', base, latencyMs: 100 })
    const path = `/v1/workspaces/${place.wid}/vpcs`
    const made = failing(place.call('POST', path, { name: 'main', description: '', range: '10.0.0.0/24' }))
    place.sandbox.reset()
    expect(await made).toBe('connection reset')
    const later = place.call('GET', path)
    await base.advance(99)
    expect(await Promise.race([later, Promise.resolve('on its way')])).toBe('on its way')
    await base.advance(1)
    expect((await later).body.items).toEqual([])
  })

  test('and how far time was to go on for it is no matter of what is there now', async () => {
    const place = placeWith({ mode: 'frozen' })
    const passed = Promise.all([place.clock.advance(60 * MINUTE), place.clock.advance(MINUTE)])
    place.sandbox.reset()
    await passed
    expect(place.clock.now()).toBe(0)
  })
})

test('where the rows that are to come cannot be filled, all is as it was: rows, time, requests, faults, and who waits', async () => {
  let isBroken = false
  const catalogue = {
    regions: [],
    nodes: [],
    plans: [],
    images: [],
    quota: {},
    get prices(): never[] {
      if (isBroken) throw new Error('no such region')
      return []
    },
  }
  const place = placeWith({ mode: 'frozen', catalogue })
  const { sandbox, clock, call, wid } = place
  const earlier = sandbox.snapshot()
  await clock.advance(MINUTE)
  await call('POST', `/v1/workspaces/${wid}/vpcs`, { name: 'main', description: '', range: '10.0.0.0/24' })
  sandbox.faults.add({ operation: 'listPlans', delayMs: MINUTE, times: 'always' })
  const waiting = call('GET', '/v1/plans')
  const seen = () => [sandbox.snapshot(), sandbox.log.list(), sandbox.faults.list.length, sandbox.hub.lastId]
  const before = seen()
  isBroken = true
  expect(() => sandbox.load(earlier)).toThrow('no such region')
  sandbox.keepOrigin(earlier)
  expect(() => sandbox.reset()).toThrow('no such region')
  expect(seen()).toEqual(before)
  await clock.advance(MINUTE)
  expect((await waiting).status).toBe(200)
  isBroken = false
  sandbox.reset()
  expect([sandbox.snapshot(), sandbox.log.list(), sandbox.faults.list]).toEqual([earlier, [], []])
})

test('time goes on behind what a snapshot holds, and never back', async () => {
  const first = placeWith({ mode: 'frozen' })
  await first.clock.advance(90 * MINUTE)
  await first.call('POST', `/v1/workspaces/${first.wid}/vpcs`, { name: 'main', description: '', range: '10.0.0.0/24' })
  // As a data folder holds it: rows, and not when they were read.
  const rowsOf = (place: typeof first) => ({ ...place.sandbox.snapshot(), clock: undefined })
  const again = placeWith({ snapshot: rowsOf(first) })
  expect(again.clock.wall()).toBe(first.clock.wall())
  expect(placeWith({ snapshot: first.sandbox.snapshot(), startWallMs: 7 }).clock.wall()).toBe(7)
  // A read alone leaves its instant, too: when the token was last used; and so does a workflow that has begun.
  await first.clock.advance(60 * MINUTE)
  await first.call('GET', '/v1/plans')
  expect(placeWith({ snapshot: rowsOf(first) }).clock.wall()).toBe(first.clock.wall())
  const running = placeWith({ mode: 'frozen', ...slowCluster })
  await running.call('POST', `/v1/workspaces/${running.wid}/k3s`)
  await running.clock.advance(20 * MINUTE)
  expect(placeWith({ snapshot: rowsOf(running) }).clock.wall()).toBe(Date.UTC(2026, 0, 1) + 2.5 * MINUTE)
  expect(placeWith({ snapshot: running.sandbox.snapshot() }).clock.wall()).toBe(running.clock.wall())
  const later = virtualClock(Date.UTC(2030, 0, 1), false)
  expect(placeWith({ snapshot: first.sandbox.snapshot(), base: later }).clock.wall()).toBe(Date.UTC(2030, 0, 1))
})

test('time goes on behind the end of a workflow, the last thing that a snapshot holds', async () => {
  const first = placeWith({ mode: 'frozen', ...slowCluster })
  await first.call('POST', `/v1/workspaces/${first.wid}/k3s`)
  await first.clock.advance(25 * MINUTE)
  await first.call('GET', `/v1/workspaces/${first.wid}/k3s`)
  expect(placeWith({ snapshot: first.sandbox.snapshot() }).clock.wall()).toBe(Date.UTC(2026, 0, 1, 0, 25))
})

test.each([[null], [7], [{ tables: null }], [{ tables: 'none' }], [{ tables: { vpcs: 7, disks: [null, 'x', { createdAt: 7 }] } }]])(
  'what is no snapshot is said to be none: %j',
  (snapshot) => {
    expect(() => placeWith({ snapshot })).toThrow(z.ZodError)
  },
)
