// How other people's tests use the sandbox: a fixture, requests in process or over HTTP, faults, time, and what was asked.
/* oxlint-disable vitest/no-standalone-expect -- the fixture's test is a test */
import { connect } from 'node:net'
import { expect } from 'vitest'
import * as z from 'zod'
import type { Sandbox } from '../../src/library.ts'
import { createSandbox } from '../../src/library.ts'
import { test } from './sandbox-fixture.ts'

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const headersOf = ({ token }: Pick<Sandbox, 'token'>) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

async function create(sandbox: Sandbox, path: string, body: unknown): Promise<number> {
  const response = await sandbox.fetch(path, { method: 'POST', headers: headersOf(sandbox), body: JSON.stringify(body) })
  return response.status
}

async function read(sandbox: Sandbox, path: string): Promise<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(await (await sandbox.fetch(path, { headers: headersOf(sandbox) })).json())
}

test('requests are answered in process, and can be asked for afterwards', async ({ sandbox }) => {
  expect(await create(sandbox, `/v1/workspaces/${sandbox.workspaceId}/vpcs`, vpc)).toBe(201)
  expect(sandbox.requests({ operation: 'createVpc' })).toMatchObject([{ status: 201, requestBody: vpc, unread: [] }])
  expect(() => sandbox.url).toThrow('await sandbox.listen()')
})

test('each test has one of its own', async ({ sandbox }) => {
  expect(await read(sandbox, `/v1/workspaces/${sandbox.workspaceId}/vpcs`)).toMatchObject({ items: [] })
})

test('waits cost nothing, and pass every state', async ({ sandbox }) => {
  sandbox.faults.course({ operation: 'k3s.create', outcome: 'COMPLETED', durationMs: 25 * 60_000 })
  const path = `/v1/workspaces/${sandbox.workspaceId}/k3s`
  await create(sandbox, path, {})
  const states = new Set<unknown>()
  for (let polls = 0; polls < 5; polls += 1) states.add((await read(sandbox, path))['status'])
  expect([...states]).toEqual(['PROVISIONING', 'ACTIVE'])
  expect(sandbox.clock.wall()).toBe(Date.UTC(2026, 0, 1, 0, 25))
})

test('a lost answer leaves the object', async ({ sandbox }) => {
  const fault = sandbox.faults.add({ operation: 'createVpc', reset: 'after' })
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  await expect(create(sandbox, path, vpc)).rejects.toThrow('connection reset')
  expect(await read(sandbox, path)).toMatchObject({ items: [{ name: 'main' }] })
  expect(sandbox.faults.list()).toMatchObject([{ id: fault.id, hits: 1 }])
  sandbox.faults.preset('outage')
  expect((await sandbox.fetch(path, { headers: headersOf(sandbox) })).status).toBe(503)
  sandbox.faults.preset('outage', false)
  sandbox.faults.hook(({ operation }) => (operation === 'listVpcs' ? { status: 418 } : undefined))
  expect((await sandbox.fetch(path, { headers: headersOf(sandbox) })).status).toBe(418)
  sandbox.faults.hook(undefined)
  expect([sandbox.faults.remove(fault.id ?? ''), sandbox.faults.list()]).toEqual([true, []])
})

test('it listens where a program of its own is tested, until it is closed', async () => {
  const sandbox = createSandbox({ clock: 'real' })
  const url = await sandbox.listen()
  expect([await sandbox.listen(), sandbox.url]).toEqual([url, url])
  const response = await fetch(`${url}/v1/plans`, { headers: headersOf(sandbox) })
  expect(response.status).toBe(200)
  const health = await fetch(`${url}/_sandbox/health`, { headers: { 'x-sandbox-token': sandbox.controlToken } })
  expect(await health.json()).toMatchObject({ clock: { mode: 'real' } })
  await sandbox.close()
  await expect(new Promise((resolve, reject) => connect(Number(new URL(url).port), '127.0.0.1', () => resolve('open')).on('error', reject))).rejects.toThrow(
    'ECONNREFUSED',
  )
})

test('closing ends whoever still waits, and a signal ends one request', async () => {
  const sandbox = createSandbox({ clock: 'real', faults: { list: [{ operation: 'listPlans', times: 2, delayMs: 600_000 }] } })
  const leaving = new AbortController()
  const left = sandbox.fetch('/v1/plans', { headers: headersOf(sandbox), signal: leaving.signal })
  const waiting = sandbox.fetch('/v1/plans', { headers: headersOf(sandbox) })
  leaving.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  await Promise.all([sandbox.close(), expect(waiting).rejects.toMatchObject({ name: 'AbortError', message: 'the sandbox is closed' })])
  await expect(read(sandbox, '/v1/plans')).rejects.toThrow('the sandbox is closed')
})

test('an address that cannot be had is told, and another can be asked for', async () => {
  const [one, two] = [createSandbox(), createSandbox()]
  const { port } = new URL(await one.listen())
  await expect(two.listen(Number(port))).rejects.toThrow('EADDRINUSE')
  expect(await two.listen()).not.toBe(one.url)
  await Promise.all([one.close(), two.close()])
})

test('a reset leaves nothing of what a test asked for', async ({ sandbox }) => {
  sandbox.faults.hook(() => ({ status: 418 }))
  sandbox.faults.preset('outage')
  sandbox.faults.course({ operation: 'k3s.create', outcome: 'FAILED' })
  sandbox.reset()
  expect((await sandbox.fetch('/v1/plans', { headers: headersOf(sandbox) })).status).toBe(200)
  expect([sandbox.faults.list(), sandbox.requests().length]).toEqual([[], 1])
  sandbox.faults.hook(() => ({ status: 418 }))
  sandbox.faults.clear()
  expect((await sandbox.fetch('/v1/plans', { headers: headersOf(sandbox) })).status).toBe(200)
})

test('a snapshot is text that can be kept, and begun with', async () => {
  // With a token of one's own, every code is the same in each run: snapshots can be compared.
  const sandbox = createSandbox({ token: 'of-my-tests' })
  const path = `/v1/workspaces/${sandbox.workspaceId}/vpcs`
  await create(sandbox, path, vpc)
  const snapshot: unknown = JSON.parse(sandbox.snapshotText())
  const other = createSandbox({ snapshot, token: 'of-my-tests' })
  expect([other.token, other.operatorToken]).toEqual(['of-my-tests', sandbox.operatorToken])
  expect(await read(other, path)).toMatchObject({ items: [{ name: 'main' }] })
  await create(other, path, { ...vpc, name: 'more', range: '10.99.0.0/24' })
  other.reset()
  expect(await read(other, path)).toMatchObject({ items: [{ name: 'main' }] })
  other.load(sandbox.snapshot())
  expect(other.snapshot()).toEqual(sandbox.snapshot())
})
