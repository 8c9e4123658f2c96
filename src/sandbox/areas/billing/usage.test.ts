// Usage statements of users, workspaces and resources.
import { describe, expect, test } from 'vitest'
import { createBillingBench, period } from '../../../../test/builders/billing-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { usageArea } from './usage.ts'

const backwards = 'from=2026-01-02&to=2026-01-02'
const paths = (wid: string, id: string): readonly string[] => [
  `/v1/wallet/@me/usage?${backwards}`,
  `/v1/workspaces/${wid}/usage?${backwards}`,
  `/v1/workspaces/${wid}/usage/${id}?${backwards}`,
  `/v1/wallet/@me/history?${backwards}`,
]

describeRules(
  'usage',
  usageArea.rules,
  paths('', '').map((_, index) => ({
    rule: 'usage.period',
    accepted: 200,
    arrange: (bench: Bench) => ({ method: 'GET', path: paths(bench.wid, bench.instance().id)[index] ?? '' }),
  })),
)

describe('a statement', () => {
  test('holds what was metered within its period: from on, to not', async () => {
    const bench = createBillingBench()
    const gone = bench.server({ name: 'gone' })
    await bench.advanceHours(2)
    bench.tables.instances.delete(gone.id)
    const web = bench.server({ name: 'web-1' })
    bench.tables.instances.update(web.id, { name: 'renamed' })
    const disk = bench.disk()
    await bench.advanceHours(3)
    const path = `/v1/workspaces/${bench.wid}/usage`
    const used = (row: { id: string }, resource_kind: string, resource_name: string, minutes: number, cost: number) => ({
      resource_id: row.id,
      resource_kind,
      resource_name,
      minutes,
      cost,
    })
    expect(await bench.get(`${path}?${period(1, 4)}`)).toEqual({
      workspace_id: bench.wid,
      workspace_name: 'default',
      from: '2026-01-01T01:00:00.000Z',
      to: '2026-01-01T04:00:00.000Z',
      total_minutes: 300,
      total_cost: 15_000 + 30_000 + 5_000,
      resources: [used(gone, 'INSTANCE', 'gone', 60, 15_000), used(web, 'INSTANCE', 'web-1', 120, 30_000), used(disk, 'DISK', 'data', 120, 5_000)].toSorted(
        (a, b) => (a.resource_id < b.resource_id ? -1 : 1),
      ),
    })
    expect(await bench.get(`${path}?${period(2, 9)}`)).toMatchObject({ total_minutes: 360, total_cost: 52_500 })
    expect(await bench.get(`${path}?${period(6, 9)}`)).toMatchObject({ total_minutes: 0, total_cost: 0, resources: [] })
    expect(await bench.get(`${path}/${gone.id}?${period(0, 9)}`)).toEqual(used(gone, 'INSTANCE', 'gone', 120, 30_000))
    expect(await bench.get(`${path}/${disk.id}?from=2026-01-01&to=2026-01-02`)).toEqual(used(disk, 'DISK', 'data', 180, 7_500))
  })
  test('of a user is about the workspaces that they own', async () => {
    const bench = createBillingBench()
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })
    const second = bench.tables.workspaces.all().at(-1)?.id ?? ''
    bench.server()
    bench.server({ workspaceId: second })
    await bench.advanceHours(1)
    const row = (workspace_id: string, workspace_name: string) => ({
      workspace_id,
      workspace_name,
      total_minutes: 60,
      total_cost: 15_000,
      resources: [{ minutes: 60 }],
    })
    const whole = { total_minutes: 120, total_cost: 30_000, workspaces: [row(bench.wid, 'default'), row(second, 'second')] }
    expect(await bench.get(`/v1/wallet/@me/usage?${period(0, 9)}`)).toMatchObject(whole)
    expect((await bench.operate('GET', `/v1/wallet/${bench.ownerId}/usage?${period(0, 9)}`)).body).toMatchObject(whole)
    expect((await bench.operate('GET', `/v1/wallet/@me/usage?${period(0, 9)}`)).body).toMatchObject({ total_cost: 0, workspaces: [] })
  })
})

describe('refusals', () => {
  test('of what is not there, not visible, not well-formed', async () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    const foreign = bench.server({ workspaceId: '77' })
    const status = async (path: string, token?: string): Promise<number> =>
      (await bench.call({ method: 'GET', path, ...(token === undefined ? {} : { token }) })).status
    const usage = `/v1/workspaces/${bench.wid}/usage`
    const at = `?${period(0, 1)}`
    expect([await status(`${usage}${at}`), await status(`${usage}/${id}${at}`)]).toEqual([200, 200])
    expect([await status(`${usage}/5${at}`), await status(`${usage}/${foreign.id}${at}`), await status(`/v1/workspaces/5/usage${at}`)]).toEqual([404, 404, 404])
    expect([await status(usage), await status(`${usage}?from=2026-01-01`), await status(`${usage}?from=now&to=2026-01-01`)]).toEqual([400, 400, 400])
    expect(await status(`/v1/wallet/5/usage${at}`)).toBe(403)
    expect((await bench.operate('GET', `/v1/wallet/5/usage${at}`)).status).toBe(404)
    expect([await status(`${usage}${at}`, bench.member(undefined)), await status(`${usage}${at}`, bench.member('VIEWER'))]).toEqual([404, 200])
    const grants = { INSTANCE: 'WRITE' } as const
    expect([await status(`${usage}${at}`, bench.token({ grants })), await status(`${usage}${at}`, bench.token({ grants: { WORKSPACE: 'READ' } }))]).toEqual([
      403, 200,
    ])
  })
})
