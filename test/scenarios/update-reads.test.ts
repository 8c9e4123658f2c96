// How often an update reads its object: once before its first step, and once after each, whatever the kind.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { instance, vpc } from './stage.ts'

const disk = (size: string) => manifest('Disk', 'data', `name: data\nsize: ${size}\nbackend: LOCAL\nregion: fra-1`)
const workspace = (name: string) => manifest('Workspace', 'team', `name: ${name}`)

test.each([
  ['a VPC', vpc('main'), vpc('main').replace('of main', 'second'), ['getVpc', 'updateVpc', 'getVpc']],
  ['a workspace', workspace('team-one'), workspace('team-two'), ['getWorkspace', 'updateWorkspace', 'getWorkspace']],
  ['an instance without memberships', instance('web', 'boot: DISK'), instance('web', 'boot: ISO'), ['getInstance', 'updateInstance', 'getInstance']],
  ['a disk, whose step has a workflow', disk('10GiB'), disk('20GiB'), ['getDisk', 'resizeDisk', 'getWorkspaceWorkflow', 'getDisk']],
])('%s', async (_, texts, changed, expected) => {
  const world = createWorld()
  await world.apply(texts)
  await world.clock.sleep(60_000)
  // Over before the first look at it.
  world.sandbox.world.courses.push({ operation: 'disk.resize', outcome: 'COMPLETED', durationMs: 80 })
  const asked: string[] = []
  world.sandbox.faults.hook = ({ operation }) => void asked.push(`${operation}`)
  await world.plan(changed)
  const planning = asked.splice(0).length
  expect((await world.apply(changed)).exitCode).toBe(0)
  expect(asked.slice(planning)).toEqual(expected)
})
