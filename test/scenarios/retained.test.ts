// What is to be retained outlives its manifest and a destroy, with all that it lives on, and its old halves go all the same.
import { describe, expect, test } from 'vitest'
import { destroySentence } from '../../src/cli/render/plan/plan-counts.ts'
import type { Change, Plan } from '../../src/engine/model/plan-data.ts'
import { withHash } from '../../src/engine/plan/plan.ts'
import type { MemoryDiskOptions } from '../../src/state/backends/local/memory-file-system.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, files, instance, project, rule, said, saved, service, vpc } from './stage.ts'

const retain = 'lifecycle: { on_remove: retain }'
const web = (metadata = '') => instance('web', 'vpcs: [main]', metadata)
const ssh = (metadata = '') => rule('ssh', 'action: ACCEPT\nport_start: 22', metadata)
const disk = (metadata = '') => manifest('Disk', 'data', 'name: data\nsize: 10GiB\nbackend: CEPH\nregion: fra-1\ninstance: web', metadata)
const key = manifest('SshKey', 'ops', 'name: ops-team\npublic_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7zX1VYh0bJ6yq3c0e0oQk0wqI3y9m0f5c1a2b3c4d5')

/** What is declared, what a destroy forgets, and what it deletes. */
const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['a VPC', all(vpc('main', '10.20.0.0/24', retain), web()), ['Vpc/main'], ['Instance/web']],
  [
    'an instance, its VPC and keys',
    all(vpc('main'), vpc('other', '10.30.0.0/24'), web(retain), ssh(), key),
    ['Instance/web', 'SshKey/ops', 'Vpc/main'],
    ['FirewallRule/ssh', 'Vpc/other'],
  ],
  ['a rule, its instance and the VPC of that', all(vpc('main'), web(), ssh(retain)), ['FirewallRule/ssh', 'Instance/web', 'Vpc/main'], []],
  [
    'a disk and the instance that it is attached to',
    all(vpc('main'), instance('web'), instance('api'), disk(retain)),
    ['Disk/data', 'Instance/web'],
    ['Instance/api', 'Vpc/main'],
  ],
  [
    'a membership, the instance and the VPC',
    all(vpc('main'), instance('web'), attachment('a', 'web', 'main').replace('name: a\n', `name: a\n  ${retain}\n`)),
    ['Instance/web', 'Vpc/main', 'VpcAttachment/a'],
    [],
  ],
  [
    'a service, its node, secret and cluster',
    all(cluster('A: b'), service('shop', '', retain), vpc('main')),
    ['Instance/worker', 'K3sCluster/main', 'K3sNode/worker', 'K3sSecret/db', 'K3sService/shop'],
    ['Vpc/main'],
  ],
  [
    'a secret and its cluster',
    all(cluster('A: b').replace('name: db\n', `name: db\n  ${retain}\n`)),
    ['K3sCluster/main', 'K3sSecret/db'],
    ['Instance/worker', 'K3sNode/worker'],
  ],
]

const addresses = (plan: Plan, action: Change['action']) => plan.changes.flatMap((one) => (one.action === action ? [one.address] : [])).toSorted()

