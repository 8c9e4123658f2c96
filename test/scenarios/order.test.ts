// In which order operations run: halves of replacements, groups, and what ends with something else.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, instance, rule, said, service, vpc } from './stage.ts'

describe('a replacement', () => {
  test('goes first where nothing holds the old object', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const sent = effects(world)
    const done = await world.apply(vpc('main', '10.21.0.0/24'))
    expect(brief(done.plan)).toEqual(['replace Vpc/main (immutable_field): delete, create'])
    expect(sent).toEqual(['deleteVpc', 'createVpc'])
  })
  test('is made first where its lifecycle says so', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const sent = effects(world)
    const done = await world.apply(vpc('main', '10.21.0.0/24', 'lifecycle: { create_before_destroy: true }'))
    expect(brief(done.plan)).toEqual(['+/- replace Vpc/main (immutable_field): create, delete'])
    expect(sent).toEqual(['createVpc', 'deleteVpc'])
    expect(done.document.resources[0]?.deposed).toEqual([])
  })
  test('is made first where something that stays holds the old object', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
    const sent = effects(world)
    const done = await world.apply(all(vpc('main', '10.21.0.0/24'), instance('web', 'vpcs: [main]')))
    expect(done.plan.changes.map((one) => [one.address, one.action, one.create_before_destroy])).toEqual([
      ['Vpc/main', 'replace', true],
      ['Instance/web', 'update', false],
    ])
    expect(sent).toEqual(['createVpc', 'joinVpc', 'leaveVpc', 'deleteVpc'])
    expect(done.exitCode).toBe(0)
  })
  test('goes first where what holds it is replaced as well', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web'), attachment('web', 'web', 'main')))
    const sent = effects(world)
    const done = await world.apply(all(vpc('main', '10.21.0.0/24'), instance('web'), attachment('web', 'web', 'main')))
    expect(done.exitCode).toBe(0)
    expect(sent).toEqual(['leaveVpc', 'deleteVpc', 'createVpc', 'joinVpc'])
  })
  test('that is impossible both ways is an error that names the pair', async () => {
    const world = createWorld()
    const texts = all(cluster('PASSWORD: one'), service('shop'))
    expect((await world.apply(texts)).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(texts, { replace: ['K3sSecret/db'] })
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toContainEqual(expect.stringMatching(/^plan_impossible K3sSecret\/db must be replaced, and K3sService\/shop /))
    expect(sent).toEqual([])
  })
})

describe('firewall rules of an instance', () => {
  const old = [
    rule('web', 'action: ACCEPT\nport_start: 80'),
    rule('ssh', 'action: ACCEPT\nport_start: 22\nport_end: 23'),
    rule('no-mail', 'action: DROP\nport_start: 25'),
  ]
  test('change without closing what was open', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), ...old))
    const names = new Map(world.sandbox.world.tables.firewallRules.all().map((one) => [one.id, `${one.action} ${one.portStart}`]))
    const sent = effects(world, (body) => body.port_start && `${body.action} ${body.port_start}`)
    const gone: string[] = []
    const hook = world.sandbox.faults.hook
    world.sandbox.faults.hook = (request) => {
      if (request.method === 'DELETE') gone.push(names.get(request.path.split('/').at(-1) ?? '') ?? request.path)
      return hook?.(request)
    }
    const more = 'priority: 7'
    const done = await world.apply(
      all(
        instance('web'),
        rule('web', `action: ACCEPT\nport_start: 80\n${more}`),
        rule('ssh', `action: ACCEPT\nport_start: 22\nport_end: 23\n${more}`),
        rule('no-mail', `action: DROP\nport_start: 25\n${more}`),
      ),
    )
    expect(done.exitCode).toBe(0)
    expect(sent.filter((one) => one.startsWith('create'))).toEqual(['ACCEPT 22', 'ACCEPT 80', 'DROP 25'].map((one) => `createFirewallRule ${one}`))
    expect(sent.slice(3)).toEqual(Array.from({ length: 3 }, () => 'deleteFirewallRule'))
    expect(gone).toEqual(['DROP 25', 'ACCEPT 80', 'ACCEPT 22'])
  })
  test('keep that order where one of them names another', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), rule('admin', 'action: ACCEPT\nport_start: 22')))
    const sent = effects(world, (body) => body.port_start && `${body.action} ${body.port_start}`)
    const done = await world.apply(
      all(
        instance('web'),
        rule('block', 'action: DROP\nport_start: 3306'),
        rule('http', 'action: ACCEPT\nport_start: 80'),
        rule('other', 'action: ACCEPT\nport_start: 443'),
        rule('ssh', 'action: ACCEPT\nport_start: 22\nremote: 203.0.113.0/24', 'depends_on: [FirewallRule/http]'),
      ),
    )
    expect(done.exitCode).toBe(0)
    expect(sent).toEqual([...['ACCEPT 80', 'ACCEPT 22', 'ACCEPT 443', 'DROP 3306'].map((one) => `createFirewallRule ${one}`), 'deleteFirewallRule'])
  })
  test('end with their instance, without calls of their own, and count as destroyed', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), ...old))
    const sent = effects(world)
    const done = await world.destroy()
    expect(sent).toEqual(['deleteInstance'])
    expect(done.outcome).toMatchObject({ destroyed: 4 })
    expect(done.document.resources).toEqual([])
  })
  test('are made anew with an instance that is replaced', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')))
    const sent = effects(world)
    const done = await world.apply(
      all(instance('web', 'image: { id: "1" }').replace('ryzen-4', 'ryzen-8').replace('image: { id: "1" }', ''), rule('ssh', 'action: ACCEPT\nport_start: 22')),
    )
    expect(done.exitCode).toBe(0)
    expect(sent.toSorted()).toEqual(['createFirewallRule', 'createInstance', 'deleteInstance'])
    expect(world.sandbox.world.tables.firewallRules.all()).toHaveLength(1)
  })
})

