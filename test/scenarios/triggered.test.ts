// What a trigger replaces: after the trigger has changed, and once, whatever comes between.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, files, instance, rule, saved, vpc } from './stage.ts'

const web = instance('web', '', 'lifecycle: { replace_triggered_by: [Vpc/main] }')
const first = instance('web', '', 'lifecycle: { create_before_destroy: true, replace_triggered_by: [Vpc/main] }')
const changed = vpc('main').replace('of main', 'changed')
const moved = vpc('main', '10.21.0.0/24')
const due = 'replace Instance/web (trigger): delete, create'

const servers = (world: World) => world.sandbox.world.tables.instances.all().map((one) => one.id)
const recordOf = async (world: World, kind = 'Instance') => (await world.document())?.resources.find((one) => one.kind === kind)
const marksOf = async (world: World) => Object.keys((await recordOf(world))?.triggered ?? {})

async function stage(...texts: readonly string[]): Promise<World> {
  const world = createWorld()
  expect((await world.apply(all(...texts))).exitCode).toBe(0)
  return world
}

/** Applies with a call refused, as often as it is made, and with what is given beside. */
async function refusing(
  world: World,
  operation: 'updateVpc' | 'createVpc' | 'deleteVpc' | 'deleteInstance' | 'redeployK3sService',
  texts: Parameters<World['apply']>[0],
  options: Parameters<World['apply']>[1] = {},
) {
  world.sandbox.faults.list.push({ operation, status: 400, times: 'always' })
  const done = await world.apply(texts, options)
  world.sandbox.faults.list.length = 0
  expect(done.exitCode).toBe(8)
}

/** Kills the run at a call, before or after its effect. */
async function killedAt(world: World, operation: string, reset: 'before' | 'after', texts: string): Promise<void> {
  world.sandbox.faults.hook = (call) => {
    if (call.operation !== operation) return undefined
    world.fileSystem.crash('kill')
    return { reset }
  }
  await world.apply(texts).catch(() => undefined)
  world.sandbox.faults.hook = undefined
}

/** Applies, and holds that it replaces the server once, and that nothing is left to do. */
async function replacesOnce(world: World, texts: string, before: readonly string[]): Promise<void> {
  const sent = effects(world)
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(sent.filter((one) => one.endsWith('Instance')).toSorted()).toEqual(['createInstance', 'deleteInstance'])
  const [only, ...more] = servers(world)
  expect([before.includes(only ?? ''), more]).toEqual([false, []])
  expect([brief((await world.plan(texts)).plan), await marksOf(world)]).toEqual([[], []])
}

describe('what is replaced for a trigger', () => {
  test.each([
    ['updated', web, changed, ['updateVpc', 'deleteInstance', 'createInstance']],
    ['replaced', web, moved, ['deleteVpc', 'createVpc', 'deleteInstance', 'createInstance']],
    ['updated, and made first', first, changed, ['updateVpc', 'createInstance', 'deleteInstance']],
  ])('waits until that is %s', async (_, server, trigger, order) => {
    const world = await stage(vpc('main'), server)
    const sent = effects(world)
    expect((await world.apply(all(trigger, server))).exitCode).toBe(0)
    expect(sent).toEqual(order)
    expect([brief((await world.plan(all(trigger, server))).plan), await marksOf(world)]).toEqual([[], []])
  })
  test.each([
    ['replaced', web],
    ['made first', first],
  ])('stays as it is where that fails, and is %s once it has not', async (_, server) => {
    const world = await stage(vpc('main'), server)
    const before = servers(world)
    await refusing(world, 'updateVpc', all(changed, server))
    expect(servers(world)).toEqual(before)
    await replacesOnce(world, all(changed, server), before)
  })
  test('goes before a trigger that it holds, where that is replaced, and comes after it', async () => {
    const joined = instance('web', 'vpcs: [main]', 'lifecycle: { replace_triggered_by: [Vpc/main] }')
    const world = await stage(vpc('main'), joined)
    const sent = effects(world)
    expect((await world.apply(all(moved, joined))).exitCode).toBe(0)
    expect(sent.filter((one) => !one.startsWith('update'))).toEqual(['deleteInstance', 'deleteVpc', 'createVpc', 'createInstance'])
    expect([brief((await world.plan(all(moved, joined))).plan), await marksOf(world)]).toEqual([[], []])
  })
  test('is made after it, too, where it is gone', async () => {
    const world = await stage(vpc('main'), web)
    world.sandbox.world.tables.instances.delete(servers(world)[0] ?? '')
    const sent = effects(world)
    expect((await world.apply(all(changed, web))).exitCode).toBe(0)
    expect([sent, brief((await world.plan(all(changed, web))).plan)]).toEqual([['updateVpc', 'createInstance'], []])
  })
})

