// A quota that is used up: what comes waits for what goes by the same plan, and is made once there is room.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, instance, vpc } from './stage.ts'

function limit(world: World, quota: Readonly<Record<string, number>>): void {
  const { workspaces } = world.sandbox.world.tables
  const own = workspaces.get(world.sandbox.workspaceId)
  if (own) workspaces.update(own.id, { quota: { ...own.quota, ...quota } })
}

const many = (from: number, count: number): string => all(...Array.from({ length: count }, (_, at) => vpc(`n${from + at}`, `10.${from + at + 1}.0.0/24`)))

test.each([
  ['an instance', instance('web'), instance('api'), { max_instances: 1 }],
  ['an instance of the same name', instance('web', 'name: x'), instance('api', 'name: x'), { max_instances: 1 }],
  ['a network', vpc('one'), vpc('two', '10.30.0.0/24'), { max_vpcs: 1 }],
  ['many networks', many(0, 5), many(5, 5), { max_vpcs: 6 }],
  ['fewer networks', many(0, 5), many(5, 2), { max_vpcs: 5 }],
])('%s in the place of another', async (_, before, after, quota) => {
  const world = createWorld()
  await world.apply(before)
  limit(world, quota)
  const { plan } = await world.plan(after)
  expect(plan.quota?.some(({ exceeded }) => exceeded)).not.toBe(true)
  const done = await world.apply(after)
  expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  expect(brief((await world.plan(after)).plan)).toEqual([])
  const starts = world.events.flatMap((one) => (one.type === 'start' ? [`${one.task} ${one.address}`] : []))
  expect(new Set(starts).size).toBe(starts.length)
})

test('an address in the place of those that go with an instance', async () => {
  const world = createWorld()
  const address = manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false')
  await world.apply(all(instance('web'), vpc('one')))
  const used = world.sandbox.world.tables.ips.all().length
  limit(world, { max_floating_ips: used })
  expect(used).toBeGreaterThan(0)
  const done = await world.apply(all(address, vpc('one')))
  expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
})

test('one after the other, whatever runs at a time', async () => {
  const world = createWorld()
  await world.apply(many(0, 4))
  limit(world, { max_vpcs: 4 })
  expect(await world.apply(many(4, 4), {}, { parallelism: 1 })).toMatchObject({ exitCode: 0, outcome: { added: 4, destroyed: 4 } })
})

test('more than there is room for is refused once nothing is left to go', async () => {
  const world = createWorld()
  await world.apply(many(0, 2))
  const sent = effects(world)
  const inner = world.sandbox.faults.hook
  world.sandbox.faults.hook = (request) => {
    inner?.(request)
    return request.operation === 'createVpc' ? { status: 403, message: 'the quota max_vpcs is reached' } : undefined
  }
  const done = await world.apply(many(2, 3))
  expect([done.exitCode, done.outcome?.added, done.outcome?.destroyed]).toEqual([8, 0, 2])
  expect(done.outcome?.failed[0]?.hint).toContain('raise it')
  expect(sent.filter((one) => one === 'createVpc').length).toBeLessThanOrEqual(5)
  world.sandbox.faults.hook = undefined
  expect((await world.apply(many(2, 3))).exitCode).toBe(0)
})

test('what waits for a removal that fails is not begun, and a later run makes it', async () => {
  const world = createWorld()
  await world.apply(vpc('one'))
  limit(world, { max_vpcs: 1 })
  world.sandbox.faults.hook = ({ operation }) => (operation === 'deleteVpc' ? { status: 403, message: 'no' } : undefined)
  const done = await world.apply(vpc('two', '10.30.0.0/24'))
  expect([done.exitCode, done.outcome?.added]).toEqual([4, 0])
  world.sandbox.faults.hook = undefined
  expect((await world.apply(vpc('two', '10.30.0.0/24'))).exitCode).toBe(0)
})

test('what goes only once its successor is there leaves no room for it, which the plan says', async () => {
  const world = createWorld()
  const disk = (on: string): string => manifest('Disk', 'data', `size: 10GiB\nbackend: LOCAL\nregion: fra-1\ninstance: ${on}`)
  await world.apply(all(instance('web'), disk('web')))
  limit(world, { max_instances: 1 })
  const after = all(instance('api'), disk('api'))
  expect((await world.plan(after)).plan.quota).toMatchObject([{ name: 'max_instances', used: 1, after: 1, limit: 1, exceeded: true }])
  const done = await world.apply(after)
  expect([done.exitCode, done.outcome]).toEqual([5, undefined])
  expect(world.sandbox.world.tables.instances.all().map(({ name }) => name)).toEqual(['web'])
  limit(world, { max_instances: 2 })
  expect((await world.apply(after)).exitCode).toBe(0)
})

test('a run that is stopped meanwhile says what was refused, and the next one goes on', async () => {
  const world = createWorld()
  await world.apply(vpc('one'))
  limit(world, { max_vpcs: 1 })
  const stop = new AbortController()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'deleteVpc') stop.abort()
    return undefined
  }
  const done = await world.apply(vpc('two', '10.30.0.0/24'), {}, { stop: stop.signal })
  expect(done.exitCode).not.toBe(0)
  const ended = world.events.flatMap((one) => (one.type === 'failed' || one.type === 'skipped' ? [one.address] : []))
  expect(ended).toContain('Vpc/two')
  world.sandbox.faults.hook = undefined
  expect((await world.apply(vpc('two', '10.30.0.0/24'))).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(1)
})

