// Fields that ignore_changes names and of which neither live nor the state tells anything: nothing is done for them, and a making takes them.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, said, saved, service } from './stage.ts'

const ignoring = (...pointers: readonly string[]) => `lifecycle: { ignore_changes: [${pointers.join(', ')}] }`
const addresses = 'ips: [{ family: IPv4, ddos: true }]\n'
const bare = instance('web')
const ignored = (spec = '') => instance('web', `${addresses}${spec}`, ignoring('/ips'))
const recorded = async (world: Pick<World, 'document'>, address = 'Instance/web') =>
  (await world.document())?.resources.find((one) => one.address === address)?.spec
const bodies = (world: World): string[] => {
  const out: string[] = []
  world.sandbox.faults.hook = ({ operation, body }) => {
    if (operation === 'createInstance') out.push(String(body))
    return undefined
  }
  return out
}

describe('a field that no update can change', () => {
  test('replaces nothing where it is declared later, and comes into the state no more than into requests', async () => {
    const world = createWorld()
    expect((await world.apply(bare)).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(ignored())
    expect([done.exitCode, brief(done.plan), said(done.plan), done.plan.drift, sent]).toEqual([0, [], [], [], []])
    const renamed = await world.apply(ignored('name: other\n'))
    expect([renamed.exitCode, brief(renamed.plan), sent]).toEqual([0, ['update Instance/web (changed): update'], ['updateInstance']])
    expect(await recorded(world)).not.toHaveProperty('ips')
    expect(brief((await world.plan(ignored('name: other\n'), { unread: true })).plan)).toEqual([])
    // Ignored no more, it counts.
    expect((await world.plan(instance('web', addresses))).plan.changes).toMatchObject([{ action: 'replace', replace_paths: ['/ips'] }])
  })
  test('replaces nothing where the object was taken over before it was declared', async () => {
    const world = createWorld()
    const { document } = await world.apply(bare)
    const other = world.beside()
    await other.importObject(bare, 'Instance/web', document.resources[0]?.id ?? '')
    expect(brief((await other.plan(ignored())).plan)).toEqual([])
  })
  test('is taken as declared where it is declared when the object is taken over', async () => {
    const world = createWorld()
    const { document } = await world.apply(bare)
    const other = world.beside()
    await other.importObject(ignored(), 'Instance/web', document.resources[0]?.id ?? '')
    expect(brief((await other.plan(ignored().replace('true', 'false'))).plan)).toEqual([])
  })
  test('breaks no rule of the kind where it stands in the place of what is there', async () => {
    const world = createWorld()
    await world.apply(bare)
    const elsewhere = ignored('name: other\n').replace('region: fra-1', 'node: { id: "77" }').replace('[/ips]', '[/ips, /node]')
    const { plan } = await world.plan(elsewhere)
    expect([brief(plan), plan.diagnostics.filter((one) => one.severity === 'error')]).toEqual([['update Instance/web (changed): update'], []])
    expect((await world.applySaved(elsewhere, saved(plan))).exitCode).toBe(0)
    // Made anew it stands where the manifest says.
    const anew = await world.plan(elsewhere, { replace: ['Instance/web'] })
    expect(anew.plan.changes).toMatchObject([{ action: 'replace', replace_paths: [], after: { node: '77' } }])
  })

  const larger = ignored().replace('ryzen-4', 'ryzen-8')
  test.each([
    ['what another field replaces', larger, {}, ['/plan']],
    ['what is replaced as it was asked for', ignored(), { replace: ['Instance/web'] }, []],
  ])('goes with %s, and is no reason for it', async (_, texts, options, paths) => {
    for (const way of ['applied', 'saved'] as const) {
      const world = createWorld()
      await world.apply(bare)
      const { plan } = await world.plan(texts, options)
      expect(plan.changes).toMatchObject([{ action: 'replace', replace_paths: paths, after: { ips: [{ family: 'IPv4', ddos: true }] } }])
      const made = bodies(world)
      const done = way === 'saved' ? await world.applySaved(texts, saved(plan)) : await world.apply(texts, options)
      expect([way, done.exitCode, made]).toEqual([way, 0, [expect.stringContaining('"ips"')]])
      expect(await recorded(world)).toHaveProperty('ips')
    }
  })
  test('goes with what is made, or made again since it is gone', async () => {
    const world = createWorld()
    const made = bodies(world)
    expect((await world.apply(ignored())).exitCode).toBe(0)
    for (const { id } of world.sandbox.world.tables.instances.all()) world.sandbox.world.tables.instances.delete(id)
    expect((await world.apply(ignored())).exitCode).toBe(0)
    expect(made).toEqual([expect.stringContaining('"ips"'), expect.stringContaining('"ips"')])
  })
  test.each([
    ['nothing shows', ignored('uefi: true\n')],
    ['the service shows', instance('web', 'uefi: true\n', ignoring('/node')).replace('region: fra-1', 'node: { id: "77" }')],
  ])('is no reason to make anew what a making began without it, where %s it', async (_, texts) => {
    for (const way of ['applied', 'saved'] as const) {
      const world = createWorld()
      world.sandbox.faults.hook = ({ operation }) => {
        if (operation !== 'updateInstance') return undefined
        world.fileSystem.crash('kill')
        return { reset: 'before' }
      }
      await world.apply(instance('web', 'uefi: true\n')).catch(() => undefined)
      world.sandbox.faults.hook = undefined
      await world.refresh(instance('web', 'uefi: true\n'))
      const { plan } = await world.plan(texts)
      expect([brief(plan), (await world.document())?.resources]).toMatchObject([['update Instance/web (resumed): update, power on'], [{ status: 'creating' }]])
      const sent = effects(world)
      const done = way === 'saved' ? await world.applySaved(texts, saved(plan)) : await world.apply(texts)
      expect([way, done.exitCode, sent]).toEqual([way, 0, ['updateInstance', 'powerInstance']])
      expect(brief((await world.plan(texts)).plan)).toEqual([])
    }
  })
})

describe('a field that updates carry', () => {
  const node = cluster('A: b')
  const shop = (spec = '') => service('shop', spec, ignoring('/environment'))
  const environment = 'environment: { A: one }'

  test('is no reason for one', async () => {
    const world = createWorld()
    expect((await world.apply(all(node, service('shop')))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(all(node, shop(environment)))
    expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
  })
  test('goes with one that would clear unseen what was there when the object was taken over, and is no reason for it', async () => {
    const world = createWorld()
    const { document } = await world.apply(all(node, service('shop', environment.replace('one', 'theirs'))))
    const id = document.resources.find((one) => one.kind === 'K3sService')?.id ?? ''
    const forgotten = manifest('K3sService', 'shop', 'image: shop:1\nmode: SPREAD\ntarget_instances: [worker]\nsecret_refs: [db]')
    const other = world.beside()
    for (const one of document.resources.filter(({ kind }) => kind !== 'K3sService')) await other.importObject(all(node, forgotten), one.address, one.id)
    await other.importObject(all(node, forgotten), 'K3sService/shop', id)
    expect(brief((await other.plan(all(node, shop(environment)))).plan)).toEqual([])
    const next = all(node, shop(environment).replace('shop:1', 'shop:2'))
    const { plan } = await other.plan(next)
    expect([brief(plan), plan.changes.at(-1)?.after]).toEqual([
      ['update K3sService/shop (changed): update'],
      expect.objectContaining({ environment: { A: 'one' } }),
    ])
    expect((await other.applySaved(next, saved(plan))).exitCode).toBe(0)
    expect(await recorded(other, 'K3sService/shop')).toMatchObject({ environment: { A: 'one' } })
  })
})

describe('a part of a field', () => {
  const node = cluster('A: b')
  const shop = (spec: string, ...pointers: readonly string[]) => service('shop', spec, ignoring(...pointers))

  test('is no reason for an update where nothing of the field is known', async () => {
    const world = createWorld()
    expect((await world.apply(all(node, service('shop')))).exitCode).toBe(0)
    const sent = effects(world)
    for (const [spec, pointers] of [
      ['environment: { A: one }', ['/environment/A']],
      ['environment: { A: one, B: two }', ['/environment/A', '/environment/B']],
    ] as const) {
      const done = await world.apply(all(node, shop(spec, ...pointers)))
      expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
    }
  })
  test('stays out of an update for another part, and of the state', async () => {
    const world = createWorld()
    expect((await world.apply(all(node, service('shop')))).exitCode).toBe(0)
    const texts = all(node, shop('environment: { A: one, B: two }', '/environment/A'))
    const { plan } = await world.plan(texts)
    expect([brief(plan), plan.changes.at(-1)?.after]).toEqual([
      ['update K3sService/shop (changed): update'],
      expect.objectContaining({ environment: { B: 'two' } }),
    ])
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
    expect(await recorded(world, 'K3sService/shop')).toMatchObject({ environment: { B: 'two' } })
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('replaces nothing where no update can change the field, and goes with what is made anew', async () => {
    const world = createWorld()
    const app = (spec: string, metadata = '') => manifest('App', 'orders', `instance: web\ntemplate_id: { name: nginx }\nname: orders\n${spec}`, metadata)
    expect((await world.apply(all(instance('web'), app('')))).exitCode).toBe(0)
    const texts = all(instance('web'), app('environment: { A: one, B: null }', ignoring('/environment/A', '/environment/B')))
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    const anew = texts.replace('ryzen-4', 'ryzen-8')
    for (const { action, after } of (await world.plan(anew)).plan.changes) expect([action, after]).toEqual(['replace', expect.anything()])
    expect((await world.apply(anew)).exitCode).toBe(0)
    expect(world.sandbox.world.tables.apps.all().map((one) => one.environment['A'])).toEqual(['one'])
  })
  test('goes with an update that would clear unseen what was there when the object was taken over', async () => {
    const world = createWorld()
    const { document } = await world.apply(all(node, service('shop', 'environment: { A: theirs }')))
    const other = world.beside()
    for (const one of document.resources) await other.importObject(all(node, service('shop')), one.address, one.id)
    const texts = all(node, shop('environment: { A: one }', '/environment/A'))
    expect(brief((await other.plan(texts)).plan)).toEqual([])
    const { plan } = await other.plan(texts.replace('shop:1', 'shop:2'))
    expect([brief(plan), plan.changes.at(-1)?.after]).toEqual([
      ['update K3sService/shop (changed): update'],
      expect.objectContaining({ environment: { A: 'one' } }),
    ])
  })
})
