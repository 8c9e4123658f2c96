// DHCP settings: every rule, and what becomes of them with addresses and instances.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { dhcpArea } from './dhcp.ts'

function ip({ tables, wid }: Bench, family: 'IPv4' | 'IPv6', instanceId: string | null, workspaceId = wid): string {
  const address = `192.0.2.${tables.ips.all().length}`
  const base = { family, address, region: 'fra-1', ddos: false, dns: null, grantedWith: null, state: 'AVAILABLE' } as const
  return tables.ips.insert({ workspaceId, ...base, instanceId }).id
}
function set(instance: string, body: object): TestCall {
  return { method: 'PUT', path: `/v1/instances/${instance}/dhcp`, body }
}
function reset(instance: string): TestCall {
  return { method: 'DELETE', path: `/v1/instances/${instance}/dhcp` }
}
async function shown({ call, clock }: Bench, instance: string) {
  await clock.advance(1000)
  return (await call({ method: 'GET', path: `/v1/instances/${instance}/dhcp` })).body
}

describeRules('DHCP', dhcpArea.rules, [
  {
    rule: 'dhcp.v4',
    accepted: 202,
    arrange(bench) {
      const { id } = bench.instance()
      return set(id, { v4: BigInt(ip(bench, 'IPv6', id)) })
    },
  },
  {
    rule: 'dhcp.v4-workspace',
    accepted: 202,
    arrange(bench) {
      const { id } = bench.instance()
      return set(id, { v4: BigInt(ip(bench, 'IPv4', id, '77')) })
    },
  },
  {
    rule: 'dhcp.v6-workspace',
    accepted: 202,
    arrange(bench) {
      const { id } = bench.instance()
      return set(id, { v6: BigInt(ip(bench, 'IPv6', id, '77')) })
    },
  },
  {
    rule: 'dhcp.v6',
    accepted: 202,
    arrange(bench) {
      const { id } = bench.instance()
      return set(id, { v6: BigInt(ip(bench, 'IPv4', id)) })
    },
  },
  { rule: 'dhcp.v4-attached', accepted: 202, arrange: (bench) => set(bench.instance().id, { v4: BigInt(ip(bench, 'IPv4', null)) }) },
  { rule: 'dhcp.v6-attached', accepted: 202, arrange: (bench) => set(bench.instance().id, { v6: BigInt(ip(bench, 'IPv6', bench.instance().id)) }) },
  ...(['PENDING', 'FAILED', 'SUSPENDED', 'DELETING'] as const).map((state) => ({
    rule: 'dhcp.instance-state',
    accepted: 202,
    arrange: (bench: Bench) => set(bench.instance({ state }).id, { enabled: false }),
  })),
  ...(['PENDING', 'DELETING'] as const).map((state) => ({
    rule: 'dhcp.instance-moving',
    accepted: 202,
    arrange: (bench: Bench) => reset(bench.instance({ state }).id),
  })),
  {
    rule: 'dhcp.busy',
    accepted: 202,
    async arrange(bench) {
      const { id } = bench.instance()
      await bench.call(set(id, { enabled: false }))
      return reset(id)
    },
  },
])

