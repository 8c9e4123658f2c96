// Floating IPs: every rule, their life beside instances, their reverse DNS.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { IpRow } from '../../store/rows.ts'
import { floatingIpsArea } from './floating-ips.ts'

const body = { type: 'IPv4', ddos: true, region: 'fra-1' }

function ip({ tables, wid }: Bench, fields: Partial<IpRow> = {}): string {
  const address = `198.19.0.${tables.ips.all().length}`
  const base = { family: 'IPv4', address, region: 'fra-1', ddos: false, dns: null, instanceId: null, grantedWith: null, state: 'AVAILABLE' } as const
  return tables.ips.insert({ workspaceId: wid, ...base, ...fields }).id
}
function create({ wid }: Bench, fields: object = {}): TestCall {
  return { method: 'POST', path: `/v1/workspaces/${wid}/ips`, body: { ...body, ...fields } }
}
function attach(id: string, instance: string): TestCall {
  return { method: 'POST', path: '/v1/commands/attach-ip', body: { ip_id: BigInt(id), instance_id: BigInt(instance) } }
}
function detach(id: string): TestCall {
  return { method: 'POST', path: '/v1/commands/detach-ip', body: { ip_id: BigInt(id) } }
}
function setDns(id: string): TestCall {
  return { method: 'PUT', path: `/v1/networking/ips/${id}/dns`, body: { dns: 'mail.example.org' } }
}
function resetDns(id: string): TestCall {
  return { method: 'DELETE', path: `/v1/networking/ips/${id}/dns` }
}
function remove(id: string): TestCall {
  return { method: 'DELETE', path: `/v1/ips/${id}` }
}
async function shown({ call }: Bench, id: string) {
  return (await call({ method: 'GET', path: `/v1/networking/ips/${id}` })).body
}

describeRules('floating IPs', floatingIpsArea.rules, [
  { rule: 'ips.region', accepted: 202, arrange: (bench) => create(bench, { region: 'mars-1' }) },
  { rule: 'ips.ddos', accepted: 202, arrange: (bench) => create(bench, { type: 'IPv6' }) },
  { rule: 'ips.quota-ipv4', accepted: 202, options: { quota: { max_floating_ipv4: 0 } }, arrange: (bench) => create(bench) },
  { rule: 'ips.quota-ipv6', accepted: 202, options: { quota: { max_floating_ipv6: 0 } }, arrange: (bench) => create(bench, { type: 'IPv6', ddos: false }) },
  {
    rule: 'ips.quota',
    accepted: 202,
    options: { quota: { max_floating_ips: 1 } },
    arrange(bench) {
      ip(bench, { family: 'IPv6' })
      return create(bench)
    },
  },
  {
    rule: 'ips.visible',
    accepted: 202,
    arrange: (bench) => ({ ...detach(ip(bench, { instanceId: bench.instance().id })), token: bench.member(undefined) }),
  },
  { rule: 'ips.role', accepted: 202, arrange: (bench) => ({ ...attach(ip(bench), bench.instance().id), token: bench.member('VIEWER') }) },
  {
    rule: 'ips.role',
    accepted: 202,
    arrange: (bench) => ({ ...detach(ip(bench, { instanceId: bench.instance().id })), token: bench.member('VIEWER') }),
  },
  { rule: 'ips.attach-visible', accepted: 202, arrange: (bench) => attach(ip(bench), bench.instance({ workspaceId: '77' }).id) },
  { rule: 'ips.attach-region', accepted: 202, arrange: (bench) => attach(ip(bench), bench.instance({ region: 'nyc-1' }).id) },
  ...(['FAILED', 'SUSPENDED'] as const).map((state) => ({
    rule: 'ips.attach-available',
    accepted: 202,
    arrange: (bench: Bench) => attach(ip(bench, { state }), bench.instance().id),
  })),
  ...(['FAILED', 'SUSPENDED'] as const).map((state) => ({
    rule: 'ips.dns-available',
    accepted: 202,
    arrange: (bench: Bench) => setDns(ip(bench, { state })),
  })),
  { rule: 'ips.attach-instance', accepted: 202, arrange: (bench) => attach(ip(bench), bench.instance({ state: 'SUSPENDED' }).id) },
  {
    rule: 'ips.busy',
    accepted: 202,
    async arrange(bench) {
      const id = ip(bench)
      await bench.call(attach(id, bench.instance().id))
      return remove(id)
    },
  },
  {
    rule: 'ips.busy',
    accepted: 202,
    async arrange(bench) {
      const id = ip(bench)
      await bench.call(setDns(id))
      return resetDns(id)
    },
  },
  { rule: 'ips.busy', accepted: 202, arrange: (bench) => setDns(ip(bench, { state: 'PENDING' })) },
  { rule: 'ips.busy', accepted: 202, arrange: (bench) => attach(ip(bench, { state: 'DELETING' }), bench.instance().id) },
  { rule: 'ips.busy', accepted: 202, arrange: (bench) => detach(ip(bench, { state: 'PENDING', instanceId: bench.instance().id })) },
  ...[detach, setDns, resetDns].map((act) => ({
    rule: 'ips.instance-deleting',
    accepted: 202,
    arrange(bench: Bench) {
      const { id } = bench.instance({ state: 'DELETING' })
      return act(ip(bench, { instanceId: id, grantedWith: id }))
    },
  })),
  {
    rule: 'ips.instance-deleting',
    accepted: 202,
    options: { readings: { attachedIps: 'deleted' } },
    arrange: (bench) => detach(ip(bench, { instanceId: bench.instance({ state: 'DELETING' }).id })),
  },
  { rule: 'ips.attach-detached', accepted: 202, arrange: (bench) => attach(ip(bench, { instanceId: bench.instance().id }), bench.instance().id) },
  { rule: 'ips.detach-attached', accepted: 202, arrange: (bench) => detach(ip(bench)) },
  { rule: 'ips.delete-detached', accepted: 202, arrange: (bench) => remove(ip(bench, { instanceId: bench.instance().id })) },
])

