// What others change while an operation waits for another one: what the plan did not show is not done, the rest is carried out, and the run says so with 8.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, rule, saved, vpc } from './stage.ts'

const servers = all(instance('web', 'name: web'), instance('third', 'name: third'))
const disk = (spec = '', metadata = '') => manifest('Disk', 'data', `size: 20GiB\nbackend: LOCAL\nregion: fra-1\n${spec}`, metadata)
/** A rule that leaves before what it depends on does: while it does, others have their hands on that. */
const before = (what: string) =>
  rule('first', 'action: ACCEPT\nport_start: 80\npriority: 10', `depends_on: ["${what}"]`).replace('instance: web', 'instance: third')

const idOf = (world: World, name: string): string => world.sandbox.world.tables.instances.all().find((one) => one.name === name)?.id ?? ''
const diskIn = (world: World) => world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')
const moveTo = (world: World, instanceId: string | null) => void world.sandbox.world.tables.disks.update(diskIn(world)?.id ?? '', { instanceId })

/** Does something when the first request of an operation arrives, and notes those with an effect. */
function meanwhile(world: World, operation: string, act: () => void): string[] {
  const sent = effects(world)
  const { hook } = world.sandbox.faults
  let isDone = false
  world.sandbox.faults.hook = (request) => {
    if (request.operation === operation && !isDone) {
      isDone = true
      act()
    }
    return hook?.(request)
  }
  return sent
}

const failures = ({ outcome }: Awaited<ReturnType<World['apply']>>) => outcome?.failed.map((one) => [one.code, one.summary, one.detail])
const changed = (address: string, ...details: readonly string[]) => [['changed_elsewhere', `${address} has changed since it was planned`, details.join('; ')]]

describe('a disk that is to go', () => {
  const gone = all(servers, vpc('main').replace('of main', 'second'))
  const made = async (on: string) => {
    const world = createWorld()
    await world.apply(all(servers, vpc('main'), disk(on), before('Disk/data')))
    await world.clock.sleep(60_000)
    return world
  }

  test.each([
    ['nothing', '', ['detach: not planned (interruption)']],
    ['the server that the plan showed', 'instance: web', []],
  ])('stays where it was put into use elsewhere meanwhile, having hung on %s', async (_, on, steps) => {
    const world = await made(on)
    const [web, third] = [idOf(world, 'web'), idOf(world, 'third')]
    const sent = meanwhile(world, 'deleteFirewallRule', () => moveTo(world, third))
    const done = await world.apply(gone)
    const held = `instance: planned ${on === '' ? 'none' : web}, now ${third}`
    expect([done.exitCode, failures(done)]).toEqual([8, changed('Disk/data', held, ...steps)])
    expect(sent.toSorted()).toEqual(['deleteFirewallRule', 'updateVpc'])
    expect(diskIn(world)?.instanceId).toBe(third)
    expect(brief((await world.plan(gone)).plan)).toEqual(['delete Disk/data (removed): detach, delete'])
    expect((await world.apply(gone)).exitCode).toBe(0)
    expect(diskIn(world)).toBeUndefined()
  })

  test('stays by a saved plan, too', async () => {
    const world = await made('')
    const { plan } = await world.plan(gone)
    const sent = meanwhile(world, 'deleteFirewallRule', () => moveTo(world, idOf(world, 'third')))
    expect([(await world.applySaved(gone, saved(plan))).exitCode, sent.includes('detachDisk'), diskIn(world)?.instanceId]).toEqual([
      8,
      false,
      idOf(world, 'third'),
    ])
  })

  test('stays where it was moved between two steps of its own', async () => {
    const world = await made('instance: web')
    const sent = meanwhile(world, 'deleteDisk', () => moveTo(world, idOf(world, 'third')))
    const done = await world.apply(gone)
    expect([done.exitCode, failures(done)?.map(([code]) => code), diskIn(world)?.instanceId]).toEqual([8, ['changed_elsewhere'], idOf(world, 'third')])
    expect(sent.filter((one) => one === 'detachDisk')).toHaveLength(1)
  })

  test('goes where it was let go of meanwhile', async () => {
    const world = await made('instance: web')
    const sent = meanwhile(world, 'deleteFirewallRule', () => moveTo(world, null))
    expect([(await world.apply(gone)).exitCode, diskIn(world), sent.includes('detachDisk')]).toEqual([0, undefined, false])
  })

  test('goes where a read that lags shows it elsewhere', async () => {
    const world = await made('instance: third')
    await world.apply(all(servers, vpc('main'), disk('instance: web'), before('Disk/data')))
    const sent = meanwhile(world, 'deleteFirewallRule', () => void world.sandbox.faults.list.push({ operation: 'getDisk', staleMs: 20_000, times: 2 }))
    expect([(await world.apply(gone)).exitCode, diskIn(world), sent.filter((one) => one === 'detachDisk').length]).toEqual([0, undefined, 1])
  })

  test('goes where somebody had attached it before the plan, of which the state knows nothing', async () => {
    const world = await made('')
    moveTo(world, idOf(world, 'third'))
    expect(brief((await world.plan(gone)).plan)).toContain('delete Disk/data (removed): detach, delete')
    expect([(await world.apply(gone)).exitCode, diskIn(world)]).toEqual([0, undefined])
  })
})

