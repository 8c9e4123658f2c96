// Who joins or leaves a VPC between the plan that deletes it and what is done: named, and nothing is sent.
import { describe, expect, test } from 'vitest'
import { joinVpc } from '../../src/sandbox/areas/network/vpcs.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, effects, files, instance, saved, vpc } from './stage.ts'

const idOf = ({ sandbox: { world } }: World, name: string): string => world.tables.instances.all().find((one) => one.name === name)?.id ?? ''

function join(world: World, name: string): void {
  const [row] = world.sandbox.world.tables.vpcs.all()
  if (row) joinVpc(world.sandbox.world, idOf(world, name), row)
}

function leaveAll({ sandbox: { world } }: World): void {
  for (const { id } of world.tables.memberships.all()) world.tables.memberships.delete(id)
}

/** A VPC that is to go, two instances of the state, and one that is in none. */
async function ready(): Promise<World> {
  const world = createWorld()
  expect((await world.apply(all(vpc('main'), instance('web'), instance('api')))).exitCode).toBe(0)
  expect((await world.beside().apply(instance('strange'))).exitCode).toBe(0)
  return world
}

const kept = files('', instance('web'), instance('api'))

describe('a saved plan that deletes a VPC', () => {
  test.each(['api', 'strange'])('is refused with the name of who has joined it since: %s', async (who) => {
    const world = await ready()
    join(world, 'web')
    const { plan } = await world.plan(kept)
    join(world, who)
    const sent = effects(world)
    const name = who === 'api' ? 'Instance/api' : `Instance ${idOf(world, 'strange')}`
    const summary = `Vpc/main cannot be deleted: ${name} is attached to it, and the plan does not take it off`
    await expect(world.applySaved(kept, saved(plan))).rejects.toMatchObject({
      exitCode: 6,
      diagnostics: [{ code: 'plan_stale', summary, address: 'Vpc/main' }],
    })
    expect(sent).toEqual([])
  })

  test('is refused with the name of who has left it since', async () => {
    const world = await ready()
    join(world, 'web')
    const { plan } = await world.plan(kept)
    leaveAll(world)
    const summary = expect.stringContaining(`: nothing asks for "detach instance ${idOf(world, 'web')}" (Instance/web)`)
    await expect(world.applySaved(kept, saved(plan))).rejects.toMatchObject({
      exitCode: 6,
      diagnostics: [{ code: 'plan_stale', summary, address: 'Vpc/main' }],
    })
  })
})

test('while the question stood: the VPC is left alone, and nothing is tried', async () => {
  const world = await ready()
  const sent = effects(world)
  const decide = async () => {
    join(world, 'strange')
    return true
  }
  const done = await world.apply(kept, {}, { decide })
  expect(done.outcome?.failed.map((one) => [one.code, one.address])).toEqual([['changed_elsewhere', 'Vpc/main']])
  expect([done.exitCode, sent]).toEqual([8, []])
})
