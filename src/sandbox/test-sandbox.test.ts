// A sandbox in somebody's test: however a request is written, it is this one that answers.
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { service } from './service.ts'
import type { TestSandbox } from './test-sandbox.ts'
import { createTestSandbox } from './test-sandbox.ts'
import { workflowOperations } from './time/durations.ts'

const bareCatalogue = { plans: [], images: [], regions: [], nodes: [], prices: [], quota: {} }

test('a path, an address with any host, a URL and a Request are answered alike', async () => {
  const sandbox = createTestSandbox()
  const headers = { authorization: `Bearer ${sandbox.token}` }
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  const far = `https://api.example.test${path}`
  const answers = [
    await sandbox.fetch(path, { headers }),
    await sandbox.fetch(far, { headers }),
    await sandbox.fetch(new URL(far), { headers }),
    await sandbox.fetch(new Request(far, { headers })),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(sandbox.requests({ operation: 'listVpcs' })).toHaveLength(4)
})

test('an answer without a body has none', async () => {
  const sandbox = createTestSandbox()
  const headers = { authorization: `Bearer ${sandbox.operatorToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ amount: 1000, uses: 1 })
  const made: unknown = await (await sandbox.fetch('/v1/coupons', { method: 'POST', headers, body })).json()
  const id = typeof made === 'object' && made !== null && 'id' in made ? String(made.id) : ''
  const removed = await sandbox.fetch(`/v1/coupons/${id}`, { method: 'DELETE', headers })
  expect([removed.status, removed.body]).toEqual([204, null])
})

test('it listens on the port that is asked for, once, until it is closed', async () => {
  const [sandbox, next] = [createTestSandbox(), createTestSandbox()]
  const url = await sandbox.listen()
  const port = Number(new URL(url).port)
  expect(await Promise.all([sandbox.listen(), sandbox.listen(0), sandbox.listen(port)])).toEqual([url, url, url])
  await expect(sandbox.listen(port === 1 ? 2 : 1)).rejects.toThrow(`the sandbox listens at ${url} already`)
  await sandbox.close()
  expect(await next.listen(port)).toBe(url)
  await next.close()
})

test.each([['x'], [''], [null], [-1], [1.5], [65_536], [Number.NaN]])('%j is no port', async (port) => {
  const sandbox = createTestSandbox()
  await expect(Reflect.apply(sandbox.listen, undefined, [port])).rejects.toThrow(TypeError)
  expect(await sandbox.listen()).toMatch(/^http:/)
  await sandbox.close()
})

test('it can be closed twice, before it listens and while it begins to, and is closed then', async () => {
  const sandbox = createTestSandbox()
  const listening = sandbox.listen()
  await Promise.all([sandbox.close(), sandbox.close(), expect(listening).rejects.toThrow('the sandbox is closed')])
  await sandbox.close()
  await expect(sandbox.listen()).rejects.toThrow('the sandbox is closed')
  expect(() => sandbox.url).toThrow('the sandbox is closed')
  const other = createTestSandbox()
  const url = await other.listen()
  await Promise.all([other.close(), other.close(), expect(other.listen()).rejects.toThrow('the sandbox is closed')])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('closing ends whoever waits, and nobody is answered afterwards', async () => {
  const sandbox = createTestSandbox({ clock: 'real', faults: { list: [{ operation: 'listPlans', times: 'always', delayMs: 600_000 }] } })
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  let send = (): void => undefined
  const late = new ReadableStream({
    start(controller) {
      send = () => {
        controller.enqueue(Buffer.from(JSON.stringify({ name: 'late', description: '', range: '10.0.0.0/24' })))
        controller.close()
      }
    },
  })
  const control = { method: 'POST', headers: { 'x-sandbox-token': sandbox.controlToken, 'content-type': 'application/json' } }
  const tenant = z.object({ base_url: z.string(), token: z.string() }).parse(await (await sandbox.fetch('/_sandbox/tenants', control)).json())
  const url = await sandbox.listen()
  const waiting = [
    sandbox.fetch('/v1/plans', { headers }),
    sandbox.fetch('/v1/plans', { headers, signal: new AbortController().signal }),
    sandbox.fetch(`${tenant.base_url}/v1/plans`, { headers: { authorization: `Bearer ${tenant.token}` } }),
    sandbox.fetch(path, { method: 'POST', headers, body: late, duplex: 'half' }),
  ].map((one) => expect(one).rejects.toMatchObject({ name: 'AbortError', message: 'the sandbox is closed' }))
  const connected = fetch(`${url}/v1/plans`, { headers }).catch((error: unknown) => error)
  await vi.waitFor(() => expect(sandbox.faults.list()).toMatchObject([{ hits: 3 }]))
  await sandbox.close()
  await Promise.all(waiting)
  expect(await connected).toMatchObject({ message: 'fetch failed' })
  send()
  await new Promise((resolve) => setImmediate(resolve))
  expect(sandbox.snapshot().tables['vpcs']).toEqual([])
  await expect(sandbox.fetch('/v1/plans', { headers })).rejects.toThrow('the sandbox is closed')
  await expect(sandbox.fetch(new Request('http://here.test/v1/plans', { headers }))).rejects.toThrow('the sandbox is closed')
})

test('a request whose signal is aborted is not sent, and one that waits is given up with its reason', async () => {
  const sandbox = createTestSandbox({ clock: 'real', faults: { list: [{ operation: 'listPlans', delayMs: 600_000 }] } })
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  const vpc = JSON.stringify({ name: 'main', description: '', range: '10.0.0.0/24' })
  const [why, later] = [new Error('enough'), new AbortController()]
  const post = { method: 'POST', headers, body: vpc }
  await expect(sandbox.fetch(path, { ...post, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  await expect(sandbox.fetch(new Request(`http://here.test${path}`, { ...post, signal: AbortSignal.abort(why) }))).rejects.toBe(why)
  const body = new ReadableStream({
    pull(controller) {
      later.abort(why)
      controller.enqueue(Buffer.from(vpc))
      controller.close()
    },
  })
  await expect(sandbox.fetch(path, { ...post, body, duplex: 'half', signal: later.signal })).rejects.toBe(why)
  const leaving = new AbortController()
  const waiting = sandbox.fetch('/v1/plans', { headers, signal: leaving.signal })
  await vi.waitFor(() => expect(sandbox.faults.list()).toMatchObject([{ hits: 1 }]))
  leaving.abort('text')
  await expect(waiting).rejects.toBe('text')
  expect(sandbox.requests({ operation: 'createVpc' })).toEqual([])
  await sandbox.close()
})

test('a request of a signal that is taken away is answered', async () => {
  const sandbox = createTestSandbox()
  const request = new Request('http://here.test/v1/plans', { headers: { authorization: `Bearer ${sandbox.token}` }, signal: AbortSignal.abort() })
  expect((await sandbox.fetch(request, { signal: null })).status).toBe(200)
})

test.each([
  [{ clock: 'nope' }, 'no clock is called nope'],
  [{ profile: 'slow' }, 'no profile is called slow'],
  [{ readings: { lists: 'slimm' } }, 'the reading lists is one of'],
  [{ readings: { list: 'slim' } }, 'no reading is called list; did you mean lists?'],
  [{ quota: { max_vpc: 1 } }, 'no limit is called max_vpc; did you mean max_vpcs?'],
  [{ clok: 'frozen' }, 'no option is called clok; did you mean clock?'],
  [{ courses: [{ operation: 'k3s.crate', outcome: 'FAILED' }] }, 'no workflow is called k3s.crate; did you mean k3s.create?'],
  [{ courses: [{ operation: 'k3s.create', outcome: 'FAIL' }] }, 'not a course'],
  [{ courses: [{ operation: 'k3s.create', outcome: 'COMPLETED', lagMs: 0.5 }] }, 'not a course'],
  [{ faults: { lst: [] } }, 'no option of faults is called lst; did you mean list?'],
  [{ faults: { list: [{ status: 503, operation: 'listVpc' }] } }, 'did you mean listVpcs?'],
  [{ faults: null }, 'at faults'],
  [{ faults: { list: 'x' } }, 'at faults.list'],
  [{ faults: { hook: {} } }, 'at faults.hook'],
  [{ courses: {} }, 'at courses'],
  [{ base: {} }, 'at base'],
  [{ scale: 0 }, 'at scale'],
  [{ scale: Infinity }, 'at scale'],
  [{ startWallMs: Number.NaN }, 'at startWallMs'],
  [{ startWallMs: 8.64e15 }, 'at startWallMs'],
  [{ seed: 'a' }, 'at seed'],
  [{ seed: 1.5 }, 'at seed'],
  [{ token: 5 }, 'at token'],
  [{ token: 'a b' }, 'a token is 1 to 200 letters, digits, - and _'],
  [{ password: '' }, 'at password'],
  [{ quota: null }, 'at quota'],
  [{ quota: { max_instances: '5' } }, 'at quota.max_instances'],
  [{ quota: { max_instances: -1 } }, 'at quota.max_instances'],
  [{ readings: null }, 'at readings'],
  [{ strains: { lists: {} } }, 'at strains.lists'],
  [{ without: 'quota' }, 'at without'],
  [{ without: ['nope'] }, 'no rule is called nope'],
  [{ catalogue: null }, 'not a catalogue'],
  [{ catalogue: {} }, 'not a catalogue: it has plans, images, regions, nodes, prices and quota'],
  [{ catalogue: { ...bareCatalogue, plans: [{ name: 'p', cpu: 0 }] } }, 'at plans[0].cpu'],
  [{ catalogue: { ...bareCatalogue, plans: [{ name: 'p', memory: '8GiB' }] } }, 'sizes in bytes'],
  [{ snapshot: null }, 'the snapshot does not fit'],
  [{ snapshot: {} }, 'the snapshot does not fit: kind'],
  [{ snapshot: { kind: 'iac-sandbox-snapshot', schema_version: 1, seed: 1, last: {}, tables: { nope: [{}] } } }, 'the snapshot does not fit'],
])('%j is no sandbox', (options, message) => {
  // As from JavaScript, where no type stands in the way.
  const make = (): unknown => Reflect.apply(createTestSandbox, undefined, [options])
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test('what is possible is taken, nothing given included', async () => {
  const absent = { seed: undefined, scale: undefined, snapshot: undefined, token: undefined, quota: undefined, catalogue: undefined, without: undefined }
  const given = {
    seed: -7,
    startWallMs: 0,
    quota: { max_vpcs: null },
    catalogue: { ...bareCatalogue, plans: [{ name: 'tiny', memory: 2 ** 30 }] },
    without: [],
  }
  for (const options of [absent, given]) {
    const sandbox: TestSandbox = Reflect.apply(createTestSandbox, undefined, [options])
    expect((await sandbox.fetch('/v1/plans', { headers: { authorization: `Bearer ${sandbox.token}` } })).status).toBe(200)
  }
})

test('a snapshot that does not fit is not loaded', () => {
  const sandbox = createTestSandbox()
  const before = sandbox.snapshotText()
  for (const snapshot of [null, {}, undefined, before]) expect(() => sandbox.load(snapshot)).toThrow(TypeError)
  expect(sandbox.snapshotText()).toBe(before)
})

test.each([[{ since: 'x' }], [{ since: -1 }], [{ since: Number.NaN }], [{ limit: 0.5 }]])('%j asks for no requests', (filter) => {
  const { requests } = createTestSandbox()
  expect(() => Reflect.apply(requests, undefined, [filter])).toThrow(TypeError)
  expect(requests({ since: 0 })).toEqual([])
})

test.each([
  [{ status: 503, probability: 0.5 }, 'a probability needs a seed'],
  [{ status: 503, operation: 'listVpc' }, 'did you mean listVpcs?'],
  [{ operation: 'listVpcs' }, 'a fault needs at least one of'],
  [{ status: 503, staleMs: 5 }, 'in place of handling'],
  [{ nope: 1 }, 'nope'],
  [{ workflow: { outcome: 'COMPLETED', durationMs: 0.5 } }, 'not a fault'],
])('%j is no fault', (fault, message) => {
  const { faults } = createTestSandbox()
  expect(() => Reflect.apply(faults.add, faults, [fault])).toThrow(message)
  expect(faults.list()).toEqual([])
})

test('a fault of a test is the one that was meant, and a preset has a name', () => {
  const { faults } = createTestSandbox()
  faults.add({ operation: 'createVpc', times: 2, workflow: { outcome: 'FAILED', leaves: 'failed', durationMs: 5 } })
  expect(faults.list()).toMatchObject([{ operation: 'createVpc', times: 2, workflow: { outcome: 'FAILED', leaves: 'failed', durationMs: 5 } }])
  expect(() => Reflect.apply(faults.preset, faults, ['outag'])).toThrow('did you mean outage?')
})

test('a word that is no word of the sandbox is told at once, and changes nothing', () => {
  const { faults, requests, clock } = createTestSandbox({ faults: { list: [{ id: 'mine', status: 503 }] }, courses: [{ operation: '*', outcome: 'FAILED' }] })
  const failing = (work: (...words: never[]) => unknown, given: unknown): (() => unknown) => {
    return () => Reflect.apply(work, undefined, [given])
  }
  expect(failing(faults.course, { operation: 'k3s.crate', outcome: 'FAILED' })).toThrow('did you mean k3s.create?')
  expect(failing(faults.course, { operation: 'k3s.create', outcome: 'FAIL' })).toThrow('not a course')
  expect(failing(faults.course, { outcome: 'FAILED' })).toThrow(TypeError)
  expect(failing(faults.course, { operation: 'k3s.create', outcome: 'FAILED', lag_ms: 5 })).toThrow('did you mean lagMs?')
  expect(failing(faults.add, { operation: 'createVpc', delay_ms: 5 })).toThrow('did you mean delayMs?')
  expect(failing(faults.add, { operation: 'createVpc', workflow: { outcome: 'FAILED', duration_ms: 9 } })).toThrow('did you mean durationMs?')
  expect(failing(requests, { operation: 'createVcp' })).toThrow('did you mean createVpc?')
  expect(failing(requests, { operations: 'createVpc' })).toThrow('did you mean operation?')
  expect(failing(clock.set, 'frosen')).toThrow('no clock is called frosen')
  expect([clock.course.mode, faults.list().map((one) => one.id)]).toEqual(['jumping', ['mine']])
  faults.course({ operation: 'k3s.create', outcome: 'FAILED', leaves: 'failed', lagMs: 1, durationMs: 1 })
})

test('every workflow of the service has a name that a course can be set for', () => {
  expect(Object.keys(service.effects).filter((name) => !workflowOperations.includes(name))).toEqual([])
})

test.each([[Number.NaN], [-1], [Infinity]])('time does not go on by %s ms', async (ms) => {
  const { clock } = createTestSandbox()
  await expect(clock.advance(ms)).rejects.toThrow(RangeError)
  expect(Number.isFinite(clock.wall())).toBe(true)
})
