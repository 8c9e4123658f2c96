// VPCs: every rule, their members and the addresses of these.
import { describe, expect, test } from 'vitest'
import { otherWorkspace } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../../test/builders/text-of.ts'
import { vpcsArea } from './vpcs.ts'

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }

function addVpc({ tables, wid }: Bench, workspaceId = wid): string {
  return tables.vpcs.insert({ ...vpc, workspaceId, vlan: 100 }).id
}

describeRules('VPCs', vpcsArea.rules, [
  {
    rule: 'vpcs.quota',
    accepted: 201,
    options: { quota: { max_vpcs: 1 } },
    arrange(bench) {
      addVpc(bench)
      return { method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc }
    },
  },
  {
    rule: 'vpcs.vlan',
    accepted: 201,
    arrange(bench) {
      for (let vlan = 100; vlan <= 4094; vlan += 1) bench.tables.vpcs.insert({ ...vpc, workspaceId: '77', vlan })
      return { method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc }
    },
  },
  {
    rule: 'vpcs.attached',
    accepted: 200,
    arrange(bench) {
      const id = addVpc(bench)
      bench.tables.memberships.insert({ vpcId: id, instanceId: bench.instance().id, address: '10.0.0.2' })
      return { method: 'DELETE', path: `/v1/vpcs/${id}` }
    },
  },
  {
    rule: 'vpcs.workspace',
    accepted: 201,
    arrange: (bench) => ({ method: 'POST', path: `/v1/instances/${bench.instance().id}/vpcs`, body: { vpc: BigInt(addVpc(bench, otherWorkspace(bench))) } }),
  },
  ...(['PENDING', 'FAILED', 'SUSPENDED', 'DELETING'] as const).map((state) => ({
    rule: 'vpcs.instance-state',
    accepted: 201,
    arrange: (bench: Bench) => ({ method: 'POST', path: `/v1/instances/${bench.instance({ state }).id}/vpcs`, body: { vpc: BigInt(addVpc(bench)) } }),
  })),
  {
    rule: 'vpcs.instance-pending',
    accepted: 200,
    arrange(bench) {
      const [vpcId, { id }] = [addVpc(bench), bench.instance({ state: 'PENDING' })]
      bench.tables.memberships.insert({ vpcId, instanceId: id, address: '10.0.0.2' })
      return { method: 'DELETE', path: `/v1/instances/${id}/vpcs/${vpcId}` }
    },
  },
  {
    rule: 'vpcs.member',
    accepted: 201,
    arrange(bench) {
      const id = addVpc(bench)
      const instance = bench.instance()
      bench.tables.memberships.insert({ vpcId: id, instanceId: instance.id, address: '10.0.0.2' })
      return { method: 'POST', path: `/v1/instances/${instance.id}/vpcs`, body: { vpc: BigInt(id) } }
    },
  },
])

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
  test('is shown as it is, changed by what is sent alone, and deleted with an entry of the audit log', async () => {
    const bench = createBench()
    const id = await make(bench, '10.0.0.77/24')
    const path = `/v1/vpcs/${id}`
    const view = { id, name: 'main', description: 'x', range: '10.0.0.0/24', vlan: 100 }
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject(view)
    expect((await bench.call({ method: 'PATCH', path, body: { name: 'renamed' } })).body).toMatchObject({ ...view, name: 'renamed' })
    expect((await bench.call({ method: 'PATCH', path, body: { description: '' } })).body).toMatchObject({ ...view, name: 'renamed', description: '' })
    expect((await bench.call({ method: 'PATCH', path, body: {} })).body).toMatchObject({ name: 'renamed', description: '' })
    expect(await bench.call({ method: 'DELETE', path })).toMatchObject({
      status: 200,
      body: { action: 'vpc.delete', subject_id: id, workspace_id: bench.wid, user: { name: 'owner' } },
    })
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
    expect((await bench.call({ method: 'POST', path: `/v1/instances/${bench.instance().id}/vpcs`, body: { vpc: BigInt(id) } })).status).toBe(404)
  })
  test.each(['FAILED', 'SUSPENDED', 'DELETING'] as const)('an instance that is %s can leave', async (state) => {
    const bench = createBench()
    const [vpcId, { id }] = [addVpc(bench), bench.instance({ state })]
    bench.tables.memberships.insert({ vpcId, instanceId: id, address: '10.0.0.2' })
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}/vpcs/${vpcId}` })).status).toBe(200)
  })
  test('an instance tells of its VPCs', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    for (const range of ['10.0.0.0/24', '10.1.0.0/24']) await join(bench, id, await make(bench, range))
    const path = `/v1/instances/${id}/vpcs`
    expect((await bench.call({ method: 'GET', path })).body).toMatchObject({
      items: [{ instance: { id, name: 'web' }, address: '10.0.0.2' }, { address: '10.1.0.2' }],
    })
    expect((await bench.call({ method: 'GET', path: `${path}?q=10.1` })).body).toMatchObject({ items: [{ address: '10.1.0.2' }] })
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
    const list = async (query: string) => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs?${query}` })).body
    const [first] = bench.tables.vpcs.all()
    expect(await list('q=10.1')).toMatchObject({ items: [{ range: '10.1.0.0/24' }] })
    expect(await list(`id=${first?.id}&name=main&description=X`)).toMatchObject({ items: [{ range: '10.0.0.0/24' }] })
    expect(await list('description=y')).toMatchObject({ items: [] })
  })
})

test('a VPC that the caller cannot see is not found, as one that is not there', async () => {
  const bench = createBench()
  const foreign = addVpc(bench, otherWorkspace(bench))
  const join = { method: 'POST', path: `/v1/instances/${bench.instance().id}/vpcs`, token: bench.member('EDITOR') }
  const answers = [await bench.call({ ...join, body: { vpc: BigInt(foreign) } }), await bench.call({ ...join, body: { vpc: 5n } })]
  expect(answers.map((one) => [one.status, one.headers['x-message']])).toEqual([
    [404, 'VPC not found in the workspace of the instance'],
    [404, 'VPC not found in the workspace of the instance'],
  ])
})

test('entries of the audit log have ids of their own, which a double spoils, whatever the time', async () => {
  const bench = createBench()
  const remove = async (): Promise<string> => textOf((await bench.call({ method: 'DELETE', path: `/v1/vpcs/${addVpc(bench)}` })).body, 'id')
  const ids = [await remove(), await remove(), await remove()]
  expect(new Set(ids).size).toBe(3)
  expect(ids.every((id) => String(BigInt(Number(id))) !== id)).toBe(true)
  expect(bench.tables.auditEntries.all()).toMatchObject(ids.map((id) => ({ id, action: 'vpc.delete', workspaceId: bench.wid })))
})

test('a VPC gets the lowest VLAN tag that is free', async () => {
  const bench = createBench()
  const make = async (): Promise<unknown> => (await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: vpc })).body
  expect([await make(), await make()]).toMatchObject([{ vlan: 100 }, { vlan: 101 }])
  await bench.call({ method: 'DELETE', path: `/v1/vpcs/${bench.tables.vpcs.all()[0]?.id}` })
  expect([await make(), await make()]).toMatchObject([{ vlan: 100 }, { vlan: 102 }])
})
