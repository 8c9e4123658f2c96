// Deletions that the service only schedules: done for the plan, watched until the object is really gone.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, rule, vpc } from './stage.ts'

const scheduled = () => createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })

describe('a scheduled deletion', () => {
  test('is done with 0, stays in the state, and is forgotten once the object is gone', async () => {
    const world = scheduled()
    await world.apply(all(instance('web', 'power: ON'), instance('api')))
    const done = await world.apply(instance('api'))
    expect(done.exitCode).toBe(0)
    expect(done.outcome).toMatchObject({ destroyed: 1 })
    expect(done.document.resources.map((one) => [one.address, one.status])).toEqual([
      ['Instance/api', 'ready'],
      ['Instance/web', 'deleting'],
    ])
    const sent = effects(world)
    // It goes off as it leaves: that is our doing.
    const { instances } = world.sandbox.world.tables
    for (const one of instances.all()) if (one.state === 'DELETING') instances.update(one.id, { online: false })
    const still = (await world.plan(instance('api'))).plan
    expect([brief(still), still.drift]).toEqual([[], []])
    expect((await world.apply(instance('api'))).document.resources).toHaveLength(2)
    await world.clock.advance(3_700_000)
    const last = await world.apply(instance('api'))
    expect(last.document.resources.map((one) => one.address)).toEqual(['Instance/api'])
    expect(sent).toEqual([])
  })
  test('leaves rules alone that end with the instance', async () => {
    const world = scheduled()
    await world.apply(all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')))
    const sent = effects(world)
    const done = await world.destroy()
    expect(done.exitCode).toBe(0)
    expect(sent).toEqual(['deleteInstance'])
    expect(done.document.resources.map((one) => one.status)).toEqual(['deleting', 'deleting'])
    await world.clock.advance(3_700_000)
    const last = await world.destroy()
    expect(last.document.resources).toEqual([])
    expect(sent).toEqual(['deleteInstance'])
  })
  test('of a replacement makes the new one at once', async () => {
    const world = scheduled()
    await world.apply(instance('web'))
    const changed = instance('web').replace('ryzen-4', 'ryzen-8')
    const done = await world.apply(changed)
    expect(done.exitCode).toBe(0)
    expect(done.outcome).toMatchObject({ added: 1, destroyed: 1 })
    expect(done.document.resources[0]).toMatchObject({ status: 'ready', deposed: [{ id: expect.any(String) }] })
    expect(brief((await world.plan(changed)).plan)).toEqual([])
    await world.clock.advance(3_700_000)
    expect((await world.apply(changed)).document.resources[0]?.deposed).toEqual([])
  })
  test('that takes too long for what waits for it is incomplete, and goes on in the next run', async () => {
    const world = scheduled()
    await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
    const done = await world.destroy()
    expect(done.exitCode).toBe(8)
    expect(done.document.resources.map((one) => one.status)).toEqual(['deleting', 'ready'])
    await world.clock.advance(3_700_000)
    const last = await world.destroy()
    expect(last.exitCode).toBe(0)
    expect(last.document.resources).toEqual([])
    expect(world.sandbox.world.tables.vpcs.all()).toEqual([])
  })
})

describe('an object that somebody else deletes', () => {
  const texts = all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22'), vpc('main'))
  const statuses = (done: Awaited<ReturnType<ReturnType<typeof scheduled>['apply']>>) => done.document.resources.map((one) => [one.address, one.status])
  /** The instance leaves by another hand, and no manifest wants it any more. */
  const leaving = async () => {
    const world = scheduled()
    const { document } = await world.apply(texts)
    const other = world.beside()
    await other.importObject(instance('web'), 'Instance/web', document.resources.find((one) => one.kind === 'Instance')?.id ?? '')
    await other.destroy(instance('web'))
    return { world, sent: effects(world) }
  }
  test('is recorded as going, with what ends with it, and forgotten without a difference once it is gone', async () => {
    const { world, sent } = await leaving()
    const done = await world.apply(vpc('main'))
    expect([done.exitCode, brief(done.plan)]).toEqual([0, []])
    expect(statuses(done)).toEqual([
      ['FirewallRule/ssh', 'deleting'],
      ['Instance/web', 'deleting'],
      ['Vpc/main', 'ready'],
    ])
    await world.clock.advance(3_700_000)
    const last = await world.apply(vpc('main'))
    expect([last.exitCode, brief(last.plan), statuses(last), sent]).toEqual([0, [], [['Vpc/main', 'ready']], []])
  })
  test('is drift, which a later run finds made anew', async () => {
    const { world } = await leaving()
    const drifted = {
      address: 'Instance/web',
      before: { status: 'ready' },
      after: { status: 'deleting' },
      patch: [{ op: 'replace', path: '/status', value: 'deleting' }],
    }
    for (const options of [{}, { refreshOnly: true }]) {
      const { plan } = await world.plan(texts, options)
      expect(plan.drift?.filter(({ address }) => address === 'Instance/web')).toEqual([expect.objectContaining(drifted)])
    }
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect((await world.plan(texts)).plan.drift).toEqual([])
  })
  test('is deleted where it is back and no manifest wants it', async () => {
    const { world, sent } = await leaving()
    await world.apply(vpc('main'))
    const { instances, workflows } = world.sandbox.world.tables
    for (const one of workflows.all()) if (one.endedAtMs === null) workflows.delete(one.id)
    instances.update(instances.all()[0]?.id ?? '', { state: 'AVAILABLE' })
    expect((await world.apply(vpc('main'))).exitCode).toBe(0)
    expect(sent).toEqual(['deleteInstance'])
  })
  test('is ready again where it is back and wanted, and its rules can go by themselves', async () => {
    const { world, sent } = await leaving()
    await world.apply(vpc('main'))
    const { instances, workflows } = world.sandbox.world.tables
    for (const one of workflows.all()) if (one.endedAtMs === null) workflows.delete(one.id)
    instances.update(instances.all()[0]?.id ?? '', { state: 'AVAILABLE' })
    const back = await world.apply(texts)
    expect([back.exitCode, brief(back.plan), new Set(back.document.resources.map((one) => one.status))]).toEqual([0, [], new Set(['ready'])])
    const without = await world.apply(all(instance('web'), vpc('main')))
    expect([without.exitCode, sent, statuses(without).map(([address]) => address)]).toEqual([0, ['deleteFirewallRule'], ['Instance/web', 'Vpc/main']])
  })
})

test('a rule of an instance that nobody manages is not believed to be gone by one read that lags', async () => {
  const world = createWorld()
  await world.beside().apply(instance('web'))
  const { instances, firewallRules } = world.sandbox.world.tables
  const ssh = rule('ssh', 'action: ACCEPT\nport_start: 22').replace('instance: web', `instance: { id: "${instances.all()[0]?.id}" }`)
  await world.apply(all(vpc('main'), ssh))
  let misses = 0
  world.sandbox.faults.hook = ({ operation }) => (operation === 'getFirewallRule' && misses++ === 0 ? { status: 404 } : undefined)
  const done = await world.apply(vpc('main'))
  expect([done.exitCode, misses > 1, firewallRules.all().length]).toEqual([0, true, 0])
})
