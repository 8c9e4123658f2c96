// Every setting of provider.compat has an effect on what is sent, read, waited for or counted.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { compatSchema } from '../../src/api/calls/compat.ts'
import type { Compat } from '../../src/api/calls/compat.ts'
import { createClient } from '../../src/api/client.ts'
import { undocumentedRoutes } from '../../src/api/routes/commands.ts'
import { routes } from '../../src/api/routes/routes.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { manifest } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import { answer, double } from '../builders/wire-double.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, instance, rule, service, vpc } from './stage.ts'

/** Rewrites every body that comes back. */
const rewriting =
  (edit: (text: string) => string) =>
  (inner: Transport): Transport =>
  async (request) => {
    const response = await inner(request)
    return { ...response, text: async (most) => edit(await response.text(most)) }
  }

const tested = new Set<string>()
/** A world with these settings; every one that is named here counts as tested. */
function worldWith(compat: Partial<Compat>, more: WorldOptions = {}): World {
  for (const name of Object.keys(compat)) tested.add(name)
  return createWorld({ ...more, compat })
}

/** What a client with these settings sends for a call. */
async function sentWith(compat: object, what: ReturnType<typeof call>): Promise<string> {
  for (const name of Object.keys(compat)) tested.add(name)
  const wire = double(() => answer(202, { id: '0f8fad5b-d9cb-469f-a165-70867728950e', name: 'x', state: 'QUEUED' }))
  const parts = { transport: wire.transport, token: 't', clock: virtualClock(), random: randomOf(1), userAgent: 'iac/0' }
  const client = createClient({ ...parts, compat: compatSchema.parse(compat) })
  await (what.route.effect ? client.send(what) : client.all(what).catch(() => undefined))
  const [request] = wire.requests
  return `${request?.method} ${request?.path} ${request?.body ?? ''}`.trim()
}

describe('requests', () => {
  test.each([
    ['dns_method', call(routes.setDns, { id: '5' }, { dns: 'a.example.com' }), ['PUT', 'POST']],
    ['dhcp_method', call(routes.setDhcp, { id: '5' }, { enabled: true }), ['PUT', 'PATCH']],
    ['service_method', call(routes.updateK3sService, { wid: '1', id: '5' }, { image: 'a:1', target_instances: [] }), ['PUT', 'PATCH']],
    ['secret_method', call(routes.updateK3sSecret, { wid: '1', id: '5' }, { data: { a: 'b' } }), ['PUT', 'PATCH']],
  ] as const)('%s says the method', async (name, what, methods) => {
    for (const method of methods) expect(await sentWith({ [name]: method }, what)).toMatch(new RegExp(`^${method} `))
    expect(await sentWith({ [name]: 'auto' }, what)).toMatch(new RegExp(`^${methods[0]} `))
  })
  test('attach_ip and detach_ip say path, method and members', async () => {
    const [attach, detach] = [call(undocumentedRoutes.attachIp, {}, { ip_id: '5', instance_id: '6' }), call(undocumentedRoutes.detachIp, {}, { ip_id: '5' })]
    const put = { method: 'PUT', path: '/v1/networking/ips/{id}/attachment', ip: null, instance: 'target' }
    expect(await sentWith({ attach_ip: put }, attach)).toBe('PUT /v1/networking/ips/5/attachment {"target":6}')
    expect(await sentWith({ detach_ip: { path: '/v1/networking/ips/{id}/detach' } }, detach)).toBe('POST /v1/networking/ips/5/detach')
    expect(await sentWith({}, attach)).toBe('POST /v1/commands/attach-ip {"ip_id":5,"instance_id":6}')
  })
  test.each([
    ['repeat', 'id=1&id=2'],
    ['comma', 'id=1%2C2'],
    ['brackets', 'id%5B%5D=1&id%5B%5D=2'],
    ['none', 'workspaces/1/disks?limit=100'],
  ])('array_query %s', async (array_query, part) => {
    expect(decodeURIComponent(await sentWith({ array_query }, call(routes.listDisks, { wid: '1' }, undefined, { id: ['1', '2'] })))).toContain(
      decodeURIComponent(part),
    )
  })
  test('page_size says how many items a page has', async () => {
    expect(await sentWith({ page_size: 7 }, call(routes.listVpcs, { wid: '1' }))).toContain('limit=7')
  })
})

