// Workspaces: every rule, who sees them, their quota and topology.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../../test/builders/text-of.ts'
import { workspacesArea } from './workspaces.ts'

function settings(bench: Bench, body: unknown) {
  return { method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body, token: bench.member('ADMINISTRATOR') }
}

describeRules('workspaces', workspacesArea.rules, [
  { rule: 'workspaces.rename', accepted: 200, arrange: (bench) => settings(bench, { name: 'renamed' }) },
  { rule: 'workspaces.mfa-owner', accepted: 200, arrange: (bench) => settings(bench, { mfa_required: false }) },
  {
    rule: 'workspaces.mfa-members',
    accepted: 200,
    arrange: ({ wid }) => ({ method: 'PATCH', path: `/v1/workspaces/${wid}`, body: { mfa_required: true } }),
  },
])

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
  test('show their VPCs with the members of these', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    const vpc = bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
    bench.tables.memberships.insert({ vpcId: vpc.id, instanceId: id, address: '10.0.0.2' })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/topology` })).body).toHaveProperty('vpcs', [
      { id: vpc.id, name: 'main', range: '10.0.0.0/24', instances: [{ instance_id: id, address: '10.0.0.2' }] },
    ])
  })
  test.each([
    [{ WORKSPACE: 'READ' }, ['vpcs']],
    [{ WORKSPACE: 'READ', INSTANCE: 'READ' }, ['instances', 'members', 'vpcs']],
    [{ WORKSPACE: 'READ', FLOATING_IP: 'WRITE' }, ['ips', 'vpcs']],
    [{ WORKSPACE: 'WRITE', DEDIBOX: 'READ' }, ['dediboxes', 'vpcs']],
  ] as const)('show a token with %j what it may list, and no more: %j', async (grants, expected) => {
    const bench = createBench()
    const { id } = bench.instance()
    const vpc = bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
    bench.tables.memberships.insert({ vpcId: vpc.id, instanceId: id, address: '10.0.0.2' })
    const address = {
      family: 'IPv4',
      address: '192.0.2.1',
      region: 'fra-1',
      ddos: true,
      dns: null,
      instanceId: id,
      grantedWith: id,
      state: 'AVAILABLE',
    } as const
    bench.tables.ips.insert({ ...address, workspaceId: bench.wid })
    for (const fields of [{}, { subject: 'WORKSPACE', subjectId: bench.wid, userId: null, workspaceId: bench.wid }] as const) {
      const token = bench.token({ ...fields, grants })
      const shape = z.object({ vpcs: z.array(z.object({ instances: z.array(z.unknown()) })) }).catchall(z.array(z.unknown()))
      const { body } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/topology`, token })
      const shown = shape.parse(body)
      const filled = Object.keys(shown).filter((name) => shown[name]?.length !== 0)
      expect([...filled, ...(shown.vpcs[0]?.instances.length === 0 ? [] : ['members'])].toSorted()).toEqual(expected)
      for (const [list, kind] of [['instances', 'instances'] as const, ['ips', 'ips'] as const, ['dedibox', 'dediboxes'] as const]) {
        const { status } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/${list}`, token })
        expect([list, status]).toEqual([list, filled.includes(kind) ? 200 : 403])
      }
    }
  })
  test('are no resource: a token of one sees none, neither in the list nor by id', async () => {
    const bench = createBench()
    const fields = { subject: 'RESOURCE', subjectId: bench.instance().id, userId: null, workspaceId: bench.wid } as const
    const token = bench.token({ ...fields, grants: { WORKSPACE: 'WRITE', INSTANCE: 'WRITE' } })
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces', token })).body).toMatchObject({ items: [] })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token })).status).toBe(404)
  })
  test('are visible to members with their level, and to staff', async () => {
    const bench = createBench()
    const list = { method: 'GET', path: '/v1/workspaces' }
    expect((await bench.call({ ...list, token: bench.member('VIEWER') })).body).toMatchObject({ items: [{ access_level: 'VIEWER' }] })
    expect((await bench.call({ ...list, token: bench.member(undefined) })).body).toMatchObject({ items: [] })
    expect((await bench.call({ ...list, token: bench.sandbox.operatorToken })).body).toMatchObject({ items: [{ access_level: 'OWNER' }] })
  })
})
