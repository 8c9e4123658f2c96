// A quota that is used up: what comes waits for what goes by the same plan, and is made once there is room.
import { expect, test } from 'vitest'
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
