// Instances: every rule but those of their create, and their life on a clock that moves when told.
import { describe, expect, test } from 'vitest'
import { create, imageOf, planBody, vpc } from '../../../../test/builders/instance-calls.ts'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { JsonValue } from '../../../base/json.ts'
import type { InstanceRow } from '../../store/rows.ts'
import { createRules } from './instance-create.ts'
import { instancesArea } from './instances.ts'

const GIB = 1024 ** 3

function power(bench: Bench, action: string, fields: Partial<InstanceRow> = {}): TestCall {
  return { method: 'POST', path: `/v1/instances/${bench.instance(fields).id}/power`, body: { action } }
}
function remove(id: string): TestCall {
  return { method: 'DELETE', path: `/v1/instances/${id}` }
}
const isOfCreate = ({ id }: { readonly id: string }): boolean => createRules.some((one) => one.id === id)

describeRules(
  'instances',
  instancesArea.rules.filter((one) => !isOfCreate(one)),
  [
    { rule: 'instances.deleting', accepted: 202, arrange: (bench) => power(bench, 'POWER_OFF', { state: 'DELETING' }) },
    { rule: 'instances.deleting', accepted: 200, arrange: (bench) => update(bench, { state: 'DELETING' }) },
    { rule: 'instances.deleting', accepted: 202, arrange: (bench) => remove(bench.instance({ state: 'DELETING' }).id) },
    {
      rule: 'instances.busy',
      accepted: 202,
      async arrange(bench) {
        const call = power(bench, 'POWER_OFF')
        await bench.call(call)
        return call
      },
    },
    {
      rule: 'instances.busy',
      accepted: 202,
      async arrange(bench) {
        await bench.call(create(bench, planBody(bench)))
        return remove(bench.tables.instances.all()[0]?.id ?? '')
      },
    },
    {
      rule: 'instances.busy',
      accepted: 202,
      async arrange(bench) {
        const { id } = bench.instance()
        await bench.call({ method: 'POST', path: `/v1/instances/${id}/firewall-rules`, body: { type: 'IPv4', protocol: 'ICMP', action: 'ACCEPT' } })
        return remove(id)
      },
    },
    {
      rule: 'instances.busy',
      accepted: 200,
      options: { readings: { busyInstances: 'refuse-all' } },
      async arrange(bench) {
        await bench.call(create(bench, planBody(bench)))
        return { method: 'PATCH', path: `/v1/instances/${bench.tables.instances.all()[0]?.id}`, body: { name: 'other' } }
      },
    },
    { rule: 'instances.power-state', accepted: 202, arrange: (bench) => power(bench, 'POWER_ON', { state: 'SUSPENDED' }) },
    { rule: 'instances.power-same', accepted: 202, options: { readings: { powerSame: 'refuse' } }, arrange: (bench) => power(bench, 'POWER_ON') },
    {
      rule: 'instances.power-same',
      accepted: 202,
      options: { readings: { powerSame: 'refuse' } },
      arrange: (bench) => power(bench, 'SHUTDOWN', { online: false }),
    },
    {
      rule: 'instances.cluster-node',
      accepted: 202,
      options: { readings: { clusterInstances: 'refuse' } },
      arrange(bench) {
        const { id } = bench.instance()
        bench.tables.clusterNodes.insert({ workspaceId: bench.wid, instanceId: id, nodeName: 'web-1', status: 'READY' })
        return remove(id)
      },
    },
  ],
)

