// A replacement that is backed out of while its new half is being made: the old object is what the manifest says, and stays.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, said, saved, service } from './stage.ts'

const first = 'create_before_destroy: true'
const kept = `${first}, prevent_destroy: true`
const disk = manifest('Disk', 'data', 'instance: web\nsize: 10GiB\nbackend: LOCAL\nregion: fra-1')
const onlyDelete = ['delete Instance/web (resumed): delete']
const servers = (world: World) => world.sandbox.world.tables.instances.all()
const ids = (world: World) => servers(world).map((one) => one.id)
const planId = (world: World, name: string) => world.sandbox.world.tables.plans.all().find((one) => one.name === name)?.id ?? ''
const web = (plan: string, lifecycle: string, timeout: string) =>
  instance('web', '', `${lifecycle === '' ? '' : `lifecycle: { ${lifecycle} }\n`}timeouts: { create: ${timeout}, delete: 5m }`).replace('ryzen-4', plan)

interface Staging {
  readonly more?: string
  readonly lifecycle?: string
  /** How it is left: its creation under way, or ended, and off. */
  readonly ends?: 'under way' | 'off'
}

/** A server with a successor that is not ready yet. */
async function stage({ more = '', lifecycle = first, ends = 'under way' }: Staging = {}) {
  const world = createWorld()
  const texts = (plan: string, other = lifecycle, timeout = '10m') => all(web(plan, other, timeout), more)
  await world.apply(texts('ryzen-4'))
  const before = (await world.document())?.resources.find(({ kind }) => kind === 'Instance')
  world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 })
  const next = texts('ryzen-8', lifecycle, '20s')
  expect((await world.apply(next)).exitCode).toBe(8)
  const successor = ids(world)[1] ?? ''
  if (ends === 'off') {
    await world.clock.sleep(120_000)
    await world.plan(next)
    world.sandbox.world.tables.instances.update(successor, { online: false })
    await world.apply(next)
  }
  const record = (await world.document())?.resources.find(({ kind }) => kind === 'Instance')
  expect(record).toMatchObject({ id: successor, status: 'creating', deposed: [{ id: before?.id }] })
  return { world, texts, before, successor }
}

describe.each([
  ['by its lifecycle', '', first],
  ['since a disk is on it', disk, ''],
])('a successor, made first %s, that is not wanted any more', (_, more, lifecycle) => {
  test.each(['under way', 'off'] as const)('is what goes, and the old object is left alone (%s)', async (ends) => {
    const { world, texts, before } = await stage({ more, lifecycle, ends })
    for (const how of [lifecycle, kept]) expect(brief((await world.plan(texts('ryzen-4', how))).plan)).toEqual(onlyDelete)
    const sent = effects(world)
    expect(await world.apply(texts('ryzen-4', kept), {}, { maxDestroy: 0 })).toMatchObject({ exitCode: 0, outcome: { added: 0, destroyed: 1, failed: [] } })
    expect([sent, ids(world)]).toEqual([['deleteInstance'], [before?.id]])
    expect((await world.document())?.resources.find(({ kind }) => kind === 'Instance')).toEqual({ ...before, protected: true })
    expect(said((await world.plan(texts('ryzen-4', kept))).plan)).toEqual([])
  })

  test('goes by a saved plan as well, which settles first what is open', async () => {
    for (const ends of ['under way', 'off'] as const) {
      const { world, texts, before } = await stage({ more, lifecycle, ends })
      const next = files('guards: { max_destroy: 0 }', texts('ryzen-4', kept))
      const { plan } = await world.plan(next)
      expect(brief(plan)).toEqual(onlyDelete)
      const sent = effects(world)
      if (ends === 'under way') await expect(world.applySaved(next, saved(plan))).rejects.toMatchObject({ exitCode: 6 })
      const again = saved((await world.plan(next)).plan)
      expect(await world.applySaved(next, again)).toMatchObject({ exitCode: 0, outcome: { added: 0, destroyed: 1 } })
      expect([sent, ids(world)]).toEqual([['deleteInstance'], [before?.id]])
      expect(brief((await world.plan(next)).plan)).toEqual([])
    }
  })

  test('goes by a plan that was made without reading, too', async () => {
    const { world, texts, before } = await stage({ more, lifecycle, ends: 'off' })
    const { plan } = await world.plan(texts('ryzen-4'), { unread: true })
    expect(brief(plan)).toEqual(onlyDelete)
    const sent = effects(world)
    expect((await world.applySaved(texts('ryzen-4'), saved(plan))).exitCode).toBe(0)
    expect([sent, ids(world)]).toEqual([['deleteInstance'], [before?.id]])
  })
})

test('the old object is changed where it stands, as its manifest says', async () => {
  const { world, texts, before } = await stage()
  const next = texts('ryzen-4').replace('plan: ryzen-4', 'plan: ryzen-4\n  name: other')
  expect(brief((await world.plan(next)).plan)).toEqual(['update Instance/web (changed): update', ...onlyDelete])
  expect((await world.apply(next)).exitCode).toBe(0)
  expect(servers(world).map(({ id, name }) => [id, name])).toEqual([[before?.id, 'other']])
})

