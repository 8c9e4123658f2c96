// What a deletion takes along although nothing of the plan deletes it: a plan tells of it, and nothing more than that goes.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { effects, files, instance, said, saved, vpc } from './stage.ts'

const bgp = manifest('BgpConfiguration', 'bgp', 'asn: 64512')
const without = files('', vpc('main'))

async function configured(): Promise<World> {
  const world = createWorld()
  await world.apply(files('', bgp, vpc('main')))
  return world
}

/** Somebody announces something: nobody manages it. */
function announce({ sandbox }: World, prefix: string): string {
  const { workspaceId, world } = sandbox
  return world.tables.bgpPrefixes.insert({ workspaceId, prefix, source: 'MANUAL', enabled: true, community: 'DEFAULT' }).id
}

describe('a saved plan', () => {
  test('tells of what it takes along, and is carried out', async () => {
    const world = await configured()
    const id = announce(world, '203.0.113.0/24')
    const plan = saved((await world.plan(without)).plan)
    expect(plan.taken_along).toEqual([{ by: 'BgpConfiguration/bgp', kind: 'BgpPrefix', id }])
    expect(await world.applySaved(without, plan)).toMatchObject({ exitCode: 0, outcome: { destroyed: 1 } })
  })
  test('is refused with 6 for what it would take along by now, and nobody was shown', async () => {
    const world = await configured()
    announce(world, '203.0.113.0/24')
    const plan = saved((await world.plan(without)).plan)
    const id = announce(world, '198.51.100.0/24')
    const sent = effects(world)
    await expect(world.applySaved(without, plan)).rejects.toMatchObject({
      exitCode: 6,
      message: `BgpConfiguration/bgp: its deletion takes along what the plan does not tell of: BgpPrefix ${id}`,
    })
    expect(sent).toEqual([])
  })
  test('is refused with 6 where that is more than max_destroy allows, too', async () => {
    const world = await configured()
    announce(world, '203.0.113.0/24')
    const guarded = files('guards: { max_destroy: 2 }', vpc('main'))
    const plan = saved((await world.plan(guarded)).plan)
    const id = announce(world, '198.51.100.0/24')
    await expect(world.applySaved(guarded, plan)).rejects.toMatchObject({ exitCode: 6, message: expect.stringContaining(`does not tell of: BgpPrefix ${id}`) })
  })
  test('that was made without reading has looked for just that', async () => {
    const world = await configured()
    const id = announce(world, '203.0.113.0/24')
    const { plan } = await world.plan(without, { unread: true })
    expect(plan.taken_along).toEqual([{ by: 'BgpConfiguration/bgp', kind: 'BgpPrefix', id }])
    expect(said(plan)).toContainEqual(expect.stringContaining('BgpConfiguration/bgp: its deletion takes along what nobody manages'))
    expect(await world.applySaved(without, saved(plan))).toMatchObject({ exitCode: 0, outcome: { destroyed: 1 } })
  })
  test('with nothing to take along tells of none', async () => {
    const world = await configured()
    const { plan } = await world.plan(without)
    expect([said(plan), 'taken_along' in plan]).toEqual([[], false])
    expect(await world.applySaved(without, saved(plan))).toMatchObject({ exitCode: 0, outcome: { destroyed: 1 } })
  })
})

test('a saved plan that deletes an instance is refused with 6 by the step for a disk that somebody else has put on it since', async () => {
  const world = createWorld()
  await world.apply(files('', instance('web'), vpc('main')))
  await world.beside().apply(manifest('Disk', 'archive', 'size: 20GiB\nbackend: LOCAL\nregion: fra-1'))
  const plan = saved((await world.plan(without)).plan)
  const { disks, instances } = world.sandbox.world.tables
  const id = disks.all().find((one) => one.name === 'archive')?.id ?? ''
  disks.update(id, { instanceId: instances.all()[0]?.id ?? '' })
  const sent = effects(world)
  const message = expect.stringContaining(`desired values: by now it takes "detach disk ${id}" as well`)
  await expect(world.applySaved(without, plan)).rejects.toMatchObject({ exitCode: 6, message })
  expect(sent).toEqual([])
})

test('what goes along is part of the review, once in whatever order', async () => {
  const world = await configured()
  const reviews = [(await world.plan(without)).plan.review]
  announce(world, '203.0.113.0/24')
  reviews.push((await world.plan(without)).plan.review)
  announce(world, '198.51.100.0/24')
  const { plan } = await world.plan(without)
  reviews.push(plan.review)
  expect(new Set(reviews).size).toBe(3)
  expect((await world.plan(without)).plan.review).toBe(plan.review)
})