describe('life', () => {
  test('a plan: created, polled, switched off and on, deleted', async () => {
    const bench = createBench()
    const made = await bench.call(create(bench, planBody(bench, { region: 'nyc-1', vpcs: [vpc(bench)], image: imageOf(bench, 'debian-13') })))
    expect(made).toMatchObject({ status: 202, body: { workflow: { name: 'instance.create', state: 'QUEUED' }, instance: { state: 'PENDING', online: false } } })
    const [row] = bench.tables.instances.all()
    const path = `/v1/instances/${row?.id}`
    expect(await bench.call({ method: 'GET', path })).toMatchObject({ body: { state: 'PENDING' } })
    await bench.clock.advance(1000)
    const { body } = await bench.call({ method: 'GET', path })
    expect(body).toMatchObject({
      state: 'AVAILABLE',
      online: true,
      plan: row?.planId,
      region: 'nyc-1',
      node: bench.tables.nodes.all().find((one) => one.name === 'nyc-1-lightning-1')?.id,
      cpu: 2,
      memory_bytes: 4 * GIB,
      storage: [{ size_bytes: 40 * GIB, boot: true, backing: 'LOCAL' }],
      ips: [
        { family: 'IPv4', ddos: false },
        { family: 'IPv6', ddos: false },
      ],
      vpcs: [{ name: 'main', address: '10.0.0.2' }],
      image: String(imageOf(bench, 'debian-13')),
      os_name: 'Debian 13',
    })
    expect(bench.tables.disks.all()).toMatchObject([{ boot: true, sizeBytes: 40 * GIB, state: 'AVAILABLE', instanceId: row?.id }])
    expect(bench.tables.workflows.all()[0]).toMatchObject({ state: 'COMPLETED', output: { instance_id: row?.id } })
    for (const [action, online] of [['SHUTDOWN', false] as const, ['POWER_ON', true] as const, ['POWER_CYCLE', true] as const, ['POWER_OFF', false] as const]) {
      expect((await bench.call({ method: 'POST', path: `${path}/power`, body: { action } })).status).toBe(202)
      await bench.clock.advance(1000)
      expect(await bench.call({ method: 'GET', path })).toMatchObject({ body: { online, state: 'AVAILABLE' } })
    }
    expect((await bench.call(remove(row?.id ?? ''))).status).toBe(202)
    expect(await bench.call({ method: 'GET', path })).toMatchObject({ status: 200, body: { state: 'DELETING', online: false } })
    await bench.clock.advance(1000)
    expect((await bench.call({ method: 'GET', path })).status).toBe(404)
    for (const table of ['instances', 'disks', 'ips', 'memberships'] as const) expect(bench.tables[table].all()).toEqual([])
  })

  test('a power cycle is no state: it is accepted, on or off', async () => {
    const bench = createBench({ readings: { powerSame: 'refuse' } })
    for (const online of [true, false]) expect((await bench.call(power(bench, 'POWER_CYCLE', { online }))).status).toBe(202)
  })

  test('every setting can be changed', async () => {
    const bench = createBench()
    const settings = {
      name: 'n',
      boot: 'ISO',
      uefi: true,
      secure_boot: true,
      attach_virtio_cd: true,
      sync_hostname: true,
      firewall_enabled: true,
      os_name: 'x',
    }
    const call = update(bench, {})
    expect(await bench.call({ ...call, body: settings })).toMatchObject({ status: 200, body: settings })
    expect(await bench.call({ ...call, body: {} })).toMatchObject({ status: 200, body: settings })
  })
})

