// What the next plan must not show again: values that others set and a manifest adopts, references listed twice, keys that nobody can read.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, instance, service, vpc } from './stage.ts'

describe('a value that somebody else set and the manifest adopts', () => {
  const adopted = vpc('main').replace('of main', 'by hand')
  const changed = async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const [row] = world.sandbox.world.tables.vpcs.all()
    world.sandbox.world.tables.vpcs.update(row?.id ?? '', { description: 'by hand' })
    return world
  }
  test('is no change, and no drift once it is applied', async () => {
    const world = await changed()
    const done = await world.apply(adopted)
    expect([done.exitCode, brief(done.plan), done.plan.drift?.length]).toEqual([0, [], 1])
    expect(done.document.resources[0]?.spec).toMatchObject({ description: 'by hand' })
    expect((await world.plan(adopted)).plan.drift).toEqual([])
    expect((await world.apply(adopted)).document.serial).toBe(done.document.serial)
  })
  test('is recorded where no manifest named it before, so that the next hand is seen', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const { instances } = world.sandbox.world.tables
    const byHand = (osName: string) => instances.update(instances.all()[0]?.id ?? '', { osName })
    byHand('Debian')
    await world.apply(instance('web', 'os_name: Debian'))
    byHand('Fedora')
    expect((await world.plan(instance('web', 'os_name: Debian'))).plan.drift).toMatchObject([{ before: { os_name: 'Debian' }, after: { os_name: 'Fedora' } }])
  })
  test('leaves what was made with other first values as it was made', async () => {
    const world = createWorld()
    const web = (script: string) => instance('web', `os_name: Debian\ncloud_init: ${script}`)
    const first = await world.apply(web('one'))
    const { instances } = world.sandbox.world.tables
    instances.update(instances.all()[0]?.id ?? '', { osName: 'Fedora' })
    const done = await world.apply(web('two').replace('Debian', 'Fedora'))
    expect(brief(done.plan)).toEqual([])
    expect(done.document.resources[0]?.spec).toEqual({ ...first.document.resources[0]?.spec, os_name: 'Fedora' })
  })
})

test('a trigger whose record is only written down anew restarts nothing', async () => {
  const world = createWorld()
  const follower = service('follower', '', 'lifecycle: { redeploy_triggered_by: [K3sService/shop] }')
  const texts = (shop: string) => all(cluster('PASSWORD: one'), shop, follower)
  await world.apply(texts(service('shop')))
  const { clusterServices } = world.sandbox.world.tables
  const shown = (await world.plan(texts(service('shop')))).plan.changes.find((one) => one.address === 'K3sService/shop')?.after ?? {}
  expect([clusterServices.all().length, 'update_strategy' in shown]).toEqual([2, false])
  const written = texts(service('shop', 'update_strategy: ROLLING'))
  const done = await world.apply(written)
  expect([done.exitCode, brief(done.plan)]).toEqual([0, []])
  expect(done.document.resources.find((one) => one.address === 'K3sService/shop')?.spec).toMatchObject({ update_strategy: 'ROLLING' })
  expect(brief((await world.plan(written)).plan)).toEqual([])
})

describe('a reference that is listed twice', () => {
  test.each([
    ['by name', 'vpcs: [main, main]'],
    ['by name and by expression', 'vpcs: [main, "${Vpc[\'main\'].id}"]'],
  ])('%s counts once', async (_, vpcs) => {
    const world = createWorld()
    const texts = all(vpc('main'), instance('web', vpcs))
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('counts once in what a service runs on and is given', async () => {
    const world = createWorld()
    const twice = service('shop').replace('[worker]', '[worker, worker]').replace('[db]', '[db, db]')
    const texts = all(cluster('PASSWORD: one'), twice)
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
})

describe('the keys of a secret, whose values nobody can read', () => {
  const secret = (data: string, metadata = '') => all(manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'db', `name: db\ndata: ${data}`, metadata))
  const stranger = async () => {
    const world = createWorld()
    await world.beside().apply(secret('{ A: one, B: two }'))
    const [row] = world.sandbox.world.tables.clusterSecrets.all()
    const [main] = world.sandbox.world.tables.clusters.all()
    const texts = (data: string) => secret(data, `import: { id: "${row?.id}" }`).replace('name: main', `name: main\n  import: { id: "${main?.id}" }`)
    return { world, texts }
  }
  test('change an import where others are declared', async () => {
    const { world, texts } = await stranger()
    const done = await world.apply(texts('{ A: one, C: three }'))
    expect(done.plan.changes.find((one) => one.kind === 'K3sSecret')).toMatchObject({
      action: 'import',
      steps: ['update'],
      before: { data: { A: { $sensitive: true }, B: { $sensitive: true } } },
      patch: [
        { op: 'remove', path: '/data/B' },
        { op: 'add', path: '/data/C', value: { $sensitive: true } },
      ],
    })
    expect(done.plan.diagnostics.filter((one) => one.summary.includes('taken as declared'))).toEqual([])
    expect(done.outcome).toMatchObject({ imported: 2, changed: 1 })
    expect(Object.keys(world.sandbox.world.tables.clusterSecrets.all()[0]?.data ?? {})).toEqual(['A', 'C'])
    expect(brief((await world.plan(texts('{ A: one, C: three }'))).plan)).toEqual([])
  })
  test('are taken as declared where they are the same', async () => {
    const { world, texts } = await stranger()
    const done = await world.apply(texts('{ B: other, A: one }'))
    expect(done.plan.changes.find((one) => one.kind === 'K3sSecret')).toMatchObject({ action: 'import', steps: [], patch: [] })
    expect(done.plan.diagnostics.map((one) => one.summary)).toContain('K3sSecret/db: data cannot be read; it is taken as declared')
    expect(brief((await world.plan(texts('{ B: other, A: one }'))).plan)).toEqual([])
  })
  test('are shown as they are where somebody else changed them', async () => {
    const world = createWorld()
    await world.apply(secret('{ A: one, B: two }'))
    const { clusterSecrets } = world.sandbox.world.tables
    clusterSecrets.update(clusterSecrets.all()[0]?.id ?? '', { data: { A: 'one', C: 'three' } })
    const { plan } = await world.plan(secret('{ A: one, B: two }'))
    const sensitive = { $sensitive: true }
    expect(plan.changes.find((one) => one.kind === 'K3sSecret')).toMatchObject({
      action: 'update',
      reason: 'drifted',
      before: { data: { A: sensitive, C: sensitive } },
      after: { data: { A: sensitive, B: sensitive } },
      patch: [
        { op: 'remove', path: '/data/C' },
        { op: 'add', path: '/data/B', value: sensitive },
      ],
    })
    expect(plan.drift).toMatchObject([{ before: { data: { A: sensitive, B: sensitive } }, after: { data: { A: sensitive, C: sensitive } } }])
    expect((await world.apply(secret('{ A: one, B: two }'))).exitCode).toBe(0)
    expect(brief((await world.plan(secret('{ A: one, B: two }'))).plan)).toEqual([])
  })
})
