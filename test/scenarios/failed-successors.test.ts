// A replacement whose new half never became ready: the old half is the object again, and the new one is what goes.
import { describe, expect, test } from 'vitest'
import { encodeDocument } from '../../src/state/document.ts'
import type { ResourceRecord } from '../../src/state/record.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, saved } from './stage.ts'

const first = 'create_before_destroy: true'
const kept = `${first}, prevent_destroy: true`
const web = (plan: string, lifecycle = first) => instance('web', '', lifecycle === '' ? '' : `lifecycle: { ${lifecycle} }`).replace('ryzen-4', plan)
const disk = manifest('Disk', 'data', 'instance: web\nsize: 10GiB\nbackend: LOCAL\nregion: fra-1')
const servers = (world: World) => world.sandbox.world.tables.instances.all()
const states = (world: World) => servers(world).map((one) => one.state)
const recordOf = (resources: readonly ResourceRecord[]) => resources.find(({ kind }) => kind === 'Instance')
const failure = () => ({ operation: 'createInstance', workflow: { outcome: 'FAILED', leaves: 'failed' } }) as const

/** A server whose successor failed, with what stands beside it; without a lifecycle the plan picks create-first for the disk's sake. */
async function stage(more = '', lifecycle = first) {
  const world = createWorld()
  const texts = (plan: string, other = lifecycle) => all(web(plan, other), more)
  const before = recordOf((await world.apply(texts('ryzen-4'))).document.resources)
  world.sandbox.faults.list.push(failure())
  const done = await world.apply(texts('ryzen-8'))
  return { world, texts, before, done, record: recordOf(done.document.resources) }
}

/** The record as earlier versions left it, or as a run leaves it that is not done: the new object in front. */
async function putInFront({ world, before, record }: Awaited<ReturnType<typeof stage>>, status: ResourceRecord['status']) {
  const document = await world.document()
  if (!document || !before || !record) throw new Error('nothing is recorded')
  const [successor] = record.deposed
  const old = { id: before.id, spec: before.spec, depends_on: before.depends_on }
  const whole = { ...record, id: successor?.id ?? '', spec: successor?.spec ?? {}, outputs: {}, status, deposed: [old] }
  const resources = document.resources.map((one) => (one.kind === 'Instance' ? whole : one))
  world.fileSystem.put('/project/.iac/state.json', encodeDocument({ ...document, resources }))
}

