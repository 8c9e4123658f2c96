// What a trigger restarts: once after each change of the trigger, whatever comes between the two.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, saved, service } from './stage.ts'

const shopOn = (...triggers: readonly string[]) => service('shop', '', `lifecycle: { redeploy_triggered_by: [${triggers.join(', ')}] }`)
const secret = (password: string) => all(cluster(`PASSWORD: ${password}`), shopOn('K3sSecret/db'))
const base = (power: string, image = 'shop:1') =>
  all(instance('base', `power: ${power}`), cluster('PASSWORD: one'), shopOn('Instance/base').replace('shop:1', image))
const due = 'update K3sService/shop (trigger): redeploy'

const recordOf = async (world: World, address: string) => (await world.document())?.resources.find((one) => one.address === address)
const marksOf = async (world: World) => Object.keys((await recordOf(world, 'K3sService/shop'))?.triggered ?? {})

async function stage(texts: string): Promise<World> {
  const world = createWorld()
  expect((await world.apply(texts)).exitCode).toBe(0)
  return world
}

/** A secret to which somebody added a key: what a plan does to it leaves its record as it was. */
async function drifted(): Promise<World> {
  const world = await stage(secret('one'))
  const table = world.sandbox.world.tables.clusterSecrets
  for (const { id, data } of table.all()) table.update(id, { data: { ...data, ADDED: 'by hand' } })
  expect(brief((await world.plan(secret('one'))).plan)).toEqual(['update K3sSecret/db (drifted): update', due])
  return world
}

/** Kills the run at a call, before or after its effect. */
async function killedAt(world: World, operation: string, reset: 'before' | 'after', texts: string, options = {}): Promise<void> {
  world.sandbox.faults.hook = (call) => {
    if (call.operation !== operation) return undefined
    world.fileSystem.crash('kill')
    return { reset }
  }
  await world.apply(texts, options).catch(() => undefined)
  world.sandbox.faults.hook = undefined
}

async function refusing(world: World, operation: 'redeployK3sService' | 'updateK3sSecret', texts: Parameters<World['apply']>[0], options = {}): Promise<void> {
  world.sandbox.faults.list.push({ operation, status: 400, times: 'always' })
  expect((await world.apply(texts, options)).exitCode).toBe(8)
  world.sandbox.faults.list.length = 0
}

/** Applies, and holds that it restarts the service once, and that nothing is left to do. */
async function expectOneRestart(world: World, texts: string): Promise<void> {
  const sent = effects(world)
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(sent.filter((one) => one.endsWith('K3sService'))).toEqual(['redeployK3sService'])
  expect([brief((await world.plan(texts)).plan), await marksOf(world)]).toEqual([[], []])
}

