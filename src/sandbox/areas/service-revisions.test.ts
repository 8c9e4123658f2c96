// What a rollout that fails brings back: nobody takes it away meanwhile, and once it has ended well it is free.
import { describe, expect, test } from 'vitest'
import { createdService as created, k3s, readyCluster as cluster, web } from '../../../test/builders/cluster-bench.ts'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const port = { host_port: 80, container_port: 8080, protocol: 'TCP' }

/** A service on the first of two nodes, with a secret and a port; what is done to it next ends in `outcome`. */
async function begun(verb: 'update' | 'delete', outcome: 'COMPLETED' | 'FAILED') {
  const bench = createBench()
  const [one = 0n, two = 0n] = cluster(bench, 2)
  const secret = bench.tables.clusterSecrets.insert({ workspaceId: bench.wid, name: 'db', data: {} })
  const path = await created(bench, { target_instances: [one], ports: [port], secret_refs: ['db'] })
  await bench.clock.advance(1000)
  bench.sandbox.world.courses.push({ operation: `k3s.service.${verb}`, outcome, leaves: outcome === 'FAILED' ? 'nothing' : 'done' })
  const call = verb === 'update' ? k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [two] }) : k3s(bench, 'DELETE', path)
  expect((await bench.call(call)).status).toBe(202)
  return { bench, path, one, two, removal: k3s(bench, 'DELETE', `/secrets/${secret.id}`) }
}
async function takes(bench: Bench, target: bigint): Promise<number> {
  return (await bench.call(k3s(bench, 'POST', '/services', { ...web, name: `on-${target}`, target_instances: [target], ports: [port] }))).status
}

describe.each(['update', 'delete'] as const)('while the %s of a service is under way', (verb) => {
  test('its secrets and host ports are kept for it, and it fails into what it was', async () => {
    const { bench, path, one, two, removal } = await begun(verb, 'FAILED')
    expect([(await bench.call(removal)).status, await takes(bench, one), await takes(bench, two)]).toEqual([409, 409, 202])
    await bench.clock.advance(1000)
    expect((await bench.call(k3s(bench, 'GET', path))).body).toMatchObject({
      service: { status: 'RUNNING', image: 'nginx:1.27', secret_refs: ['db'], ports: [port], target_instances: [{ id: String(one) }] },
    })
    expect((await bench.call(k3s(bench, 'POST', `${path}/redeploy`))).status).toBe(202)
  })
  test('they are free once it has ended well', async () => {
    const { bench, one, removal } = await begun(verb, 'COMPLETED')
    await bench.clock.advance(1000)
    expect([(await bench.call(removal)).status, await takes(bench, one)]).toEqual([204, 202])
  })
})

test('a node does not join while a service on all nodes may come back with a host port that is taken there', async () => {
  const bench = createBench()
  cluster(bench, 1)
  const path = await created(bench, { ports: [port] })
  await bench.clock.advance(1000)
  const { id } = bench.instance()
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
  const held = { name: 'web', hostPort: 80, containerPort: 8080, protocol: 'TCP', http: true } as const
  bench.tables.apps.insert({ ...app, workspaceId: bench.wid, instanceId: id, ports: [held] })
  await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
  const join = k3s(bench, 'POST', '/nodes', { instance_id: BigInt(id) })
  expect((await bench.call(join)).status).toBe(409)
  await bench.clock.advance(1000)
  expect((await bench.call(join)).status).toBe(202)
})
