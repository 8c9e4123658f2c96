// What a plan forgets stays at the service: nothing else takes what it has, and nothing takes it over unasked.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said } from './stage.ts'

const session = (name: string, asn: number) => manifest('BgpConfiguration', name, `asn: ${asn}\nmax_prefixes: 4`)
const prefix = (name: string, range: string) => manifest('BgpPrefix', name, `prefix: ${range}\nenabled: true\ncommunity: DEFAULT`)
const retain = 'lifecycle: { on_remove: retain }'
const app = (name: string) => manifest('App', name, 'name: site\ninstance: web\ntemplate_id: { name: nginx }')
const coupon = (name: string, metadata = '') => manifest('Coupon', name, 'code: FIRST\namount: 1000000\nuses: 1', metadata)
const own = manifest('K3sCluster', 'main', '')
const secret = (name: string, metadata = '') => manifest('K3sSecret', name, 'name: shared\ndata: { A: b }', metadata)
const node = (name: string, metadata = '') => manifest('K3sNode', name, 'instance: web', metadata)

const removed = (address: string, ...texts: readonly string[]) => files(`removed: [{ address: ${address}, destroy: false }]`, ...texts)

const cases = [
  ['a session of a removed block', session('live', 64512), removed('BgpConfiguration/live', session('other', 65000)), 'BgpConfiguration/live'],
  [
    'settings of an instance',
    all(instance('web'), manifest('DhcpSettings', 'live', 'instance: web', retain)),
    all(instance('web'), manifest('DhcpSettings', 'other', 'instance: web\nenabled: false')),
    'DhcpSettings/live',
  ],
  ['a cluster', manifest('K3sCluster', 'live', '', retain), manifest('K3sCluster', 'other', ''), 'K3sCluster/live'],
  ['a node', all(own, instance('web'), node('live', retain)), all(own, instance('web'), node('other')), 'K3sNode/live'],
  ['a secret', all(own, secret('live', retain)), all(own, secret('other')), 'K3sSecret/live'],
  ['a coupon', coupon('live', retain), coupon('other'), 'Coupon/live'],
  ['an app, which nothing deletes', all(instance('web'), app('live')), all(instance('web'), app('other')), 'App/live'],
] as const

describe('what is forgotten and stays', () => {
  test.each(cases)('is not taken over by a new address: %s', async (_, before, after, holder) => {
    const world = createWorld({ staff: true })
    expect((await world.apply(before)).exitCode).toBe(0)
    const state = await world.document()
    const sent = effects(world)
    const done = await world.apply(after)
    expect([done.exitCode, sent]).toEqual([3, []])
    const other = holder.replace('live', 'other')
    const found = done.plan.diagnostics.find((one) => one.severity === 'error')
    expect(found).toMatchObject({ code: 'plan_impossible', address: other, summary: expect.stringContaining(holder) })
    expect(found?.summary).toContain('is forgotten and stays')
    expect(found?.hint).toContain(`moved: [{ from: ${holder}, to: ${other} }]`)
    expect(found?.hint).toContain(`iac import '${other}'`)
    expect((await world.document())?.resources).toEqual(state?.resources)
  })
  test('keeps what another one would get by a change', async () => {
    const world = createWorld()
    const [first, second, third] = ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24']
    expect((await world.apply(all(session('s', 64512), prefix('live', first), prefix('q', second)))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(removed('BgpPrefix/live', session('s', 64512), prefix('q', first)))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual('plan_impossible BgpPrefix/q cannot get its prefix: BgpPrefix/live has it, and is forgotten and stays')
    expect((await world.apply(removed('BgpPrefix/live', session('s', 64512), prefix('q', third)))).exitCode).toBe(0)
  })
  test('is no hindrance once it is gone', async () => {
    const world = createWorld()
    expect((await world.apply(session('live', 64512))).exitCode).toBe(0)
    const { bgpConfigurations } = world.sandbox.world.tables
    for (const one of bgpConfigurations.all()) bgpConfigurations.delete(one.id)
    const done = await world.apply(removed('BgpConfiguration/live', session('other', 65000)))
    expect([done.exitCode, done.outcome]).toMatchObject([0, { failed: [] }])
  })
  test('moves to another address by `moved`', async () => {
    const world = createWorld()
    expect((await world.apply(manifest('K3sCluster', 'live', '', retain))).exitCode).toBe(0)
    const after = files('moved: [{ from: K3sCluster/live, to: K3sCluster/other }]', manifest('K3sCluster', 'other', '', retain))
    expect((await world.apply(after)).exitCode).toBe(0)
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
  test('is nothing that goes with its instance: an app of that name is made on another one', async () => {
    const world = createWorld()
    expect((await world.apply(all(instance('web'), instance('api'), app('live')))).exitCode).toBe(0)
    const done = await world.apply(all(instance('api'), app('other').replace('instance: web', 'instance: api')))
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  })
})
