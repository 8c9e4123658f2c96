// Services of the managed cluster: every rule, their life, their pods.
import { describe, expect, test } from 'vitest'
import { addService as add, createdService as created, k3s, readyCluster as cluster, web } from '../../../../test/builders/cluster-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { clusterServicesArea } from './cluster-services.ts'

const port = { host_port: 80, container_port: 8080, protocol: 'TCP', http: true }

describeRules('services', clusterServicesArea.rules, [
  {
    rule: 'k3s.service-name',
    accepted: 202,
    async arrange(bench) {
      cluster(bench, 0)
      await created(bench, {})
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [] })
    },
  },
  {
    rule: 'k3s.service-replicas',
    accepted: 202,
    arrange: (bench) => k3s(bench, 'PUT', `/services/${add(bench, { mode: 'PINNED' })}`, { image: 'nginx:2', target_instances: [], replicas: 2 }),
  },
  {
    rule: 'k3s.service-capacity',
    accepted: 202,
    arrange(bench) {
      cluster(bench, 0)
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [], replicas: 1001 })
    },
  },
  {
    rule: 'k3s.service-capacity',
    accepted: 202,
    arrange: (bench) => k3s(bench, 'PUT', `/services/${add(bench)}`, { image: 'nginx:2', target_instances: [], replicas: 5_000_000_000 }),
  },
  {
    rule: 'k3s.service-workspace',
    accepted: 202,
    arrange(bench) {
      cluster(bench, 0)
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [BigInt(bench.instance({ workspaceId: '77' }).id)] })
    },
  },
  {
    rule: 'k3s.service-workspace',
    accepted: 202,
    arrange: (bench) => k3s(bench, 'PUT', `/services/${add(bench)}`, { image: 'nginx:2', target_instances: [5] }),
  },
  {
    rule: 'k3s.service-targets',
    accepted: 202,
    arrange(bench) {
      cluster(bench, 0)
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [BigInt(bench.instance().id)] })
    },
  },
  ...(['JOINING', 'DRAINING', 'FAILED'] as const).map((status) => ({
    rule: 'k3s.service-targets-ready',
    accepted: 202,
    arrange(bench: Bench) {
      const targets = cluster(bench, 2)
      bench.tables.clusterNodes.update(bench.tables.clusterNodes.first('instance', String(targets[1]))?.id ?? '', { status })
      return k3s(bench, 'POST', '/services', { ...web, target_instances: targets })
    },
  })),
  {
    rule: 'k3s.service-targets-leaving',
    accepted: 202,
    arrange(bench) {
      const targets = cluster(bench, 1)
      bench.tables.instances.update(String(targets[0]), { state: 'DELETING' })
      return k3s(bench, 'PUT', `/services/${add(bench)}`, { image: 'nginx:2', target_instances: targets })
    },
  },
  {
    rule: 'k3s.service-secrets',
    accepted: 202,
    arrange(bench) {
      cluster(bench, 0)
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [], secret_refs: ['missing'] })
    },
  },
  {
    rule: 'k3s.service-ports',
    accepted: 202,
    async arrange(bench) {
      const [one = 0n, two = 0n] = cluster(bench, 2)
      await created(bench, { target_instances: [one], ports: [port] })
      return k3s(bench, 'POST', '/services', { ...web, name: 'other', target_instances: [two, one], ports: [port] })
    },
  },
  {
    rule: 'k3s.service-ports',
    accepted: 202,
    arrange(bench) {
      cluster(bench, 0)
      return k3s(bench, 'POST', '/services', { ...web, target_instances: [], ports: [port, { ...port, container_port: 1 }] })
    },
  },
  ...['', '/redeploy', '/rollback'].map((rest) => ({
    rule: 'k3s.service-deleting',
    accepted: 202,
    arrange(bench: Bench) {
      const { revision } = bench.tables.clusterServices.get(add(bench, { name: 'seed' })) ?? {}
      return k3s(bench, rest === '' ? 'DELETE' : 'POST', `/services/${add(bench, { status: 'DELETING', previous: revision ?? null })}${rest}`)
    },
  })),
  ...(['DEPLOYING', 'UPDATING'] as const).map((status) => ({
    rule: 'k3s.service-busy',
    accepted: 202,
    arrange: (bench: Bench) => k3s(bench, 'POST', `/services/${add(bench, { status })}/redeploy`),
  })),
  { rule: 'k3s.service-busy', accepted: 202, arrange: (bench) => k3s(bench, 'DELETE', `/services/${add(bench, { status: 'DEPLOYING' })}`) },
  {
    rule: 'k3s.service-busy',
    accepted: 202,
    arrange: (bench) => k3s(bench, 'PUT', `/services/${add(bench, { status: 'UPDATING' })}`, { image: 'nginx:2', target_instances: [] }),
  },
  { rule: 'k3s.service-revision', accepted: 202, arrange: (bench) => k3s(bench, 'POST', `/services/${add(bench)}/rollback`) },
  ...(['a node that drains', 'a node that left', 'an instance that leaves', 'an instance that is gone'] as const).map((title) => ({
    rule: 'k3s.service-revision-targets',
    accepted: 202,
    async arrange(bench: Bench) {
      const [one = 0n, two = 0n] = cluster(bench, 2)
      const path = await created(bench, { target_instances: [one, two] })
      await bench.clock.advance(1000)
      await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [one] }))
      await bench.clock.advance(1000)
      const { clusterNodes, instances } = bench.tables
      const node = clusterNodes.first('instance', String(two))?.id ?? ''
      if (title === 'a node that drains') clusterNodes.update(node, { status: 'DRAINING' })
      else if (title === 'an instance that leaves') instances.update(String(two), { state: 'DELETING' })
      else clusterNodes.delete(node)
      if (title === 'an instance that is gone') instances.delete(String(two))
      return k3s(bench, 'POST', `${path}/rollback`)
    },
  })),
  {
    rule: 'k3s.service-revision-ports',
    accepted: 202,
    async arrange(bench) {
      cluster(bench, 1)
      const path = await created(bench, { ports: [port] })
      await bench.clock.advance(1000)
      await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
      await bench.clock.advance(1000)
      await created(bench, { name: 'other', ports: [port] })
      await bench.clock.advance(1000)
      return k3s(bench, 'POST', `${path}/rollback`)
    },
  },
  {
    rule: 'k3s.service-revision-secrets',
    accepted: 202,
    async arrange(bench) {
      cluster(bench, 0)
      const { id } = bench.tables.clusterSecrets.insert({ workspaceId: bench.wid, name: 'db', data: {} })
      const path = await created(bench, { secret_refs: ['db'] })
      await bench.clock.advance(1000)
      await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
      await bench.clock.advance(1000)
      await bench.call(k3s(bench, 'DELETE', `/secrets/${id}`))
      return k3s(bench, 'POST', `${path}/rollback`)
    },
  },
])

