// What stays and keeps something from going: the plan is refused before anything is sent, saved or not, and names the way out.
import { describe, expect, test } from 'vitest'
import type { Compat } from '../../src/api/calls/compat.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, saved, vpc } from './stage.ts'

describe('what is left out and attached to what is replaced', () => {
  const texts = (range: string) => all(vpc('side', range), instance('web', 'vpcs: [side]'))
  const text = 'plan_impossible Vpc/side cannot be replaced: Instance/web is attached to it, and is left out of this plan'
  test.each([
    ['another range', '10.30.0.0/24', {}],
    ['--replace', '10.20.0.0/24', { replace: ['Vpc/side'] }],
  ])('%s: refused directly and from a file, and nothing is made', async (_, range, more) => {
    const world = createWorld()
    await world.apply(texts('10.20.0.0/24'))
    const sent = effects(world)
    const options = { excludes: ['Instance/web'], ...more }
    const { plan } = await world.plan(texts(range), options)
    expect(said(plan)).toEqual([text])
    expect(plan.diagnostics[0]?.hint).toContain('take Instance/web along')
    await expect(world.applySaved(texts(range), saved(plan))).rejects.toMatchObject({ exitCode: 3 })
    expect([(await world.apply(texts(range), options)).exitCode, sent]).toEqual([3, []])
  })
  test('another file (-f)', async () => {
    const world = createWorld()
    const split = (range: string) => ({ 'net.yaml': vpc('side', range), 'web.yaml': instance('web', 'vpcs: [side]') })
    await world.apply(split('10.20.0.0/24'))
    const sent = effects(world)
    const done = await world.apply(split('10.30.0.0/24'), {}, {}, { only: ['net.yaml'] })
    expect([done.exitCode, said(done.plan), sent]).toEqual([3, [text], []])
  })
  test('taken along, it ends well', async () => {
    const world = createWorld()
    await world.apply(texts('10.20.0.0/24'))
    const { plan } = await world.plan(texts('10.30.0.0/24'))
    expect((await world.applySaved(texts('10.30.0.0/24'), saved(plan))).exitCode).toBe(0)
    expect(world.sandbox.world.tables.vpcs.all().map((one) => one.range)).toEqual(['10.30.0.0/24'])
  })
  test('an old half of an earlier run stops nothing: a warning, from a file as well', async () => {
    const world = createWorld()
    await world.apply(texts('10.20.0.0/24'))
    world.sandbox.faults.list.push({ operation: 'leaveVpc', status: 403, times: 'always' })
    expect((await world.apply(texts('10.30.0.0/24'))).exitCode).not.toBe(0)
    const next = all(texts('10.30.0.0/24'), vpc('more', '10.40.0.0/24'))
    const { plan } = await world.plan(next, { excludes: ['Instance/web'] })
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
    expect(said(plan)).toContainEqual(expect.stringMatching(/^advice Vpc\/side \(old object \d+\) cannot be deleted: Instance\/web is attached to it/))
    await world.applySaved(next, saved(plan))
    expect(world.sandbox.world.tables.vpcs.all().map((one) => one.range)).toContain('10.40.0.0/24')
  })
})

describe('a node on an instance that goes', () => {
  const cluster = manifest('K3sCluster', 'main', '')
  const node = (metadata = '') => manifest('K3sNode', 'worker', 'instance: worker', metadata)
  const worker = (plan = 'ryzen-2') => instance('worker').replace('ryzen-4', plan)
  const refusing = (lists: 'full' | 'slim' = 'full', compat: Partial<Compat> = { cluster_instances: 'refuse' }) =>
    createWorld({ compat, sandbox: { readings: { clusterInstances: 'refuse', lists } } })

  test('left out with its file', async () => {
    const world = refusing()
    const split = (plan: string) => ({ 'worker.yaml': worker(plan), 'k3s.yaml': all(cluster, node()) })
    await world.apply(split('ryzen-2'))
    const sent = effects(world)
    const done = await world.apply(split('ryzen-4'), {}, {}, { only: ['worker.yaml'] })
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContain('plan_impossible Instance/worker cannot be replaced: K3sNode/worker stands on it, and is left out of this plan')
    expect(done.plan.diagnostics.find((one) => one.code === 'plan_impossible')?.hint).toContain('take K3sNode/worker along')
    const { plan } = await world.plan(split('ryzen-4'))
    expect((await world.applySaved(split('ryzen-4'), saved(plan))).exitCode).toBe(0)
    expect(brief((await world.plan(split('ryzen-4'))).plan)).toEqual([])
  })
  test('not among the targets', async () => {
    const world = refusing()
    const texts = (plan: string) => all(worker(plan), cluster, node())
    await world.apply(texts('ryzen-2'))
    const sent = effects(world)
    const done = await world.apply(texts('ryzen-4'), { targets: ['Instance/worker'] })
    expect([done.exitCode, sent]).toEqual([3, []])
  })
  test('that its manifest leaves to others is made anew with it, and goes first', async () => {
    const world = refusing()
    const texts = (plan: string) => all(worker(plan), cluster, node('lifecycle: { ignore_changes: [/instance] }'))
    await world.apply(texts('ryzen-2'))
    const sent = effects(world)
    const done = await world.apply(texts('ryzen-4'))
    expect([done.exitCode, sent]).toEqual([0, ['deleteK3sNode', 'deleteInstance', 'createInstance', 'createK3sNode']])
  })
  test.each([
    ['full', cluster],
    ['slim', cluster],
    ['full', worker('ryzen-4')],
  ] as const)('forgotten before (%s lists)', async (lists, after) => {
    const world = refusing(lists)
    await world.apply(all(worker(), cluster, node()))
    await world.apply(files('removed: [{ address: K3sNode/worker, destroy: false }]', worker(), cluster))
    const sent = effects(world)
    const done = await world.apply(all(after, after === cluster ? '' : cluster))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(
      expect.stringMatching(/^plan_impossible Instance\/worker cannot be (deleted|replaced): K3sNode \d+ needs it, and is in no state$/),
    )
  })
  test('joined since the plan was saved', async () => {
    const world = refusing()
    await world.apply(all(worker(), cluster))
    const { plan } = await world.plan(cluster)
    const { clusterNodes, instances } = world.sandbox.world.tables
    for (const { id, workspaceId } of instances.all()) clusterNodes.insert({ workspaceId, instanceId: id, nodeName: 'by-hand', status: 'READY' })
    const sent = effects(world)
    const text = expect.stringMatching(/^Instance\/worker cannot be deleted: K3sNode \d+ needs it, and is in no state$/)
    await expect(world.applySaved(cluster, saved(plan))).rejects.toMatchObject({ exitCode: 6, diagnostics: [{ summary: text }] })
    expect(sent).toEqual([])
  })
  test('goes with it where the service is not said to refuse that', async () => {
    const world = createWorld()
    const texts = (plan: string) => all(worker(plan), cluster, node('lifecycle: { ignore_changes: [/instance] }'))
    await world.apply(texts('ryzen-2'))
    const { plan } = await world.plan(texts('ryzen-4'))
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
    expect((await world.apply(texts('ryzen-4'))).exitCode).toBe(0)
  })
})

