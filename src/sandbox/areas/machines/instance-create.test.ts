// What a new instance must be and where it can stand: every rule of the create, and what is made of its body.
import { describe, expect, test } from 'vitest'
import { create, imageOf, planBody, vpc } from '../../../../test/builders/instance-calls.ts'
import { otherWorkspace } from '../../../../test/builders/people.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { NodeRow } from '../../store/rows.ts'
import { createRules } from './instance-create.ts'

const GIB = 1024 ** 3
const custom = { type: 'CUSTOM', name: 'db', region: 'fra-1', group: 'RYZEN', cpu: 2, memory_bytes: 4 * GIB }
const node = { group: 'RYZEN', flags: [] } as const satisfies Partial<NodeRow>
const full = { quota: { max_instances: 0 } }
const bootDisk = (backing: string) => [{ size_bytes: GIB, boot: true, backing }]

/** A region that has machines of one group alone. */
function ryzenOnly({ tables }: Bench) {
  return { region: tables.regions.insert({ id: 'ryz-1', name: 'ryz-1', groups: ['RYZEN'], backends: ['LOCAL'] }).id }
}
/** The place of a node, by its name. */
function on({ tables }: Bench, name: string) {
  return { region: undefined, node: BigInt(tables.nodes.all().find((one) => one.name === name)?.id ?? 0) }
}

describeRules('instances', createRules, [
  // What is not there is looked for before the quotas.
  { rule: 'instances.plan', accepted: 403, options: full, arrange: (bench) => create(bench, planBody(bench, { plan: 5 })) },
  { rule: 'instances.vpc', accepted: 403, options: full, arrange: (bench) => create(bench, planBody(bench, { vpcs: [5] })) },
  {
    rule: 'instances.vpc',
    accepted: 403,
    options: full,
    arrange: (bench) => ({ ...create(bench, planBody(bench, { vpcs: [vpc(bench, otherWorkspace(bench))] })), token: bench.member('ADMINISTRATOR') }),
  },
  { rule: 'instances.plan-disabled', accepted: 202, arrange: (bench) => create(bench, planBody(bench, {}, 'ryzen-legacy')) },
  { rule: 'instances.region', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { region: 'mars-1' })) },
  { rule: 'instances.private-cloud', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { region: 'PRIVATE_CLOUD' })) },
  { rule: 'instances.node', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { region: undefined, node: 5 })) },
  {
    rule: 'instances.node',
    accepted: 202,
    arrange(bench) {
      const { nodes } = bench.tables
      nodes.update(nodes.all()[0]?.id ?? '', { ownerWorkspaceId: '77' })
      return create(bench, planBody(bench, { region: undefined, node: BigInt(nodes.all()[0]?.id ?? 0) }))
    },
  },
  { rule: 'instances.image', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { image: 5 })) },
  { rule: 'instances.vpcs', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { vpcs: [vpc(bench, otherWorkspace(bench))] })) },
  {
    rule: 'instances.vpcs-twice',
    accepted: 202,
    options: { readings: { sameVpcTwice: 'refuse' } },
    arrange(bench) {
      const id = vpc(bench)
      return create(bench, planBody(bench, { vpcs: [id, id] }))
    },
  },
  { rule: 'instances.ddos', accepted: 202, arrange: (bench) => create(bench, planBody(bench, { ips: [{ family: 'IPv6', ddos: true }] })) },
  { rule: 'instances.plan-group', accepted: 202, arrange: (bench) => create(bench, planBody(bench, ryzenOnly(bench))) },
  { rule: 'instances.plan-group', accepted: 202, arrange: (bench) => create(bench, planBody(bench, on(bench, 'fra-1-ryzen-1'))) },
  {
    rule: 'instances.group',
    accepted: 202,
    arrange: (bench) => create(bench, { ...custom, ...ryzenOnly(bench), group: 'DEDICATED', storage: bootDisk('LOCAL') }),
  },
  { rule: 'instances.group', accepted: 202, arrange: (bench) => create(bench, { ...custom, ...on(bench, 'fra-1-dedicated-1'), storage: bootDisk('LOCAL') }) },
  { rule: 'instances.capacity', accepted: 202, arrange: (bench) => create(bench, { ...custom, cpu: 129, storage: bootDisk('LOCAL') }) },
  {
    rule: 'instances.capacity',
    accepted: 202,
    arrange: (bench) => create(bench, { ...custom, ...on(bench, 'fra-1-ryzen-1'), memory_bytes: 1025 * GIB, storage: bootDisk('LOCAL') }),
  },
  {
    rule: 'instances.backing',
    accepted: 202,
    arrange: (bench) => create(bench, { ...custom, storage: [{ size_bytes: GIB, boot: true, backing: 'TAPE' }] }),
  },
  {
    rule: 'instances.quota',
    accepted: 202,
    options: { quota: { max_instances: 1 } },
    arrange(bench) {
      bench.instance()
      return create(bench, planBody(bench))
    },
  },
  { rule: 'instances.quota-ipv4', accepted: 202, options: { quota: { max_floating_ipv4: 0 } }, arrange: (bench) => create(bench, planBody(bench)) },
  { rule: 'instances.quota-ipv6', accepted: 202, options: { quota: { max_floating_ipv6: 0 } }, arrange: (bench) => create(bench, planBody(bench)) },
  { rule: 'instances.quota-ips', accepted: 202, options: { quota: { max_floating_ips: 1 } }, arrange: (bench) => create(bench, planBody(bench)) },
  {
    rule: 'instances.quota-storage',
    accepted: 202,
    options: { quota: { max_storage_bytes: 40 * GIB - 1 } },
    arrange: (bench) => create(bench, planBody(bench)),
  },
])

