// Tenants: apart in everything, reached by token or address.
import { describe, expect, test } from 'vitest'
import type { HostBench } from '../../../test/builders/host-bench.ts'
import { CONTROL_TOKEN, transports, withHost } from '../../../test/builders/host-bench.ts'

interface Made {
  readonly id: string
  readonly token: string
  readonly operator_token: string
  readonly workspace: string
  readonly base_url: string
}

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }

describe.each(transports)('%s', (way) => {
  const make = async ({ call }: HostBench, body: unknown = {}): Promise<Made> =>
    JSON.parse((await call({ method: 'POST', path: '/_sandbox/tenants', body })).text)
  const vpcsOf = async ({ call }: HostBench, { workspace, token }: Pick<Made, 'workspace' | 'token'>, prefix = ''): Promise<number> => {
    const { status, text } = await call({ path: `${prefix}/v1/workspaces/${workspace}/vpcs`, token })
    return status === 200 ? JSON.parse(text).items.length : -status
  }
  const addVpc = ({ call }: HostBench, { workspace, token }: Made) => call({ method: 'POST', path: `/v1/workspaces/${workspace}/vpcs`, token, body: vpc })

  test('each has rows, ids and tokens of its own, and knows no other', () =>
    withHost(way, {}, async (bench) => {
      const [one, two] = [await make(bench), await make(bench)]
      const root = { workspace: bench.wid, token: bench.host.place.sandbox.token }
      expect(new Set([one.token, two.token, root.token, one.operator_token, two.operator_token]).size).toBe(5)
      expect(new Set([one.workspace, two.workspace, root.workspace]).size).toBe(3)
      expect((await addVpc(bench, one)).status).toBe(201)
      expect([await vpcsOf(bench, one), await vpcsOf(bench, two), await vpcsOf(bench, root)]).toEqual([1, 0, 0])
      expect([
        await vpcsOf(bench, { ...one, token: two.token }),
        await vpcsOf(bench, { ...one, token: root.token }),
        await vpcsOf(bench, { ...one, token: 'nobody' }),
      ]).toEqual([-404, -404, -401])
    }))

  test('is reached below its address, where calls without a token work, too, and other tenants do not', () =>
    withHost(way, {}, async (bench) => {
      const [one, two] = [await make(bench), await make(bench)]
      const { pathname: prefix } = new URL(one.base_url)
      expect([await vpcsOf(bench, one, prefix), await vpcsOf(bench, two, prefix)]).toEqual([0, -401])
      const body = { email: 'owner@sandbox.test', password: 'sandbox-password' }
      const { code } = JSON.parse((await bench.call({ method: 'POST', path: `${prefix}/v1/login`, token: null, body })).text)
      expect([await vpcsOf(bench, { ...one, token: code }), await vpcsOf(bench, { ...two, token: code })]).toEqual([0, -404])
      expect((await bench.call('/_tenants/other/v1/plans')).status).toBe(404)
    }))

  test('has its own clock, faults and log, below its address', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench)
      const { pathname: prefix } = new URL(one.base_url)
      await bench.call({ method: 'POST', path: `${prefix}/_sandbox/clock/advance`, body: { ms: 5000 } })
      await bench.call({ method: 'POST', path: `${prefix}/_sandbox/faults`, body: { status: 503 } })
      const now = async (path: string): Promise<unknown> => JSON.parse((await bench.call(`${path}/_sandbox/clock`)).text).now
      expect([await now(''), await now(prefix)]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:05.000Z'])
      expect([(await bench.call('/v1/plans')).status, (await bench.call({ path: '/v1/plans', token: one.token })).status]).toEqual([200, 503])
      expect((await bench.call(`${prefix}/_sandbox/requests`)).body).toMatchObject({ requests: [{ status: 503 }] })
    }))

  test('may have other rules and readings, and begin where a snapshot stands, with a token of its own', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench, { readings: { lists: 'slim' }, without: ['auth.header'], profile: 'instant', clock: 'jumping' })
      await addVpc(bench, one)
      const health = await bench.call(`${new URL(one.base_url).pathname}/_sandbox/health`)
      expect(health.body).toMatchObject({ profile: 'instant', clock: { mode: 'jumping' }, enforced: { without: ['auth.header'], readings: { lists: 'slim' } } })
      const snapshot = JSON.parse((await bench.call(`${new URL(one.base_url).pathname}/_sandbox/state`)).text)
      const [two, three] = [await make(bench, { snapshot }), await make(bench, { snapshot })]
      await addVpc(bench, two)
      expect([two.workspace === one.workspace, await vpcsOf(bench, one), await vpcsOf(bench, two), await vpcsOf(bench, three)]).toEqual([true, 1, 2, 1])
    }))

  test('takes strains, and no reading for one', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench, { strains: { keysetPages: 'ignored' } })
      const health = await bench.call(`${new URL(one.base_url).pathname}/_sandbox/health`)
      expect(health.body).toMatchObject({ enforced: { readings: { keysetPages: 'ignored', cursors: 'all' } } })
      for (const body of [{ readings: { cursors: 'keyset' } }, { strains: { lists: 'slim' } }, { strains: { cursors: 'none' } }])
        expect((await bench.call({ method: 'POST', path: '/_sandbox/tenants', body })).status).toBe(400)
    }))

  test('goes at its own pace where it is told to, which is not that of the first sandbox', () =>
    withHost(way, {}, async (bench) => {
      const clockOf = async (body: object): Promise<unknown> =>
        (await bench.call(`${new URL((await make(bench, body)).base_url).pathname}/_sandbox/clock`)).body
      expect(await clockOf({ clock: 'scaled' })).toMatchObject({ mode: 'scaled', scale: 60 })
      bench.host.place.clock.set('scaled', 7)
      expect(await clockOf({})).toMatchObject({ mode: 'scaled', scale: 7 })
      expect(await clockOf({ clock: 'real' })).toMatchObject({ mode: 'real', scale: 1 })
    }))

  test('takes with it whoever is connected when it is removed', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench)
      const { pathname: prefix } = new URL(one.base_url)
      await bench.call({ method: 'POST', path: `${prefix}/_sandbox/faults`, body: { delay_ms: 1000, times: 'always' } })
      const events = await bench.send(`${prefix}/_sandbox/events`, { headers: { authorization: `Bearer ${CONTROL_TOKEN}` } })
      const delayed = [addVpc(bench, one), vpcsOf(bench, one, prefix)].map((call) => expect(call).rejects.toThrow(/reset|fetch failed/))
      const { sandbox } = bench.host.tenants.get(one.id)?.place ?? bench.host.place
      while (sandbox.faults.list.some((fault) => sandbox.faults.hits(fault) < 2)) await new Promise((resolve) => setTimeout(resolve, 5))
      await bench.call({ method: 'DELETE', path: `/_sandbox/tenants/${one.id}` })
      expect(await events.text()).toContain(': open')
      await Promise.all(delayed)
      expect(sandbox.world.tables.vpcs.all()).toEqual([])
      expect((await bench.call(`${prefix}/_sandbox/health`)).headers.get('x-message')).toBe('no such tenant')
    }))

  test('is found by each of its tokens as they come and go', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench)
      await make(bench)
      const { pathname: prefix } = new URL(one.base_url)
      const saved = JSON.parse((await bench.call(`${prefix}/_sandbox/state`)).text)
      const body = { email: 'owner@sandbox.test', password: 'sandbox-password' }
      const { code } = JSON.parse((await bench.call({ method: 'POST', path: `${prefix}/v1/login`, token: null, body })).text)
      expect(await vpcsOf(bench, { ...one, token: code })).toBe(0)
      await bench.call({ method: 'POST', path: `${prefix}/_sandbox/seed`, body: saved })
      expect([await vpcsOf(bench, { ...one, token: code }), await vpcsOf(bench, one)]).toEqual([-401, 0])
      await bench.call({ method: 'POST', path: '/v1/users/@me/password', token: one.token, body: { old_password: body.password, password: 'another-one' } })
      expect(await vpcsOf(bench, one)).toBe(-401)
      await bench.call({ method: 'POST', path: `${prefix}/_sandbox/reset`, body: {} })
      expect(await vpcsOf(bench, one)).toBe(0)
    }))

  test('a token that several know is refused unless the address says which', () =>
    withHost(way, {}, async (bench) => {
      const [one, two] = [await make(bench, { seed: 5 }), await make(bench, { seed: 5 })]
      const signIn = async ({ base_url: url }: Made): Promise<string> => {
        const body = { email: 'owner@sandbox.test', password: 'sandbox-password' }
        return JSON.parse((await bench.call({ method: 'POST', path: `${new URL(url).pathname}/v1/login`, token: null, body })).text).code
      }
      const [code, same] = [await signIn(one), await signIn(two)]
      expect([code, one.token === two.token]).toEqual([same, false])
      expect(await vpcsOf(bench, { ...one, token: code })).toBe(-401)
      expect(await vpcsOf(bench, { ...one, token: code }, new URL(one.base_url).pathname)).toBe(0)
    }))

  test('is listed and removed; a wrong one is refused', () =>
    withHost(way, {}, async (bench) => {
      const one = await make(bench)
      expect((await bench.call('/_sandbox/tenants')).body).toEqual({ tenants: [one] })
      const remove = async (): Promise<number> => (await bench.call({ method: 'DELETE', path: `/_sandbox/tenants/${one.id}` })).status
      expect([await remove(), await remove(), await vpcsOf(bench, one)]).toEqual([200, 404, -401])
      const refused = async (body: unknown): Promise<string | null> => {
        const { status, headers } = await bench.call({ method: 'POST', path: '/_sandbox/tenants', body })
        return `${status} ${headers.get('x-message')}`
      }
      expect(await refused({ readings: { list: 'slim' } })).toBe('400 no reading is called list; did you mean lists?')
      expect(await refused({ readings: { lists: 'slimm' } })).toBe('400 the reading lists is one of full, slim; did you mean slim?')
      expect(await refused({ without: ['nothing'] })).toContain('400 no such rule')
      expect(await refused({ snapshot: {} })).toMatch(/^400 /)
      expect(await refused({ other: 1 })).toMatch(/^400 /)
    }))
})