test('a plan that is turned down abandons nothing', async () => {
  const { world, texts, successor } = await stage()
  const no = await world.apply(texts('ryzen-4'), {}, { decide: async () => false })
  expect([no.exitCode, brief(no.plan)]).toEqual([1, onlyDelete])
  const sent = effects(world)
  expect((await world.apply(texts('ryzen-8'))).exitCode).toBe(0)
  expect([sent, ids(world)]).toEqual([['deleteInstance'], [successor]])
})

test.each([409, 422])('it is waited for where it cannot go while it is made (%s)', async (status) => {
  const { world, texts, before, successor } = await stage({ ends: 'off' })
  const { instances } = world.sandbox.world.tables
  void world.clock.sleep(60_000).then(() => instances.update(successor, { online: true }))
  world.sandbox.faults.hook = ({ operation }) =>
    operation === 'deleteInstance' && instances.get(successor)?.online === false ? { status, message: 'the state does not allow it' } : undefined
  expect([(await world.apply(texts('ryzen-4'))).exitCode, ids(world)]).toEqual([0, [before?.id]])
})

test('under a new address it goes all the same', async () => {
  const { world, texts, before } = await stage()
  const moved = files('moved: [{ from: Instance/web, to: Instance/shop }]', texts('ryzen-4').replace('name: web', 'name: shop'))
  const done = await world.apply({ ...moved, 'main.yaml': moved['main.yaml'].replace('region: fra-1', 'region: fra-1\n  name: web') })
  expect([done.exitCode, brief(done.plan), ids(world)]).toEqual([0, ['delete Instance/shop (resumed): delete'], [before?.id]])
})

/** A successor that is up by now, of which the state only says that it was being made. */
async function stageUp() {
  const staged = await stage()
  const next = files('', staged.texts('ryzen-4'))
  await expect(staged.world.applySaved(next, saved((await staged.world.plan(next)).plan))).rejects.toMatchObject({ exitCode: 6 })
  expect(servers(staged.world).map(({ online }) => online)).toEqual([true, true])
  return { ...staged, next, old: staged.before?.id ?? '' }
}

describe.each([
  ['is deleted', (world: World, id: string) => world.sandbox.world.tables.instances.delete(id)],
  ['is given another plan', (world: World, id: string) => world.sandbox.world.tables.instances.update(id, { planId: planId(world, 'ryzen-2') })],
] as const)('the successor stays where the old object %s by others', (_, alter) => {
  test.each([false, true])('after the plan was saved (made without reading: %s)', async (unread) => {
    const { world, next, old } = await stageUp()
    const plan = saved((await world.plan(next, { unread })).plan)
    expect(brief(plan)).toEqual(onlyDelete)
    alter(world, old)
    const left = ids(world)
    const sent = effects(world)
    const failure = { exitCode: 6, diagnostics: [{ code: 'plan_stale', address: 'Instance/web' }] }
    await expect(world.applySaved(next, plan)).rejects.toMatchObject(failure)
    expect([sent, ids(world)]).toEqual([[], left])
  })

  test('while the question stands', async () => {
    const { world, texts, next, old, successor } = await stageUp()
    const sent = effects(world)
    const decide = async (): Promise<boolean> => {
      alter(world, old)
      return true
    }
    const done = await world.apply(next, {}, { decide })
    expect([done.exitCode, done.outcome?.failed.map(({ code }) => code), sent]).toEqual([8, ['changed_elsewhere'], []])
    expect(ids(world)).toContain(successor)
    // It may be wanted again.
    expect((await world.apply(texts('ryzen-8'))).exitCode).toBe(0)
    expect(ids(world)).toEqual([successor])
  })
})

test('the successor stays where the old object goes before its turn comes', async () => {
  const world = createWorld()
  const both = (plan: string, timeout: string) => web(plan, first, timeout).replace('  lifecycle:', '  for_each: [a, b]\n  lifecycle:')
  await world.apply(both('ryzen-4', '10m'))
  const old = ids(world)
  for (const durationMs of [60_000, 60_000]) world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs })
  expect((await world.apply(both('ryzen-8', '20s'))).exitCode).toBe(8)
  let deletions = 0
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'deleteInstance') return undefined
    deletions += 1
    for (const id of old) world.sandbox.world.tables.instances.delete(id)
    return undefined
  }
  const done = await world.apply(both('ryzen-4', '10m'), {}, { parallelism: 1 })
  expect([done.exitCode, done.outcome?.failed.map(({ code }) => code), deletions, ids(world).length]).toEqual([8, ['changed_elsewhere'], 1, 1])
})

test('the successor stays where the old object goes once a run was killed that had backed out of it', async () => {
  const { world, next, old, successor } = await stageUp()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'deleteInstance') return undefined
    world.fileSystem.crash('kill')
    return { reset: 'before' }
  }
  await world.apply(next).catch(() => undefined)
  world.sandbox.faults.hook = undefined
  await expect(world.applySaved(next, saved((await world.plan(next)).plan))).rejects.toMatchObject({ exitCode: 6 })
  const plan = saved((await world.plan(next)).plan)
  expect(brief(plan)).toEqual(onlyDelete)
  world.sandbox.world.tables.instances.delete(old)
  await expect(world.applySaved(next, plan)).rejects.toMatchObject({ exitCode: 6, diagnostics: [{ code: 'plan_stale', address: 'Instance/web' }] })
  expect(ids(world)).toEqual([successor])
})

