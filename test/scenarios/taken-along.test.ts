// A secret of a cluster goes with it, and not while something that nobody manages uses it.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, project, said, saved, service, vpc } from './stage.ts'

const rest = vpc('rest', '10.90.0.0/24')
const bare = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'), rest)
const used = (is: string) => new RegExp(`^plan_impossible K3sSecret/db cannot be ${is}: K3sService theirs \\(id \\d+\\) needs it, and is in no state$`)

/** Somebody deploys a service that lists the secret. */
async function deploy(world: World): Promise<void> {
  const body = {
    name: 'theirs',
    image: 'old:1',
    mode: 'SPREAD',
    target_instances: [world.sandbox.world.tables.instances.all()[0]?.id ?? ''],
    secret_refs: ['db'],
  }
  expect(await world.run().client.send(call(routes.createK3sService, { wid: world.sandbox.workspaceId }, body))).toMatchObject({ is: 'accepted' })
  await world.clock.advance(60_000)
}

async function shared(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options)
  await world.apply(all(cluster('A: b'), rest))
  await deploy(world)
  return world
}
const left = (world: World) => {
  const { clusters, clusterSecrets, clusterServices } = world.sandbox.world.tables
  return [clusters, clusterSecrets, clusterServices].map((one) => one.all().length)
}

describe('a cluster that goes with its secret, which a service in no state uses,', () => {
  test.each([
    ['a destroy', (world: World) => world.destroy('', { excludes: ['Vpc/rest'] })],
    ['an apply', (world: World) => world.apply(rest)],
    ['a saved plan', async (world: World) => world.applySaved({ 'iac.yaml': project(), 'main.yaml': rest }, saved((await world.plan(rest)).plan))],
  ] as const)('takes both along, in one run (%s)', async (_, run) => {
    const world = await shared()
    const sent = effects(world)
    expect(await run(world)).toMatchObject({ exitCode: 0, outcome: { destroyed: 4, failed: [] } })
    expect([left(world), sent.includes('deleteK3sSecret')]).toEqual([[0, 0, 0], false])
    expect((await world.document())?.resources.map((one) => one.address)).toEqual(['Vpc/rest'])
  })
  test('is named with it, and guarded', async () => {
    const world = await shared()
    expect(said((await world.plan(rest)).plan)).toEqual([
      expect.stringMatching(/^advice K3sCluster\/main: its deletion takes along what nobody manages: K3sService theirs/),
    ])
    expect((await world.apply(rest, {}, { maxDestroy: 4 })).exitCode).toBe(5)
    expect(left(world)).toEqual([1, 1, 1])
  })
  test.each(['before', 'after'] as const)('is gone with all after a kill %s its delete', async (reset) => {
    const world = await shared()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deleteK3s') return undefined
      world.fileSystem.crash('kill')
      return { reset }
    }
    await world.apply(rest).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    await world.clock.advance(60_000)
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect([left(world), brief((await world.plan(rest)).plan)]).toEqual([[0, 0, 0], []])
  })
  test('keeps its secret recorded where it could not go, and takes it along later', async () => {
    const world = await shared()
    world.sandbox.faults.list.push({ operation: 'deleteK3s', status: 422 })
    expect((await world.apply(rest)).exitCode).toBe(8)
    expect([left(world), (await world.document())?.resources.map((one) => one.address)]).toEqual([
      [1, 1, 1],
      ['K3sCluster/main', 'K3sSecret/db', 'Vpc/rest'],
    ])
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect(left(world)).toEqual([0, 0, 0])
  })
  test('is still leaving when the run ends, and so is the secret', async () => {
    const courses = [{ operation: 'k3s.delete', outcome: 'COMPLETED', durationMs: 600_000 }] as const
    const world = await shared({ compat: { deleting: 'gone' }, sandbox: { courses: [...courses] } })
    const sent = effects(world)
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect((await world.apply(rest)).exitCode).toBe(0)
    await world.clock.advance(700_000)
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect(sent).not.toContain('deleteK3sSecret')
    expect([left(world), (await world.document())?.resources.map((one) => one.address)]).toEqual([[0, 0, 0], ['Vpc/rest']])
  })
})

describe('a secret that a service in no state uses', () => {
  test.each([
    ['deleted', bare],
    ['replaced', all(cluster('A: b').replace('name: db\n  data', 'name: other\n  data'), rest)],
  ])('is an error of the plan where it is %s alone, and nothing is changed', async (is, texts) => {
    const world = await shared()
    const sent = effects(world)
    expect(said((await world.plan(texts)).plan)).toContainEqual(expect.stringMatching(used(is)))
    expect((await world.apply(texts)).exitCode).toBe(3)
    expect(sent).toEqual([])
  })
  test('refuses a saved plan that was made before', async () => {
    const world = createWorld()
    await world.apply(all(cluster('A: b'), rest))
    const { plan } = await world.plan(bare)
    await deploy(world)
    const sent = effects(world)
    await expect(world.applySaved({ 'iac.yaml': project(), 'main.yaml': bare }, saved(plan))).rejects.toMatchObject({ exitCode: 6 })
    expect(sent).toEqual([])
  })
  test('goes once that is on its way out', async () => {
    const world = await shared()
    const { clusterServices } = world.sandbox.world.tables
    const id = clusterServices.all()[0]?.id ?? ''
    expect(await world.run().client.send(call(routes.deleteK3sService, { wid: world.sandbox.workspaceId, id }))).toMatchObject({ is: 'accepted' })
    expect(said((await world.plan(bare)).plan)).toEqual([])
    expect((await world.apply(bare)).exitCode).toBe(0)
  })
  test('is no matter where an unfinished request of ours has made that', async () => {
    const world = createWorld()
    await world.apply(all(cluster('A: b'), rest))
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createK3sService') return undefined
      world.fileSystem.crash('kill')
      return { reset: 'after' }
    }
    await world.apply(all(cluster('A: b'), service('shop'), rest)).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    expect(said((await world.plan(bare)).plan).filter((one) => one.startsWith('plan_impossible'))).toEqual([])
    expect((await world.apply(bare)).exitCode).toBe(0)
  })
  test('is no matter where the one that uses it is managed', async () => {
    const world = createWorld()
    await world.apply(all(cluster('A: b'), service('shop'), rest))
    expect(said((await world.plan(bare)).plan)).toEqual([])
    expect((await world.apply(bare)).exitCode).toBe(0)
  })
})

test.each([
  ['names a service', 'HOST: "${K3sService[\'shop\'].name}"', ''],
  ['depends on the node', 'A: b', 'depends_on: [K3sNode/worker]'],
])('a secret that %s goes with its cluster, which goes after that', async (_, data, metadata) => {
  const world = createWorld()
  const nodes = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'))
  const shop = service('shop').replace('secret_refs: [db]', 'secret_refs: []')
  const texts = all(nodes, shop, manifest('K3sSecret', 'app', `name: app\ndata: { ${data} }`, metadata))
  expect((await world.apply(texts)).exitCode).toBe(0)
  const done = await world.destroy(texts)
  expect([done.exitCode, done.document.resources, left(world)]).toEqual([0, [], [0, 0, 0]])
})