describe('a disk that is to be made anew', () => {
  const other = (metadata = '') => disk('', metadata).replace('LOCAL', 'CEPH')

  test('stays where it was put into use meanwhile', async () => {
    const world = createWorld()
    await world.apply(all(servers, disk(), before('Disk/data')))
    const sent = meanwhile(world, 'deleteFirewallRule', () => moveTo(world, idOf(world, 'third')))
    const done = await world.apply(all(servers, other()))
    expect([done.exitCode, failures(done)?.map(([code]) => code), sent]).toEqual([8, ['changed_elsewhere'], ['deleteFirewallRule']])
    expect(diskIn(world)?.instanceId).toBe(idOf(world, 'third'))
    expect((await world.apply(all(servers, other()))).exitCode).toBe(0)
  })

  test('stays beside its successor where that is there already', async () => {
    const world = createWorld()
    const first = 'lifecycle: { create_before_destroy: true }'
    await world.apply(all(servers, disk('', first)))
    const old = diskIn(world)?.id ?? ''
    const third = idOf(world, 'third')
    const { disks } = world.sandbox.world.tables
    const sent = meanwhile(world, 'createDisk', () => void disks.update(old, { instanceId: third }))
    expect([(await world.apply(all(servers, other(first)))).exitCode, sent]).toEqual([8, ['createDisk']])
    expect(disks.get(old)?.instanceId).toBe(third)
    expect((await world.apply(all(servers, other(first)))).exitCode).toBe(0)
    expect(disks.get(old)).toBeUndefined()
  })
})

describe('a disk that is to move', () => {
  const texts = all(servers, disk('instance: web'))

  test('stays where somebody took it while its new server was made', async () => {
    const world = createWorld()
    await world.apply(texts)
    const [web, third] = [idOf(world, 'web'), idOf(world, 'third')]
    const sent = meanwhile(world, 'createInstance', () => moveTo(world, third))
    const done = await world.apply(texts, { replace: ['Instance/web'] })
    expect([done.exitCode, failures(done)]).toEqual([8, changed('Disk/data', `instance: planned ${web}, now ${third}`)])
    expect([sent.includes('detachDisk'), sent.includes('attachDisk'), diskIn(world)?.instanceId]).toEqual([false, false, third])
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(diskIn(world)?.instanceId).toBe(idOf(world, 'web'))
  })

  test('is not taken back by an update of something else', async () => {
    const world = createWorld()
    await world.apply(all(texts, vpc('main')))
    const third = idOf(world, 'third')
    const larger = disk('instance: web', 'depends_on: ["Vpc/main"]').replace('20GiB', '40GiB')
    const sent = meanwhile(world, 'updateVpc', () => moveTo(world, third))
    const done = await world.apply(all(servers, larger, vpc('main').replace('of main', 'second')))
    expect([done.exitCode, sent, diskIn(world)?.instanceId]).toEqual([8, ['updateVpc'], third])
  })
})

describe('a server', () => {
  const holding = (spec: string) => all(instance('web', `name: web\n${spec}`, 'depends_on: ["Vpc/main"]'), vpc('main').replace('of main', 'second'))

  test('that is to go stays where a disk was attached to it meanwhile', async () => {
    const world = createWorld()
    await world.apply(all(servers, before('Instance/web')))
    const web = idOf(world, 'web')
    const own = { workspaceId: world.sandbox.workspaceId, name: 'theirs', sizeBytes: 2 ** 30, backend: 'LOCAL', region: 'fra-1', boot: false } as const
    const { disks } = world.sandbox.world.tables
    const sent = meanwhile(world, 'deleteFirewallRule', () => void disks.insert({ ...own, instanceId: web, state: 'AVAILABLE' }))
    const done = await world.apply(instance('third', 'name: third'))
    const theirs = disks.all().find((one) => one.name === 'theirs')
    expect([done.exitCode, failures(done)]).toEqual([8, changed('Instance/web', `detach disk ${theirs?.id}: not planned (interruption)`)])
    expect([sent, theirs?.instanceId]).toEqual([['deleteFirewallRule'], web])
    expect((await world.apply(instance('third', 'name: third'))).exitCode).toBe(0)
  })

  test.each([
    ['is not restarted for what the plan did not show', { uefi: false }, 8, ['updateVpc']],
    ['gets back what costs nothing', { osName: 'by hand' }, 0, ['updateVpc', 'updateInstance']],
  ])('%s', async (_, by, exitCode, sends) => {
    const world = createWorld()
    await world.apply(all(instance('web', 'name: web\nuefi: true\nos_name: one'), vpc('main')))
    const { instances } = world.sandbox.world.tables
    const sent = meanwhile(world, 'updateVpc', () => void instances.update(idOf(world, 'web'), by))
    const done = await world.apply(holding('uefi: true\nos_name: two'))
    expect([done.exitCode, sent]).toEqual([exitCode, sends])
    if (exitCode === 8) expect(failures(done)).toEqual(changed('Instance/web', 'update: planned none, now restart'))
  })
})