describe('a destroy with on_remove: retain', () => {
  test.each(cases)('forgets %s and deletes the rest, once and when it is asked again', async (_, texts, forgotten, deleted) => {
    const world = createWorld()
    expect((await world.apply(texts)).exitCode).toBe(0)
    const { plan } = await world.plan(texts, { destroy: true })
    expect([addresses(plan, 'forget'), addresses(plan, 'delete')]).toEqual([forgotten, deleted])
    const done = await world.destroy(texts)
    expect([done.exitCode, done.outcome]).toMatchObject([0, { forgotten: forgotten.length, destroyed: deleted.length }])
    expect(done.document.resources).toEqual([])
    expect(done.outcome && destroySentence(done.outcome)).toContain(`, ${forgotten.length} forgotten (${forgotten.join(', ')}).`)
    const sent = effects(world)
    expect((await world.destroy(texts)).exitCode).toBe(0)
    expect(sent).toEqual([])
  })
  test('names what stays with what', async () => {
    const world = createWorld()
    const texts = all(vpc('main'), web(), ssh(retain))
    await world.apply(texts)
    expect(said((await world.plan(texts, { destroy: true })).plan)).toEqual([
      'note Instance/web is forgotten and stays: FirewallRule/ssh, which is to be retained, needs it',
      'note Vpc/main is forgotten and stays: FirewallRule/ssh, which is to be retained, needs it',
    ])
  })
  test('goes by what is live: a disk that somebody attached keeps its instance', async () => {
    const world = createWorld()
    const loose = disk(retain).replace(/\n\s*instance: web/, '')
    await world.apply(all(instance('web'), instance('api'), loose))
    const one = world.sandbox.world.tables.disks.all().find((row) => row.name === 'data')
    const on = world.sandbox.world.tables.instances.all().find((row) => row.name === 'web')
    world.sandbox.world.tables.disks.update(one?.id ?? '', { instanceId: on?.id ?? null })
    const { plan } = await world.plan('', { destroy: true })
    expect([addresses(plan, 'forget'), addresses(plan, 'delete')]).toEqual([['Disk/data', 'Instance/web'], ['Instance/api']])
  })
  test('heeds a manifest that says so since the last apply, and one that is gone', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24', retain)))
    const { plan } = await world.plan(vpc('main', '10.20.0.0/24', retain), { destroy: true })
    expect(addresses(plan, 'forget')).toEqual(['Vpc/main', 'Vpc/other'])
  })
  test('yields to a removed block that destroys', async () => {
    const world = createWorld()
    await world.apply(vpc('main', '10.20.0.0/24', retain))
    expect((await world.destroy(files('removed: [{ address: Vpc/main, destroy: true }]'))).outcome).toMatchObject({ destroyed: 1, forgotten: 0 })
  })
  test('is not held back by protection of what stays', async () => {
    const world = createWorld()
    const texts = all(vpc('main', '10.20.0.0/24', 'lifecycle: { prevent_destroy: true }'), web(retain))
    await world.apply(texts)
    expect((await world.destroy(texts)).outcome).toMatchObject({ destroyed: 0, forgotten: 2 })
  })
  test('leaves alone what is left out, and keeps what that would have kept', async () => {
    const world = createWorld()
    const texts = all(vpc('main'), web(retain), key)
    await world.apply(texts)
    const { plan } = await world.plan(texts, { destroy: true, excludes: ['Instance/web'] })
    expect(brief(plan)).toEqual(['delete SshKey/ops (requested): delete'])
    const target = await world.plan(texts, { destroy: true, targets: ['Vpc/main'] })
    expect(addresses(target.plan, 'forget')).toEqual(['Instance/web', 'Vpc/main'])
  })
})