describe('a restart that a run did not get to', () => {
  test('is due where its trigger was only brought back to what is recorded of it', async () => {
    const world = await drifted()
    await refusing(world, 'redeployK3sService', secret('one'))
    expect(brief((await world.plan(secret('one'))).plan)).toEqual([due])
    await expectOneRestart(world, secret('one'))
  })
  test.each([
    ['updateK3sSecret', 'before'],
    ['updateK3sSecret', 'after'],
    ['redeployK3sService', 'before'],
  ] as const)('is carried out once after a kill at %s, %s its effect', async (operation, reset) => {
    const world = await drifted()
    await killedAt(world, operation, reset, secret('one'))
    await expectOneRestart(world, secret('one'))
  })
  test('is not carried out again where a kill came after its effect', async () => {
    const world = await drifted()
    await killedAt(world, 'redeployK3sService', 'after', secret('one'))
    expect((await world.apply(secret('one'))).exitCode).toBe(0)
    expect([brief((await world.plan(secret('one'))).plan), await marksOf(world)]).toEqual([[], []])
  })
  test('is not carried out again where a kill came while it was under way', async () => {
    for (const [before, after] of [
      ['one', 'one'],
      ['one', 'two'],
    ] as const) {
      const world = await (before === after ? drifted() : stage(secret(before)))
      let isAsked = false
      world.sandbox.faults.hook = ({ operation }) => {
        isAsked ||= operation === 'redeployK3sService'
        if (!isAsked || operation !== 'getWorkflow') return undefined
        world.fileSystem.crash('kill')
        return { reset: 'before' }
      }
      await world.apply(secret(after)).catch(() => undefined)
      const sent = effects(world)
      expect((await world.apply(secret(after))).exitCode).toBe(0)
      expect([isAsked, sent, brief((await world.plan(secret(after))).plan), await marksOf(world)]).toEqual([true, [], [], []])
    }
  })
  test('is due where a saved plan asked for it, and carried out by another one', async () => {
    const world = await drifted()
    const next = files('', secret('one'))
    world.sandbox.faults.list.push({ operation: 'redeployK3sService', status: 400, times: 'always' })
    expect((await world.applySaved(next, saved((await world.plan(next)).plan))).exitCode).toBe(8)
    world.sandbox.faults.list.length = 0
    const { plan } = await world.plan(next)
    expect(brief(plan)).toEqual([due])
    expect((await world.applySaved(next, saved(plan))).exitCode).toBe(0)
    expect([brief((await world.plan(next)).plan), await marksOf(world)]).toEqual([[], []])
  })
  test('is due where the update of its trigger failed and is in place all the same, and not where that is taken back', async () => {
    const world = await stage(base('ON'))
    world.sandbox.faults.list.push({ operation: 'powerInstance', workflow: { outcome: 'FAILED', leaves: 'nothing' } })
    expect((await world.apply(base('OFF'))).exitCode).toBe(8)
    const trigger = await recordOf(world, 'Instance/base')
    expect(trigger?.uncertain).toEqual(['power'])
    expect(brief((await world.plan(base('ON'))).plan)).toEqual([])
    world.sandbox.world.tables.instances.update(trigger?.id ?? '', { online: false })
    expect(brief((await world.plan(base('OFF'))).plan)).toEqual([due])
    // What is in place is recorded before the first call leaves.
    await killedAt(world, 'redeployK3sService', 'before', base('OFF'))
    expect(brief((await world.plan(base('OFF'))).plan)).toEqual([due])
    await expectOneRestart(world, base('OFF'))
  })
  test('stays due after an update of the service itself that did not get to it', async () => {
    const world = await drifted()
    const next = secret('one').replace('shop:1', 'shop:2')
    await refusing(world, 'redeployK3sService', next)
    await expectOneRestart(world, next)
  })
  test.each([{ targets: ['K3sSecret/db'] }, { excludes: ['K3sService/shop'] }])('is due where its trigger alone was selected: %o', async (selection) => {
    for (const isSaved of [false, true]) {
      const world = await drifted()
      const next = files('', secret('one'))
      const done = isSaved ? await world.applySaved(next, saved((await world.plan(next, selection)).plan)) : await world.apply(next, selection)
      expect([done.exitCode, brief((await world.plan(secret('one'))).plan)]).toEqual([0, [due]])
      await expectOneRestart(world, secret('one'))
    }
  })
  test('is due where its trigger alone was named with -f', async () => {
    const world = await drifted()
    const apart = { 'main.yaml': cluster('PASSWORD: one'), 'shop.yaml': shopOn('K3sSecret/db') }
    expect((await world.apply(apart, {}, {}, { only: ['main.yaml'] })).exitCode).toBe(0)
    expect(brief((await world.plan(secret('one'))).plan)).toEqual([due])
    await expectOneRestart(world, secret('one'))
  })
  test('is due once where its trigger alone was selected, and a kill came before it changed, whoever brings it back', async () => {
    const alone = { targets: ['K3sSecret/db'] }
    for (const isByHand of [false, true]) {
      const world = await drifted()
      await killedAt(world, 'updateK3sSecret', 'before', secret('one'), alone)
      const table = world.sandbox.world.tables.clusterSecrets
      if (isByHand) for (const { id, data } of table.all()) table.update(id, { data: { PASSWORD: data['PASSWORD'] ?? '' } })
      expect((await world.apply(secret('one'), alone)).exitCode).toBe(0)
      expect(brief((await world.plan(secret('one'))).plan)).toEqual([due])
      await expectOneRestart(world, secret('one'))
    }
  })
  test('is due where the trigger was to be made again, and was made by the next run', async () => {
    const world = await stage(secret('one'))
    for (const { id } of world.sandbox.world.tables.clusterSecrets.all()) world.sandbox.world.tables.clusterSecrets.delete(id)
    await refusing(world, 'redeployK3sService', secret('one'))
    await expectOneRestart(world, secret('one'))
  })
})

describe('nothing is restarted', () => {
  test('once the change that failed is taken back', async () => {
    const world = await stage(secret('one'))
    await refusing(world, 'updateK3sSecret', secret('two'))
    expect(brief((await world.plan(secret('one'))).plan)).toEqual([])
    expect((await world.apply(secret('one'))).exitCode).toBe(0)
    expect(await marksOf(world)).toEqual([])
  })
  test('for a trigger that is named no more', async () => {
    const world = await drifted()
    await refusing(world, 'redeployK3sService', secret('one'))
    const plain = all(cluster('PASSWORD: one'), service('shop'))
    expect(brief((await world.plan(plain)).plan)).toEqual([])
    expect((await world.apply(plain)).exitCode).toBe(0)
    expect(await marksOf(world)).toEqual([])
  })
})
