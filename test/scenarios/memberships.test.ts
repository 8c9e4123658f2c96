// VPCs that go while instances are members: by a record, by hand, by a manifest that says nothing any more, or of nobody.
import { describe, expect, test } from 'vitest'
import { planText } from '../../src/cli/render/plan/plan-text.ts'
import { noColours } from '../../src/cli/render/text/palette.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { joinVpc } from '../../src/sandbox/areas/network/vpcs.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, saved, vpc } from './stage.ts'

const disk = (on: string) => manifest('Disk', 'data', `size: 20GiB\nbackend: LOCAL\nregion: fra-1\ninstance: ${on}`)
const member = (name: string, metadata = '') => instance(name, 'vpcs: [main]', metadata)
const replaceCostsOf = (name: string) => kinds.find((one) => one.name === name)?.replaceCosts ?? []
const keeping = 'lifecycle: { on_remove: retain }'

const idOf = ({ sandbox: { world } }: World, name: string): string => world.tables.instances.all().find((one) => one.name === name)?.id ?? ''
const vpcId = ({ sandbox: { world } }: World): string => world.tables.vpcs.all()[0]?.id ?? ''

/** As somebody does beside the program. */
function joinByHand(world: World, name: string): void {
  const [row] = world.sandbox.world.tables.vpcs.all()
  if (row) joinVpc(world.sandbox.world, idOf(world, name), row)
}

/** What is there of VPCs and memberships. */
function networks({ sandbox: { world } }: World) {
  const { vpcs, memberships } = world.tables
  return [vpcs.all().map((one) => one.range), memberships.all().length]
}

describe('a VPC that goes', () => {
  test('is left first by an instance whose manifest names it no longer, and the next plan is empty', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), member('web')))
    const id = idOf(world, 'web')
    const { plan } = await world.plan(instance('web'))
    expect(brief(plan)).toEqual([`delete Vpc/main (removed): detach instance ${id}, delete`])
    expect(plan.diagnostics.find((one) => one.summary.includes('vpcs'))).toMatchObject({
      summary: 'Instance/web: vpcs is no longer declared, so it stays as it is, but for what goes itself',
      hint: 'vpcs: [] clears it',
    })
    expect(planText(plan, { palette: noColours, outputsOf: () => [], replaceCostsOf })).toContain(`  # (before that instance ${id} is detached)`)
    const sent = effects(world)
    expect((await world.apply(instance('web'))).exitCode).toBe(0)
    expect([sent, networks(world)]).toEqual([
      ['leaveVpc', 'deleteVpc'],
      [[], 0],
    ])
    const after = await world.plan(instance('web'))
    expect([brief(after.plan), said(after.plan), after.plan.drift]).toEqual([[], [], []])
  })

  test('is left by an instance that somebody else attached, by a saved plan, too', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web')))
    joinByHand(world, 'web')
    const texts = files('', instance('web'))
    const { plan } = await world.plan(texts)
    expect(brief(plan)).toEqual([`delete Vpc/main (removed): detach instance ${idOf(world, 'web')}, delete`])
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
    expect(networks(world)).toEqual([[], 0])
  })

  test('is left once by an instance whose vpcs say otherwise', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), member('web')))
    const id = vpcId(world)
    const { plan } = await world.plan(all(vpc('main', '10.21.0.0/24'), member('web')))
    expect(brief(plan)).toEqual([
      '+/- replace Vpc/main (immutable_field): create, delete',
      expect.stringMatching(new RegExp(`^update Instance/web .*leave VPC ${id}$`)),
    ])
    expect((await world.apply(instance('web', 'vpcs: []'))).exitCode).toBe(0)
    expect(networks(world)).toEqual([[], 0])
  })

  test('is left before it goes by one that has an empty list, and was attached by hand', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'vpcs: []')))
    joinByHand(world, 'web')
    const sent = effects(world)
    expect((await world.apply(instance('web', 'vpcs: []'))).exitCode).toBe(0)
    expect([sent, networks(world)]).toEqual([
      ['leaveVpc', 'deleteVpc'],
      [[], 0],
    ])
  })

  test.each(['by hand', 'declared no longer'] as const)('waits for nothing that waits for it: a disk moves to a member of the new one (%s)', async (how) => {
    const world = createWorld()
    const first = how === 'by hand' ? instance('web') : member('web')
    await world.apply(all(vpc('main'), first, disk('web')))
    if (how === 'by hand') joinByHand(world, 'web')
    else await world.apply(all(vpc('main'), instance('web'), disk('web')))
    const next = all(vpc('main', '10.21.0.0/24'), member('api'), disk('api'))
    const done = await world.apply(next)
    expect([said(done.plan), said(done), done.exitCode]).toEqual([[], [], 0])
    expect([networks(world), brief((await world.plan(next)).plan)]).toEqual([[['10.21.0.0/24'], 1], []])
  })

  test('comes first where its old half would wait for what waits for it: the same by a membership of the state', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), member('web'), disk('web')))
    const next = all(vpc('main', '10.21.0.0/24'), member('api'), disk('api'))
    const { plan } = await world.plan(next)
    expect(brief(plan).filter((one) => one.includes('Vpc') || one.includes('web'))).toEqual([
      '+/- replace Vpc/main (immutable_field): create, delete',
      expect.stringMatching(/^delete Instance\/web /),
    ])
    const done = await world.apply(next)
    expect([said(done.plan), said(done), done.exitCode]).toEqual([[], [], 0])
    expect([networks(world), brief((await world.plan(next)).plan)]).toEqual([[['10.21.0.0/24'], 1], []])
  })

  test('is left by who joined it between plan and apply once the next plan has shown that', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web')))
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (operation === 'deleteVpc' && sent.length === 0) joinByHand(world, 'web')
      if (method !== 'GET') sent.push(`${operation}`)
      return undefined
    }
    expect((await world.apply(instance('web'))).exitCode).toBe(8)
    expect([new Set(sent), networks(world)[1]]).toEqual([new Set(['deleteVpc']), 1])
    expect((await world.apply(instance('web'))).exitCode).toBe(0)
    expect([sent.slice(-2), networks(world)]).toEqual([
      ['leaveVpc', 'deleteVpc'],
      [[], 0],
    ])
  })

  test('is gone on with where a member that goes with it was gone before it left', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24'), instance('web')))
    joinByHand(world, 'web')
    const { memberships } = world.sandbox.world.tables
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'leaveVpc') for (const { id } of memberships.all()) memberships.delete(id)
      return undefined
    }
    expect((await world.apply(vpc('other', '10.30.0.0/24'))).exitCode).toBe(0)
    expect(networks(world)).toEqual([['10.30.0.0/24'], 0])
  })

  test('goes with the only member, and is asked for no list', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24'), instance('web')))
    joinByHand(world, 'web')
    const lists: string[] = []
    world.sandbox.faults.hook = ({ operation, path }) => void (operation === 'listVpcMembers' ? lists.push(path) : undefined)
    await world.plan(all(vpc('main'), vpc('other', '10.30.0.0/24'), instance('web')))
    expect(lists).toEqual([])
    await world.plan(vpc('other', '10.30.0.0/24'))
    // Every instance goes: none is left that could keep it from going.
    expect(lists).toEqual([])
    expect((await world.apply(vpc('other', '10.30.0.0/24'))).exitCode).toBe(0)
    expect(networks(world)).toEqual([['10.30.0.0/24'], 0])
  })
})

