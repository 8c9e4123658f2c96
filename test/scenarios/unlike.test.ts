// A create whose answer was lost, and an object of the same name that differs in what can change: it may be somebody else's, and is neither changed nor doubled.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { brief, instance, vpc } from './stage.ts'

const recipe = (path: string): string => manifest('Recipe', 'base', `name: base\ncategory: TOOLS\ndescription: does it\ncommands: [{ path: ${path} }]`)
const disk = (size: string): string => manifest('Disk', 'data', `name: data\nsize: ${size}\nbackend: CEPH\nregion: fra-1`)
const invite = (level: string): string => manifest('WorkspaceInvite', 'ada', `email: ada@example.com\naccess_level: ${level}`)

const kinds = [
  ['Disk', 'createDisk', 'disks', 'size', disk('40GiB'), disk('20GiB')],
  ['Vpc', 'createVpc', 'vpcs', 'description', vpc('main'), vpc('main').replace('of main', 'of them')],
  ['Recipe', 'createWorkspaceRecipe', 'recipes', 'commands', recipe('/opt/ours.sh'), recipe('/opt/theirs.sh')],
  ['WorkspaceInvite', 'createInvite', 'invites', 'access_level', invite('VIEWER'), invite('EDITOR')],
] as const

/** Our create is lost on its way, and another project makes what differs while its outcome is unknown. */
async function lostBesideTheirs(operation: string, ours: string, theirs: string) {
  const world = createWorld()
  const sent: string[] = []
  const hook: World['sandbox']['faults']['hook'] = (request) => {
    if (request.method !== 'GET' && request.operation !== 'estimatePrice') sent.push(`${request.operation}`)
    return request.operation === operation && sent.length === 1 ? { reset: 'before' } : undefined
  }
  world.sandbox.faults.hook = hook
  const applying = world.apply(ours)
  await world.clock.sleep(2000)
  world.sandbox.faults.hook = undefined
  expect((await world.beside().apply(theirs)).exitCode).toBe(0)
  world.sandbox.faults.hook = hook
  return { world, sent, first: await applying }
}

describe.each(kinds)('a %s', (kind, operation, table, field, ours, theirs) => {
  test('is told with both ways out, in this run and the next, and left as it is', async () => {
    const { world, sent, first } = await lostBesideTheirs(operation, ours, theirs)
    const there = () => JSON.stringify(world.sandbox.world.tables[table].all())
    const before = there()
    for (const done of [first, await world.apply(ours)]) {
      expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, ['ambiguous_adoption']])
      const [told] = done.outcome?.failed ?? []
      expect(told?.summary).toMatch(new RegExp(`the one ${kind} that it can have made, with id \\d+, differs from what was asked for in ${field}$`))
      expect(told?.hint).toMatch(/iac import .*; where it is somebody else's, `iac state rm .*` forgets the create$/)
      // No further run settles it, and none is advised.
      expect(done.byHand).toEqual([expect.stringMatching(/^`iac import .* \d+` or `iac state rm .*`$/)])
    }
    expect(sent).toEqual([operation])
    expect(there()).toBe(before)
  })
})

test("beside what was asked for it may be somebody else's, and nobody is told to delete it", async () => {
  const world = createWorld()
  let isLost = false
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'createDisk' || isLost) return undefined
    isLost = true
    return { reset: 'after' }
  }
  const applying = world.apply(disk('40GiB'))
  await world.clock.sleep(500)
  expect((await world.beside().apply(disk('20GiB'))).exitCode).toBe(0)
  const done = await applying
  expect([done.exitCode, world.sandbox.world.tables.disks.all().length]).toEqual([8, 2])
  const [told] = done.outcome?.failed ?? []
  expect([told?.summary, told?.hint]).toEqual([
    expect.stringMatching(/several objects fit: \d+, \d+$/),
    expect.stringMatching(/^keep one with: iac import .*; of the others delete only what nobody else has made$/),
  ])
})

test('a server that is off while it is made is the one that was asked for as on', async () => {
  const world = createWorld({ sandbox: { profile: 'realistic' } })
  let isLost = false
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'createInstance' || isLost) return undefined
    isLost = true
    return { reset: 'after' }
  }
  const done = await world.apply(instance('web', 'power: ON'))
  expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  expect(world.sandbox.world.tables.instances.all().map((one) => one.id)).toEqual([done.document.resources[0]?.id])
})

test('what somebody says is ours is taken over, and changed as the manifest says', async () => {
  const { world } = await lostBesideTheirs('createDisk', disk('40GiB'), disk('20GiB'))
  const [theirs] = world.sandbox.world.tables.disks.all()
  await world.importObject(disk('40GiB'), 'Disk/data', theirs?.id ?? '')
  expect(brief((await world.plan(disk('40GiB'))).plan)).toEqual(['update Disk/data (resumed): resize'])
})

describe('an accepted create whose answer names no id', () => {
  const nameless = { readings: { workflowData: 'none' }, strains: { resourceInCreate: 'no' } } as const
  const sizes = ({ sandbox }: World) => sandbox.world.tables.disks.all().map((one) => `${one.id} ${one.sizeBytes / 2 ** 30}`)
  const lagging: World['sandbox']['faults']['hook'] = ({ operation }) => (operation === 'listDisks' ? { staleMs: 3000 } : undefined)

  test('is known by what it asked for, though what differs shows before', async () => {
    const world = createWorld({ sandbox: nameless })
    world.sandbox.faults.hook = (request) => (request.operation === 'createDisk' ? { delayMs: 4000 } : lagging(request))
    const applying = world.apply(disk('40GiB'))
    await world.clock.sleep(500)
    world.sandbox.faults.hook = lagging
    const body = { name: 'data', size: 20 * 2 ** 30, backend: 'CEPH', region: 'fra-1' } as const
    await world.run().client.send(call(routes.createDisk, { wid: world.sandbox.workspaceId }, body))
    const [theirs] = world.sandbox.world.tables.disks.all()
    const done = await applying
    const ours = done.document.resources[0]?.id
    expect([done.exitCode, sizes(world)]).toEqual([0, [`${theirs?.id} 20`, `${ours} 40`]])
  })
  test('has made what differs where nothing else shows', async () => {
    // A service that has rounded the size up.
    const world = createWorld({ sandbox: nameless })
    world.sandbox.faults.hook = ({ operation }) => {
      const { disks } = world.sandbox.world.tables
      if (operation === 'listDisks') for (const one of disks.all()) disks.update(one.id, { sizeBytes: 41 * 2 ** 30 })
      return undefined
    }
    const done = await world.apply(disk('40GiB'))
    expect(sizes(world)).toEqual([`${done.document.resources[0]?.id} 41`])
  })
})