describe('what the readings choose', () => {
  test.each([
    ['yes', true],
    ['no', false],
  ] as const)('start omitted: %s', async (startDefault, online) => {
    const bench = createBench({ readings: { startDefault } })
    await bench.call(create(bench, planBody(bench)))
    await bench.clock.advance(1000)
    const path = `/v1/instances/${bench.tables.instances.all()[0]?.id}`
    expect(await bench.call({ method: 'GET', path })).toMatchObject({ body: { online, state: 'AVAILABLE' } })
  })

  test('a scheduled deletion leaves the instance running until its time', async () => {
    const bench = createBench({ readings: { deletion: 'scheduled', scheduledDeletionMs: 60_000 } })
    const { id } = bench.instance()
    await bench.call(remove(id))
    await bench.clock.advance(59_000)
    expect(await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).toMatchObject({ body: { state: 'DELETING', online: true } })
    await bench.clock.advance(2_000)
    expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).status).toBe(404)
  })

  test.each([
    [{}, { disks: 1, ips: 1 }],
    [{ extraDisks: 'deleted' }, { disks: 0, ips: 1 }],
    [{ grantedIps: 'kept' }, { disks: 1, ips: 3 }],
  ] as const)('what a deletion leaves: %j', async (readings, left) => {
    const bench = createBench({ readings })
    await bench.call(create(bench, planBody(bench)))
    await bench.clock.advance(1000)
    const [row] = bench.tables.instances.all()
    const shared = { workspaceId: bench.wid, region: 'fra-1', instanceId: row?.id ?? '', state: 'AVAILABLE' } as const
    bench.tables.disks.insert({ ...shared, name: 'data', sizeBytes: GIB, backend: 'LOCAL', boot: false })
    bench.tables.ips.insert({ ...shared, family: 'IPv4', address: '192.0.2.1', ddos: false, dns: null, grantedWith: null })
    bench.tables.clusterNodes.insert({ workspaceId: bench.wid, instanceId: row?.id ?? '', nodeName: 'web', status: 'READY' })
    bench.tables.bgpConfigurations.insert({ workspaceId: bench.wid, asn: null, password: null, instanceId: row?.id ?? '', maxPrefixes: 1 })
    await bench.call({ method: 'POST', path: `/v1/instances/${row?.id}/firewall-rules`, body: { type: 'IPv4', protocol: 'ICMP', action: 'ACCEPT' } })
    await bench.clock.advance(1000)
    await bench.call(remove(row?.id ?? ''))
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/plans' })
    const { tables } = bench
    expect({ disks: tables.disks.all().length, ips: tables.ips.all().length }).toEqual(left)
    expect([...tables.disks.all(), ...tables.ips.all(), ...tables.bgpConfigurations.all()].every((one) => one.instanceId === null)).toBe(true)
    expect([tables.firewallRules.all(), tables.clusterNodes.all()]).toEqual([[], []])
  })

  test.each(['word-id', 'id', 'none'] as const)('workflow data: %s', async (workflowData) => {
    const bench = createBench({ readings: { workflowData } })
    await bench.call(create(bench, planBody(bench)))
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/plans' })
    const id = bench.tables.instances.all()[0]?.id
    expect(bench.tables.workflows.all()[0]?.output).toEqual({ 'word-id': { instance_id: id }, id: { id }, none: {} }[workflowData])
  })

  test.each([
    ['power-and-delete', 'refuse', [200, 409, 409]],
    ['nothing', 'refuse-none', [200, 202, 202]],
    ['all', 'refuse-all', [409, 409, 409]],
  ] as const)('a busy instance refuses %s', async (_, busyInstances, statuses) => {
    const bench = createBench({ readings: { busyInstances } })
    await bench.call(create(bench, planBody(bench)))
    const path = `/v1/instances/${bench.tables.instances.all()[0]?.id}`
    const calls = [
      { method: 'PATCH', path, body: { name: 'x' } },
      { method: 'POST', path: `${path}/power`, body: { action: 'POWER_OFF' } },
      { method: 'DELETE', path },
    ]
    const answers: number[] = []
    for (const call of calls) answers.push((await bench.call(call)).status)
    expect(answers).toEqual(statuses)
  })

  test('slim lists carry five fields, full ones all', async () => {
    const slim = createBench({ readings: { lists: 'slim' } })
    const full = createBench()
    for (const bench of [slim, full]) bench.instance()
    expect(Object.keys(itemsOf((await slim.call(list(slim))).body)[0] ?? {})).toEqual(['id', 'name', 'state', 'online', 'plan'])
    expect(itemsOf((await full.call(list(full))).body)[0]).toMatchObject({ cpu: 2, uefi: true, ips: [] })
  })

  test('details may stand one level down', async () => {
    const bench = createBench({ readings: { details: 'nested' } })
    const { id: planId } = bench.tables.plans.all()[0] ?? {}
    const { body } = await bench.call({ method: 'GET', path: `/v1/instances/${bench.instance({ planId: planId ?? null }).id}` })
    expect(body).toMatchObject({
      name: 'web',
      plan: { id: planId, name: 'lightning-1' },
      region: { code: 'fra-1', name: 'Frankfurt 1' },
      specs: { cpu: 2 },
      networking: { ips: [] },
      settings: { uefi: true },
    })
  })
})

