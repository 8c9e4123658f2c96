// What the first areas do: tokens and sign-in, workspaces, VPCs and members, BGP, the catalogue.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { SANDBOX_PASSWORD } from '../sandbox.ts'
import { totpOf } from '../totp.ts'

const start = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000
const expires = new Date(start + 240 * HOUR_MS).toISOString()

function textOf(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  if (typeof value !== 'string') throw new Error(`no ${name}`)
  return value
}
async function signIn({ call }: Bench, mfa?: string) {
  return call({
    method: 'POST',
    path: '/v1/login',
    token: null,
    body: { email: 'OWNER@sandbox.test', password: SANDBOX_PASSWORD, ...(mfa === undefined ? {} : { mfa }) },
  })
}
const me = { method: 'GET', path: '/v1/users/@me' }

describe('tokens', () => {
  test('the code is shown once, works with its grants until it expires or is revoked', async () => {
    const bench = createBench()
    const made = await bench.call({ method: 'POST', path: '/v1/tokens', body: { name: 'robot', expires, grants: { WORKSPACE: 'READ', DISK: 'NONE' } } })
    expect(made.body).toMatchObject({ name: 'robot', origin: 'API', subject: 'USER', workspace_id: null, expires, grants: { WORKSPACE: 'READ' } })
    expect(made.body).not.toHaveProperty('grants.DISK')
    const token = textOf(made.body, 'code')
    const path = `/v1/tokens/${textOf(made.body, 'id')}`
    expect(await bench.call({ method: 'GET', path })).toMatchObject({ status: 200, body: { user: { name: 'owner' }, last_used: null } })
    expect(JSON.stringify((await bench.call({ method: 'GET', path })).body)).not.toContain(token)
    const list = { method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs`, token }
    expect((await bench.call(list)).status).toBe(200)
    await bench.clock.advance(240 * HOUR_MS)
    expect((await bench.call(list)).status).toBe(401)
    expect((await bench.call({ method: 'DELETE', path })).status).toBe(202)
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
  })

  test('a token of a workspace sees that one alone, one of a resource that resource alone', async () => {
    const bench = createBench()
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'other' } })
    const { id } = bench.instance()
    const path = `/v1/workspaces/${bench.wid}/tokens`
    const grants = { WORKSPACE: 'WRITE', INSTANCE: 'WRITE' }
    const whole = textOf((await bench.call({ method: 'POST', path, body: { name: 'robot', expires, grants } })).body, 'code')
    const single = await bench.call({ method: 'POST', path, body: { name: 'robot', expires, grants, subject: 'RESOURCE', subject_id: BigInt(id) } })
    expect(single.body).toMatchObject({ subject: 'RESOURCE', subject_id: id, workspace_id: bench.wid })
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces', token: whole })).body).toMatchObject({
      items: [{ id: bench.wid, access_level: 'ADMINISTRATOR' }],
    })
    const other = bench.tables.workspaces.all()[1]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${other}`, token: whole })).status).toBe(404)
    expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}/vpcs`, token: textOf(single.body, 'code') })).status).toBe(200)
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ items: [{ subject: 'WORKSPACE' }, { subject: 'RESOURCE' }] })
    expect((await bench.call({ method: 'GET', path: `${path}?subject=RESOURCE` })).body).toHaveProperty('items.length', 1)
  })

  test("a user's list shows sessions and API tokens, filtered, and is nobody else's", async () => {
    const bench = createBench()
    const [robot] = [bench.token({ name: 'robot' }), bench.token({ name: 'hidden', origin: 'OAUTH' })]
    const names = async (query: string, token = bench.sandbox.token): Promise<unknown> =>
      (await bench.call({ method: 'GET', path: `/v1/users/@me/tokens?${query}`, token })).body
    expect(await names('')).toMatchObject({
      items: [
        { name: 'sandbox', origin: 'SESSION' },
        { name: 'robot', origin: 'API' },
      ],
    })
    expect(await names('origin=API', robot)).toMatchObject({ items: [{ name: 'robot', user: { name: 'owner' }, created_by: { name: 'owner' } }] })
    expect([await names('q=SAND'), await names('subject=WORKSPACE'), await names('name=robot')]).toMatchObject([
      { items: { length: 1 } },
      { items: { length: 0 } },
      { items: { length: 1 } },
    ])
    const stranger = bench.member('OWNER')
    const uid = bench.tables.users.all()[0]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/users/${uid}/tokens`, token: stranger })).status).toBe(403)
    expect((await bench.call({ method: 'DELETE', path: `/v1/users/${uid}/tokens`, token: stranger })).status).toBe(403)
  })
  test('a code that nobody has is refreshed by nobody', async () => {
    expect((await createBench().call({ method: 'POST', path: '/v1/tokens/refresh', body: { code: 'nobody' } })).status).toBe(401)
  })

  test('a token may be bound to an instance, a dedibox or an app of the workspace, and to nothing else', async () => {
    const bench = createBench()
    const { tables, wid } = bench
    const bind = async (id: string | undefined): Promise<number> => {
      const body = { name: 'robot', expires, grants: { DEDIBOX: 'READ' }, subject: 'RESOURCE', subject_id: BigInt(id ?? 0) }
      return (await bench.call({ method: 'POST', path: `/v1/workspaces/${wid}/tokens`, body })).status
    }
    const app = {
      name: 'a',
      templateId: '5',
      templateName: 't',
      image: 'a:1',
      state: 'AVAILABLE',
      environment: {},
      mountsJson: '[]',
      ports: [],
      domain: null,
    } as const
    const { id } = tables.apps.insert({ ...app, environment: {}, ports: [], workspaceId: wid, instanceId: '5' })
    const vpc = tables.vpcs.insert({ workspaceId: wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
    const dedibox = tables.dediboxes.all().find((row) => row.workspaceId === wid)
    expect([await bind(id), await bind(dedibox?.id), await bind(vpc.id), await bind('5')]).toEqual([201, 201, 400, 400])
  })

  test('a session lasts a day, is refreshed in its last six hours, and ends with all sessions', async () => {
    const bench = createBench()
    const login = await signIn(bench)
    const kinds = ['WORKSPACE', 'INSTANCE', 'DEDIBOX', 'APP', 'IMAGE', 'NET_BALANCER', 'FLOATING_IP', 'DISK']
    expect(login.body).toHaveProperty('grants', Object.fromEntries(kinds.map((kind) => [kind, 'WRITE'])))
    expect(login.body).toMatchObject({ origin: 'SESSION', expires: new Date(start + 24 * HOUR_MS).toISOString() })
    const code = textOf(login.body, 'code')
    await bench.clock.advance(18 * HOUR_MS)
    const refreshed = await bench.call({ method: 'POST', path: '/v1/tokens/refresh', body: { code }, token: code })
    expect(refreshed.body).toEqual({ expires: new Date(start + 42 * HOUR_MS).toISOString() })
    await bench.clock.advance(20 * HOUR_MS)
    expect((await bench.call({ ...me, token: code })).body).toMatchObject({ email: 'owner@sandbox.test' })
    const robot = bench.token({ grants: { DISK: 'READ' } })
    expect((await bench.call({ method: 'DELETE', path: '/v1/users/@me/tokens' })).status).toBe(202)
    expect([(await bench.call({ ...me, token: code })).status, (await bench.call(me)).status, (await bench.call({ ...me, token: robot })).status]).toEqual([
      401, 401, 200,
    ])
  })

  test('2FA asks for the code of the half minute, or for the reset token, which ends 2FA', async () => {
    const bench = createBench()
    const user = bench.tables.users.all()[0]
    bench.tables.users.update(user?.id ?? '', { totp: { secret: 'JBSWY3DPEHPK3PXP', reset: 'reset-token', active: true } })
    expect([(await signIn(bench)).status, (await signIn(bench, '000000')).status]).toEqual([401, 401])
    expect((await signIn(bench, totpOf('JBSWY3DPEHPK3PXP', start))).status).toBe(200)
    expect((await signIn(bench, 'reset-token')).status).toBe(200)
    expect((await signIn(bench)).status).toBe(200)
  })

  test('one-time codes are those of RFC 6238', () => {
    expect([59_000, 1_111_111_109_000, 20_000_000_000_000].map((atMs) => totpOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', atMs))).toEqual([
      '287082',
      '081804',
      '353130',
    ])
  })
})