describe('a replacement that a run did not get to', () => {
  test('is due after its trigger was updated and it was refused', async () => {
    const world = await stage(vpc('main'), web)
    const before = servers(world)
    await refusing(world, 'deleteInstance', all(changed, web))
    expect(servers(world)).toEqual(before)
    expect(brief((await world.plan(all(changed, web))).plan)).toEqual([due])
    await replacesOnce(world, all(changed, web), before)
  })
  test.each([
    ['createVpc', 'before'],
    ['createVpc', 'after'],
    ['deleteInstance', 'before'],
    ['deleteInstance', 'after'],
    ['createInstance', 'before'],
    ['createInstance', 'after'],
  ] as const)('is carried out once after a kill at %s, %s its effect', async (operation, reset) => {
    for (const server of [web, first]) {
      const world = await stage(vpc('main'), server)
      const before = servers(world)
      await killedAt(world, operation, reset, all(moved, server))
      expect((await world.apply(all(moved, server))).exitCode).toBe(0)
      const [only, ...more] = servers(world)
      expect([before.includes(only ?? ''), more]).toEqual([false, []])
      expect([brief((await world.plan(all(moved, server))).plan), await marksOf(world)]).toEqual([[], []])
    }
  })
  test('is due where a saved plan asked for it, and carried out by another one', async () => {
    const world = await stage(vpc('main'), web)
    const [before, next] = [servers(world), files('', changed, web)]
    world.sandbox.faults.list.push({ operation: 'deleteInstance', status: 400, times: 'always' })
    expect((await world.applySaved(next, saved((await world.plan(next)).plan))).exitCode).toBe(8)
    world.sandbox.faults.list.length = 0
    const { plan } = await world.plan(next)
    expect(brief(plan)).toEqual([due])
    expect((await world.applySaved(next, saved(plan))).exitCode).toBe(0)
    expect([servers(world).some((one) => before.includes(one)), brief((await world.plan(next)).plan)]).toEqual([false, []])
  })
  test('is due again where its new half failed, in that run or in the next', async () => {
    for (const isLater of [false, true]) {
      const world = await stage(vpc('main'), first)
      const before = servers(world)
      world.sandbox.faults.list.push({ operation: 'createInstance', workflow: { outcome: 'FAILED', leaves: 'failed' } })
      const stop = new AbortController()
      if (isLater)
        world.sandbox.faults.hook = ({ operation }) => {
          if (operation === 'getWorkflow') stop.abort()
          return undefined
        }
      await world.apply(all(changed, first), {}, { stop: stop.signal })
      world.sandbox.faults.hook = undefined
      // Whatever settles what is open, the old one stands and is still to be replaced.
      if (isLater) await world.refresh(all(changed, first))
      expect((await recordOf(world))?.id).toBe(before[0])
      expect(brief((await world.plan(all(changed, first))).plan)).toContain('+/- replace Instance/web (trigger): create, delete')
      expect((await world.apply(all(changed, first))).exitCode).toBe(0)
      expect(servers(world).filter((one) => before.includes(one))).toEqual([])
      expect([brief((await world.plan(all(changed, first))).plan), await marksOf(world)]).toEqual([[], []])
    }
  })
  test('is due where the trigger went and was not made again', async () => {
    const world = await stage(vpc('main'), web)
    const before = servers(world)
    await refusing(world, 'createVpc', all(moved, web))
    expect(servers(world)).toEqual(before)
    expect(brief((await world.plan(all(moved, web), { excludes: ['Vpc/main'] })).plan)).toEqual([])
    expect((await world.apply(all(moved, web), { excludes: ['Vpc/main'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(moved, web))).plan)).toEqual(['create Vpc/main (new): create', due])
    await replacesOnce(world, all(moved, web), before)
  })
  test('is due where the update of its trigger failed and is in place all the same, and not where that is taken back', async () => {
    const server = instance('web', '', 'lifecycle: { replace_triggered_by: [Instance/base] }')
    const texts = (power: string) => all(instance('base', `power: ${power}`), server)
    const world = await stage(texts('ON'))
    world.sandbox.faults.list.push({ operation: 'powerInstance', workflow: { outcome: 'FAILED', leaves: 'nothing' } })
    expect((await world.apply(texts('OFF'))).exitCode).toBe(8)
    const base = (await world.document())?.resources.find((one) => one.address === 'Instance/base')
    expect(base?.uncertain).toEqual(['power'])
    expect(brief((await world.plan(texts('ON'))).plan)).toEqual([])
    world.sandbox.world.tables.instances.update(base?.id ?? '', { online: false })
    expect(brief((await world.plan(texts('OFF'))).plan)).toEqual([due])
    // What is in place is recorded before the first call leaves.
    await killedAt(world, 'deleteInstance', 'before', texts('OFF'))
    expect(brief((await world.plan(texts('OFF'))).plan)).toEqual([due])
    const sent = effects(world)
    expect((await world.apply(texts('OFF'))).exitCode).toBe(0)
    expect([sent, brief((await world.plan(texts('OFF'))).plan)]).toEqual([['deleteInstance', 'createInstance'], []])
  })
  test('is due where the trigger was only brought back to what is recorded of it', async () => {
    const world = await stage(vpc('main'), web)
    const before = servers(world)
    const table = world.sandbox.world.tables.vpcs
    table.update(table.all()[0]?.id ?? '', { description: 'by hand' })
    await refusing(world, 'deleteInstance', all(vpc('main'), web))
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([due])
    await replacesOnce(world, all(vpc('main'), web), before)
  })
  test.each([
    ['before', 'of main'],
    ['after', 'of main'],
    ['before', 'changed'],
    ['after', 'changed'],
  ] as const)('is carried out once after a kill %s the effect on its trigger, which is to be %s', async (reset, description) => {
    const world = await stage(vpc('main'), web)
    const [before, texts] = [servers(world), all(vpc('main').replace('of main', description), web)]
    const table = world.sandbox.world.tables.vpcs
    table.update(table.all()[0]?.id ?? '', { description: 'by hand' })
    await killedAt(world, 'updateVpc', reset, texts)
    expect(servers(world)).toEqual(before)
    await replacesOnce(world, texts, before)
  })
  test('is due where the trigger alone is changed after all, as that run was to change it, and not taken back before', async () => {
    const world = await stage(vpc('main'), web)
    const before = servers(world)
    await refusing(world, 'updateVpc', all(changed, web))
    expect((await world.apply(all(changed, web), { targets: ['Vpc/main'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(changed, web))).plan)).toEqual([due])
    await replacesOnce(world, all(changed, web), before)
  })
  test('is due where another one was to follow a later change, which failed', async () => {
    const other = instance('other', '', 'lifecycle: { replace_triggered_by: [Vpc/main] }')
    const world = await stage(vpc('main'), web, instance('other'))
    await refusing(world, 'deleteInstance', all(changed, web, instance('other')))
    await refusing(world, 'updateVpc', all(vpc('main').replace('of main', 'again'), web, other))
    expect(brief((await world.plan(all(changed, web, other))).plan)).toEqual([due])
    const sent = effects(world)
    expect((await world.apply(all(changed, web, other))).exitCode).toBe(0)
    expect([sent, brief((await world.plan(all(changed, web, other))).plan)]).toEqual([['deleteInstance', 'createInstance'], []])
  })
  test('goes along a chain', async () => {
    const next = instance('next', '', 'lifecycle: { replace_triggered_by: [Instance/web] }')
    const world = await stage(vpc('main'), web, next)
    const before = servers(world)
    await refusing(world, 'deleteInstance', all(changed, web, next))
    expect((await world.apply(all(changed, web, next), { targets: ['Instance/web'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(changed, web, next))).plan)).toEqual(['replace Instance/next (trigger): delete, create'])
    expect((await world.apply(all(changed, web, next))).exitCode).toBe(0)
    expect([servers(world).some((one) => before.includes(one)), brief((await world.plan(all(changed, web, next))).plan)]).toEqual([false, []])
  })
  test('is due where the trigger got another address', async () => {
    const world = await stage(vpc('main'), web)
    const before = servers(world)
    await refusing(world, 'deleteInstance', files('', changed, web))
    const next = files('moved: [{ from: Vpc/main, to: Vpc/other }]', changed.replace('name: main\n', 'name: other\n'), web.replace('Vpc/main', 'Vpc/other'))
    expect(brief((await world.plan(next)).plan)).toEqual([due])
    await refusing(world, 'deleteInstance', next)
    expect(await marksOf(world)).toEqual(['Vpc/other'])
    expect((await world.apply(next)).exitCode).toBe(0)
    expect([servers(world).some((one) => before.includes(one)), brief((await world.plan(next)).plan)]).toEqual([false, []])
  })
})

describe('nothing is replaced', () => {
  test('for a trigger that was changed in a run of its own', async () => {
    const world = await stage(vpc('main'), web)
    expect((await world.apply(all(changed, web), { targets: ['Vpc/main'] })).exitCode).toBe(0)
    expect([brief((await world.plan(all(changed, web))).plan), await marksOf(world)]).toEqual([[], []])
  })
  test('once the change that failed is taken back, nor later for one of a run of its own', async () => {
    const world = await stage(vpc('main'), web)
    await refusing(world, 'updateVpc', all(changed, web))
    expect(await marksOf(world)).toEqual(['Vpc/main'])
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([])
    expect((await world.apply(all(vpc('main'), web))).exitCode).toBe(0)
    expect(await marksOf(world)).toEqual([])
    expect((await world.apply(all(changed, web), { targets: ['Vpc/main'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(changed, web))).plan)).toEqual([])
  })
  test.each([
    ['the trigger alone is selected', { targets: ['Vpc/main'] }],
    ['what is replaced is left out', { excludes: ['Instance/web'] }],
  ])('for a change of a run of its own, after one that failed was taken back in a run in which %s', async (_, options) => {
    const next = instance('next', '', 'lifecycle: { replace_triggered_by: [Vpc/main] }')
    const world = await stage(vpc('main'), web, next)
    await refusing(world, 'updateVpc', all(changed, web, next))
    expect((await world.apply(all(vpc('main'), web, next), options)).exitCode).toBe(0)
    expect([await marksOf(world), await recordOf(world, 'Vpc')]).toEqual([[], expect.not.objectContaining({ awaited: expect.anything() })])
    expect((await world.apply(all(changed, web, next), { targets: ['Vpc/main'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(changed, web, next))).plan)).toEqual([])
  })
  test('where nobody reads what is there, nor is anything forgotten then', async () => {
    const world = await stage(vpc('main'), web)
    const [before, texts] = [servers(world), all(vpc('main'), web)]
    const table = world.sandbox.world.tables.vpcs
    table.update(table.all()[0]?.id ?? '', { description: 'by hand' })
    await refusing(world, 'updateVpc', texts)
    expect((await world.apply(texts, { unread: true })).exitCode).toBe(0)
    expect([servers(world), await marksOf(world)]).toEqual([before, ['Vpc/main']])
    await replacesOnce(world, texts, before)
  })
  test('for a trigger that is named no more', async () => {
    const world = await stage(vpc('main'), web)
    await refusing(world, 'deleteInstance', all(changed, web))
    const plain = all(changed, instance('web'))
    expect(brief((await world.plan(plain)).plan)).toEqual([])
    expect((await world.apply(plain)).exitCode).toBe(0)
    expect([await marksOf(world), brief((await world.plan(all(changed, web))).plan)]).toEqual([[], []])
  })
  test('for a trigger that is named for the first time, and one that is left out keeps what is due', async () => {
    const world = await stage(vpc('main'), instance('web'))
    expect((await world.apply(all(changed, instance('web')))).exitCode).toBe(0)
    expect(brief((await world.plan(all(changed, web))).plan)).toEqual([])
    await refusing(world, 'deleteInstance', all(vpc('main'), web))
    expect((await world.apply(all(vpc('main'), web), { targets: ['Vpc/main'] })).exitCode).toBe(0)
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([due])
  })
})

describe('nothing is due where nothing has changed', () => {
  test('since the replacement of the trigger, which was asked for, was refused', async () => {
    const world = await stage(vpc('main'), web)
    await refusing(world, 'deleteVpc', all(vpc('main'), web), { replace: ['Vpc/main'] })
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([])
  })
  test('since the first of a chain was refused, and taken back', async () => {
    const next = instance('next', '', 'lifecycle: { replace_triggered_by: [Instance/web] }')
    const world = await stage(vpc('main'), web, next)
    await refusing(world, 'updateVpc', all(changed, web, next))
    expect(brief((await world.plan(all(vpc('main'), web, next))).plan)).toEqual([])
  })
  test('since the restart of the trigger was refused, and is asked for no more', async () => {
    const worker = all(manifest('K3sCluster', 'main', ''), instance('first'), manifest('K3sNode', 'first', 'instance: first'))
    const texts = (secret: string, lifecycle = 'lifecycle: { redeploy_triggered_by: [K3sSecret/db] }') =>
      all(
        worker,
        manifest('K3sSecret', 'db', `name: db\ndata: { PASSWORD: ${secret} }`),
        manifest('K3sService', 'shop', 'image: shop:1\nmode: SPREAD\ntarget_instances: [first]', lifecycle),
        instance('web', '', 'lifecycle: { replace_triggered_by: [K3sService/shop] }'),
      )
    const world = await stage(texts('a'))
    await refusing(world, 'redeployK3sService', texts('b'))
    expect(brief((await world.plan(texts('b', ''))).plan)).toEqual([])
  })
  test('since the trigger was let go of and imported as it was', async () => {
    const world = await stage(vpc('main'), web)
    const id = world.sandbox.world.tables.vpcs.all()[0]?.id ?? ''
    await refusing(world, 'updateVpc', all(changed, web))
    await world.apply(files('removed: [{ address: Vpc/main, destroy: false }]', instance('web')), { targets: ['Vpc/main'] })
    await world.importObject(all(vpc('main'), web), 'Vpc/main', id)
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([])
  })
})

test('the order of rules stands above that of triggers: a door is opened before others are shut', async () => {
  const ssh = rule('ssh', 'action: ACCEPT\nport_start: 22\nport_end: 22', 'lifecycle: { replace_triggered_by: [FirewallRule/drop] }')
  const drop = (port: number) => rule('drop', `action: DROP\nport_start: ${port}\nport_end: ${port}`)
  const world = await stage(instance('web'))
  for (const port of [80, 81]) {
    const sent = effects(world, ({ action }) => action)
    expect((await world.apply(all(instance('web'), ssh, drop(port)))).exitCode).toBe(0)
    expect(sent.filter((one) => one.startsWith('create'))).toEqual([expect.stringMatching(/ ACCEPT$/), expect.stringMatching(/ DROP$/)])
  }
})
