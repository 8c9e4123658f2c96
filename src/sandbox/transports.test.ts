// One suite in process and over HTTP: the same requests, the same answers, the same faults.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { VirtualClock } from '../base/clock.ts'
import { virtualClock } from '../base/clock.ts'
import { parseJson, stringifyJson } from '../base/json.ts'
import type { SandboxRequest } from './request/exchange.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'
import { serveSandbox } from './server.ts'

interface Answered {
  readonly status: number
  readonly message: string | undefined
  readonly text: string
}
type Send = (request: SandboxRequest) => Promise<Answered>

const inProcess = async (sandbox: Sandbox, work: (send: Send) => Promise<void>): Promise<void> => {
  await work(async (sent) => {
    const { status, headers, text } = await sandbox.handle(sent)
    return { status, message: headers['x-message'], text: await text(1_000_000) }
  })
}
const overHttp = async (sandbox: Sandbox, work: (send: Send) => Promise<void>): Promise<void> => {
  const { url, close } = await serveSandbox({ sandbox })
  try {
    await work(async ({ method, path, headers, body }) => {
      const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
      return { status: response.status, message: response.headers.get('x-message') ?? undefined, text: await response.text() }
    })
  } finally {
    await close()
  }
}

describe.each([
  ['in process', inProcess],
  ['over HTTP', overHttp],
] as const)('%s', (_, run) => {
  const withSandbox = async (options: Partial<SandboxOptions>, work: (send: Send, sandbox: Sandbox, clock: VirtualClock) => Promise<void>): Promise<void> => {
    const clock = virtualClock(Date.UTC(2026, 0, 1), false)
    const sandbox = createSandbox({ clock, ...options })
    const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
    await run(sandbox, (send) => work((sent) => send({ ...sent, headers: { ...headers, ...sent.headers } }), sandbox, clock))
  }
  const vpcsOf = (sandbox: Sandbox): string => `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  const body = stringifyJson({ name: 'main', description: '', range: '10.0.0.9/24' })

  test('a life of a VPC', () =>
    withSandbox({}, async (send, sandbox) => {
      const made = await send({ method: 'POST', path: vpcsOf(sandbox), headers: {}, body })
      expect(made.status).toBe(201)
      const record = parseJson(made.text)
      expect(record).toMatchObject({ name: 'main', range: '10.0.0.0/24' })
      const path = `/v1/vpcs/${JSON.parse(made.text).id}`
      expect(await send({ method: 'GET', path, headers: {} })).toEqual({ status: 200, message: undefined, text: made.text })
      const changed = await send({ method: 'PATCH', path, headers: {}, body: '{"description":"x"}' })
      expect(parseJson(changed.text)).toMatchObject({ name: 'main', description: 'x' })
      expect((await send({ method: 'DELETE', path, headers: {} })).status).toBe(200)
      expect(await send({ method: 'GET', path, headers: {} })).toEqual({ status: 404, message: 'not found', text: '' })
    }))

  test('refusals: unknown path, wrong method, not built yet, field errors, and empty bodies for 401 and 403', () =>
    withSandbox({}, async (send, sandbox) => {
      expect((await send({ method: 'GET', path: '/v1/nothing', headers: {} })).status).toBe(404)
      expect((await send({ method: 'PUT', path: '/v1/workspaces', headers: {} })).status).toBe(405)
      expect((await send({ method: 'GET', path: `/v1/vpcs/../x`, headers: {} })).status).toBe(404)
      const broken = await send({ method: 'POST', path: vpcsOf(sandbox), headers: {}, body: '{"name":"x"}' })
      expect([broken.status, broken.message]).toEqual([400, expect.stringContaining('name')])
      expect(parseJson(broken.text)).toMatchObject({ errors: [{ field: 'name' }, { field: 'description' }, { field: 'range' }] })
      expect(await send({ method: 'GET', path: '/v1/plans', headers: { authorization: 'Bearer nobody' } })).toMatchObject({ status: 401, text: '' })
      expect(await send({ method: 'GET', path: '/v1/workflows', headers: {} })).toMatchObject({ status: 403, text: '' })
    }))

  test('ids beyond 2^53 stay exact in paths, bodies, queries and answers', () =>
    withSandbox({}, async (send, sandbox) => {
      const { tables } = sandbox.world
      const [plan] = tables.plans.all()
      expect(Number(plan?.id)).toBeGreaterThan(2 ** 53)
      expect(String(Number(plan?.id))).not.toBe(plan?.id)
      expect((await send({ method: 'GET', path: `/v1/plans/${Number(plan?.id)}`, headers: {} })).status).toBe(404)
      expect(parseJson((await send({ method: 'GET', path: `/v1/plans?id=${plan?.id}`, headers: {} })).text)).toMatchObject({ items: [{ id: plan?.id }] })
      await send({ method: 'PATCH', path: `/v1/workspaces/${sandbox.workspaceId}/bgp`, headers: {}, body: '{}' })
      const prefix = stringifyJson({ prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' })
      const path = `/v1/workspaces/${sandbox.workspaceId}/bgp/prefixes`
      const made = await send({ method: 'POST', path, headers: {}, body: prefix })
      const id = tables.bgpPrefixes.all()[0]?.id ?? ''
      expect(made.text).toContain(`{"id":${id},`)
      expect(parseJson(made.text)).toMatchObject({ id: BigInt(id) })
    }))

  test('faults: a status, a storm, a reset before and after, a late delivery, a truncated body', async () => {
    await withSandbox({ faults: { list: [{ operation: 'listPlans', status: 429, retryAfterSeconds: 2, times: 2, after: 1 }] } }, async (send) => {
      const plans = async (): Promise<number> => (await send({ method: 'GET', path: '/v1/plans', headers: {} })).status
      expect([await plans(), await plans(), await plans(), await plans()]).toEqual([200, 429, 429, 200])
    })
    const create = async (fault: object): Promise<readonly [boolean, number, number]> => {
      let seen: readonly [boolean, number, number] = [false, -1, -1]
      await withSandbox({ faults: { list: [{ operation: 'createVpc', ...fault }] } }, async (send, sandbox, clock) => {
        const lost = await send({ method: 'POST', path: vpcsOf(sandbox), headers: {}, body }).then(
          () => false,
          () => true,
        )
        const count = async (): Promise<number> => JSON.parse((await send({ method: 'GET', path: vpcsOf(sandbox), headers: {} })).text).items.length
        const now = await count()
        await clock.advance(5000)
        seen = [lost, now, await count()]
      })
      return seen
    }
    expect(await create({ reset: 'before' })).toEqual([true, 0, 0])
    expect(await create({ reset: 'after' })).toEqual([true, 1, 1])
    expect(await create({ lateMs: 5000 })).toEqual([true, 0, 1])
    expect(await create({ truncateBytes: 10 })).toEqual([true, 1, 1])
    expect(await create({ status: 503 })).toEqual([false, 0, 0])
  })

  test('stale reads answer as it was: creates, changes and deletes are not seen yet', () =>
    withSandbox({}, async (send, sandbox, clock) => {
      const ids = async (): Promise<string[]> =>
        JSON.parse((await send({ method: 'GET', path: vpcsOf(sandbox), headers: {} })).text).items.map((item: { name: string }) => item.name)
      const make = async (name: string): Promise<string> =>
        JSON.parse(
          (await send({ method: 'POST', path: vpcsOf(sandbox), headers: {}, body: stringifyJson({ name, description: '', range: '10.0.0.0/24' }) })).text,
        ).id
      const [one] = [await make('one1'), await make('two2')]
      await clock.advance(1000)
      await send({ method: 'DELETE', path: `/v1/vpcs/${one}`, headers: {} })
      await make('three')
      sandbox.faults.hook = ({ count }) => (count === 1 ? { staleMs: 500 } : undefined)
      expect(await ids()).toEqual(['one1', 'two2'])
      expect(await ids()).toEqual(['two2', 'three'])
    }))
})

test('a server answers only to names of this machine', async () => {
  const { url, close } = await serveSandbox({ sandbox: createSandbox({ clock: virtualClock() }) })
  const reason = (host: string): Promise<unknown> =>
    new Promise((resolve, reject) =>
      request(url, { headers: { host }, path: '/v1/plans' }, (response) => resolve(response.resume().headers['x-message']))
        .on('error', reject)
        .end(),
    )
  expect(await reason('evil.example')).toBe('the host is not this machine')
  expect(await reason(`localhost:${new URL(url).port}`)).toBe('no Authorization header')
  const answer = await fetch(`${url}/v1/plans`)
  expect(answer.headers.get('x-message')).toBe('no Authorization header')
  await close()
})
