// What stands on a node of the cluster: it is made and changed where there is one, and keeps it for as long as it is declared.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said } from './stage.ts'

const own = manifest('K3sCluster', 'main', '')
const node = (name: string, on: string, metadata = '') => manifest('K3sNode', name, `instance: ${on}`, metadata)
const shop = (image: string, on: string, metadata = '') => manifest('K3sService', 'shop', `image: ${image}\nmode: PINNED\ntarget_instances: [${on}]`, metadata)
const base = all(own, instance('worker'), instance('spare'))

async function running(...more: readonly string[]) {
  const world = createWorld()
  expect((await world.apply(all(base, node('worker', 'worker'), shop('shop:1', 'worker'), ...more))).exitCode).toBe(0)
  return { world, sent: effects(world) }
}

const lost = (what = 'deleted') => `plan_impossible K3sNode/worker cannot be ${what}: K3sService/shop stands on it, and nothing takes its place`
const none = (on: string) => `plan_impossible K3sService/shop: a K3sService stands on a K3sNode, and ${on} has none`

describe('a node under a declared service', () => {
  test.each([
    ['that stays as it is', shop('shop:1', 'worker')],
    ['that changes', shop('shop:2', 'worker')],
    ['that gets another one beside it', all(node('spare', 'spare'), shop('shop:1', 'worker, spare'))],
  ])('is not deleted: one %s', async (_, after) => {
    const { world, sent } = await running()
    const done = await world.apply(all(base, after))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(lost())
    for (const options of [{ unread: true }, { targets: ['K3sNode/worker'] }])
      expect(said((await world.plan(all(base, after), options)).plan)).toContainEqual(lost())
  })
  test('is not moved to another instance', async () => {
    const { world, sent } = await running()
    const done = await world.apply(all(base, node('worker', 'spare'), shop('shop:1', 'worker')))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(lost('replaced'))
  })
  test.each([
    ['the service as well', base],
    ['what names it', all(base, node('spare', 'spare'), shop('shop:1', 'spare'))],
  ])('goes with %s', async (_, after) => {
    const { world } = await running()
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
  test('goes with everything in a destroy, and is replaced with its instance', async () => {
    const { world } = await running()
    const texts = all(base, node('worker', 'worker'), shop('shop:1', 'worker'))
    const done = await world.apply(texts.replace('plan: ryzen-4', 'plan: ryzen-8'))
    expect(said(done.plan)).not.toContainEqual(expect.stringContaining('stands on'))
    expect((await world.destroy(texts)).exitCode).toBe(0)
  })
})

describe('a service on an instance', () => {
  test.each([
    ['that exists', 'worker', base],
    ['that the plan makes', 'next', all(base, instance('next'))],
  ])('%s and is no node is not made', async (_, on, texts) => {
    const world = createWorld()
    expect((await world.apply(base)).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(all(texts, shop('shop:1', on)))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(none(`Instance/${on}`))
  })
  test.each([
    ['by its name', 'next'],
    ['by an expression', '"${Instance[\'next\'].id}"'],
  ])('that the plan makes, and makes a node, is made: %s', async (_, on) => {
    const world = createWorld()
    const texts = all(base, instance('next'), node('next', 'next'), shop('shop:1', on))
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test.each(["\"${Instance['next'].id + ''}\"", "\"${vars.on ? Instance['next'].id : Instance['worker'].id}\""])(
    'that an expression gives and that is no node is not made: %s',
    async (on) => {
      const texts = (...more: readonly string[]) =>
        files('variables: { on: { type: bool, default: true } }', base, instance('next'), ...more, shop('shop:1', on))
      const { plan } = await createWorld().plan(texts())
      expect(said(plan)).toContainEqual(none('Instance/next'))
      expect((await createWorld().apply(texts(node('next', 'next')))).exitCode).toBe(0)
      expect((await createWorld().apply(texts(node('next', on)))).exitCode).toBe(0)
    },
  )
  test('whose node an expression places is made', async () => {
    const world = createWorld()
    const texts = all(base, instance('next'), node('next', '"${Instance[\'next\'].id}"'), shop('shop:1', 'next'))
    expect((await world.apply(texts)).exitCode).toBe(0)
  })
  test('that somebody else made a node is made and changed', async () => {
    const world = createWorld()
    expect((await world.apply(all(base, node('worker', 'worker')))).exitCode).toBe(0)
    const texts = (image: string) => files('removed: [{ address: K3sNode/worker, destroy: false }]', base, shop(image, 'worker'))
    expect((await world.apply(texts('shop:1'))).exitCode).toBe(0)
    expect((await world.apply(texts('shop:2'))).exitCode).toBe(0)
    expect(brief((await world.plan(texts('shop:2'))).plan)).toEqual([])
  })
  test('whose node somebody deleted is not changed, and is warned of', async () => {
    const { world, sent } = await running()
    const { clusterNodes } = world.sandbox.world.tables
    for (const one of clusterNodes.all()) clusterNodes.delete(one.id)
    const forgotten = (image: string) => files('removed: [{ address: K3sNode/worker, destroy: false }]', base, shop(image, 'worker'))
    expect(said((await world.plan(forgotten('shop:1'))).plan)).toContainEqual(none('Instance/worker').replace('plan_impossible', 'advice'))
    const done = await world.apply(forgotten('shop:2'))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(none('Instance/worker'))
  })
  test('without a cluster is told of that alone', async () => {
    const { plan } = await createWorld().plan(all(instance('worker'), shop('shop:1', 'worker')))
    expect(said(plan).filter((one) => one.startsWith('plan_impossible'))).toEqual([
      'plan_impossible K3sService/shop: a K3sService stands in a K3sCluster, and the workspace has none',
    ])
  })
})