describe('answers', () => {
  test('workspace_flags names the words', async () => {
    const texts = manifest('Workspace', 'shop', 'name: shop-prod\ndisable_ssh_password: true')
    const transport = rewriting((text) => text.replaceAll('DISABLE_SSH_PASSWORD', 'KEYS_ONLY'))
    const told = worldWith({ workspace_flags: { mfa_required: 'MFA', disable_ssh_password: 'KEYS_ONLY' } }, { transport })
    expect((await told.apply(texts)).exitCode).toBe(0)
    expect(brief((await told.plan(texts)).plan)).toEqual([])
    const untold = createWorld({ transport })
    await untold.apply(texts)
    expect(brief((await untold.plan(texts)).plan)).toEqual(['update Workspace/shop (resumed): update'])
  }, 30_000)
  test('fields says where a field stands', async () => {
    const transport = rewriting((text) => text.replaceAll('"vlan":', '"tagging":'))
    const vlanIn = async (world: World) => (await world.apply(vpc('main'))).document.resources[0]?.outputs['vlan']
    expect(await vlanIn(worldWith({ fields: { 'Vpc.vlan': '/tagging' } }, { transport }))).toEqual(expect.any(Number))
    expect(await vlanIn(createWorld({ transport }))).toBeUndefined()
  })
  test('wrapper names the members of a wrapped answer', async () => {
    // Two records with ids: only the setting tells which of them was made.
    const transport = rewriting((text) => (text.includes('"workflow":') ? text.replace(/"instance":/, '"pool":{"id":"77"},"machine":') : text))
    const world = worldWith({ wrapper: { workflow: 'workflow', resource: 'machine' } }, { transport })
    const done = await world.apply(instance('web'))
    expect(done.document.resources[0]?.id).toBe(world.sandbox.world.tables.instances.all()[0]?.id)
  })
})

describe('waiting', () => {
  const elapsed = async (world: World, work: () => Promise<unknown>): Promise<number> => {
    const before = world.clock.now()
    await work()
    return world.clock.now() - before
  }
  test('settle_window says how long a lost create may still arrive', async () => {
    for (const [settle_window, ms] of [
      ['5s', 5000],
      ['60s', 60_000],
    ] as const) {
      const world = worldWith({ settle_window, read_grace: '2s' })
      world.sandbox.faults.list.push({ operation: 'createVpc', reset: 'before' })
      const took = await elapsed(world, () => world.apply(vpc('main')))
      expect(took).toBeGreaterThanOrEqual(ms)
      expect(took).toBeLessThan(ms + 5000)
    }
  })
  test('read_grace says how long reads may lag', async () => {
    const prepared = async (read_grace: string): Promise<number> => {
      const world = worldWith({ read_grace })
      await world.apply(all(vpc('main'), instance('web'), attachment('both', 'web', 'main')))
      const { memberships } = world.sandbox.world.tables
      for (const one of memberships.all()) memberships.delete(one.id)
      return elapsed(world, () => world.plan(all(vpc('main'), instance('web'), attachment('both', 'web', 'main'))))
    }
    expect(await prepared('3s')).toBeLessThan(4000)
    expect(await prepared('40s')).toBeGreaterThanOrEqual(40_000)
  })
  test('deleting: wait waits until the object is gone', async () => {
    const readings = { deletion: 'scheduled', scheduledDeletionMs: 300_000 } as const
    const statuses = async (deleting: 'gone' | 'wait') => {
      const world = worldWith({ deleting }, { sandbox: { readings } })
      await world.apply(instance('web'))
      const took = await elapsed(world, () => world.destroy())
      return [took >= 300_000, (await world.document())?.resources.map((one) => one.status)]
    }
    expect(await statuses('wait')).toEqual([true, []])
    expect(await statuses('gone')).toEqual([false, ['deleting']])
  })
})

