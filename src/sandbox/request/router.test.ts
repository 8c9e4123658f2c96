// Every route is found, and refusals come in one order.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { virtualClock } from '../../base/clock.ts'
import { readingsOf } from '../readings/assumptions.ts'
import { createSandbox } from '../sandbox.ts'
import { routes } from '../served-routes.ts'
import { createRouteIndex, routeNames } from './route-index.ts'

describe('the index', () => {
  test('finds every route by each of its methods, none hidden by another', () => {
    const find = createRouteIndex(readingsOf({ openMethods: 'both' }))
    for (const name of routeNames) {
      const path = routes[name].path.replaceAll(/\{\w+\}/g, '5')
      for (const method of routes[name].methods) expect(find(method, path)).toMatchObject({ name })
    }
  })
  test('prefers words to placeholders, and tells an unknown path from a wrong method', () => {
    const find = createRouteIndex(readingsOf())
    expect(find('POST', '/v1/tokens/refresh')).toEqual({ name: 'refreshToken', values: [] })
    expect(find('GET', '/v1/tokens/7')).toEqual({ name: 'getToken', values: ['7'] })
    expect(find('DELETE', '/v1/instances/7/vpcs/8')).toEqual({ name: 'leaveVpc', values: ['7', '8'] })
    expect([find('GET', '/v1/login'), find('GET', '/v1'), find('GET', '/v1/plans/'), find('GET', 'v1/plans')]).toEqual([
      { status: 405, allow: ['POST'] },
      { status: 404 },
      { name: 'getPlan', values: [''] },
      { status: 404 },
    ])
  })
})

