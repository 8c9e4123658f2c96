// What comes late: effects after the end of their workflow, reads behind writes, answers long after they were asked for.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import type { Readings } from '../../src/sandbox/readings/assumptions.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, rule, service, vpc } from './stage.ts'

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map((one) => one.id)
/** One instance with one rule that outlives it, at a service whose effects come after their workflows have ended. */
async function lateWorld(readings: Partial<Readings> = {}) {
  const world = createWorld({ sandbox: { readings: { effectLagMs: 3000, instanceRules: 'kept', ...readings } } })
  const texts = all(instance('web', '', 'timeouts: { delete: 1m }'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
  await world.apply(texts)
  // Until the last effect of the making shows, the instance is not deleted.
  await world.clock.sleep(3000)
  return { world, texts, changed: texts.replace('ryzen-4', 'ryzen-8') }
}

/** Nothing is left to do, and nothing is there twice. */
async function expectSettled(world: World, texts: string): Promise<void> {
  await world.clock.sleep(45_000)
  const { plan, folded } = await world.plan(texts)
  const { instances, firewallRules } = world.sandbox.world.tables
  const held = (kind: string): string[] => ids([...folded.resources.values()].filter((one) => one.kind === kind))
  expect([brief(plan), held('Instance'), held('FirewallRule')]).toEqual([[], ids(instances.all()), ids(firewallRules.all())])
  expect([...folded.resources.values()].flatMap((one) => one.deposed)).toEqual([])
}

describe('a deletion whose workflow has ended', () => {
  test.each([0, 2000])('is waited for until it shows (reads %i ms behind): what outlives the object goes in the same run', async (readLagMs) => {
    const { world, changed } = await lateWorld({ readLagMs })
    const done = await world.apply(changed)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    await expectSettled(world, changed)
  })
  test('is waited for before what the object held is asked to go, which is refused until then', async () => {
    const { world } = await lateWorld()
    const texts = all(cluster('PASSWORD: one'), service('shop'))
    await world.apply(texts)
    const sent = effects(world)
    // With its cluster the secret would go without a call of its own.
    expect(await world.destroy(texts, { targets: ['K3sSecret/db'] })).toMatchObject({ exitCode: 0, outcome: { destroyed: 2 } })
    expect(sent.filter((one) => one === 'deleteK3sSecret')).toHaveLength(1)
  })
  test('is waited for by a later run as well', async () => {
    const { world, changed } = await lateWorld()
    world.sandbox.world.courses.push({ operation: 'instance.delete', outcome: 'COMPLETED', durationMs: 90_000 })
    const first = await world.apply(changed)
    expect(first.outcome?.failed.map((one) => one.code)).toEqual(['operation_timeout'])
    expect((await world.apply(changed)).exitCode).toBe(0)
    await expectSettled(world, changed)
  })
  test.each([
    ['at once', 5000, 0],
    ['in a later run', 90_000, 0],
    ['behind reads that lag', 5000, 2000],
  ] as const)('without success is none, though the object is seen to leave for a moment (found %s)', async (_, durationMs, readLagMs) => {
    const { world } = await lateWorld({ readLagMs })
    world.sandbox.world.courses.push({ operation: 'instance.delete', outcome: 'FAILED', durationMs, leaves: 'nothing' })
    const sent = effects(world)
    expect((await world.destroy()).exitCode).toBe(8)
    const again = await world.destroy()
    expect([again.exitCode, again.document.resources, sent.filter((one) => one === 'deleteInstance').length]).toEqual([0, [], 2])
    expect(world.sandbox.world.tables.instances.all()).toEqual([])
  })
})

describe('a create whose workflow has failed', () => {
  test.each(['yes', 'no'] as const)('is none, though its object is seen for a moment (named by the answer: %s)', async (resourceInCreate) => {
    const { world, texts } = await lateWorld({ resourceInCreate })
    const more = all(texts, rule('www', 'action: ACCEPT\nport_start: 80'))
    world.sandbox.world.courses.push({ operation: 'firewall.create', outcome: 'FAILED', leaves: 'nothing' })
    const done = await world.apply(more)
    expect([done.exitCode, done.document.resources.length]).toEqual([8, 2])
    expect((await world.apply(more)).outcome).toMatchObject({ added: 1 })
    await expectSettled(world, more)
  })
  test('is none where its answer was lost, too', async () => {
    const { world, texts } = await lateWorld()
    const more = all(texts, rule('www', 'action: ACCEPT\nport_start: 80'))
    world.sandbox.world.courses.push({ operation: 'firewall.create', outcome: 'FAILED', durationMs: 60_000, leaves: 'nothing' })
    world.sandbox.faults.list.push({ operation: 'createFirewallRule', reset: 'after' })
    await world.apply(more)
    expect((await world.apply(more)).exitCode).toBe(0)
    await expectSettled(world, more)
  })
})

describe('a refusal whose reason does not show yet', () => {
  const texts = all(cluster('PASSWORD: one'), service('shop'))
  test('is no error: it is looked for as long as reads may lag', async () => {
    const world = createWorld({ sandbox: { readings: { readLagMs: 2000 } } })
    await world.apply(texts)
    await world.clock.sleep(10_000)
    const { clusterServices } = world.sandbox.world.tables
    world.sandbox.world.courses.push({ operation: 'k3s.service.delete', outcome: 'COMPLETED', durationMs: 5000 })
    const wid = world.sandbox.workspaceId
    await world.run().client.send(call(routes.deleteK3sService, { wid, id: clusterServices.all()[0]?.id ?? '' }))
    const done = await world.apply(cluster('PASSWORD: one'))
    expect([done.exitCode, done.outcome?.failed, done.outcome?.destroyed]).toEqual([0, [], 1])
  })
})

describe('what a read says is believed by when it was asked for, not by when its answer came', () => {
  /** One answer to a GET of such a path, with such a status, takes half a minute: after `begin`, the one behind so many others. */
  function slowly(path: RegExp, status: number) {
    let skip = Infinity
    const world: World = createWorld({
      sandbox: { readings: { readLagMs: 2000 } },
      transport: (inner) => async (request) => {
        const answer = await inner(request)
        if (request.method !== 'GET' || answer.status !== status || !path.test(request.path) || skip-- !== 0) return answer
        await world.clock.sleep(30_000)
        return answer
      },
    })
    const begin = (others = 0): void => void (skip = others)
    return { world, begin }
  }
  test('of what was made: it is not there', async () => {
    const { world, begin } = slowly(/^\/v1\/vpcs\//, 404)
    begin()
    const done = await world.apply(vpc('main'))
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(ids(world.sandbox.world.tables.vpcs.all())).toEqual(done.document.resources.map((one) => one.id))
  })
  test('of what is to be changed: it is gone', async () => {
    const { world, begin } = slowly(/^\/v1\/vpcs\//, 404)
    await world.apply(vpc('main'))
    await world.clock.sleep(5000)
    world.sandbox.faults.list.push({ operation: 'getVpc', status: 404, times: 1 })
    begin()
    const done = await world.apply(vpc('main').replace('of main', 'renamed'))
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  })
  test('of what is to be made: a stranger has its place', async () => {
    const { world, begin } = slowly(/\/bgp$/, 200)
    const texts = manifest('BgpConfiguration', 'session', 'asn: 64512\npassword: secret-1')
    const [wid, client] = [world.sandbox.workspaceId, world.run().client]
    /** Somebody else has one for two seconds, which is seen once it is gone. */
    const decide = async (): Promise<boolean> => {
      await client.send(call(routes.updateBgp, { wid }, { asn: 64513, password: 'secret-2' }))
      await world.clock.sleep(2000)
      await client.send(call(routes.deleteBgp, { wid }))
      begin(1)
      return true
    }
    const done = await world.apply(texts, {}, { decide })
    expect([done.exitCode, done.outcome?.failed, world.sandbox.world.tables.bgpConfigurations.all().map((one) => one.asn)]).toEqual([0, [], [64512]])
  })
})
