// In which workspace something is done: told with each change where more than one may be meant, and part of what is reviewed.
import { expect, test } from 'vitest'
import { changeBlock } from '../../src/cli/render/plan/plan-block.ts'
import { noColours } from '../../src/cli/render/text/palette.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, saved, vpc } from './stage.ts'

const OTHER = '4242'

/** A second workspace, which the caller owns as well. */
function addWorkspace(world: World, name = 'prod-ws'): void {
  const { members, workspaces, users } = world.sandbox.world.tables
  for (const one of workspaces.all()) workspaces.insert({ ...one, id: OTHER, name })
  members.insert({ workspaceId: OTHER, userId: users.all()[0]?.id ?? '', accessLevel: 'OWNER' })
}

const inWorkspace = (ref: string) => vpc('main', '10.20.0.0/24', `workspace: ${ref}`)
const told = ({ changes }: Plan) =>
  changes.flatMap((one) => changeBlock(one, { palette: noColours, outputsOf: () => [] })).filter((line) => line.includes('workspace'))

test('each change tells the workspace that it stands in where the caller sees several', async () => {
  const world = createWorld()
  addWorkspace(world)
  const { plan } = await world.plan(inWorkspace('{ name: prod-ws }'))
  expect(told(saved(plan))).toEqual([`  # (in workspace "prod-ws", id ${OTHER})`])
  const { plan: other } = await world.plan(inWorkspace('{ name: default }'))
  expect(told(other)).toEqual([`  # (in workspace "default", id ${world.sandbox.workspaceId})`])
  expect(other.review).not.toBe(plan.review)
})

test('one without a name is told by its id, and what stays as it is tells none', async () => {
  const world = createWorld()
  addWorkspace(world, '')
  const texts = inWorkspace(`{ id: "${OTHER}" }`)
  expect(told((await world.plan(texts)).plan)).toEqual([`  # (in workspace ${OTHER})`])
  await world.apply(texts)
  expect((await world.plan(texts)).plan.changes[0]).not.toHaveProperty('workspace_name')
})

test('it is not told where the caller sees no other', async () => {
  expect(told((await createWorld().plan(inWorkspace('{ name: default }'))).plan)).toEqual([])
})

test('a workspace that the plan makes is told by its address, and another one is another review', async () => {
  const world = createWorld()
  const teams = all(manifest('Workspace', 'team-a', 'name: team-a'), manifest('Workspace', 'team-b', 'name: team-b'))
  const [first, second] = [await world.plan(all(teams, inWorkspace('team-a'))), await world.plan(all(teams, inWorkspace('team-b')))]
  expect([told(first.plan), told(second.plan)]).toEqual([['  # (in workspace Workspace/team-a)'], ['  # (in workspace Workspace/team-b)']])
  expect(first.plan.review).not.toBe(second.plan.review)
})
