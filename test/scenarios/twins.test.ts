// Of what the service allows no two of: what is made under one address waits for what goes under another, and a plan in which it cannot is refused.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, said, service, vpc } from './stage.ts'

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
  })
})