test('backing out over two levels deletes both successors, and leaves the first object alone', async () => {
  const { world, texts, before } = await stage({ ends: 'off' })
  world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 })
  expect((await world.apply(texts('ryzen-2', first, '20s'))).exitCode).toBe(8)
  await world.clock.sleep(120_000)
  const next = files('guards: { max_destroy: 0 }', texts('ryzen-4', kept))
  await world.plan(next)
  expect(ids(world)).toHaveLength(3)
  const sent = effects(world)
  const done = await world.apply(next)
  expect([brief(done.plan), done.exitCode]).toEqual([[...onlyDelete, ...onlyDelete], 0])
  expect([sent, ids(world)]).toEqual([['deleteInstance', 'deleteInstance'], [before?.id]])
  expect((await world.document())?.resources.find(({ kind }) => kind === 'Instance')).toEqual({ ...before, protected: true })
  expect(brief((await world.plan(next)).plan)).toEqual([])
})

test('a successor whose creation goes on is still the one where it is wanted again', async () => {
  const world = createWorld()
  await world.apply(web('ryzen-4', first, '10m'))
  world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 3_000_000 })
  expect((await world.apply(web('ryzen-8', first, '20s'))).exitCode).toBe(8)
  const [, successor] = ids(world)
  const sent = effects(world)
  expect((await world.apply(web('ryzen-4', first, '20s'))).exitCode).toBe(8)
  expect((await world.apply(web('ryzen-8', first, '120m'))).exitCode).toBe(0)
  expect([sent, ids(world)]).toEqual([['deleteInstance'], [successor]])
})

describe('an old object that holds a value that is told once', () => {
  const token = manifest('ApiToken', 'bot', 'name: bot-token\ngrants: { INSTANCE: READ }\nlifetime: 180d')
  const texts = (plan: string, timeout: string, holds = true) =>
    all(
      token,
      instance('web', holds ? `cloud_init: "#cloud-config \${ApiToken['bot'].code}"` : '', `lifecycle: { ${first} }\ntimeouts: { create: ${timeout} }`).replace(
        'ryzen-4',
        plan,
      ),
    )
  const recorded = async (world: World) => (await world.document())?.resources.find(({ kind }) => kind === 'Instance')

  async function stageHolding(holds: boolean) {
    const world = createWorld()
    await world.apply(texts('ryzen-4', '10m'))
    const before = await recorded(world)
    expect(before?.origins).toHaveProperty('/cloud_init')
    world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 })
    expect((await world.apply(texts('ryzen-8', '20s', holds))).exitCode).toBe(8)
    return { world, before }
  }

  test('is recorded as it was, with where that came from', async () => {
    const { world, before } = await stageHolding(false)
    expect((await world.apply(texts('ryzen-4', '10m'))).exitCode).toBe(0)
    expect(await recorded(world)).toEqual(before)
  })

  test('is told of where that goes', async () => {
    const { world } = await stageHolding(true)
    const { plan } = await world.plan(texts('ryzen-4', '10m'))
    expect(brief(plan)).toEqual([...onlyDelete, 'delete ApiToken/bot (resumed): delete'])
    expect(said(plan)).toContainEqual('advice Instance/web: /cloud_init holds the code of ApiToken/bot, which goes, and would be good for nothing')
  })
})

test('what was in doubt of the old object is sent to it again', async () => {
  const world = createWorld()
  const named = (name: string, value: string, timeout: string) =>
    all(cluster('PASSWORD: one'), service('shop', `name: ${name}\nenvironment: { A: ${value} }`, `lifecycle: { ${first} }\ntimeouts: { create: ${timeout} }`))
  await world.apply(named('shop', 'one', '10m'))
  world.sandbox.faults.list.push({ operation: 'updateK3sService', workflow: { outcome: 'FAILED', leaves: 'done' }, times: 1 })
  expect((await world.apply(named('shop', 'two', '10m'))).exitCode).toBe(8)
  world.sandbox.faults.list.push({ operation: 'createK3sService', workflow: { outcome: 'COMPLETED', durationMs: 60_000 }, times: 1 })
  expect((await world.apply(named('shop2', 'one', '1s'))).exitCode).toBe(8)
  const next = named('shop', 'one', '10m')
  await expect(world.applySaved(next, saved((await world.plan(next)).plan))).rejects.toMatchObject({ exitCode: 6 })
  const done = await world.apply(next)
  expect([done.exitCode, brief(done.plan)]).toEqual([0, ['update K3sService/shop (changed): update', 'delete K3sService/shop (resumed): delete']])
  expect(world.sandbox.world.tables.clusterServices.all().map(({ name, revision }) => [name, revision.environment])).toEqual([['shop', { A: 'one' }]])
})
