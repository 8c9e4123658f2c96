// A snapshot goes back to its time: what was due stays due, and what is metered is metered once.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { parseJson, stringifyJson } from '../../base/json.ts'
import type { JsonObject } from '../../base/json.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { createTestSandbox } from '../test-sandbox.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const plans = z.object({ items: z.array(z.looseObject({ id: z.string(), name: z.string() })) })

async function call({ fetch, token }: TestSandbox, method: string, path: string, body?: JsonObject): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(path, { method, headers, ...(body ? { body: stringifyJson(body) } : {}) })
  const text = await response.text()
  expect([response.status < 300, text]).toEqual([true, text])
  return text
}

async function withInstance(clock: 'frozen' | 'real' = 'frozen'): Promise<TestSandbox> {
  const sandbox = createTestSandbox({ clock })
  const { items } = plans.parse(parseJson(await call(sandbox, 'GET', '/v1/plans?limit=100')))
  const plan = items.find((one) => one.name === 'ryzen-2')?.id ?? '0'
  await call(sandbox, 'POST', `/v1/workspaces/${sandbox.workspaceId}/instances`, { type: 'PLAN', plan: BigInt(plan), region: 'fra-1', name: 'web' })
  return sandbox
}

describe('a snapshot', () => {
  test.each(['frozen', 'real'] as const)('that is loaded again is all that it was, on a %s clock', async (mode) => {
    const sandbox = await withInstance(mode)
    await sandbox.clock.advance(DAY_MS)
    const wallet = await call(sandbox, 'GET', '/v1/wallet/@me')
    const [snapshot, atMs] = [sandbox.snapshot(), sandbox.clock.wall()]
    await sandbox.clock.advance(40 * DAY_MS)
    expect(await call(sandbox, 'GET', '/v1/wallet/@me')).not.toBe(wallet)
    sandbox.load(snapshot)
    expect(Math.abs(sandbox.clock.wall() - atMs)).toBeLessThan(60_000)
    if (mode === 'frozen') expect(await call(sandbox, 'GET', '/v1/wallet/@me')).toBe(wallet)
    await sandbox.close()
  })

  test('goes on elsewhere with the workflows that ran, at their own time', async () => {
    const first = await withInstance()
    await first.clock.advance(0)
    const snapshot = first.snapshot()
    const second = createTestSandbox({ clock: 'frozen', startWallMs: Date.UTC(2025, 0, 1) })
    second.load(snapshot)
    expect(second.clock.wall()).toBe(first.clock.wall())
    await second.clock.advance(HOUR_MS)
    expect(await call(second, 'GET', `/v1/workspaces/${second.workspaceId}/instances`)).toContain('"AVAILABLE"')
    const third = createTestSandbox({ clock: 'frozen', snapshot })
    expect(third.clock.wall()).toBe(first.clock.wall())
  })

  test('from which a sandbox was made is what a reset goes back to', async () => {
    const first = await withInstance()
    await first.clock.advance(HOUR_MS)
    const sandbox = createTestSandbox({ clock: 'frozen', snapshot: first.snapshot() })
    const before = [sandbox.snapshotText(), sandbox.clock.wall()]
    await sandbox.clock.advance(DAY_MS)
    await call(sandbox, 'POST', `/v1/workspaces/${sandbox.workspaceId}/vpcs`, { name: 'more', description: '', range: '10.0.0.0/24' })
    sandbox.reset()
    expect([sandbox.snapshotText(), sandbox.clock.wall()]).toEqual(before)
    first.reset()
    expect(first.snapshot().tables['instances']).toEqual([])
  })

  test('of another version, or that is none, says so in a line', async () => {
    const sandbox = createTestSandbox()
    const url = await sandbox.listen()
    const headers = { 'x-sandbox-token': sandbox.controlToken, 'content-type': 'application/json' }
    const told = async (path: string, body: object) =>
      await (await fetch(`${url}/_sandbox${path}`, { method: 'POST', headers, body: stringifyJson(body) })).text()
    const newer = { ...sandbox.snapshot(), schema_version: 2 }
    expect(await told('/seed', newer)).toContain('schema version 2, and this build reads version 1')
    expect(await told('/tenants', { snapshot: newer })).toContain('schema version 2')
    expect(await told('/tenants', { snapshot: { kind: 'x' } })).not.toContain('\\n')
    await sandbox.close()
  })
})