test('empty, set, changed in part, reset', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const [v4, v6] = [ip(bench, 'IPv4', id), ip(bench, 'IPv6', id)]
  expect(await shown(bench, id)).toEqual({})
  expect(await bench.call(set(id, { v4: BigInt(v4) }))).toMatchObject({ status: 202, body: { name: 'dhcp.update' } })
  expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}/dhcp` })).body).toEqual({})
  expect(await shown(bench, id)).toEqual({ enabled: true, v4, v6: null })
  await bench.call(set(id, { v6: BigInt(v6) }))
  expect(await shown(bench, id)).toEqual({ enabled: true, v4, v6 })
  await bench.call(set(id, { enabled: false }))
  expect(await shown(bench, id)).toEqual({ enabled: false, v4, v6 })
  expect(await bench.call(reset(id))).toMatchObject({ status: 202, body: { name: 'dhcp.reset' } })
  expect(await shown(bench, id)).toEqual({})
  await bench.call(set(id, {}))
  expect(await shown(bench, id)).toEqual({})
  await bench.call(reset(id))
  expect(await shown(bench, id)).toEqual({})
  expect((await bench.call(set(id, { v4: 5 }))).status).toBe(404)
  expect((await bench.call(set('5', {}))).status).toBe(404)
})

test('a detached address leaves the settings, also one that was detached meanwhile', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const [v4, v6] = [ip(bench, 'IPv4', id), ip(bench, 'IPv6', id)]
  await bench.call(set(id, { v4: BigInt(v4), v6: BigInt(v6) }))
  await bench.clock.advance(1000)
  await bench.call({ method: 'POST', path: '/v1/commands/detach-ip', body: { ip_id: BigInt(v4) } })
  expect(await shown(bench, id)).toEqual({ enabled: true, v4: null, v6 })
  await bench.call({ method: 'POST', path: '/v1/commands/detach-ip', body: { ip_id: BigInt(v6) } })
  bench.sandbox.world.courses.push({ operation: 'dhcp.update', outcome: 'COMPLETED', durationMs: 500 })
  await bench.call(set(id, { v6: BigInt(v6), enabled: false }))
  expect(await shown(bench, id)).toEqual({ enabled: false, v4: null, v6: null })
})

test('an address that moves on while it is being attached leaves the settings of the instance that it was on', async () => {
  const bench = createBench({ readings: { busyIps: 'accept' } })
  const [first, second, v4] = [bench.instance().id, bench.instance().id, ip(bench, 'IPv4', null)]
  const attach = async (instance: string, durationMs: number): Promise<void> => {
    bench.sandbox.world.courses.push({ operation: 'ip.attach', outcome: 'COMPLETED', durationMs })
    const body = { ip_id: BigInt(v4), instance_id: BigInt(instance) }
    expect((await bench.call({ method: 'POST', path: '/v1/commands/attach-ip', body })).status).toBe(202)
  }
  await attach(first, 100)
  await attach(second, 5000)
  await bench.clock.advance(200)
  expect((await bench.call(set(first, { v4: BigInt(v4) }))).status).toBe(202)
  expect(await shown(bench, first)).toEqual({ enabled: true, v4, v6: null })
  await bench.clock.advance(5000)
  expect(await shown(bench, first)).toEqual({ enabled: true, v4: null, v6: null })
  expect(bench.tables.ips.get(v4)).toMatchObject({ instanceId: second })
})

test('an address that is attached where it is stays in the settings', async () => {
  const bench = createBench({ readings: { busyIps: 'accept' } })
  const [{ id }, v4] = [bench.instance(), ip(bench, 'IPv4', null)]
  const body = { ip_id: BigInt(v4), instance_id: BigInt(id) }
  for (const durationMs of [100, 5000]) {
    bench.sandbox.world.courses.push({ operation: 'ip.attach', outcome: 'COMPLETED', durationMs })
    await bench.call({ method: 'POST', path: '/v1/commands/attach-ip', body })
  }
  await bench.clock.advance(200)
  await bench.call(set(id, { v4: BigInt(v4) }))
  await bench.clock.advance(6000)
  expect(await shown(bench, id)).toMatchObject({ v4 })
})

test('settings go with their instance, and none come after it', async () => {
  const bench = createBench({ readings: { busyInstances: 'refuse-none' } })
  const { id } = bench.instance()
  await bench.call(set(id, { enabled: false }))
  await bench.clock.advance(1000)
  bench.sandbox.world.courses.push({ operation: 'dhcp.update', outcome: 'COMPLETED', durationMs: 5000 })
  await bench.call(set(id, { enabled: true }))
  expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
  await bench.clock.advance(10_000)
  expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/workflows?name=dhcp` })).body).toMatchObject({
    items: [{ state: 'FAILED' }, { state: 'COMPLETED' }],
  })
  expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}/dhcp` })).status).toBe(404)
  expect(bench.tables.dhcpSettings.all()).toEqual([])
})

test.each(['FAILED', 'SUSPENDED'] as const)('settings of an instance that is %s can be reset', async (state) => {
  const bench = createBench()
  const { id } = bench.instance({ state })
  bench.tables.dhcpSettings.insert({ instanceId: id, enabled: true, v4: null, v6: null })
  expect((await bench.call(reset(id))).status).toBe(202)
  expect(await shown(bench, id)).toEqual({})
})

test('the empty response, as it is read', async () => {
  const ask = async (emptyDhcp: 'object' | 'null' | 'none') => {
    const bench = createBench({ readings: { emptyDhcp } })
    return bench.sandbox.handle({
      method: 'GET',
      path: `/v1/instances/${bench.instance().id}/dhcp`,
      headers: { authorization: `Bearer ${bench.sandbox.token}` },
    })
  }
  const answers = []
  for (const reading of ['object', 'null', 'none'] as const) {
    const answer = await ask(reading)
    answers.push([answer.status, await answer.text(100)])
  }
  expect(answers).toEqual([
    [200, '{}'],
    [200, 'null'],
    [204, ''],
  ])
})

test('nested, addresses stand as summaries', async () => {
  const bench = createBench({ readings: { details: 'nested' } })
  const { id } = bench.instance()
  const v4 = ip(bench, 'IPv4', id)
  await bench.call(set(id, { v4: BigInt(v4) }))
  expect(await shown(bench, id)).toEqual({ enabled: true, v4: { id: v4, address: '192.0.2.0' }, v6: null })
})
