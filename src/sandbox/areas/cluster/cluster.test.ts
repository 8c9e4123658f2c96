// The managed cluster with its nodes and secrets: every rule, and their life.
import { describe, expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { ClusterNodeRow, ClusterRow } from '../../store/rows.ts'
import { clusterNodesArea } from './cluster-nodes.ts'
import { clusterSecretsArea } from './cluster-secrets.ts'
import { clusterArea } from './cluster.ts'

function k3s({ wid }: Bench, method: string, rest = '', body?: object): TestCall {
  return { method, path: `/v1/workspaces/${wid}/k3s${rest}`, ...(body ? { body } : {}) }
}
function addCluster({ tables, wid }: Bench, status: ClusterRow['status'] = 'ACTIVE'): void {
  tables.clusters.insert({ workspaceId: wid, name: 'ws', status })
}
function addNode({ tables, wid }: Bench, instanceId: string, status: ClusterNodeRow['status'] = 'READY'): string {
  return tables.clusterNodes.insert({ workspaceId: wid, instanceId, nodeName: 'web-1', status }).id
}
function join(bench: Bench, instanceId: string): TestCall {
  return k3s(bench, 'POST', '/nodes', { instance_id: BigInt(instanceId) })
}
const secret = { name: 'db', data: { USER: 'app', PASSWORD: 'hunter2' } }

describeRules('the cluster', clusterArea.rules, [
  {
    rule: 'k3s.single',
    accepted: 202,
    arrange(bench) {
      addCluster(bench, 'FAILED')
      return k3s(bench, 'POST')
    },
  },
  ...(['PROVISIONING', 'DEPROVISIONING'] as const).map((status) => ({
    rule: 'k3s.state',
    accepted: 202,
    arrange(bench: Bench) {
      addCluster(bench, status)
      return k3s(bench, 'DELETE')
    },
  })),
  {
    rule: 'k3s.active',
    accepted: 202,
    arrange(bench) {
      addCluster(bench, 'PROVISIONING')
      return join(bench, bench.instance().id)
    },
  },
  {
    rule: 'k3s.active',
    accepted: 202,
    arrange(bench) {
      addCluster(bench, 'DEPROVISIONING')
      return k3s(bench, 'POST', '/services', { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [] })
    },
  },
  {
    rule: 'k3s.active',
    accepted: 201,
    arrange(bench) {
      addCluster(bench, 'FAILED')
      return k3s(bench, 'POST', '/secrets', secret)
    },
  },
  {
    rule: 'k3s.leaving',
    accepted: 202,
    arrange(bench) {
      addCluster(bench, 'DEPROVISIONING')
      return k3s(bench, 'DELETE', `/nodes/${addNode(bench, bench.instance().id)}`)
    },
  },
  {
    rule: 'k3s.leaving',
    accepted: 200,
    arrange(bench) {
      addCluster(bench, 'DEPROVISIONING')
      const { id } = bench.tables.clusterSecrets.insert({ workspaceId: bench.wid, name: 'db', data: {} })
      return k3s(bench, 'PUT', `/secrets/${id}`, { data: { A: '1' } })
    },
  },
])

describeRules('nodes', clusterNodesArea.rules, [
  {
    rule: 'k3s.node-workspace',
    accepted: 202,
    arrange(bench) {
      addCluster(bench)
      return join(bench, bench.instance({ workspaceId: '77' }).id)
    },
  },
  {
    rule: 'k3s.node-online',
    accepted: 202,
    arrange(bench) {
      addCluster(bench)
      return join(bench, bench.instance({ online: false }).id)
    },
  },
  {
    rule: 'k3s.node-twice',
    accepted: 202,
    arrange(bench) {
      addCluster(bench)
      const { id } = bench.instance()
      addNode(bench, id)
      return join(bench, id)
    },
  },
  {
    rule: 'k3s.node-ports',
    accepted: 202,
    async arrange(bench) {
      addCluster(bench)
      const port = { name: 'web', hostPort: 80, containerPort: 8080, protocol: 'TCP', http: true } as const
      const { id } = bench.instance()
      const app = { templateId: '1', templateName: 'web', name: 'web', image: 'web:1', state: 'AVAILABLE', environment: {}, mountsJson: '[]' } as const
      bench.tables.apps.insert({ ...app, workspaceId: bench.wid, instanceId: id, domain: null, ports: [port] })
      const ports = [{ host_port: 80, container_port: 8080, protocol: 'TCP' }]
      await bench.call(k3s(bench, 'POST', '/services', { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [], ports }))
      return join(bench, id)
    },
  },
  ...(['JOINING', 'DRAINING'] as const).map((status) => ({
    rule: 'k3s.node-state',
    accepted: 202,
    arrange: (bench: Bench) => k3s(bench, 'DELETE', `/nodes/${addNode(bench, bench.instance().id, status)}`),
  })),
])

describeRules('secrets', clusterSecretsArea.rules, [
  {
    rule: 'k3s.secret-name',
    accepted: 201,
    async arrange(bench) {
      addCluster(bench)
      await bench.call(k3s(bench, 'POST', '/secrets', secret))
      return k3s(bench, 'POST', '/secrets', secret)
    },
  },
  {
    rule: 'k3s.secret-used',
    accepted: 204,
    async arrange(bench) {
      addCluster(bench)
      await bench.call(k3s(bench, 'POST', '/secrets', secret))
      await bench.call(k3s(bench, 'POST', '/services', { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [], secret_refs: ['db'] }))
      return k3s(bench, 'DELETE', `/secrets/${bench.tables.clusterSecrets.all()[0]?.id}`)
    },
  },
])

describe('life', () => {
  test('a cluster is made, becomes ACTIVE, and takes everything along when it goes', async () => {
    const bench = createBench()
    expect((await bench.call(k3s(bench, 'GET'))).status).toBe(404)
    expect(await bench.call(k3s(bench, 'POST'))).toMatchObject({ status: 202, body: { name: 'k3s.create', state: 'QUEUED' } })
    expect(await bench.call(k3s(bench, 'GET'))).toMatchObject({
      body: { status: 'PROVISIONING', name: `ws-${bench.wid}`, owner: { id: bench.wid, name: 'default', access_level: 'OWNER' } },
    })
    await bench.clock.advance(1000)
    expect(await bench.call(k3s(bench, 'GET'))).toMatchObject({ body: { status: 'ACTIVE' } })
    await bench.call(join(bench, bench.instance().id))
    await bench.call(k3s(bench, 'POST', '/secrets', secret))
    await bench.call(k3s(bench, 'POST', '/services', { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [] }))
    await bench.call(k3s(bench, 'DELETE'))
    expect(await bench.call(k3s(bench, 'GET'))).toMatchObject({ body: { status: 'DEPROVISIONING' } })
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET'))).status).toBe(404)
    for (const table of ['clusters', 'clusterNodes', 'clusterServices', 'clusterSecrets'] as const) expect(bench.tables[table].all()).toEqual([])
    expect(bench.tables.workflows.all().map((one) => one.state)).toEqual(Array.from({ length: 4 }, () => 'COMPLETED'))
  })

  test('nodes, services and secrets need a cluster', async () => {
    const bench = createBench()
    const service = { name: 'web', image: 'nginx:1', mode: 'SPREAD', target_instances: [] }
    const calls = [join(bench, bench.instance().id), k3s(bench, 'POST', '/secrets', secret), k3s(bench, 'POST', '/services', service)]
    for (const call of calls) expect((await bench.call(call)).status).toBe(404)
    for (const rest of ['/nodes', '/services', '/secrets'])
      expect(await bench.call(k3s(bench, 'GET', rest))).toMatchObject({ status: 200, body: { items: [] } })
  })

  test('a node joins, shows its live part, is found by its instance, and drains', async () => {
    const bench = createBench()
    addCluster(bench)
    const { id } = bench.instance({ name: 'Web Server!' })
    expect(await bench.call(join(bench, id))).toMatchObject({ status: 202, body: { name: 'k3s.node.create' } })
    const byInstance = { method: 'GET', path: `/v1/instances/${id}/k3s` }
    expect(await bench.call(byInstance)).toMatchObject({ body: { node: { status: 'JOINING', instance: { id } }, live: null } })
    await bench.clock.advance(1000)
    const { body } = await bench.call(byInstance)
    expect(body).toMatchObject({
      node: { status: 'READY', workspace: { id: bench.wid }, node_name: expect.stringMatching(/^web-server-\d{8}$/) },
      live: { ready: true, conditions: { Ready: 'True' }, allocatable: { cpu: '2', memory: '4194304Ki', pods: '110' } },
    })
    const node = bench.tables.clusterNodes.all()[0]?.id
    expect((await bench.call(k3s(bench, 'GET', `/nodes/${node}`))).body).toEqual(body)
    for (const query of [`id=${node}`, 'status=READY', `instance=${id}`]) {
      expect((await bench.call(k3s(bench, 'GET', `/nodes?${query}`))).body).toMatchObject({ items: [body] })
    }
    expect((await bench.call(k3s(bench, 'GET', '/nodes?status=JOINING'))).body).toMatchObject({ items: [] })
    bench.tables.instances.update(id, { online: false })
    expect(await bench.call(byInstance)).toMatchObject({ body: { live: { ready: false } } })
    await bench.call(k3s(bench, 'DELETE', `/nodes/${node}`))
    expect(await bench.call(byInstance)).toMatchObject({ body: { node: { status: 'DRAINING' } } })
    await bench.clock.advance(1000)
    expect((await bench.call(byInstance)).status).toBe(404)
  })

  test('what another workspace owns is not found', async () => {
    const bench = createBench()
    addCluster(bench)
    const foreign = { workspaceId: '77', name: 'x', data: {} }
    const paths = [
      `/nodes/${bench.tables.clusterNodes.insert({ workspaceId: '77', instanceId: '5', nodeName: 'x', status: 'READY' }).id}`,
      `/secrets/${bench.tables.clusterSecrets.insert(foreign).id}`,
    ]
    for (const path of paths) expect((await bench.call(k3s(bench, 'DELETE', path))).status).toBe(404)
    expect(bench.tables.clusterNodes.all().length + bench.tables.clusterSecrets.all().length).toBe(2)
  })

  test('a secret answers its key names alone, is replaced in full, and goes', async () => {
    const bench = createBench()
    addCluster(bench)
    const made = await bench.call(k3s(bench, 'POST', '/secrets', secret))
    const id = bench.tables.clusterSecrets.all()[0]?.id
    expect(made).toMatchObject({ status: 201, body: { id, name: 'db', keys: ['USER', 'PASSWORD'] } })
    expect((await bench.call(k3s(bench, 'PUT', `/secrets/${id}`, { data: { TOKEN: 'x' } }))).body).toEqual({ id, name: 'db', keys: ['TOKEN'] })
    expect((await bench.call(k3s(bench, 'GET', '/secrets'))).body).toMatchObject({ items: [{ id, name: 'db', keys: ['TOKEN'] }] })
    expect((await bench.call(k3s(bench, 'PATCH', `/secrets/${id}`, { data: {} }))).status).toBe(405)
    expect(await bench.call(k3s(bench, 'DELETE', `/secrets/${id}`))).toMatchObject({ status: 204, body: null })
    expect(bench.tables.clusterSecrets.all()).toEqual([])
  })

  test.each([
    ['second', [405, 200]],
    ['both', [200, 200]],
  ] as const)('replacing a secret where the open method is %s', async (openMethods, statuses) => {
    const bench = createBench({ readings: { openMethods } })
    addCluster(bench)
    await bench.call(k3s(bench, 'POST', '/secrets', secret))
    const path = `/secrets/${bench.tables.clusterSecrets.all()[0]?.id}`
    const answers = [await bench.call(k3s(bench, 'PUT', path, { data: {} })), await bench.call(k3s(bench, 'PATCH', path, { data: {} }))]
    expect(answers.map((answer) => answer.status)).toEqual(statuses)
  })
})

describe('failures', () => {
  test.each([
    ['k3s.create', 'nothing', undefined],
    ['k3s.create', 'failed', 'FAILED'],
    ['k3s.delete', 'nothing', 'ACTIVE'],
    ['k3s.delete', 'failed', 'FAILED'],
  ] as const)('%s that leaves %s', async (operation, leaves, status) => {
    const bench = createBench({ courses: [{ operation, outcome: 'FAILED', leaves }] })
    await bench.call(k3s(bench, 'POST'))
    await bench.clock.advance(1000)
    if (operation === 'k3s.delete') {
      await bench.call(k3s(bench, 'DELETE'))
      await bench.clock.advance(1000)
    }
    await bench.call(k3s(bench, 'GET'))
    expect(bench.tables.clusters.all()[0]?.status).toBe(status)
  })

  test.each([
    ['k3s.node.create', 'nothing', undefined],
    ['k3s.node.create', 'failed', 'FAILED'],
    ['k3s.node.delete', 'nothing', 'READY'],
    ['k3s.node.delete', 'failed', 'FAILED'],
  ] as const)('%s that leaves %s', async (operation, leaves, status) => {
    const bench = createBench({ courses: [{ operation, outcome: 'TIMED_OUT', leaves }] })
    addCluster(bench)
    await bench.call(join(bench, bench.instance().id))
    await bench.clock.advance(1000)
    if (operation === 'k3s.node.delete') {
      await bench.call(k3s(bench, 'DELETE', `/nodes/${bench.tables.clusterNodes.all()[0]?.id}`))
      await bench.clock.advance(1000)
    }
    await bench.call(k3s(bench, 'GET'))
    expect(bench.tables.clusterNodes.all()[0]?.status).toBe(status)
  })
})
