// What is under way on a cluster when it goes: it ends without a trace.
import { describe, expect, test } from 'vitest'
import { addService, k3s, readyCluster, web } from '../../../../test/builders/cluster-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'

describe('a cluster that is removed', () => {
  test.each(['COMPLETED', 'FAILED'] as const)('takes along what is still under way, which then fails unless it was to go: %s', async (outcome) => {
    const late = { outcome, durationMs: 5000, leaves: outcome === 'FAILED' ? 'failed' : 'done' } as const
    const operations = ['k3s.node.create', 'k3s.node.delete', 'k3s.service.create', 'k3s.service.redeploy']
    const bench = createBench({ courses: operations.map((operation) => ({ operation, ...late })) })
    readyCluster(bench, 1)
    const node = bench.tables.clusterNodes.all()[0]?.id
    const calls = [
      k3s(bench, 'POST', `/services/${addService(bench)}/redeploy`),
      k3s(bench, 'POST', '/services', { ...web, name: 'other', target_instances: [] }),
      k3s(bench, 'POST', '/nodes', { instance_id: BigInt(bench.instance().id) }),
      k3s(bench, 'DELETE', `/nodes/${node}`),
      k3s(bench, 'DELETE', ''),
    ]
    for (const call of calls) expect((await bench.call(call)).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', ''))).status).toBe(404)
    await bench.clock.advance(10_000)
    const ended = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/workflows?name=k3s` })
    const failed = { state: 'FAILED', data: null }
    const begun = ['k3s.node.delete', 'k3s.node.create', 'k3s.service.create', 'k3s.service.redeploy']
    expect(ended.body).toMatchObject({
      items: [{ name: 'k3s.delete', state: 'COMPLETED' }, ...begun.map((name) => ({ name, ...(name === 'k3s.node.delete' ? { state: outcome } : failed) }))],
    })
    expect([bench.tables.clusterNodes.all(), bench.tables.clusterServices.all(), bench.tables.clusterSecrets.all()]).toEqual([[], [], []])
  })
  test('lets nothing in it change until it is gone', async () => {
    const bench = createBench()
    readyCluster(bench, 1)
    const path = `/services/${addService(bench)}`
    expect((await bench.call(k3s(bench, 'DELETE', ''))).status).toBe(202)
    for (const call of [k3s(bench, 'POST', `${path}/redeploy`), k3s(bench, 'DELETE', path)])
      expect(await bench.call(call)).toMatchObject({ status: 409, headers: { 'x-message': 'the cluster is being removed' } })
  })
})

test('a node whose instance has no letter in its name is called a node', async () => {
  const bench = createBench()
  readyCluster(bench, 0)
  const { id } = bench.instance({ name: '--' })
  await bench.call(k3s(bench, 'POST', '/nodes', { instance_id: BigInt(id) }))
  expect(bench.tables.clusterNodes.all()).toMatchObject([{ nodeName: `node-${id.slice(-8)}` }])
})

describe('pods that cannot be', () => {
  const logsOf = async (bench: ReturnType<typeof createBench>, id: string): Promise<string> => {
    const headers = { authorization: `Bearer ${bench.sandbox.token}` }
    const { status, text } = await bench.sandbox.handle({ method: 'GET', path: `/v1/workspaces/${bench.wid}/k3s/services/${id}/logs`, headers })
    return `${status} ${await text(1000)}`
  }
  test('a service that is stopped has none, and an empty log', async () => {
    const bench = createBench()
    readyCluster(bench, 1)
    const id = addService(bench, { status: 'STOPPED' })
    expect((await bench.call(k3s(bench, 'GET', `/services/${id}`))).body).toMatchObject({
      service: { status: 'STOPPED' },
      live: { desired_replicas: 0, pods: [] },
    })
    expect(await logsOf(bench, id)).toBe('200 ')
  })
  test('a PINNED service waits for an instance that is off', async () => {
    const bench = createBench()
    const [one = 0n] = readyCluster(bench, 1)
    await bench.call(k3s(bench, 'POST', '/services', { ...web, mode: 'PINNED', target_instances: [one] }))
    const id = bench.tables.clusterServices.all()[0]?.id ?? ''
    bench.tables.instances.update(String(one), { online: false })
    await bench.clock.advance(1000)
    const pod = { phase: 'Pending', ready: false, node_name: null }
    expect((await bench.call(k3s(bench, 'GET', `/services/${id}`))).body).toMatchObject({ live: { desired_replicas: 1, available_replicas: 0, pods: [pod] } })
    expect(await logsOf(bench, id)).toBe('200 ')
  })
})

describe('a removal that fails without a trace leaves what it found', () => {
  const failing = (operation: string) => ({ courses: [{ operation, outcome: 'FAILED' as const, leaves: 'nothing' as const }] })
  test('a FAILED cluster', async () => {
    const bench = createBench(failing('k3s.delete'))
    bench.tables.clusters.insert({ workspaceId: bench.wid, name: 'ws', status: 'FAILED' })
    expect((await bench.call(k3s(bench, 'DELETE', ''))).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', ''))).body).toMatchObject({ status: 'FAILED' })
  })
  test('a FAILED node', async () => {
    const bench = createBench(failing('k3s.node.delete'))
    readyCluster(bench, 1)
    const id = bench.tables.clusterNodes.all()[0]?.id ?? ''
    bench.tables.clusterNodes.update(id, { status: 'FAILED' })
    expect((await bench.call(k3s(bench, 'DELETE', `/nodes/${id}`))).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', `/nodes/${id}`))).body).toMatchObject({ node: { status: 'FAILED' } })
  })
  test('a service that was rolled out meanwhile runs', async () => {
    const courses = failing('k3s.service.delete').courses.map((course) => ({ ...course, durationMs: 900 }))
    const bench = createBench({ courses, readings: { busyServices: 'accept' } })
    readyCluster(bench, 1)
    const path = `/services/${addService(bench)}`
    for (const call of [k3s(bench, 'POST', `${path}/redeploy`), k3s(bench, 'DELETE', path)]) expect((await bench.call(call)).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'RUNNING' } })
  })
  test('a service whose rollout ends after it', async () => {
    const slow = { operation: 'k3s.service.redeploy', outcome: 'COMPLETED', durationMs: 5000 } as const
    const bench = createBench({ courses: [slow, ...failing('k3s.service.delete').courses], readings: { busyServices: 'accept' } })
    readyCluster(bench, 1)
    const path = `/services/${addService(bench)}`
    for (const call of [k3s(bench, 'POST', `${path}/redeploy`), k3s(bench, 'DELETE', path)]) await bench.call(call)
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'UPDATING' } })
    await bench.clock.advance(5000)
    expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'RUNNING' } })
  })
})

test('a rollout that fails leaves the status to the delete that came after it, and the revision as it was', async () => {
  const bench = createBench({
    readings: { busyServices: 'accept' },
    courses: [
      { operation: 'k3s.service.update', outcome: 'FAILED', leaves: 'nothing' },
      { operation: 'k3s.service.delete', outcome: 'COMPLETED', durationMs: 5000 },
    ],
  })
  readyCluster(bench, 1)
  const path = `/services/${addService(bench)}`
  for (const call of [k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }), k3s(bench, 'DELETE', path)]) await bench.call(call)
  await bench.clock.advance(1000)
  expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'DELETING', image: 'nginx:1' } })
})

test('a rollout that fails takes nothing from the one that came after it', async () => {
  const operation = 'k3s.service.update'
  const bench = createBench({
    readings: { busyServices: 'accept' },
    courses: [
      { operation, outcome: 'FAILED', leaves: 'nothing' },
      { operation, outcome: 'COMPLETED', durationMs: 5000 },
    ],
  })
  readyCluster(bench, 1)
  const path = `/services/${addService(bench)}`
  for (const image of ['nginx:2', 'nginx:3']) await bench.call(k3s(bench, 'PUT', path, { image, target_instances: [] }))
  await bench.clock.advance(1000)
  expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'UPDATING', image: 'nginx:3' } })
  await bench.clock.advance(5000)
  expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({ service: { status: 'RUNNING', image: 'nginx:3' } })
})