describe('two workflows on one service', () => {
  test('a rollout that ends leaves the status to the delete that came after it', async () => {
    const bench = createBench({ readings: { busyServices: 'accept' } })
    cluster(bench, 1)
    const path = await created(bench, {})
    const statusNow = async () => (await bench.call(k3s(bench, 'GET', path))).body
    await bench.clock.advance(200)
    expect((await bench.call(k3s(bench, 'DELETE', path))).status).toBe(202)
    await bench.clock.advance(60)
    expect(await statusNow()).toMatchObject({ service: { status: 'DELETING' } })
    await bench.clock.advance(100)
    expect((await bench.call(k3s(bench, 'GET', path))).status).toBe(404)
  })
})

describe('life', () => {
  test('SPREAD: deployed, running on its nodes, followed when one goes, removed', async () => {
    const bench = createBench()
    const targets = cluster(bench, 3).slice(0, 2)
    const path = await created(bench, {
      target_instances: targets,
      replicas: 3,
      ports: [port],
      environment: { SECRET: 'plain' },
      volumes: [{ host_path: '/a', container_path: '/b' }],
    })
    const detail = k3s(bench, 'GET', path)
    expect(await bench.call(detail)).toMatchObject({
      body: { service: { status: 'DEPLOYING' }, live: { desired_replicas: 3, available_replicas: 0, updating: true } },
    })
    await bench.clock.advance(1000)
    const { body } = await bench.call(detail)
    expect(body).toMatchObject({
      service: {
        name: 'web',
        status: 'RUNNING',
        mode: 'SPREAD',
        replicas: 3,
        image: 'nginx:1.27',
        target_instances: targets.map((id, index) => ({ id: String(id), name: `node-${index}` })),
        ports: [port],
        volumes: [{ host_path: '/a', container_path: '/b' }],
        secret_refs: [],
        update_strategy: 'ROLLING',
      },
      live: { desired_replicas: 3, available_replicas: 3, unavailable_replicas: 0, updated_replicas: 3, updating: false },
    })
    expect(JSON.stringify(body)).not.toContain('plain')
    expect(body).toMatchObject({
      live: { pods: ['node-0', 'node-1', 'node-0'].map((name, index) => ({ name: `web-1-${index}`, phase: 'Running', ready: true, node_name: name })) },
    })
    bench.tables.instances.update(String(targets[0]), { online: false })
    expect(await bench.call(detail)).toMatchObject({ body: { live: { available_replicas: 3, pods: [{ node_name: 'node-1' }, { node_name: 'node-1' }, {}] } } })
    bench.tables.instances.update(String(targets[1]), { online: false })
    expect(await bench.call(detail)).toMatchObject({ body: { live: { available_replicas: 0, pods: [{ phase: 'Pending', node_name: null }, {}, {}] } } })
    bench.tables.clusters.update(bench.tables.clusters.all()[0]?.id ?? '', { status: 'FAILED' })
    expect(await bench.call(detail)).toMatchObject({ body: { live: null } })
    expect((await bench.call(k3s(bench, 'DELETE', path))).status).toBe(202)
    expect(await bench.call(detail)).toMatchObject({ body: { service: { status: 'DELETING' } } })
    await bench.clock.advance(1000)
    expect((await bench.call(detail)).status).toBe(404)
  })

  test('PINNED: one pod on each target', async () => {
    const bench = createBench()
    const targets = cluster(bench, 2)
    const path = await created(bench, { mode: 'PINNED', target_instances: targets })
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({
      body: { service: { replicas: null }, live: { desired_replicas: 2, pods: [{ node_name: 'node-0' }, { node_name: 'node-1' }] } },
    })
  })

  test('an update replaces in full, a rollback brings the revision before back, a redeploy changes the pods alone', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const first = { image: 'nginx:1.27', replicas: 2, ports: [port], update_strategy: 'START_FIRST' }
    const path = await created(bench, { ...first, environment: { A: '1' } })
    await bench.clock.advance(1000)
    await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
    const cleared = { image: 'nginx:2', replicas: 1, ports: [], update_strategy: 'ROLLING' }
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({
      body: { service: { ...cleared, name: 'web', status: 'UPDATING' }, live: { updating: true, updated_replicas: 0 } },
    })
    expect(bench.tables.clusterServices.all()[0]?.revision.environment).toEqual({})
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({
      body: { service: { ...cleared, status: 'RUNNING' }, live: { pods: [{ name: 'web-2-0' }] } },
    })
    await bench.call(k3s(bench, 'POST', `${path}/rollback`))
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({ body: { service: { ...first, status: 'RUNNING' } } })
    expect(bench.tables.clusterServices.all()[0]?.revision.environment).toEqual({ A: '1' })
    await bench.call(k3s(bench, 'POST', `${path}/redeploy`))
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({ body: { service: first, live: { pods: [{ name: 'web-4-0' }, { name: 'web-4-1' }] } } })
  })

  test('name and mode cannot be sent with an update, nor replicas with a PINNED create', async () => {
    const bench = createBench()
    cluster(bench, 0)
    const path = await created(bench, {})
    const body = { image: 'nginx:2', target_instances: [] }
    for (const extra of [{ name: 'other' }, { mode: 'SPREAD' }]) expect((await bench.call(k3s(bench, 'PUT', path, { ...body, ...extra }))).status).toBe(400)
    expect((await bench.call(k3s(bench, 'POST', '/services', { ...body, name: 'pinned', mode: 'PINNED', replicas: 1 }))).status).toBe(400)
    expect((await bench.call(k3s(bench, 'POST', '/services', { ...body, name: 'untagged', mode: 'PINNED', image: 'nginx' }))).status).toBe(400)
  })

  test('lists filter, and wrap their items where the readings say so', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const other = add(bench, { name: 'worker', mode: 'PINNED', status: 'FAILED' })
    const id = add(bench, { name: 'web-front' })
    const list = async (query: string): Promise<unknown> => (await bench.call(k3s(bench, 'GET', `/services${query}`))).body
    expect(await list('')).toMatchObject({ items: [{ id: other }, { id }] })
    for (const query of ['q=FRONT', `id=${id}`, 'name=front', 'mode=SPREAD', 'status=RUNNING']) {
      expect(await list(`?${query}`)).toMatchObject({ items: [{ id }] })
      expect(await list(`?${query}`)).not.toMatchObject({ items: [{}, {}] })
    }
    const wrapped = createBench({ readings: { serviceItems: 'wrapped' } })
    cluster(wrapped, 0)
    add(wrapped)
    expect(await wrapped.call(k3s(wrapped, 'GET', '/services'))).toMatchObject({
      body: { items: [{ service: { name: 'web' }, live: { desired_replicas: 1 } }] },
    })
  })

  test.each([
    ['plain', ['id', 'name', 'mode', 'status']],
    ['wrapped', ['service', 'live']],
  ] as const)('slim lists: %s', async (serviceItems, names) => {
    const bench = createBench({ readings: { lists: 'slim', serviceItems } })
    add(bench)
    const { body } = await bench.call(k3s(bench, 'GET', '/services'))
    expect(body).toMatchObject({ items: [Object.fromEntries(names.map((name) => [name, name === 'live' ? null : expect.anything()]))] })
    expect(JSON.stringify(body)).toMatch(serviceItems === 'plain' ? /^(?!.*nginx)/ : /nginx/)
  })

  test.each([
    ['SPREAD', 'deploying', 'DEPLOYING'],
    ['PINNED', 'deploying', 'DEPLOYING'],
    ['SPREAD', 'running', 'RUNNING'],
  ] as const)('%s, rolled out while no node takes a pod: %s', async (mode, unplacedServices, status) => {
    const bench = createBench({ readings: { unplacedServices } })
    const [target = 0n] = cluster(bench, 1)
    const setOnline = (online: boolean) => bench.tables.instances.update(String(target), { online })
    setOnline(false)
    const path = await created(bench, { mode, target_instances: [target] })
    await bench.clock.advance(1000)
    const shown = async (query: string): Promise<unknown> => (await bench.call(k3s(bench, 'GET', `/services?${query}`))).body
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({ body: { service: { status }, live: { available_replicas: 0 } } })
    expect([await shown(`status=${status}`), await shown('status=FAILED')]).toMatchObject([{ items: [{ status }] }, { items: [] }])
    // What waits for a node can be changed.
    expect((await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [target] }))).status).toBe(202)
    await bench.clock.advance(1000)
    setOnline(true)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({ body: { service: { status: 'RUNNING' }, live: { available_replicas: 1 } } })
  })

  test('a service of no replicas runs without a node', async () => {
    const bench = createBench()
    cluster(bench, 0)
    const path = await created(bench, { replicas: 0 })
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({ body: { service: { status: 'RUNNING' }, live: { desired_replicas: 0 } } })
  })

  test('targets may be plain instances, and busy services take changes, where the readings say so', async () => {
    const bench = createBench({ readings: { serviceTargets: 'instance', busyServices: 'accept' } })
    cluster(bench, 0)
    const path = await created(bench, { target_instances: [BigInt(bench.instance().id)] })
    expect((await bench.call(k3s(bench, 'POST', `${path}/redeploy`))).status).toBe(202)
  })
})

