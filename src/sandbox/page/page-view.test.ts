// What the page is told: all at first, then what changed; nothing secret; and the page itself with its policy.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

async function view(query = ''): Promise<PageView> {
  const headers = { host: '127.0.0.1', 'x-sandbox-token': sandbox.controlToken }
  return pageView.parse(await (await sandbox.fetch(`/_sandbox/view${query}`, { headers })).json())
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
  test('holds no hash and no password', async () => {
    expect(JSON.stringify(await view('?money=true'))).not.toMatch(/hash|password|totp/i)
  })
})

describe('the page', () => {
  const get = (path: string, method = 'GET') => pageResponse(new Request(`http://127.0.0.1${path}`, { method }))

  test('is at the root alone', () => {
    expect([get('/')?.status, get('/', 'HEAD')?.status, get('/', 'POST'), get('/v1/workspaces'), get('/index.html')]).toEqual([
      200,
      200,
      undefined,
      undefined,
      undefined,
    ])
  })
  test('may run its own script and style, and nothing else', async () => {
    const response = get('/')
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