describe('a prefix that is announced and in no state', () => {
  const session = manifest('BgpConfiguration', 'main', 'asn: 64512\nmax_prefixes: 4')
  const prefix = (name: string, range = '203.0.113.0/24') => manifest('BgpPrefix', name, `prefix: ${range}\nenabled: true\ncommunity: DEFAULT`)
  const forgotten = async () => {
    const world = createWorld()
    await world.apply(all(session, prefix('p')))
    await world.apply(files('removed: [{ address: BgpPrefix/p, destroy: false }]', session))
    return world
  }
  test.each(['203.0.113.0/24', '203.0.113.9/24'])('is not asked for again as %s: the plan names the import', async (range) => {
    const world = await forgotten()
    const sent = effects(world)
    const done = await world.apply(all(session, prefix('q', range)))
    const id = world.sandbox.world.tables.bgpPrefixes.all()[0]?.id ?? ''
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toEqual([`exists BgpPrefix/q: such a BgpPrefix exists already (id ${id}) and is in no state of this project`])
    expect(done.plan.diagnostics[0]?.hint).toBe(`take it over with: iac import 'BgpPrefix/q' ${id}`)
  })
  test('announced since the plan was made, it is told by the apply, with the import', async () => {
    const world = createWorld()
    await world.apply(session)
    const { plan } = await world.plan(all(session, prefix('q')))
    const { bgpConfigurations, bgpPrefixes } = world.sandbox.world.tables
    for (const { workspaceId } of bgpConfigurations.all())
      bgpPrefixes.insert({ workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' })
    const done = await world.applySaved(all(session, prefix('q')), saved(plan))
    expect(done.outcome?.failed).toMatchObject([{ code: 'exists' }])
  })
  test('forgotten and made again in one plan is one error', async () => {
    const world = createWorld()
    await world.apply(all(session, prefix('p')))
    const { plan } = await world.plan(files('removed: [{ address: BgpPrefix/p, destroy: false }]', session, prefix('q')))
    expect(said(plan)).toEqual(['plan_impossible BgpPrefix/q cannot get its prefix: BgpPrefix/p has it, and is forgotten and stays'])
  })
  test('replaced, the old one goes first', async () => {
    const world = createWorld()
    await world.apply(all(session, prefix('p')))
    const done = await world.apply(all(session, prefix('p')), { replace: ['BgpPrefix/p'] })
    expect([done.exitCode, brief(done.plan)]).toEqual([0, ['replace BgpPrefix/p (requested): delete, create']])
  })
})

test('--target of what iac.yaml says is removed may be said again', async () => {
  const world = createWorld()
  await world.apply(all(instance('web-1'), vpc('main')))
  const texts = files('removed: [{ address: "Instance/web-*", destroy: false }]', vpc('main'))
  for (const action of [['forget Instance/web-1 (removed): '], []]) {
    const done = await world.apply(texts, { targets: ['Instance/web-1'] })
    expect([done.exitCode, brief(done.plan), said(done.plan)]).toEqual([0, action, []])
  }
  const other = await world.plan(texts, { targets: ['Instance/api'] })
  expect(said(other.plan)).toEqual(['usage --target Instance/api fits no resource'])
})