describe('price and quota', () => {
  test('plan_addresses: priced adds the two granted addresses to the rate', async () => {
    const asked: string[] = []
    const transport =
      (inner: Transport): Transport =>
      async (request) => {
        if (request.path !== '/v1/billing/estimate') return inner(request)
        asked.push(request.body ?? '')
        return answer(200, { hourly_rate: 700, monthly_rate: 1 })
      }
    const hourly = async (world: World) => (await world.plan(instance('web'))).plan.cost?.hourly_after
    const rate = Number(await hourly(createWorld({ transport })))
    expect(asked).toEqual([])
    expect(Number(await hourly(worldWith({ plan_addresses: 'priced' }, { transport })))).toBe(rate + 700)
    expect(asked.map((text) => JSON.parse(text).parts)).toEqual([
      [
        { type: 'FLOATING_IP', family: 'IPv4', ddos: false },
        { type: 'FLOATING_IP', family: 'IPv6' },
      ],
    ])
  })
  const ports = (...list: readonly number[]): string => all(instance('web'), ...list.map((port, at) => rule(`r${at}`, `action: ACCEPT\nport_start: ${port}`)))
  const limited = (quota: number, firewallQuota: 'instance' | 'address', compat: Partial<Compat>) =>
    worldWith(compat, { sandbox: { quota: { firewall_rules_per_ip: quota }, readings: { firewallQuota } } })

  test('firewall_quota says how the rules of an instance are counted', async () => {
    for (const [how, most] of [
      ['instance', 2],
      ['address', 4],
    ] as const) {
      const world = limited(2, how, { firewall_quota: how })
      await world.apply(ports(22))
      const fits = Array.from({ length: most }, (_, at) => 22 + at)
      expect((await world.plan(ports(...fits))).plan.quota).toMatchObject([
        { name: 'firewall_rules_per_ip', used: 1, after: most, limit: most, exceeded: false },
      ])
      expect((await world.apply(ports(...fits, 99))).exitCode).toBe(5)
      expect((await world.apply(ports(...fits))).exitCode).toBe(0)
    }
    const off = limited(2, 'instance', {})
    expect((await off.plan(ports(22, 23, 24))).plan.quota?.map((one) => one.name)).not.toContain('firewall_rules_per_ip')
  })
  test('new rules come before old ones go, one after the other where there is no room for both', async () => {
    const world = limited(3, 'instance', { firewall_quota: 'instance' })
    await world.apply(ports(22, 80))
    const sent = effects(world, (body) => body['port_start'])
    expect(brief((await world.plan(ports(23, 81))).plan)).toEqual([
      '+/- replace FirewallRule/r0 (immutable_field): create, delete',
      '+/- replace FirewallRule/r1 (immutable_field): create, delete',
    ])
    const done = await world.apply(ports(23, 81))
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2, destroyed: 2, failed: [] }])
    expect(sent).toEqual(['createFirewallRule 23', 'deleteFirewallRule', 'createFirewallRule 81', 'deleteFirewallRule'])
  })
  test('one that has to come first has the room that there is', async () => {
    const world = limited(3, 'instance', { firewall_quota: 'instance' })
    const rules = (first: number, second: number) =>
      all(
        instance('web'),
        rule('r0', `action: ACCEPT\nport_start: ${first}`),
        rule('r1', `action: ACCEPT\nport_start: ${second}`, 'lifecycle: { create_before_destroy: true }'),
      )
    await world.apply(rules(21, 80))
    expect(brief((await world.plan(rules(22, 81))).plan).toSorted()).toEqual([
      '+/- replace FirewallRule/r0 (immutable_field): create, delete',
      '+/- replace FirewallRule/r1 (immutable_field): create, delete',
    ])
    expect((await world.apply(rules(22, 81))).exitCode).toBe(0)
  })
  test('one of SSH has the room that there is; a rule of another name waits as well', async () => {
    const world = limited(3, 'instance', { firewall_quota: 'instance' })
    await world.apply(ports(21, 80))
    const next = all(instance('web'), rule('r1', 'action: DROP\nport_start: 80'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
    const sent = effects(world, (body) => body['port_start'])
    const done = await world.apply(next)
    expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 2, destroyed: 2 }])
    expect(sent).toEqual(['createFirewallRule 22', 'deleteFirewallRule', 'createFirewallRule 80', 'deleteFirewallRule'])
  })
})

