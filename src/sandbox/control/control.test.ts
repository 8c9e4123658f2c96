// The control routes: what they tell, what they change, and what they refuse, in process and over HTTP.
import { describe, expect, test } from 'vitest'
import type { HostBench } from '../../../test/builders/host-bench.ts'
import { transports, withHost } from '../../../test/builders/host-bench.ts'
import { routeNames } from '../request/route-index.ts'
import type { PlaceOptions } from '../time/place.ts'
import { controlRoutes } from './control-routes.ts'

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const MINUTE = 60_000

describe.each(transports)('%s', (way) => {
  const on = (work: (bench: HostBench) => Promise<void>, options: Partial<PlaceOptions> = {}): Promise<void> => withHost(way, options, work)
  const post = (path: string, body: unknown = {}) => ({ method: 'POST', path: `/_sandbox${path}`, body })

  test('health says what is enforced', () =>
    on(
      async ({ call }) => {
        const { status, body, headers } = await call('/_sandbox/health')
        expect([status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([200, 'no-store', null])
        expect(body).toMatchObject({
          status: 'ok',
          version: '1.2.3',
          profile: 'realistic',
          clock: { mode: 'frozen', now: '2026-01-01T00:00:00.000Z' },
          enforced: { without: ['login.locked'], readings: { lists: 'slim', details: 'flat' } },
        })
      },
      { profile: 'realistic', readings: { lists: 'slim' }, without: ['login.locked'] },
    ))

  test('routes, and what is no route', () =>
    on(async ({ call }) => {
      const { body } = await call('/_sandbox/routes')
      expect(body).toMatchObject({
        routes: expect.arrayContaining([expect.objectContaining({ name: 'listVpcs', path: '/v1/workspaces/{wid}/vpcs', access: 'viewer' })]),
      })
      expect(JSON.stringify(body)).toContain('"path":"/_sandbox/clock/advance"')
      expect((await call('/_sandbox/nothing')).status).toBe(404)
      expect((await call('/_sandbox/faults/%zz')).status).toBe(404)
      const wrong = await call({ method: 'DELETE', path: '/_sandbox/clock' })
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT'])
      expect((await call({ ...post('/clock/advance'), headers: {}, body: { ms: 'soon' } })).status).toBe(400)
      expect((await call('/_sandbox/health?x=1')).status).toBe(400)
      expect((await call(post('/reset', { x: 1 }))).status).toBe(400)
      const paths = controlRoutes.map(({ method, path }) => `${method} ${path}`)
      expect(new Set(paths).size).toBe(paths.length)
      const document = await call('/_sandbox/openapi.json')
      expect(document.body).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } })
    }))

  test('the clock is looked at, switched and advanced, and answers when all has settled', () =>
    on(
      async ({ call, wid }) => {
        const cluster = async (): Promise<unknown> => JSON.parse((await call(`/v1/workspaces/${wid}/k3s`)).text).status
        await call({ method: 'POST', path: `/v1/workspaces/${wid}/k3s` })
        expect((await call('/_sandbox/clock')).body).toEqual({
          mode: 'frozen',
          scale: 1,
          now: '2026-01-01T00:00:00.000Z',
          next_due: '2026-01-01T00:02:30.000Z',
          open_workflows: 1,
        })
        expect((await call(post('/clock/advance', { ms: 24 * MINUTE }))).body).toMatchObject({ advanced_ms: 24 * MINUTE, instants: 1, open_workflows: 1 })
        expect(await cluster()).toBe('PROVISIONING')
        expect((await call(post('/clock/advance', { until: 'idle' }))).body).toMatchObject({
          advanced_ms: MINUTE,
          instants: 1,
          open_workflows: 0,
          next_due: null,
        })
        expect(await cluster()).toBe('ACTIVE')
        expect((await call(post('/clock/advance', { to: '2026-01-01T01:00:00Z' }))).body).toMatchObject({ now: '2026-01-01T01:00:00.000Z' })
        expect((await call(post('/clock/advance', { to: '2025-01-01T01:00:00Z' }))).status).toBe(400)
        expect((await call({ method: 'PUT', path: '/_sandbox/clock', body: { mode: 'scaled', scale: 50 } })).body).toMatchObject({ mode: 'scaled', scale: 50 })
        for (const body of [
          { mode: 'fast' },
          { mode: 'scaled', scale: 0 },
          { mode: 'scaled', scale: 1e-300 },
          { mode: 'scaled', scale: 100_001 },
          { mode: 'real', scale: 5 },
          {},
        ])
          expect((await call({ method: 'PUT', path: '/_sandbox/clock', body })).status).toBe(400)
      },
      { courses: [{ operation: 'k3s.create', outcome: 'COMPLETED', durationMs: 25 * MINUTE }] },
    ))

  test('the clock goes no further than instants have years of four digits, and says what led beyond', () =>
    on(async ({ call }) => {
      const advance = async (body: unknown) => {
        const answer = await call(post('/clock/advance', body))
        return [answer.status, answer.body]
      }
      const refused = (field: string, message: string) => [400, { message, errors: [{ field, message }] }]
      const beyond = 'the clock goes no further than 9999-12-31T23:59:59.999Z'
      expect(await advance({ to: '9999-12-31T23:59:59-12:00' })).toEqual(refused('to', beyond))
      expect(await advance({ to: '2025-01-01T00:00:00Z' })).toEqual(refused('to', 'the clock does not go back'))
      expect(await advance({ to: '9999-12-31T23:59:00Z' })).toMatchObject([200, { now: '9999-12-31T23:59:00.000Z' }])
      expect(await advance({ ms: 60_000 })).toEqual(refused('ms', beyond))
      expect(await advance({ ms: 59_999 })).toMatchObject([200, { now: '9999-12-31T23:59:59.999Z' }])
      expect(await advance({ ms: 0 })).toMatchObject([200, {}])
      const { status, text } = await call('/_sandbox/state')
      expect(status).toBe(200)
      for (const path of ['/clock', '/health']) expect((await call(`/_sandbox${path}`)).status).toBe(200)
      expect((await call(post('/reset'))).status).toBe(200)
      expect((await call(post('/seed', JSON.parse(text)))).status).toBe(200)
    }))

  test('faults are added, counted, listed and removed, and a wrong one is refused with the nearest word', () =>
    on(async ({ call }) => {
      const added = await call(post('/faults', { operation: 'listPlans', status: 503, retry_after_seconds: 2, times: 2 }))
      expect([added.status, added.body]).toEqual([201, { id: 'fault-1', operation: 'listPlans', status: 503, retry_after_seconds: 2, times: 2, hits: 0 }])
      const faulted = await call('/v1/plans')
      expect([faulted.status, faulted.headers.get('retry-after'), faulted.headers.get('x-sandbox-fault')]).toEqual([503, '2', 'fault-1'])
      await call(post('/faults', { only: 'workflows', times: 'always', workflow: { outcome: 'FAILED', lag_ms: 5 } }))
      expect((await call('/_sandbox/faults')).body).toMatchObject({
        faults: [{ hits: 1 }, { id: 'fault-2', workflow: { outcome: 'FAILED', lag_ms: 5 }, hits: 0 }],
      })
      const status = async (method: string, path: string): Promise<number> => (await call({ method, path: `/_sandbox${path}` })).status
      expect([await status('DELETE', '/faults/fault-1'), await status('DELETE', '/faults/fault-1'), (await call('/v1/plans')).status]).toEqual([200, 404, 200])
      expect((await call(post('/faults', { operation: 'listPlan', status: 503 }))).headers.get('x-message')).toContain('did you mean listPlans?')
      for (const body of [{}, { operation: 'listPlans' }, { status: 503, probability: 0.5 }, { status: 99 }, { reset: 'now' }, { status: 503, x: 1 }]) {
        expect((await call(post('/faults', body))).status).toBe(400)
      }
      // What would have no effect is a mistake as well.
      for (const body of [
        { delay_ms: 5, retry_after_seconds: 2 },
        { reset: 'after', message: 'no' },
        { status: 503, reset: 'after' },
        { status: 503, truncate_bytes: 3 },
        { reset: 'before', late_ms: 5 },
        { status: 503, workflow: { outcome: 'FAILED' } },
      ]) {
        expect([body, (await call(post('/faults', body))).status]).toEqual([body, 400])
      }
      // What is kept by the millisecond is billed by it, too.
      for (const body of [
        { delay_ms: 0.5 },
        { late_ms: 0.5 },
        { stale_ms: 0.5 },
        { workflow: { outcome: 'COMPLETED', duration_ms: 1000 / 3 } },
        { workflow: { outcome: 'COMPLETED', lag_ms: 0.5 } },
      ]) {
        expect([body, (await call(post('/faults', body))).status]).toEqual([body, 400])
      }
      expect((await call(post('/faults', { delay_ms: 0, reset: 'after', workflow: { outcome: 'FAILED' } }))).status).toBe(201)
      expect((await call(post('/faults', { status: 503, probability: 0.5, seed: 3 }))).status).toBe(201)
      expect([await status('DELETE', '/faults'), (await call('/_sandbox/faults')).body]).toEqual([200, { faults: [] }])
    }))

  test('presets are switched on and off by name', () =>
    on(async ({ call }) => {
      expect((await call(post('/faults/presets', { name: 'outage' }))).status).toBe(201)
      expect((await call('/v1/plans')).status).toBe(503)
      expect((await call('/_sandbox/faults/presets')).body).toMatchObject({
        presets: expect.arrayContaining([expect.objectContaining({ name: 'outage', on: true }), expect.objectContaining({ name: 'throttle', on: false })]),
      })
      const off = (name: string) => call({ method: 'DELETE', path: `/_sandbox/faults/presets/${name}` })
      expect((await off('outag')).headers.get('x-message')).toContain('did you mean outage?')
      expect([(await off('outage')).status, (await off('outage')).status, (await call('/v1/plans')).status]).toEqual([200, 404, 200])
      expect((await call(post('/faults/presets', { name: 'storm' }))).status).toBe(400)
    }))

  test('requests are logged with what became of them, without secrets, with what nobody read', () =>
    on(async ({ call, host, wid }) => {
      await call({ method: 'POST', path: '/v1/login', token: null, body: { email: 'owner@sandbox.test', password: 'sandbox-password' } })
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: { ...vpc, range: 'x' } })
      await call(post('/faults', { operation: 'listPlans', status: 503 }))
      await call('/v1/plans?limit=2')
      await call('/v1/invites/lookup?code=abc')
      const { body, text } = await call('/_sandbox/requests')
      expect(body).toMatchObject({
        requests: [
          {
            id: 1,
            operation: 'login',
            outcome: 'answered',
            status: 200,
            request_body: { email: 'owner@sandbox.test', password: '(sensitive value)' },
            answer_body: { code: '(sensitive value)' },
            unread: [],
          },
          { operation: 'createVpc', status: 400, message: expect.stringContaining('range'), unread: [] },
          { operation: 'listPlans', path: '/v1/plans?limit=2', status: 503, fault: 'fault-1', request_body: null },
          { operation: 'lookupInvite', path: '/v1/invites/lookup?code=(sensitive%20value)' },
        ],
      })
      expect(text).not.toContain('sandbox-password')
      expect(text).not.toContain(host.place.sandbox.token)
      const ids = async (query: string): Promise<number[]> =>
        JSON.parse((await call(`/_sandbox/requests${query}`)).text).requests.map((one: { id: number }) => one.id)
      expect([await ids('?since=2'), await ids('?limit=1'), await ids('?operation=createVpc')]).toEqual([[3, 4], [4], [2]])
      expect((await call('/_sandbox/requests?operation=nothing')).status).toBe(400)
      const { hub } = host.place.sandbox
      const lastId = hub.lastId
      await call({ method: 'DELETE', path: '/_sandbox/requests' })
      expect([await ids(''), hub.since(lastId).events.map((one) => one.type)]).toEqual([[], ['requests']])
      expect((await call(`/_sandbox/view?since=${lastId}`)).body).toMatchObject({ complete: false, requests: [], first_request: 5 })
    }))

  test('snapshots are saved and loaded; what does not fit changes nothing; a reset begins anew', () =>
    on(async ({ call, host, wid }) => {
      const count = async (): Promise<number> => JSON.parse((await call(`/v1/workspaces/${wid}/vpcs`)).text).items.length
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: vpc })
      expect((await call(post('/snapshots', { name: 'one' }))).status).toBe(201)
      const saved = await call('/_sandbox/snapshots/one')
      expect(saved.text).toBe((await call('/_sandbox/state')).text)
      expect(saved.text.split('\n').filter((line) => line.includes('"range":"10.0.0.0/24"'))).toHaveLength(1)
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: vpc })
      expect([await count(), (await call(post('/snapshots/one/load'))).status, await count()]).toEqual([2, 200, 1])
      for (const broken of [{}, { ...JSON.parse(saved.text), schema_version: 2 }, { ...JSON.parse(saved.text), tables: { vpcs: [{}] } }]) {
        expect((await call(post('/seed', broken))).status).toBe(400)
      }
      const unknown = await call(post('/seed', { ...JSON.parse(saved.text), tables: { clouds: [{}] } }))
      expect([unknown.status, unknown.headers.get('x-message')]).toEqual([400, 'the snapshot does not fit: no table clouds'])
      expect(await count()).toBe(1)
      host.place.sandbox.faults.add({ status: 503, operation: 'listPlans' })
      expect([(await call(post('/reset'))).status, await count(), (await call('/v1/plans')).status]).toEqual([200, 0, 200])
      expect([(await call(post('/seed', JSON.parse(saved.text)))).status, await count()]).toEqual([200, 1])
      expect((await call('/_sandbox/snapshots')).body).toMatchObject({ snapshots: [{ name: 'one', bytes: Buffer.byteLength(saved.text) }] })
      expect((await call({ method: 'DELETE', path: '/_sandbox/snapshots/one' })).status).toBe(200)
      expect([(await call('/_sandbox/snapshots/one')).status, (await call(post('/snapshots/one/load'))).status]).toEqual([404, 404])
      expect((await call(post('/snapshots', { name: '../x' }))).status).toBe(400)
    }))

  test('coverage counts what was driven, by its evidence; faults are none', () =>
    on(async ({ call, host, wid }) => {
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: vpc })
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: {} })
      await call({ path: '/v1/plans', token: 'nobody' })
      host.place.sandbox.faults.add({ status: 503 })
      await call('/v1/plans')
      const { routes, rules, ...rest } = JSON.parse((await call('/_sandbox/coverage')).text)
      expect([routes.length, rest]).toEqual([routeNames.length, {}])
      expect(routes).toEqual(
        expect.arrayContaining([
          { name: 'createVpc', evidence: 'specification', section: 'VPCs', accepted: 1, refused: 1 },
          expect.objectContaining({ name: 'listPlans', accepted: 0, refused: 1 }),
          expect.objectContaining({ name: 'attachIp', evidence: 'assumed' }),
        ]),
      )
      expect(rules).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: 'auth.unknown', evidence: 'specification', section: 'Errors', enforced: true, asked: 3, broken: 1 }),
          expect.objectContaining({ evidence: 'assumed' }),
        ]),
      )
    }))

  test('workflows and mails are shown', () =>
    on(async ({ call, host, wid }) => {
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/k3s` })
      host.place.sandbox.world.tables.mails.insert({ to: 'x@y.test', subject: 'hello', kind: 'INVITE', code: 'c', atMs: 1 })
      expect((await call('/_sandbox/workflows')).body).toMatchObject({
        workflows: [{ operation: 'k3s.create', state: 'QUEUED', ends_at_ms: expect.any(Number) }],
      })
      expect((await call('/_sandbox/mails')).body).toMatchObject({ mails: [{ to: 'x@y.test', subject: 'hello' }] })
    }))
})