describe('refusals', () => {
  test('a wrong method is told those that the path has, by word or placeholder, as the readings have them', async () => {
    const allowed = async (method: string, path: string, openMethods: 'first' | 'both' = 'first'): Promise<unknown> => {
      const { status, headers } = await createBench({ readings: { openMethods } }).call({ method, path })
      return [status, headers['allow']]
    }
    expect(await allowed('PUT', '/v1/workspaces')).toEqual([405, 'GET, POST'])
    expect(await allowed('PUT', '/v1/tokens/refresh')).toEqual([405, 'DELETE, GET, POST'])
    expect(await allowed('POST', '/v1/instances/5/dhcp')).toEqual([405, 'DELETE, GET, PUT'])
    expect(await allowed('POST', '/v1/instances/5/dhcp', 'both')).toEqual([405, 'DELETE, GET, PATCH, PUT'])
    expect(await allowed('GET', '/v1/nowhere')).toEqual([404, undefined])
  })
  const vpcs = (wid: string): string => `/v1/workspaces/${wid}/vpcs`
  test('come in one order: token, visibility, role, body, rules', async () => {
    const bench = createBench({ quota: { max_vpcs: 0 } })
    const good = { name: 'main', description: '', range: '10.0.0.0/24' }
    const status = async (token: string | null, wid: string, body: unknown): Promise<number> =>
      (await bench.call({ method: 'POST', path: vpcs(wid), token, body })).status
    const viewer = bench.member('VIEWER')
    expect(await status(null, '5', {})).toBe(403)
    expect(await status('nobody', '5', {})).toBe(401)
    expect(await status(viewer, '5', {})).toBe(404)
    expect(await status(viewer, bench.wid, {})).toBe(403)
    expect(await status(bench.sandbox.token, bench.wid, {})).toBe(400)
    expect(await status(bench.sandbox.token, bench.wid, good)).toBe(403)
    expect(bench.tables.vpcs.all()).toEqual([])
  })
  test('a session check comes before the body: {} tells whether tokens can be made', async () => {
    const bench = createBench()
    const probe = { method: 'POST', path: '/v1/tokens', body: {} }
    expect((await bench.call({ ...probe, token: bench.token({ grants: { INSTANCE: 'WRITE' } }) })).status).toBe(403)
    expect((await bench.call(probe)).status).toBe(400)
  })
  test('broken JSON, a repeated key, a body where none belongs', async () => {
    const { sandbox, wid } = createBench()
    const headers = { authorization: `Bearer ${sandbox.token}` }
    for (const body of ['{', '{"name":"main","name":"main"}', ''])
      expect((await sandbox.handle({ method: 'POST', path: vpcs(wid), headers, body })).status).toBe(400)
    expect((await sandbox.handle({ method: 'GET', path: vpcs(wid), headers, body: '{"a":1}' })).status).toBe(400)
  })
  test('a scheme other than Bearer, and a token whose user is gone, are not recognized', async () => {
    const bench = createBench()
    const path = '/v1/plans'
    expect((await bench.call({ method: 'GET', path, token: null, headers: { authorization: 'Basic b3duZXI6' } })).status).toBe(401)
    bench.tables.users.delete(bench.tables.users.all()[0]?.id ?? '')
    expect((await bench.call({ method: 'GET', path })).status).toBe(401)
  })
  test('a 401 or 403 for authentication has an empty body, and says why in X-Message', async () => {
    const bench = createBench()
    const path = vpcs(bench.wid)
    const body = { name: 'main', description: '', range: '10.0.0.0/24' }
    const tokens = [null, 'nobody', bench.token({ expiresAtMs: 1 }), bench.member('VIEWER'), bench.token({ grants: { DISK: 'WRITE' } })]
    const answers = await Promise.all(tokens.map((token) => bench.call({ method: 'POST', path, token, body })))
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual([403, 401, 401, 403, 403].map((status) => [status, null]))
    for (const { headers } of answers) expect(headers['x-message']).toMatch(/\w/)
  })
  test('staff is staff by a session or a token of the system, and by no API token', async () => {
    const bench = createBench()
    const staff = bench.tables.users.all().find((user) => user.staff)?.id ?? ''
    const statusBy = async (origin: 'SESSION' | 'SYSTEM' | 'API' | 'OAUTH'): Promise<number> =>
      (await bench.call({ method: 'GET', path: '/v1/workflows', token: bench.token({ origin, userId: staff, createdById: staff }) })).status
    expect([await statusBy('SESSION'), await statusBy('SYSTEM'), await statusBy('API'), await statusBy('OAUTH')]).toEqual([200, 200, 403, 403])
  })
  test('a query where none belongs, and one that is not well-formed', async () => {
    const bench = createBench()
    const path = `/v1/workspaces/${bench.wid}`
    expect((await bench.call({ method: 'GET', path: `${path}?a=1&b` })).body).toEqual({ errors: [{ field: 'a', message: 'not a parameter' }] })
    for (const query of ['%E0%A4%A=1', 'name=%', '__proto__=1']) expect((await bench.call({ method: 'GET', path: `/v1/plans?${query}` })).status).toBe(400)
  })
  test('a defect of the service is no refusal', async () => {
    const { sandbox, tables } = createBench()
    tables.plans.all = () => {
      throw new Error('a defect')
    }
    await expect(sandbox.handle({ method: 'GET', path: '/v1/plans', headers: { authorization: `Bearer ${sandbox.token}` } })).rejects.toThrow('a defect')
  })
  test('a rule that nobody knows is a mistake', () => {
    expect(() => createSandbox({ clock: virtualClock(), without: ['no.rule'] })).toThrow('no such rule: no.rule')
  })
})

test('two sandboxes share nothing; one seed gives one world', async () => {
  const [one, two] = [createBench({ seed: 7 }), createBench({ seed: 7 })]
  expect([one.sandbox.token, one.wid]).toEqual([two.sandbox.token, two.wid])
  await one.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })
  expect(two.tables.workspaces.all()).toHaveLength(1)
  expect(createBench({ seed: 8 }).sandbox.token).not.toBe(one.sandbox.token)
  one.sandbox.reset()
  expect(one.sandbox.snapshot()).toEqual(two.sandbox.snapshot())
})

test('a reset begins the counts of the rate limit anew', async () => {
  const bench = createBench({ readings: { rateLimit: 1 } })
  const status = async (): Promise<number> => (await bench.call({ method: 'GET', path: '/v1/plans' })).status
  const before = [await status(), await status()]
  bench.sandbox.reset()
  expect([before, await status()]).toEqual([[200, 429], 200])
})