describe('what is made of a body', () => {
  test('CUSTOM: storage as asked for, no addresses of its own, an ISO attached', async () => {
    const bench = createBench()
    const storage = [
      { size_bytes: 10 * GIB, boot: true, backing: 'LOCAL' },
      { size_bytes: 20 * GIB, boot: false, backing: 'CEPH' },
    ]
    const { body } = await bench.call(create(bench, { ...custom, storage, boot: 'ISO', image: imageOf(bench, 'rescue-iso'), start: false }))
    expect(body).toMatchObject({
      instance: { type: 'CUSTOM', plan: null, ips: [], storage, bandwidth: null, iso: String(imageOf(bench, 'rescue-iso')), boot: 'ISO' },
    })
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/plans' })
    expect(bench.tables.instances.all()).toMatchObject([{ state: 'AVAILABLE', online: false }])
    expect(bench.tables.disks.all().map(({ name, backend }) => [name, backend])).toEqual([
      ['db-boot', 'LOCAL'],
      ['db-1', 'CEPH'],
    ])
  })

  test('a private cloud places on its own node, and a node names the region', async () => {
    const bench = createBench()
    const [first] = bench.tables.nodes.all()
    const own = bench.tables.nodes.insert({
      name: 'own',
      ownerWorkspaceId: bench.wid,
      group: 'LIGHTNING',
      region: 'nyc-1',
      maxMemoryBytes: 4 * GIB,
      cores: 2,
      flags: [],
    })
    await bench.call(create(bench, planBody(bench, { region: 'PRIVATE_CLOUD' })))
    await bench.call(create(bench, planBody(bench, { region: undefined, node: BigInt(first?.id ?? 0) })))
    await bench.call(create(bench, planBody(bench, { region: undefined, node: BigInt(own.id) })))
    expect(bench.tables.instances.all()).toMatchObject([
      { region: 'PRIVATE_CLOUD', nodeId: own.id },
      { region: 'fra-1', nodeId: first?.id },
      { region: 'PRIVATE_CLOUD', nodeId: own.id },
    ])
    const disk = { name: 'data', size: GIB, backend: 'LOCAL', region: 'PRIVATE_CLOUD' }
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/disks`, body: disk })
    await bench.clock.advance(1000)
    const id = bench.tables.disks.all().at(-1)?.id
    const statusOf = async (instance: string | undefined): Promise<number> =>
      (await bench.call({ method: 'POST', path: `/v1/disks/${id}/attach`, body: { instance_id: BigInt(instance ?? 0) } })).status
    const [, platform, node] = bench.tables.instances.all()
    expect([await statusOf(platform?.id), await statusOf(node?.id)]).toEqual([400, 202])
    const onOwn = { ...custom, region: undefined, node: BigInt(own.id), group: 'LIGHTNING', storage: bootDisk('CEPH') }
    expect((await bench.call(create(bench, onOwn))).status).toBe(400)
    bench.tables.nodes.update(own.id, { flags: ['CEPH'] })
    expect((await bench.call(create(bench, onOwn))).status).toBe(202)
  })

  test('the boot disk of a plan takes a storage that the region has', async () => {
    const bench = createBench()
    bench.tables.regions.update('fra-1', { backends: ['CEPH'] })
    bench.tables.regions.update('nyc-1', { backends: ['CEPH', 'LOCAL'] })
    for (const region of ['fra-1', 'nyc-1', 'ams-1']) expect((await bench.call(create(bench, planBody(bench, { region })))).status).toBe(202)
    expect(bench.tables.disks.all().map((disk) => disk.backend)).toEqual(['CEPH', 'LOCAL', 'LOCAL'])
    expect(bench.tables.instances.all().map(({ storage }) => storage[0]?.backing)).toEqual(['CEPH', 'LOCAL', 'LOCAL'])
  })

  test('a node that is large enough is chosen, and nobody counts what runs on it', async () => {
    const bench = createBench()
    const big = bench.tables.nodes.insert({ ...node, name: 'big', ownerWorkspaceId: null, region: 'fra-1', maxMemoryBytes: 2048 * GIB, cores: 256 })
    for (let count = 0; count < 2; count += 1)
      expect((await bench.call(create(bench, { ...custom, cpu: 200, memory_bytes: 2000 * GIB, storage: bootDisk('LOCAL') }))).status).toBe(202)
    expect(bench.tables.instances.all().map(({ nodeId }) => nodeId)).toEqual([big.id, big.id])
  })

  test('a VPC without room leaves no row behind, nor does whatever is not there', async () => {
    const bench = createBench()
    const { id } = bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'tiny', description: '', range: '10.0.0.0/30', vlan: 1 })
    bench.tables.memberships.insert({ vpcId: id, instanceId: '5', address: '10.0.0.2' })
    expect((await bench.call(create(bench, planBody(bench, { vpcs: [BigInt(id)] })))).status).toBe(409)
    const token = bench.member('ADMINISTRATOR')
    for (const more of [{ vpcs: [5] }, { vpcs: [vpc(bench, otherWorkspace(bench))] }, { plan: 5 }, { image: 5 }, { region: undefined, node: 5 }])
      expect((await bench.call({ ...create(bench, planBody(bench, more)), token })).status).toBe(404)
    expect([bench.tables.instances.all(), bench.tables.disks.all(), bench.tables.ips.all()]).toEqual([[], [], []])
  })
})
