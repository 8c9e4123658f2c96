// A run whose caller stops seeing the workspace in the middle: what is not found any more is not taken for gone.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, said, vpc } from './stage.ts'

const invite = (name: string, email: string): string => manifest('WorkspaceInvite', name, `email: ${email}\naccess_level: EDITOR`)

/** A workspace of somebody else, in which the caller is an administrator. */
function asMember(world: World): { readonly email: string; readonly leave: () => void; readonly join: () => void } {
  const { members, users, workspaces } = world.sandbox.world.tables
  const [mine] = members.all()
  const me = users.all().find((one) => one.id === mine?.userId)
  const owner = users.all().find((one) => one.id !== mine?.userId)
  if (!mine || !me || !owner) throw new Error('there are two users')
  workspaces.update(mine.workspaceId, { ownerId: owner.id })
  members.insert({ workspaceId: mine.workspaceId, userId: owner.id, accessLevel: 'OWNER' })
  members.update(mine.id, { accessLevel: 'ADMINISTRATOR' })
  return {
    email: me.email,
    leave: () => members.delete(mine.id),
    join: () => members.insert({ workspaceId: mine.workspaceId, userId: me.id, accessLevel: 'ADMINISTRATOR' }),
  }
}

test('the invite by which the caller is a member goes last, with a word', async () => {
  const world = createWorld()
  const { email } = asMember(world)
  await world.apply(all(invite('me', email), vpc('one'), instance('web')))
  const next = vpc('two', '10.21.0.0/24')
  const { plan } = await world.plan(next)
  expect(said(plan)).toEqual([expect.stringContaining('WorkspaceInvite/me may be how the caller is a member, and goes last')])
  const sent = effects(world)
  const done = await world.apply(next)
  expect([done.exitCode, sent.at(-1), sent.toSorted()]).toEqual([0, 'deleteInvite', ['createVpc', 'deleteInstance', 'deleteInvite', 'deleteVpc']])
  expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/two'])
})

test('an invite of somebody else goes with the others, without a word', async () => {
  const world = createWorld()
  await world.apply(all(invite('colleague', 'grace@example.com'), vpc('one')))
  const { plan } = await world.plan(vpc('two', '10.21.0.0/24'))
  expect(said(plan)).toEqual([])
  expect(brief(plan)).toHaveLength(3)
})

test.each(['deleteVpc', 'createVpc'])('a membership that others end while %s is under way ends the run, and nothing is forgotten', async (during) => {
  const world = createWorld()
  const { leave, join } = asMember(world)
  await world.apply(all(vpc('one'), instance('web')))
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'createVpc') queueMicrotask(leave)
    if (operation === 'deleteVpc') leave()
    return undefined
  }
  const texts = during === 'createVpc' ? all(vpc('one'), instance('web'), vpc('two', '10.21.0.0/24')) : instance('web')
  const cutOff = await world.apply(texts)
  expect([cutOff.exitCode, cutOff.outcome?.failed.map((one) => one.code)]).toEqual([8, ['workspace_invisible']])
  world.sandbox.faults.hook = () => undefined
  join()
  expect((await world.apply(texts)).exitCode).toBe(0)
  const { instances, vpcs } = world.sandbox.world.tables
  const held = (await world.document())?.resources.map((one) => one.id).toSorted()
  expect([...instances.all(), ...vpcs.all()].map((one) => one.id).toSorted()).toEqual(held)
})
