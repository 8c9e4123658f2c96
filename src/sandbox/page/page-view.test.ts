// What the page is told: all at first, then what changed; nothing secret; and the page itself with its policy.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createTestSandbox } from '../test-sandbox.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { pageAddress, pageResponse } from './page.ts'
import type { PageView } from './view-wire.ts'
import { pageView } from './view-wire.ts'

let sandbox: TestSandbox
beforeEach(() => {
  sandbox = createTestSandbox({ clock: 'frozen' })
})
afterEach(async () => await sandbox.close())

async function viewText(query = ''): Promise<string> {
  const headers = { host: '127.0.0.1', 'x-sandbox-token': sandbox.controlToken }
  return await (await sandbox.fetch(`/_sandbox/view${query}`, { headers })).text()
}

async function view(query = ''): Promise<PageView> {
  return pageView.parse(JSON.parse(await viewText(query)))
}

async function createVpc(name: string): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name, description: '', range: '10.0.0.0/24' })
  const { status } = await sandbox.fetch(`/v1/workspaces/${sandbox.workspaceId}/vpcs`, { method: 'POST', headers, body })
  expect(status).toBeLessThan(300)
}

describe('a look', () => {
  test('is complete at first, then tells what changed since, and what went', async () => {
    await createVpc('first')
    const all = await view()
    expect([all.complete, all.rows.vpcs?.map((one) => one.name), all.requests.length]).toEqual([true, ['first'], 1])
    await createVpc('second')
    const next = await view(`?since=${all.event}&request=1`)
    expect([next.complete, next.rows.vpcs?.map((one) => one.name), next.rows.workspaces, next.requests.map((one) => one.id)]).toEqual([
      false,
      ['second'],
      [],
      [2],
    ])
    const id = next.rows.vpcs?.[0]?.id
    await sandbox.fetch(`/v1/vpcs/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${sandbox.token}` } })
    expect((await view(`?since=${next.event}`)).gone).toEqual({ vpcs: [id] })
  })
  test('is complete again after a reset, or for an event that is not known', async () => {
    const { event } = await view()
    sandbox.reset()
    expect((await view(`?since=${event}`)).complete).toBe(true)
    expect((await view('?since=99999')).complete).toBe(true)
  })
  test('tells presets with their hits, and money when it is asked for', async () => {
    sandbox.faults.preset('outage')
    await sandbox.fetch('/v1/workspaces', { headers: { authorization: `Bearer ${sandbox.token}` } })
    const { presets, money } = await view()
    expect(presets.filter((one) => one.on).map((one) => [one.name, one.hits])).toEqual([['outage', 1]])
    expect(money).toBeNull()
    expect((await view('?money=true')).money?.wallets).toMatchObject([{ email: 'owner@sandbox.test', balance: '10000000000' }])
  })
  test('tells a fault in words, its lists and what is within it, too', async () => {
    sandbox.faults.add({ operation: ['createVpc', 'deleteVpc'], status: 503 })
    sandbox.faults.add({ operation: 'createVpc', workflow: { outcome: 'FAILED' } })
    expect((await view()).faults.map((one) => one.about)).toEqual([
      'operation createVpc, deleteVpc, status 503',
      'operation createVpc, workflow {"outcome":"FAILED"}',
    ])
  })
  test('tells when an invite expires', async () => {
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ email: 'ada@example.test', access_level: 'VIEWER' })
    await sandbox.fetch(`/v1/workspaces/${sandbox.workspaceId}/invites`, { method: 'POST', headers, body })
    const expiry = (await view()).rows.invites?.find((one) => one.accepted_by_id === null)?.expires_at_ms
    expect(expiry).toBeGreaterThan(sandbox.clock.wall())
  })
  test('holds no hash, no password and no value of a secret, whatever the rows hold', async () => {
    const { tables, ...rest } = sandbox.snapshot()
    const base = { createdAt: '2026-01-01T00:00:00.000Z', workspaceId: sandbox.workspaceId }
    const revision = { image: 'shop:1', targetIds: [], replicas: 1, ports: [], volumes: [], secretRefs: ['db'], updateStrategy: 'ROLLING' }
    const service = { ...base, id: '3', name: 'shop', mode: 'SPREAD', status: 'RUNNING', previous: null, rollout: 1, rolledOutAtMs: 0 }
    sandbox.load({
      ...rest,
      tables: {
        ...tables,
        bgpConfigurations: [{ ...base, id: '1', asn: 64_512, password: 'hush-bgp', instanceId: null, maxPrefixes: 1 }],
        clusterSecrets: [{ ...base, id: '2', name: 'db', data: { URL: 'hush-url' } }],
        clusterServices: [{ ...service, revision: { ...revision, environment: { PIN: 'hush-pin' } } }],
      },
    })
    const text = await viewText('?money=true')
    expect(text).not.toMatch(/hush|hash|password|totp/i)
    const { rows } = await view()
    expect([rows.bgpConfigurations?.[0]?.asn, rows.clusterSecrets?.[0]?.keys, rows.clusterServices?.[0]?.secret_refs]).toEqual([64_512, ['URL'], ['db']])
  })
  test('counts the coming and going of tenants, as an event of the first sandbox, too', async () => {
    const headers = { host: '127.0.0.1', 'x-sandbox-token': sandbox.controlToken, 'content-type': 'application/json' }
    const before = await view()
    const { id } = z.object({ id: z.string() }).parse(await (await sandbox.fetch('/_sandbox/tenants', { method: 'POST', headers })).json())
    const between = await view()
    await sandbox.fetch(`/_sandbox/tenants/${id}`, { method: 'DELETE', headers })
    await sandbox.fetch(`/_sandbox/tenants/${id}`, { method: 'DELETE', headers })
    const after = await view()
    expect([before, between, after].map((one) => [one.tenant_changes, one.event - before.event])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })
})

describe('the page', () => {
  const get = (path: string, method = 'GET') => pageResponse(new Request(`http://127.0.0.1${path}`, { method }))

  test('is at the root alone', async () => {
    expect([
      (await get('/'))?.status,
      (await get('/?tenant=t1'))?.status,
      (await get('/', 'HEAD'))?.status,
      get('/', 'POST'),
      get('/v1/workspaces'),
      get('/index.html'),
    ]).toEqual([200, 200, 200, undefined, undefined, undefined])
  })
  test('may run its own script and style, and nothing else', async () => {
    const response = await get('/')
    const text = (await response?.text()) ?? ''
    const policy = response?.headers.get('content-security-policy') ?? ''
    for (const tag of ['script', 'style']) {
      const [, content = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(text) ?? []
      expect(content.length).toBeGreaterThan(1000)
      expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`)
    }
    expect(policy).toContain("default-src 'none'")
    expect(text.replaceAll('http://www.w3.org/', '')).not.toMatch(/(?:src|href)=["']?https?:/)
  })
  test('gets the token by the fragment of its address', () => {
    expect(pageAddress('http://127.0.0.1:1', 'a b')).toBe('http://127.0.0.1:1/#token=a%20b')
  })
})
