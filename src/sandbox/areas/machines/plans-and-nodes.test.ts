// The catalogue: plans for everyone, nodes for staff and for private clouds.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'

const nodeFields = { name: 'rack-1', group: 'RYZEN', region: 'fra-1', maxMemoryBytes: 1024, cores: 64 } as const
const limits = { cpu: 1, memoryBytes: 1, diskBytes: 1, uploadBytesSec: 1, downloadBytesSec: 1, rateMicroUsd: 1 }
const planFields = { group: 'RYZEN', ...limits, disabled: false, backupPlan: null, ioLimits: null } as const

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
  test('a plan may have no limits of its disk, and is searched by name and id', async () => {
    const bench = createBench()
    const { id } = bench.tables.plans.insert({ ...planFields, name: 'unlimited' })
    expect((await bench.call({ method: 'GET', path: `/v1/plans/${id}` })).body).toMatchObject({
      name: 'unlimited',
      disk_size: 1,
      io_limits: null,
      backup_plan: null,
    })
    expect((await bench.call({ method: 'GET', path: `/v1/plans?q=${id}` })).body).toMatchObject({ items: [{ name: 'unlimited' }] })
    expect((await bench.call({ method: 'GET', path: `/v1/plans?id=${id}&disabled=true` })).body).toHaveProperty('items.length', 1)
    expect((await bench.call({ method: 'GET', path: '/v1/plans/5' })).status).toBe(404)
  })
  test("a platform node is everyone's to see, one of a workspace its members'", async () => {
    const bench = createBench()
    const platform = bench.tables.nodes.all()[0]?.id
    const own = bench.tables.nodes.insert({ ...nodeFields, flags: ['CEPH'], ownerWorkspaceId: bench.wid }).id
    const stranger = bench.member(undefined)
    const statusOf = async (id: string | undefined, token: string): Promise<number> =>
      (await bench.call({ method: 'GET', path: `/v1/nodes/${id}`, token })).status
    expect([await statusOf(platform, stranger), await statusOf(own, stranger), await statusOf(own, bench.member('VIEWER'))]).toEqual([200, 404, 200])
    expect((await bench.call({ method: 'GET', path: `/v1/nodes/${own}` })).body).toMatchObject({
      id: own,
      name: 'rack-1',
      owner: { id: bench.wid, name: 'default' },
      group: 'RYZEN',
      region: 'fra-1',
      max_memory: 1024,
      cores: 64,
      flags: ['CEPH'],
    })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/nodes?q=rack&owner=${bench.wid}` })).body).toMatchObject({
      items: [{ id: own }],
    })
    expect((await bench.call({ method: 'GET', path: '/v1/nodes/5' })).status).toBe(404)
  })
  test('a token of one resource sees platform nodes, and none of its workspace; the list of these asks for WORKSPACE', async () => {
    const bench = createBench()
    const platform = bench.tables.nodes.all()[0]?.id
    const own = bench.tables.nodes.insert({ ...nodeFields, flags: [], ownerWorkspaceId: bench.wid }).id
    const grants = { INSTANCE: 'READ' } as const
    const resource = bench.token({ subject: 'RESOURCE', subjectId: bench.instance().id, userId: null, workspaceId: bench.wid, grants })
    const statuses = async (token: string): Promise<readonly number[]> => {
      const paths = [`/v1/nodes/${platform}`, `/v1/nodes/${own}`, `/v1/workspaces/${bench.wid}/nodes`]
      return Promise.all(paths.map(async (path) => (await bench.call({ method: 'GET', path, token })).status))
    }
    expect(await statuses(resource)).toEqual([200, 404, 404])
    expect(await statuses(bench.token({ grants }))).toEqual([200, 200, 403])
  })
})
