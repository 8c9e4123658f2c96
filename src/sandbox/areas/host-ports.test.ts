// Host ports of an instance: one holder for each, whether service or app, and whichever came first.
import { describe, expect, test } from 'vitest'
import { addService as add, createdService as created, k3s, readyCluster as cluster } from '../../../test/builders/cluster-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const port = { host_port: 80, container_port: 8080, protocol: 'TCP', http: true }

describe('what is no clash of ports', () => {
  test('another protocol, another instance, the service itself, or a sandbox that shares them', async () => {
    const bench = createBench()
    const [one = 0n, two = 0n] = cluster(bench, 2)
    const path = await created(bench, { target_instances: [one], ports: [port] })
    await created(bench, { name: 'udp', target_instances: [one], ports: [{ ...port, protocol: 'UDP' }] })
    await created(bench, { name: 'elsewhere', target_instances: [two], ports: [port] })
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [one], ports: [port] }))).status).toBe(202)
    const shared = createBench({ readings: { hostPorts: 'accept' } })
    cluster(shared, 0)
    await created(shared, { ports: [port] })
    expect(await created(shared, { name: 'other', ports: [port] })).toMatch(/services/)
  })
})

describe('an app of an instance and a service on it', () => {
  const app = {
    templateId: '1',
    templateName: 'web',
    name: 'web',
    image: 'web:1',
    state: 'AVAILABLE',
    environment: {},
    mountsJson: '[]',
    domain: null,
  } as const
  const held = [{ name: 'web', hostPort: 80, containerPort: 8080, protocol: 'TCP', http: true }] as const

  test.each([
    ['SPREAD on all nodes', [], 409],
    ['SPREAD on the instance', ['one'], 409],
    ['SPREAD beside it', ['two'], 202],
    ['PINNED on the instance', ['one'], 409],
    ['PINNED nowhere', [], 202],
  ])('share no host port: %s', async (title, targets, status) => {
    const bench = createBench()
    const [one = 0n, two = 0n] = cluster(bench, 2)
    bench.tables.apps.insert({ ...app, workspaceId: bench.wid, instanceId: String(one), ports: [...held] })
    const target_instances = targets.map((word) => (word === 'one' ? one : two))
    const body = { name: 'web', image: 'nginx:1', mode: title.split(' ', 1)[0], target_instances, ports: [port] }
    expect((await bench.call(k3s(bench, 'POST', '/services', body))).status).toBe(status)
  })
  test('a service that is being deleted holds its own until it is gone', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const ports = [{ hostPort: 80, containerPort: 1, protocol: 'TCP', http: false } as const]
    const id = add(bench)
    const { revision } = bench.tables.clusterServices.get(id) ?? {}
    if (!revision) throw new Error('no service')
    bench.tables.clusterServices.update(id, { name: 'old', revision: { ...revision, ports } })
    const body = { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [], ports: [{ host_port: 80, container_port: 1, protocol: 'TCP' }] }
    expect((await bench.call(k3s(bench, 'POST', '/services', body))).status).toBe(409)
    bench.tables.clusterServices.update(id, { status: 'DELETING' })
    expect((await bench.call(k3s(bench, 'POST', '/services', body))).status).toBe(409)
    bench.tables.clusterServices.delete(id)
    expect((await bench.call(k3s(bench, 'POST', '/services', body))).status).toBe(202)
    expect(bench.tables.clusterServices.all().at(-1)?.revision.ports).toEqual(ports)
  })
  test.each([
    ['refuse', 80, 409],
    ['refuse', 81, 202],
    ['accept', 80, 202],
  ] as const)('an instance with the app becomes a node (%s) beside a service on all nodes with port %i: %i', async (hostPorts, host_port, status) => {
    const bench = createBench({ readings: { hostPorts } })
    const [one = 0n] = cluster(bench, 1)
    const { id } = bench.instance()
    bench.tables.apps.insert({ ...app, workspaceId: bench.wid, instanceId: id, ports: [...held] })
    await created(bench, { name: 'beside', target_instances: [one], ports: [{ ...port, host_port: 8000 }] })
    await created(bench, { ports: [{ ...port, host_port }] })
    expect((await bench.call(k3s(bench, 'POST', '/nodes', { instance_id: BigInt(id) }))).status).toBe(status)
  })
  test('an update is held to it as a create is, by the mode that the service has', async () => {
    const bench = createBench()
    const [one = 0n] = cluster(bench, 1)
    bench.tables.apps.insert({ ...app, workspaceId: bench.wid, instanceId: String(one), ports: [...held] })
    const update = { image: 'nginx:2', target_instances: [], ports: [port] }
    const statusOf = async (id: string): Promise<number> => (await bench.call(k3s(bench, 'PUT', `/services/${id}`, update))).status
    expect(await statusOf(add(bench, { mode: 'SPREAD' }))).toBe(409)
    expect(await statusOf(add(bench, { mode: 'PINNED', name: 'pinned' }))).toBe(202)
    expect(await statusOf('5')).toBe(404)
  })
})