describe('a node that a service runs on', () => {
  const texts = (plan: string) => all(cluster('PASSWORD: one').replace('ryzen-4', plan), service('shop'))

  test('is replaced create-first with its instance, and the service moves between', async () => {
    const world = createWorld()
    expect((await world.apply(texts('ryzen-4'))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(texts('ryzen-8'))
    expect(done.exitCode).toBe(0)
    expect(done.plan.changes.filter((one) => one.create_before_destroy).map((one) => [one.address, one.reason])).toEqual([
      ['Instance/worker', 'immutable_field'],
      ['K3sNode/worker', 'immutable_field'],
    ])
    expect(sent).toEqual(['createInstance', 'createK3sNode', 'updateK3sService', 'deleteK3sNode', 'deleteInstance'])
    expect(brief((await world.plan(texts('ryzen-8'))).plan)).toEqual([])
  })
})

test('a rule that cannot be made leaves the old ones in place', async () => {
  const world = createWorld()
  const rules = (more: string) =>
    all(instance('web'), rule('ssh', `action: ACCEPT\nport_start: 22\n${more}`), rule('web', `action: ACCEPT\nport_start: 80\n${more}`))
  await world.apply(rules('priority: 5'))
  const sent = effects(world)
  const hook = world.sandbox.faults.hook
  world.sandbox.faults.hook = (request) => (request.body?.includes('"port_start":80') ? { status: 400, message: 'no' } : hook?.(request))
  const done = await world.apply(rules('priority: 6'))
  expect(done.exitCode).toBe(8)
  expect(sent).toEqual(['createFirewallRule'])
  expect(world.sandbox.world.tables.firewallRules.all().map((one) => [one.portStart, one.priority])).toEqual([
    [22, 5],
    [80, 5],
    [22, 6],
  ])
  world.sandbox.faults.hook = undefined
  expect((await world.apply(rules('priority: 6'))).exitCode).toBe(0)
  expect(world.sandbox.world.tables.firewallRules.all().map((one) => one.priority)).toEqual([6, 6])
})

test('a written dependency orders, and forces nothing', async () => {
  const world = createWorld()
  const texts = (range: string) => all(vpc('main', range), vpc('after', '10.30.0.0/24', 'depends_on: [Vpc/main]'))
  const sent = effects(world, (body) => body.name)
  await world.apply(texts('10.20.0.0/24'))
  expect(sent).toEqual(['createVpc main-net', 'createVpc after-net'])
  const done = await world.apply(texts('10.21.0.0/24'))
  expect(brief(done.plan)).toEqual(['replace Vpc/main (immutable_field): delete, create'])
  expect(done.exitCode).toBe(0)
})

test('destroying goes from what needs to what is needed', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
  const sent = effects(world)
  expect((await world.destroy()).exitCode).toBe(0)
  expect(sent).toEqual(['deleteInstance', 'deleteVpc'])
})

test('a managed cluster comes up and goes down in order', async () => {
  const world = createWorld()
  const sent = effects(world)
  expect((await world.apply(all(cluster('PASSWORD: one'), service('shop')))).exitCode).toBe(0)
  expect(sent.indexOf('createK3sService')).toBe(4)
  expect(sent.indexOf('createK3sNode')).toBeGreaterThan(Math.max(sent.indexOf('createInstance'), sent.indexOf('createK3s')))
  const gone = effects(world)
  expect((await world.destroy()).exitCode).toBe(0)
  expect(gone[0]).toBe('deleteK3sService')
  expect(gone.indexOf('deleteK3s')).toBeGreaterThan(gone.indexOf('deleteK3sNode'))
  expect(gone).toContain('deleteK3sNode')
  // It goes with the cluster.
  expect(gone).not.toContain('deleteK3sSecret')
})