const GiB = 1024 ** 3
const disk = (name: string, size: number, on?: string): string =>
  manifest('Disk', name, `size: ${size}GiB\nbackend: LOCAL\nregion: fra-1\n${on === undefined ? '' : `instance: ${on}\n`}`)

describe('where room is counted in bytes, or comes late', () => {
  test.each([
    ['one large disk goes, and several small ones come', disk('big', 100), all(...['a', 'b', 'c', 'd'].map((name) => disk(name, 20))), 100],
    [
      'a large and a small one change their places, the large one later',
      all(instance('w'), disk('old1', 10), disk('old2', 100, 'w')),
      all(instance('w'), disk('a', 100), disk('b', 10)),
      230,
    ],
    ['one grows by what another leaves', all(disk('a', 10), disk('b', 10)), disk('a', 20), 20],
    ['a disk comes for what an instance leaves', instance('web'), disk('a', 150), 160],
  ])('%s', async (_, before, after, gib) => {
    const world = createWorld()
    await world.apply(before)
    limit(world, { max_storage_bytes: gib * GiB })
    expect((await world.plan(after)).plan.quota?.some(({ exceeded }) => exceeded)).toBe(false)
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })

  test('two that go only after their successors are begun by what a third leaves', async () => {
    const world = createWorld()
    const chain = ['n1', 'n2', 'n3'].map((name, at) => vpc(name, `10.${at + 1}.0.0/24`, at === 0 ? '' : `depends_on: [Vpc/n${at}]`))
    await world.apply(all(instance('web1'), instance('web2'), instance('zold'), disk('d1', 10, 'web1'), disk('d2', 10, 'web2'), disk('d3', 10, 'zold')))
    limit(world, { max_instances: 3 })
    const late = manifest('Disk', 'd3', 'size: 10GiB\nbackend: LOCAL\nregion: fra-1', 'depends_on: [Vpc/n3]')
    const after = all(instance('api1'), instance('api2'), disk('d1', 10, 'api1'), disk('d2', 10, 'api2'), ...chain, late)
    const done = await world.apply(after)
    expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  })

  test('what goes is not waited for where it fails, and another one is', async () => {
    const world = createWorld()
    await world.apply(all(vpc('one'), vpc('two', '10.30.0.0/24')))
    limit(world, { max_vpcs: 2 })
    const { vpcs } = world.sandbox.world.tables
    const held = vpcs.all().find(({ name }) => name === 'one-net')?.id
    world.sandbox.faults.hook = ({ operation, path }) => (operation === 'deleteVpc' && path.endsWith(`/${held}`) ? { status: 403, message: 'no' } : undefined)
    const done = await world.apply(vpc('three', '10.40.0.0/24'))
    expect([done.exitCode, done.outcome?.added, done.outcome?.destroyed]).toEqual([4, 1, 1])
  })
})

test('the room of what is replaced is its own, whoever else wants it', async () => {
  const world = createWorld()
  const web = (plan: string): string => manifest('Instance', 'web', `type: PLAN\nplan: ${plan}\nregion: fra-1`)
  await world.apply(web('ryzen-4'))
  limit(world, { max_instances: 2 })
  const after = all(web('ryzen-8'), instance('api'), vpc('n'), manifest('VpcAttachment', 'x', 'instance: api\nvpc: n'))
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'createInstance' || operation === 'createVpc') limit(world, { max_instances: 1 })
    return undefined
  }
  expect(await world.apply(after)).toMatchObject({ exitCode: 8 })
  expect(world.sandbox.world.tables.instances.all().map(({ name, state }) => [name, state])).toEqual([['web', 'AVAILABLE']])
})

test('a plan counts the room of what is replaced as its own', async () => {
  const world = createWorld()
  const web = (plan: string): string => manifest('Instance', 'web', `type: PLAN\nplan: ${plan}\nregion: fra-1`)
  await world.apply(all(web('ryzen-4'), instance('old'), disk('data', 10, 'old')))
  limit(world, { max_instances: 2 })
  const after = all(web('ryzen-8'), instance('api'), disk('data', 10, 'api'))
  expect((await world.plan(after)).plan.quota).toContainEqual(expect.objectContaining({ name: 'max_instances', used: 2, after: 2, exceeded: true }))
  expect((await world.apply(after)).exitCode).toBe(5)
})

test('whatever was begun ends, and what was refused is told', async () => {
  const world = createWorld()
  await world.apply(vpc('one'))
  limit(world, { max_vpcs: 1 })
  world.sandbox.faults.hook = ({ operation }) => (operation === 'deleteVpc' ? { status: 403, message: 'no' } : undefined)
  const from = world.events.length
  const done = await world.apply(vpc('two', '10.30.0.0/24'))
  const told = world.events.slice(from).flatMap((one) => (one.type === 'start' || one.type === 'failed' ? [`${one.type} ${one.task} ${one.address}`] : []))
  expect(told.toSorted()).toEqual(['failed make Vpc/two', 'failed remove Vpc/one', 'start make Vpc/two', 'start remove Vpc/one'])
  expect(done.outcome?.failed.map((one) => one.summary)).toContainEqual(expect.stringContaining('the quota max_vpcs is reached'))
})
