// Of what the service allows no two of: what is made under one address waits for what goes under another, and a plan in which it cannot is refused.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, said, service, vpc } from './stage.ts'

const hintOf = (plan: Plan): string | undefined => plan.diagnostics.find((one) => one.code === 'plan_impossible')?.hint
const session = (name: string, asn: number) => manifest('BgpConfiguration', name, `asn: ${asn}\nmax_prefixes: 4`)
const prefix = (name: string, range: string) => manifest('BgpPrefix', name, `prefix: ${range}\nenabled: true\ncommunity: DEFAULT`)
const secret = (name: string) => manifest('K3sSecret', name, 'name: shared\ndata: { A: b }')
const dhcp = (name: string) => manifest('DhcpSettings', name, 'instance: web')
const pair = (name: string) => manifest('VpcAttachment', name, 'instance: web\nvpc: main')

describe('what is made after what goes', () => {
  test.each([
    ['a session with another prefix', all(session('a', 64512), prefix('p', '203.0.113.0/24')), all(session('b', 64513), prefix('q', '198.51.100.0/24'))],
    ['a session alone', session('a', 64512), session('b', 64513)],
    ['settings of an instance', all(instance('web'), dhcp('a')), all(instance('web'), dhcp('b'))],
    ['a membership', all(vpc('main'), instance('web'), pair('a')), all(vpc('main'), instance('web'), pair('b'))],
    ['a secret of the same name', all(manifest('K3sCluster', 'main', ''), secret('a')), all(manifest('K3sCluster', 'main', ''), secret('b'))],
  ])('%s', async (_, before, after) => {
    const world = createWorld()
    expect((await world.apply(before)).exitCode).toBe(0)
    for (const operation of ['deleteBgp', 'resetDhcp', 'deleteK3sSecret'] as const) world.sandbox.faults.list.push({ operation, delayMs: 3000 })
    const sent = effects(world)
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(sent.map((one) => one.split(' ')[0])).toHaveLength(done.plan.changes.filter((one) => one.action !== 'no-op').length)
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
})

describe('is refused before anything is sent', () => {
  const shop = (image: string, of = 'db') => service('shop').replace('shop:1', image).replace('[db]', `[${of}]`)
  const node = (name: string) => manifest('K3sNode', name, 'instance: worker')
  const db = (name: string, value = 'b') => manifest('K3sSecret', name, `name: db\ndata: { A: ${value} }`)
  const parts = (own: string, nodeName = 'worker', secretName = 'db', value = 'b') =>
    all(manifest('K3sCluster', own, ''), instance('worker'), node(nodeName), db(secretName, value))
  test.each([
    ['a node under a service that changes', all(parts('main', 'other'), shop('shop:2'))],
    ['a secret under a service that changes and asks for the other one', all(parts('main', 'worker', 'other'), shop('shop:2', 'other'))],
    ['a cluster whose contents change', all(parts('next', 'worker', 'db', 'c'), shop('shop:2'))],
  ])('%s', async (_, after) => {
    const world = createWorld()
    expect((await world.apply(all(parts('main'), shop('shop:1')))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(after)
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringMatching(/^plan_impossible these operations wait for each other: /))
  })
  test('a session whose prefix changes with it', async () => {
    const world = createWorld()
    await world.apply(all(session('a', 64512), prefix('p', '203.0.113.0/24')))
    const sent = effects(world)
    const done = await world.apply(all(session('b', 64513), prefix('p', '198.51.100.0/24')))
    expect([done.exitCode, sent]).toEqual([3, []])
  })
  test('a replacement of a node under a service', async () => {
    const world = createWorld()
    const texts = all(parts('main'), shop('shop:1'))
    await world.apply(texts)
    const sent = effects(world)
    const done = await world.apply(texts, { replace: ['K3sNode/worker'] })
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringMatching(/^plan_impossible K3sNode\/worker must be replaced, and K3sService\/shop needs the new one/))
    expect(hintOf(done.plan)).toBe('change its instance as well, or remove what holds it in a first apply')
  })
  test('a replacement of the only one there can be, which has no field to change', async () => {
    const world = createWorld()
    const texts = all(manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'db', 'name: db\ndata: { PASSWORD: one }'))
    await world.apply(texts)
    const { plan } = await world.plan(texts, { targets: ['K3sCluster/main'], replace: ['K3sCluster/main'] })
    expect(said(plan)).toContainEqual(expect.stringMatching(/^plan_impossible K3sCluster\/main must be replaced, and K3sSecret\/db needs the new one/))
    expect(hintOf(plan)).toBe('remove what holds it in a first apply')
  })
})

describe('what one has and another is to have', () => {
  const base = session('s', 64512)
  const coupon = (name: string, code: string) => manifest('Coupon', name, `code: ${code}\namount: 1000000\nuses: 1`)
  const web = (name: string, port: number) =>
    service(name).replace('[db]', '[]').concat(`  ports: [{ host_port: ${port}, container_port: 80, protocol: TCP }]\n`)
  const shops = (first: number, second: number) =>
    all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'), web('one', first), web('two', second))
  const [A, B, C] = ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24']
  test.each([
    ['a prefix that another one gives up', all(base, prefix('p', A), prefix('q', B)), all(base, prefix('p', B), prefix('q', C))],
    ['a prefix that goes', all(base, prefix('p', A), prefix('q', B)), all(base, prefix('p', B))],
    ['a prefix of one that changes, for a new one', all(base, prefix('p', A)), all(base, prefix('p', B), prefix('a', A))],
    ['a port of a service', shops(8080, 8081), shops(8081, 8082)],
  ])('%s, is let go of first', async (_, before, after) => {
    const world = createWorld()
    expect((await world.apply(before)).exitCode).toBe(0)
    for (const operation of ['updateBgpPrefix', 'deleteBgpPrefix', 'updateK3sService'] as const) world.sandbox.faults.list.push({ operation, delayMs: 3000 })
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
  test.each([
    [
      'prefixes',
      all(base, prefix('p', A), prefix('q', B)),
      all(base, prefix('p', B), prefix('q', A)),
      'BgpPrefix/p, BgpPrefix/q exchange what only one of them may have at a time: prefix',
    ],
    ['ports', shops(8080, 8081), shops(8081, 8080), 'K3sService/one, K3sService/two exchange what only one of them may have at a time: ports'],
  ])('exchanged %s are refused before anything is sent', async (_, before, after, text) => {
    const world = createWorld()
    expect((await world.apply(before)).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(after)
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringContaining(text))
  })
  test('is not taken from one that is left out', async () => {
    const world = createWorld()
    expect((await world.apply(all(base, prefix('p', A), prefix('q', B)))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(all(base, prefix('p', B), prefix('q', C)), { targets: ['BgpPrefix/p'] })
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringContaining('BgpPrefix/p cannot get its prefix: BgpPrefix/q has it, and is left out of this plan'))
  })
  test('is not made beside the only one, which is left out', async () => {
    const world = createWorld()
    expect((await world.apply(session('a', 64512))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(session('b', 64513), { targets: ['BgpConfiguration/b'] })
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(
      'plan_impossible BgpConfiguration/b cannot be made: BgpConfiguration/a is the one there can be, and is left out of this plan',
    )
  })
  test.each([
    ['a prefix', prefix('p', A), prefix('p', '203.0.113.77/24'), prefix('p', B), 'BgpPrefix/p', ['prefix', 'prefix']],
    [
      'a service on a port',
      web('one', 8080),
      web('one', 8080).concat('  name: two\n'),
      web('one', 8081).concat('  name: two\n'),
      'K3sService/one',
      ['name and ports', 'ports'],
    ],
  ])('%s is replaced under the same name by no new one that is made first', async (_, one, same, other, address, fields) => {
    const world = createWorld()
    const first = (text: string) => text.replace('\nspec:', '\n  lifecycle: { create_before_destroy: true, replace_triggered_by: [Vpc/main] }\nspec:')
    const nodes = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'))
    const around = (text: string) => all(base, nodes, vpc('main').replace('of main', text))
    expect((await world.apply(all(around('first'), first(one)))).exitCode).toBe(0)
    const sent = effects(world)
    for (const [at, text] of [first(one), first(same)].entries()) {
      const done = await world.apply(all(around('second'), text))
      expect([done.exitCode, sent]).toEqual([3, []])
      expect(said(done.plan)).toContainEqual(expect.stringMatching(new RegExp(`^plan_impossible ${address} must be replaced, and its lifecycle needs`)))
      expect(hintOf(done.plan)).toMatch(new RegExp(`^change its ${fields[at]} as well, or `))
    }
    const done = await world.apply(all(around('second'), first(other)))
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(brief((await world.plan(all(around('second'), first(other)))).plan)).toEqual([])
  })
  test('codes of coupons that are exchanged: the old ones go first', async () => {
    const world = createWorld({ staff: true })
    expect((await world.apply(all(coupon('a', 'FIRST'), coupon('b', 'OTHER')))).exitCode).toBe(0)
    const after = all(coupon('a', 'OTHER'), coupon('b', 'FIRST'))
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
  test('a secret under a service that stays and has its name', async () => {
    const world = createWorld()
    const db = (name: string) => manifest('K3sSecret', name, 'name: db\ndata: { A: b }')
    const parts = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'))
    expect((await world.apply(all(parts, db('db'), service('shop')))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(all(parts, db('other'), service('shop').replace('[db]', '[other]')))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringContaining('K3sSecret/db cannot be deleted: K3sService/shop uses it'))
  })
})