describe.each([
  ['by its lifecycle', '', first],
  ['since a disk is on it', disk, ''],
])('a successor, made first %s, that failed', (_, more, lifecycle) => {
  test('leaves the record with the old object, and is itself what goes', async () => {
    const { world, texts, before, done, record } = await stage(more, lifecycle)
    expect([done.exitCode, states(world)]).toEqual([8, ['AVAILABLE', 'FAILED']])
    expect(record).toEqual({ ...before, deposed: [expect.objectContaining({ id: servers(world)[1]?.id, status: 'failed' })] })
    for (const how of [lifecycle, kept]) expect(brief((await world.plan(texts('ryzen-4', how))).plan)).toEqual(['delete Instance/web (resumed): delete'])
    const sent = effects(world)
    expect(await world.apply(texts('ryzen-4', kept), {}, { maxDestroy: 0 })).toMatchObject({ exitCode: 0, outcome: { added: 0, destroyed: 1 } })
    expect([sent, servers(world).map((one) => one.id)]).toEqual([['deleteInstance'], [before?.id]])
    expect(said((await world.plan(texts('ryzen-4', kept))).plan)).toEqual([])
  })

  test('counts for no budget of a saved plan either', async () => {
    const { world, texts, before } = await stage(more, lifecycle)
    const next = files('guards: { max_destroy: 0 }', texts('ryzen-4'))
    const { plan } = await world.plan(next)
    expect(await world.applySaved(next, saved(plan))).toMatchObject({ exitCode: 0, outcome: { added: 0, destroyed: 1 } })
    expect(servers(world).map((one) => one.id)).toEqual([before?.id])
  })

  test('is replaced by another one when it is gone on with, also by a saved plan, the old one going last', async () => {
    for (const isSaved of [false, true]) {
      const { world, texts, before } = await stage(more, lifecycle)
      const next = texts('ryzen-8')
      const { plan } = await world.plan(next)
      expect(brief(plan)).toContainEqual(expect.stringMatching(/^\+\/- replace Instance\/web \(immutable_field\): create,/))
      expect(brief(plan)).toContain('delete Instance/web (resumed): delete')
      const seen: string[][] = []
      world.sandbox.faults.hook = ({ operation, path }) => {
        if (operation === 'deleteInstance' && path.includes(before?.id ?? '-')) seen.push(states(world))
        return undefined
      }
      expect((await (isSaved ? world.applySaved(next, saved(plan)) : world.apply(next))).exitCode).toBe(0)
      expect([seen.length > 0, seen.every((one) => one.filter((state) => state === 'AVAILABLE').length === 2), states(world)]).toEqual([
        true,
        true,
        ['AVAILABLE'],
      ])
      expect(brief((await world.plan(next)).plan)).toEqual([])
    }
  })

  test('and again goes with the one that failed before', async () => {
    const { world, texts, before } = await stage(more, lifecycle)
    world.sandbox.faults.list.push({ operation: 'deleteInstance', status: 403, times: 'always' }, failure())
    const again = await world.apply(texts('ryzen-8'))
    expect(recordOf(again.document.resources)).toMatchObject({ id: before?.id, status: 'ready', deposed: [{ status: 'failed' }, { status: 'failed' }] })
    world.sandbox.faults.list.length = 0
    expect(await world.apply(texts('ryzen-4', kept))).toMatchObject({ exitCode: 0, outcome: { added: 0, destroyed: 2 } })
    expect(servers(world).map((one) => one.id)).toEqual([before?.id])
  })

  test('and was deleted by hand is forgotten', async () => {
    const { world, texts, before } = await stage(more, lifecycle)
    world.sandbox.world.tables.instances.delete(servers(world)[1]?.id ?? '')
    expect(brief((await world.plan(texts('ryzen-4'))).plan)).toEqual([])
    const done = await world.apply(texts('ryzen-4', kept))
    expect([done.exitCode, recordOf(done.document.resources)]).toEqual([0, { ...before, protected: true, deposed: [] }])
  })
})

test('what names the server goes on naming the old one', async () => {
  const { world, texts, before, done } = await stage(disk)
  expect(done.document.resources.find(({ kind }) => kind === 'Disk')?.spec['instance']).toBe(before?.id)
  expect(world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')?.instanceId).toBe(before?.id)
  expect((await world.apply(texts('ryzen-4'))).exitCode).toBe(0)
  expect(world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')?.instanceId).toBe(before?.id)
})

test('a run that was killed leaves the same', async () => {
  const world = createWorld()
  await world.apply(web('ryzen-4'))
  world.sandbox.faults.list.push(failure())
  const stop = new AbortController()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'getWorkflow') stop.abort()
    return undefined
  }
  const before = recordOf((await world.document())?.resources ?? [])
  await world.apply(web('ryzen-8'), {}, { stop: stop.signal })
  world.sandbox.faults.hook = undefined
  const done = await world.apply(web('ryzen-4', kept))
  expect([done.exitCode, brief(done.plan), servers(world).map((one) => one.id)]).toEqual([0, ['delete Instance/web (resumed): delete'], [before?.id]])
  expect(done.document.resources).toEqual([{ ...before, protected: true }])
})