describe('a VPC that cannot go', () => {
  test('since an instance in no state is its member is an error of the plan, and nothing is changed', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web')))
    joinByHand(world, 'web')
    const id = idOf(world, 'web')
    await world.apply(files('removed:\n  - { address: Instance/web, destroy: false }\n', vpc('main')))
    const sent = effects(world)
    for (const options of [{}, { destroy: true }]) {
      const done = await world.apply('', options)
      expect([said(done.plan).filter((one) => !one.startsWith('no_resources')), done.exitCode]).toEqual([
        [`plan_impossible Vpc/main cannot be deleted: Instance ${id} is attached to it, and is in no state`],
        3,
      ])
    }
    expect([sent, networks(world)]).toEqual([[], [['10.20.0.0/24'], 1]])
  })

  test('since a manifest leaves the memberships to others is one, too', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), member('web')))
    const { plan } = await world.plan(instance('web', 'vpcs: []', 'lifecycle: { ignore_changes: [/vpcs] }'))
    expect(said(plan)).toEqual(['plan_impossible Vpc/main cannot be deleted: Instance/web is attached to it, and is left as it is by this plan'])
  })

  test('stays where a retained instance is seen to be its member, by a saved plan, too', async () => {
    const world = createWorld()
    const texts = files('', vpc('main'), instance('web', '', keeping))
    await world.apply(texts)
    joinByHand(world, 'web')
    const { plan } = await world.plan(texts, { destroy: true })
    expect(brief(plan)).toEqual(['forget Instance/web (removed): ', 'forget Vpc/main (removed): '])
    expect(said(plan)).toEqual(['note Vpc/main is forgotten and stays: Instance/web, which is to be retained, needs it'])
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
    expect(networks(world)).toEqual([['10.20.0.0/24'], 1])
  })
})

test('a membership is taken over by an attachment that imports it, neither left nor joined again', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), member('web')))
  const own = `import: { id: ${idOf(world, 'web')}/${vpcId(world)} }`
  const texts = all(vpc('main'), instance('web'), manifest('VpcAttachment', 'web', 'instance: web\nvpc: main', own))
  const sent = effects(world)
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect([sent, brief((await world.plan(texts)).plan)]).toEqual([[], []])
  const replaced = texts.replace('10.20.0.0/24', '10.21.0.0/24')
  expect(brief((await world.plan(replaced)).plan).join()).not.toContain('detach instance')
  expect((await world.apply(replaced)).exitCode).toBe(0)
  expect(networks(world)).toEqual([['10.21.0.0/24'], 1])
})