describe('manifests that go with one of on_remove: retain', () => {
  const rest = vpc('rest', '10.90.0.0/24')

  // An instance lets go of its disks and addresses before it goes.
  const released = 'a disk and the instance that it is attached to'
  test.each(cases.filter(([title]) => title !== released))('leave %s in place, and nothing for the next apply', async (_, texts, forgotten, deleted) => {
    const world = createWorld()
    expect((await world.apply(all(texts, rest))).exitCode).toBe(0)
    const { plan } = await world.plan(rest)
    expect([addresses(plan, 'forget'), addresses(plan, 'delete')]).toEqual([forgotten, deleted])
    const done = await world.apply(rest)
    expect([done.exitCode, done.outcome]).toMatchObject([0, { forgotten: forgotten.length, destroyed: deleted.length }])
    expect(brief((await world.plan(rest)).plan)).toEqual([])
  })
  test('leave a disk in place, and nothing of the instance that it is attached to', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), disk(retain), rest))
    const { plan } = await world.plan(rest)
    expect([addresses(plan, 'forget'), addresses(plan, 'delete')]).toEqual([['Disk/data'], ['Instance/web']])
    expect((await world.applySaved(rest, saved(plan))).exitCode).toBe(0)
    expect(world.sandbox.world.tables.disks.all()).toMatchObject([{ name: 'data', instanceId: null }])
  })
  test('say what stays with what', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web(), ssh(retain), rest))
    expect(said((await world.plan(rest)).plan)).toEqual([
      'note Instance/web is forgotten and stays: FirewallRule/ssh, which is to be retained, needs it',
      'note Vpc/main is forgotten and stays: FirewallRule/ssh, which is to be retained, needs it',
    ])
  })
  test('change nothing of what is still declared', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web(retain)))
    expect(brief((await world.plan(vpc('main'))).plan)).toEqual(['forget Instance/web (removed): '])
  })
  test('warn of what is replaced under it', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web(retain)))
    const { plan } = await world.plan(vpc('main', '10.21.0.0/24'))
    expect(addresses(plan, 'replace')).toEqual(['Vpc/main'])
    expect(said(plan)).toContain('plan_impossible Vpc/main cannot be replaced: Instance/web is attached to it, and is left as it is by this plan')
    expect(said(plan)).toEqual(
      expect.arrayContaining(['advice Vpc/main is replaced, and its old object would have to stay: Instance/web, which is to be retained, needs it']),
    )
    const way = 'let a first apply go with a manifest of Instance/web that no longer names Vpc/main, and forget only then'
    expect(plan.diagnostics.find((one) => one.code === 'plan_impossible')?.hint).toContain(way)
    expect((await world.plan('')).plan.diagnostics.find((one) => one.code === 'note')?.hint).toContain(way)
    await world.apply(all(vpc('main'), web(retain).replace('[main]', '[]')))
    expect((await world.apply(vpc('main', '10.21.0.0/24'))).exitCode).toBe(0)
  })
  test.each([
    ['carried out as it is', undefined, undefined],
    ['refused where it deletes what stays', 'Vpc/main', { action: 'delete', reason: 'removed', steps: ['delete'], disruption: 'data_loss' }],
    ['refused where it forgets what nothing needs', 'Vpc/other', { action: 'forget', reason: 'removed', steps: [], disruption: 'none' }],
  ] as const)('make a plan that is %s from its file', async (_, address, change) => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24'), web(retain), rest))
    const { plan } = await world.plan(rest)
    const kept = address === undefined ? plan : alter(plan, address, change, change.action === 'delete' ? 1 : -1)
    const done = world.applySaved({ 'iac.yaml': project(), 'main.yaml': rest }, saved(kept))
    if (address !== undefined) return expect(done).rejects.toMatchObject({ exitCode: 6 })
    return expect(await done).toMatchObject({ exitCode: 0, outcome: { forgotten: 2, destroyed: 1 } })
  })
})

