// What others change while the question stands: such an operation is not begun, the rest is carried out, and the run says so with 8.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, vpc } from './stage.ts'

const other = vpc('other', '10.30.0.0/24')

/** Somebody else gives the VPC of this name another description, and says yes in our name. */
const byHand = (world: World, name = 'main-net', change: Readonly<Record<string, string>> = { description: 'by hand' }) => ({
  decide: async () => {
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all().find((one) => one.name === name)?.id ?? '', change)
    return true
  },
})

test.each([
  ['deletes', other, ['deleteVpc']],
  ['replaces', all(vpc('main', '10.21.0.0/24'), other), ['deleteVpc', 'createVpc']],
  ['changes', all(vpc('main').replace('of main', 'second'), other), ['updateVpc']],
])('what a plan %s is left alone where it was changed meanwhile, and done by the next run', async (_, next, sends) => {
  const world = createWorld()
  await world.apply(all(vpc('main'), other))
  const sent = effects(world)
  const done = await world.apply(next, {}, byHand(world))
  expect([done.exitCode, sent]).toEqual([8, []])
  expect(done.outcome?.failed.map((one) => [one.code, one.summary])).toEqual([['changed_elsewhere', 'Vpc/main has changed since the plan was shown']])
  expect(world.sandbox.world.tables.vpcs.all().map((one) => one.description)).toContain('by hand')
  expect((await world.apply(next)).exitCode).toBe(0)
  expect(sent).toEqual(sends)
})

test('what needs it is skipped, and what does not is carried out', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), other))
  const next = all(vpc('main').replace('of main', 'second'), other.replace('of other', 'second'), instance('web', 'vpcs: [main]'), instance('api'))
  const done = await world.apply(next, {}, byHand(world))
  expect(done.exitCode).toBe(8)
  expect(done.outcome).toMatchObject({ added: 1, changed: 1 })
  expect(world.events.flatMap((one) => (one.type === 'skipped' ? [[one.address, one.because]] : []))).toEqual([['Instance/web', 'Vpc/main']])
  expect(brief((await world.plan(next)).plan)).toEqual(['update Vpc/main (changed): update', expect.stringContaining('create Instance/web')])
})

test('an old half and what is missing are looked at, too', async () => {
  const world = createWorld()
  const first = vpc('main', '10.20.0.0/24', 'lifecycle: { create_before_destroy: true }')
  await world.apply(first)
  world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
  const next = first.replace('10.20', '10.21')
  expect((await world.apply(next)).exitCode).toBe(8)
  const { vpcs } = world.sandbox.world.tables
  const [old] = vpcs.all()
  const sent = effects(world)
  const decide = async () => {
    vpcs.update(old?.id ?? '', { name: 'in-use' })
    return true
  }
  expect([(await world.apply(next, {}, { decide })).exitCode, sent]).toEqual([8, []])
  expect([(await world.apply(next)).exitCode, sent]).toEqual([0, ['deleteVpc']])
})

test('what was changed beside the plan is no concern, and without a question nothing more is read', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), other))
  const next = all(vpc('main').replace('of main', 'second'), other)
  expect((await world.apply(next, {}, byHand(world, 'other-net'))).exitCode).toBe(0)
  let reads = 0
  const counting = (third: string, decide?: () => Promise<boolean>) => {
    reads = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'listVpcs') reads += 1
      return undefined
    }
    return world.apply(all(vpc('main').replace('of main', third), other), {}, decide ? { decide } : {})
  }
  await counting('third')
  const without = reads
  await counting('fourth', async () => true)
  expect(reads - without).toBe(1)
})

test('what a deletion takes along by now, and nobody was shown, keeps it from going', async () => {
  const world = createWorld()
  await world.apply(all(manifest('BgpConfiguration', 'bgp', 'asn: 64512'), other))
  const { bgpPrefixes } = world.sandbox.world.tables
  const decide = async () => {
    const own = { workspaceId: world.sandbox.workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' } as const
    bgpPrefixes.insert(own)
    return true
  }
  const done = await world.apply(other, {}, { decide })
  expect([done.exitCode, done.outcome?.failed.map((one) => one.code), bgpPrefixes.all().length]).toEqual([8, ['changed_elsewhere'], 1])
  expect((await world.apply(other, {}, { decide: async () => true })).outcome).toMatchObject({ destroyed: 1, failed: [] })
})

test('what somebody else has deleted meanwhile is deleted', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), other))
  const decide = async () => {
    const { vpcs } = world.sandbox.world.tables
    return vpcs.delete(vpcs.all().find((one) => one.name === 'main-net')?.id ?? '')
  }
  const done = await world.apply(other, {}, { decide })
  expect([done.exitCode, done.outcome?.failed, done.document.resources.map((one) => one.address)]).toEqual([0, [], ['Vpc/other']])
})