describe('failures', () => {
  test('a create that fails leaves nothing, or a FAILED instance that can be deleted', async () => {
    const bench = createBench({
      courses: [
        { operation: 'instance.create', outcome: 'FAILED' },
        { operation: 'instance.create', outcome: 'TIMED_OUT', leaves: 'failed' },
      ],
    })
    await bench.call(create(bench, planBody(bench, { vpcs: [vpc(bench)] })))
    await bench.clock.advance(1000)
    await bench.call(create(bench, planBody(bench, { name: 'second' })))
    for (const table of ['instances', 'disks', 'memberships'] as const) expect(bench.tables[table].all().length).toBe(table === 'memberships' ? 0 : 1)
    expect(bench.tables.ips.all().length).toBe(2)
    await bench.clock.advance(1000)
    const { body } = await bench.call(list(bench))
    expect(body).toMatchObject({ items: [{ name: 'second', state: 'FAILED', online: false }] })
    expect((await bench.call(remove(bench.tables.instances.all()[0]?.id ?? ''))).status).toBe(202)
  })

  test('a create that ends when its instance is leaving already changes nothing, and a power action on one that is gone fails', async () => {
    const readings = { busyInstances: 'refuse-none', deletion: 'scheduled-apart', scheduledDeletionMs: 5000 } as const
    for (const leaves of ['done', 'failed'] as const) {
      const outcome = leaves === 'done' ? 'COMPLETED' : 'FAILED'
      const bench = createBench({ readings, courses: [{ operation: 'instance.create', outcome, leaves, durationMs: 1000 }] })
      await bench.call(create(bench, planBody(bench)))
      const { id = '' } = bench.tables.instances.all()[0] ?? {}
      bench.sandbox.world.courses.push({ operation: 'instance.power', outcome: 'COMPLETED', durationMs: 20_000 })
      await bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action: 'POWER_ON' } })
      expect((await bench.call(remove(id))).status).toBe(202)
      await bench.clock.advance(2000)
      expect(await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).toMatchObject({ status: 200, body: { state: 'DELETING', online: false } })
      await bench.clock.advance(20_000)
      expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).status).toBe(404)
      expect(bench.tables.workflows.all().find((one) => one.name === 'instance.power')).toMatchObject({ state: 'FAILED', output: null })
    }
  })

  test('a delete that fails puts the instance back, or leaves it FAILED', async () => {
    const bench = createBench({
      courses: [
        { operation: 'instance.delete', outcome: 'FAILED' },
        { operation: 'instance.delete', outcome: 'ABORTED', leaves: 'failed' },
      ],
    })
    const { id } = bench.instance()
    for (const after of [
      { state: 'AVAILABLE', online: true },
      { state: 'FAILED', online: false },
    ]) {
      await bench.call(remove(id))
      await bench.clock.advance(1000)
      expect(await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).toMatchObject({ body: after })
    }
  })
})

test('lists are newest first, and every filter filters', async () => {
  const bench = createBench()
  const planId = bench.tables.plans.all()[0]?.id ?? ''
  const nodeId = bench.tables.nodes.all()[0]?.id ?? ''
  const first = bench.instance({ name: 'alpha', planId, nodeId, isoId: '9', online: false, state: 'FAILED' })
  const second = bench.instance({ name: 'beta' })
  const address = { workspaceId: bench.wid, family: 'IPv4', region: 'fra-1', ddos: false, dns: null, grantedWith: null, state: 'AVAILABLE' } as const
  bench.tables.ips.insert({ ...address, address: '192.0.2.7', instanceId: first.id })
  const ids = async (query: string): Promise<unknown[]> => itemsOf((await bench.call(list(bench, query))).body).map((item) => item['id'])
  expect(await ids('')).toEqual([second.id, first.id])
  bench.tables.ips.insert({ ...address, family: 'IPv6', address: '2001:db8::7', instanceId: first.id })
  const queries = [
    `q=ALPH`,
    `q=192.0.2`,
    `q=${first.id}`,
    'ip=192.0.2.7',
    'ip=2001:DB8:0::7',
    `id=${first.id}`,
    'name=alp',
    `node=${nodeId}`,
    `plan=${planId}`,
    'iso=9',
    'online=false',
  ]
  for (const query of [...queries, 'state=FAILED']) expect([query, await ids(`?${query}`)]).toEqual([query, [first.id]])
  expect(await ids('?ip=192.0.2')).toEqual([])
  expect(await ids('?ip=2001:db8::8')).toEqual([])
})

function update(bench: Bench, fields: Partial<InstanceRow>): TestCall {
  return { method: 'PATCH', path: `/v1/instances/${bench.instance(fields).id}`, body: { name: 'renamed' } }
}
function list(bench: Bench, query = ''): TestCall {
  return { method: 'GET', path: `/v1/workspaces/${bench.wid}/instances${query}` }
}
function itemsOf(body: JsonValue): readonly Record<string, unknown>[] {
  if (typeof body !== 'object' || body === null || !('items' in body) || !Array.isArray(body.items)) throw new Error('no page')
  return body.items
}