describe('an old half of what is retained', () => {
  const rest = vpc('rest', '10.90.0.0/24')
  const first = (more: string) => vpc('main', '10.20.0.0/24', `lifecycle: { create_before_destroy: true${more} }`)
  /** A VPC whose old half could not be deleted. */
  async function halved(more: string) {
    const world = createWorld()
    await world.apply(all(first(more), rest))
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
    const { document } = await world.apply(all(first(more).replace('10.20', '10.21'), rest))
    expect(document.resources[0]?.deposed).toHaveLength(1)
    return world
  }
  /** A VPC whose successor was made, and not seen to be ready. */
  async function beside(more: string, since = '') {
    const world = createWorld()
    await world.apply(all(first(more), rest))
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createVpc') return undefined
      world.fileSystem.crash('kill')
      return { reset: 'after' }
    }
    const changed = (lifecycle: string) => all(first(lifecycle).replace('10.20', '10.21'), rest)
    await world.apply(changed(more)).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    const { document } = await world.apply(changed(`${more}${since}`), { targets: ['Vpc/rest'] })
    expect(document.resources[0]).toMatchObject({ address: 'Vpc/main', status: 'creating', protected: since !== '', deposed: [{}] })
    return world
  }
  /** A server with a retained address, and an old half of it whose deletion is only scheduled. */
  async function scheduled(hook?: MemoryDiskOptions['hook']) {
    const world: World = createWorld({ fileSystem: { hook }, sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
    const texts = all(instance('web'), manifest('FloatingIp', 'web', 'type: IPv4\nregion: fra-1\nddos: false\ninstance: web', retain))
    await world.apply(texts)
    const { document } = await world.apply(texts.replace('ryzen-4', 'ryzen-8'))
    const record = document.resources.find((one) => one.address === 'Instance/web')
    expect(record?.deposed).toHaveLength(1)
    return { world, web: record?.id ?? '' }
  }
  const servers = (world: World) => world.sandbox.world.tables.instances.all().map((one) => one.id)
  const ranges = (world: World) => world.sandbox.world.tables.vpcs.all().map((one) => one.range)

  test.each([
    ['its manifest is gone', ', on_remove: retain', files('', rest), {}],
    ['it is removed without being destroyed', '', files('removed: [{ address: Vpc/main, destroy: false }]', rest), {}],
    ['it is destroyed', ', on_remove: retain', files('', rest), { destroy: true, targets: ['Vpc/main'] }],
  ] as const)('is deleted before that is forgotten, by whichever run can (%s)', async (_, more, next, options) => {
    const world = await halved(more)
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
    expect((await world.apply(next, options)).exitCode).toBe(8)
    expect((await world.document())?.resources[0]).toMatchObject({ address: 'Vpc/main', deposed: [{}] })
    expect(await world.apply(next, options)).toMatchObject({ exitCode: 0, outcome: { destroyed: 1, forgotten: 1 } })
    expect([ranges(world), (await world.document())?.resources.length]).toEqual([['10.90.0.0/24', '10.21.0.0/24'], 1])
  })
  test.each([
    ['its manifest is gone', ', on_remove: retain', files('', rest), {}],
    ['it is removed without being destroyed', '', files('removed: [{ address: Vpc/main, destroy: false }]', rest), {}],
    ['it is destroyed', ', on_remove: retain', files('', rest), { destroy: true, targets: ['Vpc/main'] }],
  ] as const)('stays while its successor is still being made, which goes (%s)', async (_, more, next, options) => {
    for (const isSaved of [false, true]) {
      const world = await beside(more)
      const { plan } = await world.plan(next, options)
      expect(brief(plan)).toEqual([`delete Vpc/main (${'destroy' in options ? 'requested' : 'removed'}): delete`, 'forget Vpc/main (removed): '])
      const done = isSaved ? await world.applySaved(next, saved(plan)) : await world.apply(next, options)
      expect(done).toMatchObject({ exitCode: 0, outcome: { destroyed: 1, forgotten: 1 } })
      expect(ranges(world).toSorted()).toEqual(['10.20.0.0/24', '10.90.0.0/24'])
      expect((await world.document())?.resources.map((one) => one.address)).toEqual(['Vpc/rest'])
    }
  })
  test.each(['refused', 'before', 'after'] as const)('is not forgotten before its successor has gone, whose deletion fails first (%s)', async (way) => {
    const world = await beside(', on_remove: retain', ', prevent_destroy: true')
    if (way === 'refused') world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422, times: 'always' })
    else
      world.sandbox.faults.hook = ({ operation }) => {
        if (operation !== 'deleteVpc') return undefined
        world.fileSystem.crash('kill')
        return { reset: way }
      }
    expect((await world.apply(rest)).exitCode).not.toBe(0)
    world.sandbox.faults.hook = undefined
    world.sandbox.faults.list.length = 0
    expect((await world.document())?.resources[0]).toMatchObject({ address: 'Vpc/main' })
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect([ranges(world).toSorted(), brief((await world.plan(rest)).plan)]).toEqual([['10.20.0.0/24', '10.90.0.0/24'], []])
    expect((await world.document())?.resources.map((one) => one.address)).toEqual(['Vpc/rest'])
  })
  test('is deleted by the next run where one was killed at it', async () => {
    const world = await halved(', on_remove: retain')
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deleteVpc') return undefined
      world.fileSystem.crash('kill')
      return { reset: 'before' }
    }
    expect((await world.apply(rest)).exitCode).not.toBe(0)
    world.sandbox.faults.hook = undefined
    expect((await world.apply(rest)).exitCode).toBe(0)
    expect([ranges(world), brief((await world.plan(rest)).plan)]).toEqual([['10.90.0.0/24', '10.21.0.0/24'], []])
  })
  test('keeps that recorded while its deletion is only scheduled', async () => {
    const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
    const api = instance('api', '', retain)
    await world.apply(all(api, rest))
    await world.apply(all(api.replace('ryzen-4', 'ryzen-8'), rest))
    expect(await world.apply(rest)).toMatchObject({ exitCode: 0, outcome: { forgotten: 0 } })
    expect((await world.document())?.resources[0]).toMatchObject({ address: 'Instance/api', deposed: [{}] })
    await world.clock.advance(3_700_000)
    expect(await world.apply(rest)).toMatchObject({ exitCode: 0, outcome: { forgotten: 1 } })
    expect((await world.document())?.resources.map((one) => one.address)).toEqual(['Vpc/rest'])
  })
  test('of what stays because of it lets no later destroy delete that', async () => {
    const { world, web } = await scheduled()
    expect(await world.destroy('')).toMatchObject({ exitCode: 0, outcome: { destroyed: 0, staying: ['FloatingIp/web'] } })
    expect((await world.document())?.resources).toMatchObject([{ address: 'Instance/web', on_remove: 'retain', deposed: [{}] }])
    const { plan } = await world.plan('', { destroy: true })
    expect(brief(plan)).toEqual(['forget Instance/web (removed): '])
    expect(await world.applySaved({ 'iac.yaml': project() }, saved(plan))).toMatchObject({ exitCode: 0, outcome: { destroyed: 0 } })
    await world.clock.advance(3_700_000)
    expect(await world.destroy('')).toMatchObject({ exitCode: 0, outcome: { destroyed: 0, forgotten: 1 } })
    expect([(await world.document())?.resources, servers(world)]).toEqual([[], [web]])
  })
  test('of what stays because of it lets no destroy delete that after a kill before any write', async () => {
    let [left, point] = [Infinity, 0]
    for (;;) {
      const { world, web } = await scheduled(({ when, operation }) => {
        if (when === 'before' && operation === 'write' && (left -= 1) === 0) world.fileSystem.crash('kill')
      })
      left = point += 1
      await world.destroy('').catch(() => undefined)
      if (left > 0) break
      left = Infinity
      expect((await world.destroy('')).outcome).toMatchObject({ destroyed: 0 })
      expect((await world.destroy('')).exitCode).toBe(0)
      await world.clock.advance(3_700_000)
      await world.destroy('')
      expect([(await world.document())?.resources, servers(world)]).toEqual([[], [web]])
    }
    expect(point).toBeGreaterThan(3)
  })
  test('is deleted where the object that took its place is gone, and a refresh has recorded that', async () => {
    const world = await halved(', on_remove: retain')
    const { vpcs } = world.sandbox.world.tables
    for (const one of vpcs.all()) if (one.range === '10.21.0.0/24') vpcs.delete(one.id)
    await world.refresh(rest)
    expect((await world.apply(rest)).outcome).toMatchObject({ destroyed: 1, forgotten: 0 })
    expect(ranges(world)).toEqual(['10.90.0.0/24'])
  })
})