describe('life', () => {
  test('made, named, attached, renamed, detached, deleted', async () => {
    const bench = createBench()
    const { id: instance } = bench.instance()
    const made = await bench.call(create(bench))
    expect(made).toMatchObject({ status: 202, body: { workflow: { name: 'ip.create' }, ip: { address: '198.18.0.1', type: 'IPv4', instance: null } } })
    const id = bench.tables.ips.all()[0]?.id ?? ''
    await bench.clock.advance(1000)
    expect(await bench.call(setDns(id))).toMatchObject({ status: 202, body: { name: 'ip.dns' } })
    expect(await shown(bench, id)).toMatchObject({ dns: null })
    await bench.clock.advance(1000)
    expect(await bench.call(attach(id, instance))).toMatchObject({ status: 202, body: { name: 'ip.attach', state: 'QUEUED' } })
    expect(await shown(bench, id)).toMatchObject({ instance: null })
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toEqual({
      id,
      address: '198.18.0.1',
      family: 'IPv4',
      type: 'IPv4',
      instance,
      range: { cidr: '198.18.0.0/15', gateway: '198.19.255.254' },
      region: 'fra-1',
      dns: 'mail.example.org',
      created_at: expect.any(String),
    })
    expect(bench.tables.workflows.all()[0]).toMatchObject({ output: { ip_id: id } })
    expect((await bench.call({ method: 'GET', path: `/v1/instances/${instance}` })).body).toMatchObject({ ips: [{ id, address: '198.18.0.1' }] })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/topology` })).body).toMatchObject({
      ips: [{ id, instance_id: instance, address: '198.18.0.1', protected: true }],
    })
    expect((await bench.call(resetDns(id))).status).toBe(202)
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toMatchObject({ dns: null, instance })
    expect(await bench.call(detach(id))).toMatchObject({ status: 202, body: { name: 'ip.detach' } })
    await bench.clock.advance(1000)
    expect(await bench.call(remove(id))).toMatchObject({ status: 202, body: { name: 'ip.delete' } })
    await bench.clock.advance(1000)
    expect((await bench.call({ method: 'GET', path: `/v1/networking/ips/${id}` })).status).toBe(404)
  })

  test('an instance that goes leaves floating addresses behind, also those on their way to it', async () => {
    const bench = createBench({ readings: { busyInstances: 'refuse-none' } })
    const { id: instance } = bench.instance()
    const [there, coming, granted] = [ip(bench, { instanceId: instance }), ip(bench), ip(bench, { instanceId: instance, grantedWith: instance })]
    bench.sandbox.world.courses.push({ operation: 'ip.attach', outcome: 'COMPLETED', durationMs: 5000 })
    bench.sandbox.world.courses.push({ operation: 'ip.dns', outcome: 'COMPLETED', durationMs: 5000 })
    bench.sandbox.world.courses.push({ operation: 'ip.detach', outcome: 'COMPLETED', durationMs: 5000 })
    await bench.call(attach(coming, instance))
    await bench.call(setDns(granted))
    await bench.call(detach(there))
    await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })
    await bench.clock.advance(10_000)
    for (const id of [there, coming]) expect(await shown(bench, id)).toMatchObject({ instance: null })
    expect((await bench.call({ method: 'GET', path: `/v1/networking/ips/${granted}` })).status).toBe(404)
    expect(bench.tables.workflows.all().map((row) => [row.name, row.state])).toEqual([
      ['ip.attach', 'FAILED'],
      ['ip.dns', 'FAILED'],
      ['ip.detach', 'COMPLETED'],
      ['instance.delete', 'COMPLETED'],
    ])
  })

  test('an address that came with an instance is a floating one once it was detached', async () => {
    const bench = createBench()
    const { id: instance } = bench.instance()
    const id = ip(bench, { instanceId: instance, grantedWith: instance })
    bench.sandbox.world.courses.push({ operation: 'ip.detach', outcome: 'COMPLETED', durationMs: 0 })
    await bench.call(detach(id))
    expect(await shown(bench, id)).toMatchObject({ instance: null })
    await bench.call(attach(id, instance))
    await bench.clock.advance(1000)
    await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toMatchObject({ instance: null })
  })

  test('an address that goes with its instance while it is being detached', async () => {
    const bench = createBench({ readings: { busyInstances: 'refuse-none' } })
    const { id: instance } = bench.instance()
    const id = ip(bench, { instanceId: instance, grantedWith: instance })
    bench.sandbox.world.courses.push({ operation: 'ip.detach', outcome: 'COMPLETED', durationMs: 5000 })
    await bench.call(detach(id))
    await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })
    await bench.clock.advance(10_000)
    expect((await bench.call({ method: 'GET', path: `/v1/networking/ips/${id}` })).status).toBe(404)
    expect(bench.tables.workflows.all()).toMatchObject([{ name: 'ip.detach', state: 'FAILED', output: null }, { state: 'COMPLETED' }])
  })

  test('an address that stays behind a deleted instance can be named and detached meanwhile', async () => {
    for (const [readings, fields] of [
      [{}, {}],
      [{ grantedIps: 'kept' }, { grantedWith: 'instance' }],
    ] as const) {
      const bench = createBench({ readings })
      const { id: instance } = bench.instance({ state: 'DELETING' })
      const id = ip(bench, { instanceId: instance, ...('grantedWith' in fields ? { grantedWith: instance } : {}) })
      expect((await bench.call(setDns(id))).status).toBe(202)
      await bench.clock.advance(1000)
      expect((await bench.call(detach(id))).status).toBe(202)
      await bench.clock.advance(1000)
      expect(await shown(bench, id)).toMatchObject({ instance: null, dns: 'mail.example.org' })
    }
  })
})

describe('readings', () => {
  test('commands that answer nothing and are carried out at once', async () => {
    const bench = createBench({ readings: { ipCommands: 'empty', otherRegion: 'accept' } })
    const { id: instance } = bench.instance({ region: 'nyc-1' })
    const id = ip(bench)
    expect(await bench.call(attach(id, instance))).toMatchObject({ status: 202, body: null })
    expect(await shown(bench, id)).toMatchObject({ instance })
    expect(await bench.call(detach(id))).toMatchObject({ status: 202, body: null })
    expect(await shown(bench, id)).toMatchObject({ instance: null })
    expect(bench.tables.workflows.all()).toEqual([])
  })
  test('reverse DNS: a name by default, or nothing at all', async () => {
    const named = createBench({ readings: { reverseDns: 'name' } })
    expect(await shown(named, ip(named))).toMatchObject({ dns: '198-19-0-0.ip.sandbox.test' })
    expect(await shown(named, ip(named, { dns: 'mine.example.org' }))).toMatchObject({ dns: 'mine.example.org' })
    const hidden = createBench({ readings: { reverseDns: 'hidden' } })
    expect(await shown(hidden, ip(hidden))).not.toHaveProperty('dns')
  })
})

const page = z.object({ items: z.array(z.object({ address: z.string() })) })

test('lists, with every filter', async () => {
  const bench = createBench()
  const { id: instance } = bench.instance()
  ip(bench, { address: '192.0.2.1', instanceId: instance, dns: 'mail.example.org' })
  const second = ip(bench, { address: '2001:db8::1', family: 'IPv6', region: 'nyc-1' })
  ip(bench, { workspaceId: '77' })
  const of = async (query: string): Promise<string> =>
    page
      .parse((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/ips?${query}` })).body)
      .items.map((item) => item.address)
      .join(' ')
  for (const query of ['', 'available=false']) expect(await of(query)).toBe('192.0.2.1 2001:db8::1')
  for (const query of ['address=192.0.2.1', `instance=${instance}`, 'dns=MAIL', 'region=fra-1', 'type=IPv4', 'q=example', 'q=192.0']) {
    expect(await of(query)).toBe('192.0.2.1')
  }
  const asWritten = ['address=2001:db8::1', 'address=2001:DB8:0:0::1', 'address=2001:0db8:0000:0000:0000:0000:0000:0001']
  for (const query of ['available=true', 'region=nyc-1', 'type=IPv6', `q=${second}`, ...asWritten]) expect(await of(query)).toBe('2001:db8::1')
  expect(await of('address=nothing')).toBe('')
})

test("refused: what does not fit, is not there, or is not the caller's", async () => {
  const bench = createBench()
  const statusOf = async (call: TestCall): Promise<number> => (await bench.call(call)).status
  expect([await statusOf(attach('5', bench.instance().id)), await statusOf(detach('5')), await statusOf(attach(ip(bench), '5'))]).toEqual([404, 404, 404])
  for (const state of ['FAILED', 'SUSPENDED'] as const) expect(await statusOf(resetDns(ip(bench, { state, dns: 'a.example.org' })))).toBe(202)
  expect([await statusOf({ ...setDns(ip(bench)), body: { dns: 'not a host' } }), await statusOf(create(bench, { type: 'v4' }))]).toEqual([400, 400])
  const reader = bench.token({ grants: { FLOATING_IP: 'READ' } })
  expect([await statusOf({ ...detach(ip(bench)), token: reader }), await statusOf({ ...attach('5', '5'), body: { ip_id: 1 } })]).toEqual([403, 400])
})