test('busy_retry says how long a 409 is waited out while something is under way', async () => {
  const texts = all(cluster('PASSWORD: one'), service('shop'))
  for (const [busy_retry, ms] of [
    ['10s', 10_000],
    ['90s', 90_000],
  ] as const) {
    const world = worldWith({ busy_retry })
    await world.apply(texts)
    const { clusterServices } = world.sandbox.world.tables
    clusterServices.update(clusterServices.all()[0]?.id ?? '', { status: 'RUNNING' })
    world.sandbox.faults.list.push({ operation: 'updateK3sService', status: 409, times: 1000 })
    const { instances } = world.sandbox.world.tables
    // A workflow that never ends.
    world.sandbox.world.courses.push({ operation: 'instance.power', outcome: 'RUNNING' })
    const { client } = world.run()
    await client.send(call(routes.powerInstance, { id: instances.all()[0]?.id ?? '' }, { action: 'POWER_CYCLE' }))
    const before = world.clock.now()
    expect((await world.apply(texts.replace('shop:1', 'shop:2'))).exitCode).toBe(8)
    expect(world.clock.now() - before).toBeGreaterThanOrEqual(ms)
    expect(world.clock.now() - before).toBeLessThan(ms + 20_000)
  }
})

describe('reads that lag for longer than read_grace', () => {
  const named = expect.stringContaining('where reads lag behind writes for longer than 10s, say so in iac.yaml: provider.compat.read_grace')
  const failed = async (world: World, texts: string) => (await world.apply(texts)).outcome?.failed.map((one) => [one.code, one.summary, one.hint])

  test('an error names the setting, and the object that is there by now; with the setting there is none', async () => {
    const world = createWorld({ sandbox: { readings: { readLagMs: 15_000 } } })
    const errors = await failed(world, vpc('main'))
    const [made] = world.sandbox.world.tables.vpcs.all()
    const accepted = `Vpc/main: its creation was accepted, and no read showed object ${made?.id} within 10s`
    expect(errors).toEqual([['operation_failed', accepted, named]])
    expect(errors?.[0]?.[2]).toContain(`iac import 'Vpc/main' ${made?.id}`)
    await world.clock.sleep(15_000)
    await world.importObject(vpc('main'), 'Vpc/main', made?.id ?? '')
    expect(brief((await world.plan(vpc('main'))).plan)).toEqual([])
    const told = worldWith({ read_grace: '20s' }, { sandbox: { readings: { readLagMs: 15_000 } } })
    expect([(await told.apply(vpc('main'))).exitCode, told.sandbox.world.tables.vpcs.all().length]).toEqual([0, 1])
  })
  test('so does one about an object that is missing after a change', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    let isChanged = false
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'updateVpc') isChanged = true
      return operation === 'getVpc' && isChanged ? { status: 404 } : undefined
    }
    expect(await failed(world, vpc('main').replace('of main', 'second'))).toEqual([['changed_elsewhere', expect.stringMatching(/is gone$/), named]])
  })
  test('so does one about an object that is there again', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    let reads = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'listVpcs') return { staleMs: 600_000 }
      return operation === 'getVpc' && reads++ === 0 ? { status: 404 } : undefined
    }
    expect(await failed(world, vpc('main'))).toEqual([['changed_elsewhere', expect.stringContaining('is there again'), named]])
  })
})

test('cluster_instances says whether an instance goes from under its node', async () => {
  for (const [setting, code] of [
    ['accept', 0],
    ['refuse', 3],
  ] as const) {
    const world = worldWith({ cluster_instances: setting })
    await world.apply(cluster('A: b'))
    const done = await world.apply(cluster('A: b').replace('ryzen-4', 'ryzen-2'), { targets: ['Instance/worker'] })
    expect(done.exitCode).toBe(code)
  }
})

test('no setting is left out', () => {
  expect(Object.keys(compatSchema.shape).filter((name) => !tested.has(name))).toEqual([])
})