/** The plan with one of its ends turned into the other, counted and hashed anew. */
function alter(plan: Plan, address: string, change: Partial<Change>, by: 1 | -1): Plan {
  const summary = { ...plan.summary, delete: plan.summary.delete + by, forget: plan.summary.forget - by }
  return withHash({ ...plan, summary, changes: plan.changes.map((one) => (one.address === address ? { ...one, ...change } : one)) })
}

describe('a saved plan to destroy', () => {
  const texts = all(vpc('main'), vpc('other', '10.30.0.0/24'), web(), ssh(retain))
  test.each([{}, { unread: true }])('keeps the same (%j)', async (options) => {
    const world = createWorld()
    await world.apply(texts)
    const { plan } = await world.plan(texts, { destroy: true, ...options })
    const done = await world.applySaved({ 'iac.yaml': project() }, saved(plan))
    expect([done.exitCode, done.outcome]).toMatchObject([0, { forgotten: 3, destroyed: 1 }])
  })
  test.each([
    ['deletes what something that stays lives on', 'Vpc/main', { action: 'delete', reason: 'requested', steps: ['delete'], disruption: 'data_loss' }, 1],
    ['forgets what nothing needs', 'Vpc/other', { action: 'forget', reason: 'removed', steps: [], disruption: 'none' }, -1],
  ] as const)('is refused where it %s', async (_, address, change, by) => {
    const world = createWorld()
    await world.apply(texts)
    const sent = effects(world)
    const { plan } = await world.plan(texts, { destroy: true })
    const forged = alter(plan, address, change, by)
    await expect(world.applySaved({ 'iac.yaml': project() }, saved(forged))).rejects.toMatchObject({ exitCode: 6 })
    expect(sent).toEqual([])
  })
})