describe('failures', () => {
  test.each([
    ['create', 'nothing', undefined],
    ['create', 'failed', { status: 'FAILED' }],
    ['update', 'nothing', { status: 'RUNNING', revision: { image: 'nginx:1.27' } }],
    ['update', 'failed', { status: 'FAILED', revision: { image: 'nginx:2' } }],
    ['delete', 'nothing', { status: 'RUNNING' }],
    ['delete', 'failed', { status: 'FAILED' }],
  ] as const)('%s that leaves %s', async (verb, leaves, after) => {
    const bench = createBench({ courses: [{ operation: `k3s.service.${verb}`, outcome: 'FAILED', leaves }] })
    cluster(bench, 1)
    const path = await created(bench, {})
    await bench.clock.advance(1000)
    if (verb !== 'create')
      await bench.call(k3s(bench, verb === 'update' ? 'PUT' : 'DELETE', path, verb === 'update' ? { image: 'nginx:2', target_instances: [] } : undefined))
    await bench.clock.advance(1000)
    await bench.call(k3s(bench, 'GET', '/services'))
    const [row] = bench.tables.clusterServices.all()
    if (after === undefined) expect(row).toBeUndefined()
    else expect(row).toMatchObject(after)
  })

  test('a FAILED service shows failed pods', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const path = `/services/${add(bench, { status: 'FAILED' })}`
    expect(await bench.call(k3s(bench, 'GET', path))).toMatchObject({
      body: { live: { available_replicas: 0, pods: [{ phase: 'Failed', ready: false, restart_count: 5 }] } },
    })
  })
})