describe('a state in which the failed one stands in front', () => {
  test('is read as one in which the old one does', async () => {
    const staged = await stage()
    await putInFront(staged, 'failed')
    const { world, before } = staged
    expect(brief((await world.plan(web('ryzen-4', kept))).plan)).toEqual(['delete Instance/web (resumed): delete'])
    expect((await world.apply(web('ryzen-4', kept))).exitCode).toBe(0)
    expect(servers(world).map((one) => one.id)).toEqual([before?.id])
  })
  test('keeps the old one, too, where the other is gone', async () => {
    const staged = await stage()
    await putInFront(staged, 'failed')
    const { world, before } = staged
    world.sandbox.world.tables.instances.delete(servers(world)[1]?.id ?? '')
    expect((await world.apply(web('ryzen-4'))).exitCode).toBe(0)
    expect(servers(world).map((one) => one.id)).toEqual([before?.id])
  })
})

describe('an old half whose successor is gone', () => {
  async function gone(status: ResourceRecord['status']) {
    const staged = await stage()
    await putInFront(staged, status)
    staged.world.sandbox.world.tables.instances.delete(servers(staged.world)[1]?.id ?? '')
    return staged
  }
  test('before it was ready is the object again', async () => {
    const { world, before } = await gone('creating')
    const { plan } = await world.plan(web('ryzen-4', kept))
    expect(brief(plan)).toEqual([])
    await expect(world.applySaved(web('ryzen-4', kept), saved(plan))).rejects.toMatchObject({ exitCode: 6 })
    const done = await world.apply(web('ryzen-4', kept))
    expect([done.exitCode, brief(done.plan), servers(world).map((one) => one.id)]).toEqual([0, [], [before?.id]])
    expect(done.document.resources).toMatchObject([{ id: before?.id, status: 'ready', deposed: [] }])
  })
  test('and was ready is protected until another one is', async () => {
    const { world, before } = await gone('ready')
    const refused = await world.apply(web('ryzen-8', kept))
    expect([refused.exitCode, states(world)]).toEqual([5, ['AVAILABLE']])
    expect(said(refused.plan)).toContain(`guard_protected Instance/web (old object ${before?.id}) would be destroyed, and prevent_destroy protects it`)
    world.sandbox.faults.list.push(failure())
    expect([(await world.apply(web('ryzen-8'))).exitCode, states(world)]).toEqual([8, ['AVAILABLE', 'FAILED']])
    expect((await world.apply(web('ryzen-4', kept))).exitCode).toBe(0)
    expect(servers(world).map((one) => one.id)).toEqual([before?.id])
  })
})

test('an old half is protected while its successor is not done', async () => {
  const staged = await stage()
  await putInFront(staged, 'creating')
  const { world } = staged
  world.sandbox.world.tables.instances.update(servers(world)[1]?.id ?? '', { state: 'AVAILABLE', online: true })
  expect((await world.apply(web('ryzen-8', kept))).exitCode).toBe(5)
  expect(states(world)).toEqual(['AVAILABLE', 'AVAILABLE'])
  expect(await world.apply(web('ryzen-8'))).toMatchObject({ exitCode: 0, outcome: { destroyed: 1 } })
})

test('a successor that failed goes before the next one where only one can be, whatever waits for that', async () => {
  const world = createWorld()
  const shop = manifest('K3sService', 'shop', 'image: shop:1\nmode: PINNED\ntarget_instances: [worker]')
  const texts = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'), shop)
  expect((await world.apply(texts)).exitCode).toBe(0)
  const next = texts.replace('ryzen-4', 'ryzen-8').replace('shop:1', 'shop:2')
  world.sandbox.world.courses.push({ operation: 'k3s.node.create', outcome: 'TIMED_OUT', leaves: 'failed' })
  expect((await world.apply(next)).exitCode).toBe(8)
  const sent = effects(world)
  expect(await world.apply(next)).toMatchObject({ exitCode: 0, outcome: { failed: [] } })
  expect(sent).toEqual(['deleteK3sNode', 'createK3sNode', 'updateK3sService', 'deleteK3sNode', 'deleteInstance'])
  expect(brief((await world.plan(next)).plan)).toEqual([])
})
