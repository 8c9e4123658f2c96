// Workspaces: every rule, who sees them, their quota and topology.
import { describe, expect, test } from 'vitest'
import { textOf } from '../../../../test/builders/text-of.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
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
  test('are visible to members with their level, and to staff', async () => {
    const bench = createBench()
    const list = { method: 'GET', path: '/v1/workspaces' }
    expect((await bench.call({ ...list, token: bench.member('VIEWER') })).body).toMatchObject({ items: [{ access_level: 'VIEWER' }] })
    expect((await bench.call({ ...list, token: bench.member(undefined) })).body).toMatchObject({ items: [] })
    expect((await bench.call({ ...list, token: bench.sandbox.operatorToken })).body).toMatchObject({ items: [{ access_level: 'OWNER' }] })
  })
})