describe('workspaces', () => {
  test('are made, renamed by their owner, and show quota and topology', async () => {
    const bench = createBench({ quota: { max_vpcs: 7 } })
    const made = await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })
    const path = `/v1/workspaces/${textOf(made.body, 'id')}`
    expect((await bench.call({ method: 'PATCH', path, body: { name: 'renamed' } })).body).toMatchObject({ name: 'renamed', owner: { name: 'owner' } })
    expect((await bench.call({ method: 'GET', path: `${path}/quota` })).body).toMatchObject({ max_vpcs: 7 })
    const { id } = bench.instance()
    bench.tables.ips.insert({
      workspaceId: bench.wid,
      family: 'IPv4',
      address: '192.0.2.1',
      region: 'fra-1',
      ddos: true,
      dns: null,
      instanceId: id,
      grantedWith: id,
      state: 'AVAILABLE',
    })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/topology` })).body).toMatchObject({
      instances: [{ id, name: 'web', online: true, state: 'AVAILABLE' }],
      ips: [{ instance_id: id, address: '192.0.2.1', protected: true }],
      dediboxes: [{ name: 'metal-1', online: true }, { name: 'metal-2', online: false }, { name: 'metal-3' }],
      net_balancers: [],
    })
  })
  test('are visible to members with their level, and to staff', async () => {
    const bench = createBench()
    const list = { method: 'GET', path: '/v1/workspaces' }
    expect((await bench.call({ ...list, token: bench.member('VIEWER') })).body).toMatchObject({ items: [{ access_level: 'VIEWER' }] })
    expect((await bench.call({ ...list, token: bench.member(undefined) })).body).toMatchObject({ items: [] })
    expect((await bench.call({ ...list, token: bench.sandbox.operatorToken })).body).toMatchObject({ items: [{ access_level: 'OWNER' }] })
  })
})

describe('VPCs', () => {
  const make = async (bench: Bench, range: string): Promise<string> =>
    textOf((await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: { name: 'main', description: 'x', range } })).body, 'id')
  const join = async (bench: Bench, instance: string, vpc: string) =>
    bench.call({ method: 'POST', path: `/v1/instances/${instance}/vpcs`, body: { vpc: BigInt(vpc) } })

  test('members get the lowest free address, which leaving frees', async () => {
    const bench = createBench()
    const vpc = await make(bench, '10.0.0.77/29')
    const ids = ['a', 'b', 'c'].map((name) => bench.instance({ name }).id)
    for (const id of ids) expect((await join(bench, id, vpc)).status).toBe(201)
    const members = async (): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/vpcs/${vpc}/instances` })).body
    expect(await members()).toMatchObject({ items: [{ instance: { name: 'a' }, address: '10.0.0.74' }, { address: '10.0.0.75' }, { address: '10.0.0.76' }] })
    expect((await bench.call({ method: 'DELETE', path: `/v1/vpcs/${vpc}` })).status).toBe(400)
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${ids[1]}/vpcs/${vpc}` })).status).toBe(200)
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${ids[1]}/vpcs/${vpc}` })).status).toBe(404)
    expect(await members()).toMatchObject({ items: [{ address: '10.0.0.74' }, { address: '10.0.0.76' }] })
    await join(bench, bench.instance({ name: 'd' }).id, vpc)
    expect((await bench.call({ method: 'GET', path: `/v1/vpcs/${vpc}/instances?q=d` })).body).toMatchObject({ items: [{ address: '10.0.0.75' }] })
  })
  test('a range that is full takes no more', async () => {
    const bench = createBench()
    const vpc = await make(bench, '192.168.0.0/30')
    expect((await join(bench, bench.instance().id, vpc)).status).toBe(201)
    expect(await join(bench, bench.instance().id, vpc)).toMatchObject({ status: 409, headers: { 'x-message': 'the VPC has no free address' } })
  })
  test('each has a VLAN of its own; filters', async () => {
    const bench = createBench()
    for (const range of ['10.0.0.0/24', '10.1.0.0/24']) await make(bench, range)
    expect(new Set(bench.tables.vpcs.all().map((row) => row.vlan)).size).toBe(2)
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs?q=10.1` })).body).toHaveProperty('items.length', 1)
  })
})

describe('BGP', () => {
  test('PATCH makes and changes the one configuration, DELETE takes the prefixes along', async () => {
    const bench = createBench()
    const path = `/v1/workspaces/${bench.wid}/bgp`
    const prefix = { prefix: '2001:db8::1/32', source: 'MANUAL', enabled: true, community: 'DEFAULT' }
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
    expect((await bench.call({ method: 'POST', path: `${path}/prefixes`, body: prefix })).status).toBe(404)
    const { id } = bench.instance()
    await bench.call({ method: 'PATCH', path, body: { asn: 4_200_000_000, password: 'secret', instance_id: BigInt(id) } })
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({
      data: { asn: 4_200_000_000, instance: { id, name: 'web' }, max_prefixes: 10 },
      live: { password: 'secret' },
    })
    expect((await bench.call({ method: 'PATCH', path, body: { instance_id: null } })).body).toMatchObject({ data: { asn: 4_200_000_000, instance: null } })
    expect((await bench.call({ method: 'POST', path: `${path}/prefixes`, body: prefix })).body).toMatchObject({ prefix: '2001:db8::/32' })
    const only = `${path}/prefixes/${bench.tables.bgpPrefixes.all()[0]?.id}`
    expect((await bench.call({ method: 'PUT', path: only, body: { ...prefix, enabled: false } })).body).toMatchObject({ enabled: false })
    expect((await bench.call({ method: 'GET', path: `${path}/prefixes?enabled=false&prefix=db8` })).body).toHaveProperty('items.length', 1)
    expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ status: 200, body: null })
    expect(bench.tables.bgpPrefixes.all()).toEqual([])
  })
})

describe('the catalogue', () => {
  test('plans by name, group, rate and availability; nodes for staff', async () => {
    const bench = createBench()
    const count = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/plans?${query}` })).body
    expect(await count('name=ryzen-4')).toMatchObject({ items: [{ name: 'ryzen-4', group: 'RYZEN', rate: 30_000 }] })
    expect(await count('rate=12000')).toHaveProperty('items.length', 2)
    expect(await count('disabled=false')).toHaveProperty('items.length', 8)
    expect(await count('group=DEDICATED')).toHaveProperty('items.length', 2)
    const id = bench.tables.plans.all()[0]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/plans/${id}` })).body).toMatchObject({ io_limits: { read_iops: 20_000 } })
    expect((await bench.call({ method: 'GET', path: '/v1/nodes?region=ams-1', token: bench.sandbox.operatorToken })).body).toHaveProperty('items.length', 3)
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/nodes` })).body).toMatchObject({ items: [] })
  })
})
