// 409: waited out only while something is in between, has a workflow under way, or is about to be released by the plan.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import type { Call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, cluster, effects, instance, rule, service, vpc } from './stage.ts'

/** Somebody else does something at the service, and it begins. */
async function byHand(world: World, what: Call): Promise<void> {
  expect(await world.run().client.send(what)).toMatchObject({ is: 'accepted' })
}
const cycle = (world: World): Call => call(routes.powerInstance, { id: world.sandbox.world.tables.instances.all()[0]?.id ?? '' }, { action: 'POWER_CYCLE' })
const waits = (world: World): string[] => [...new Set(world.events.flatMap((one) => (one.type === 'progress' ? [one.waitingFor] : [])))]
const slow = (operation: string) => ({ operation, outcome: 'COMPLETED', durationMs: 20_000 }) as const

test('without a reason that shows within the lag of reads it ends the operation, asked for once more', async () => {
  const world = createWorld()
  await world.apply(vpc('main'))
  world.sandbox.faults.list.push({ operation: 'updateVpc', status: 409, message: 'no', times: 100 })
  const sent = effects(world)
  const before = world.clock.now()
  const done = await world.apply(vpc('main').replace('of main', 'renamed'))
  expect(done.exitCode).toBe(8)
  expect(done.outcome?.failed.map((one) => one.summary)).toEqual(['Vpc/main: update was refused: no (status 409)'])
  expect(sent).toEqual(['updateVpc', 'updateVpc'])
  expect(world.clock.now() - before).toBeLessThan(12_000)
})

test('is not waited out for what another operation of the run waits for', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 }] } })
  await world.apply(vpc('main'))
  world.sandbox.faults.list.push({ operation: 'updateVpc', status: 409, message: 'no', times: 100 })
  const sent = effects(world)
  const done = await world.apply(all(vpc('main').replace('of main', 'renamed'), instance('web')))
  expect(done.outcome).toMatchObject({ added: 1, failed: [{ address: 'Vpc/main' }] })
  expect(sent.filter((one) => one === 'updateVpc').length).toBeLessThanOrEqual(2)
})

test('is not waited out any more where what comes after it is final', async () => {
  const world = createWorld({ sandbox: { readings: { busyInstances: 'refuse-all' } } })
  await world.apply(instance('web'))
  world.sandbox.world.courses.push(slow('instance.power'))
  await byHand(world, cycle(world))
  world.sandbox.faults.list.push(
    { operation: 'updateInstance', status: 409, times: 1 },
    { operation: 'updateInstance', status: 403, message: 'no', times: 100 },
  )
  const sent = effects(world)
  expect((await world.apply(instance('web', 'uefi: true'))).exitCode).toBe(4)
  expect(sent).toEqual(['updateInstance', 'updateInstance'])
})

describe('is waited out', () => {
  test('while a workflow on the object is under way, which is named', async () => {
    const world = createWorld({ sandbox: { readings: { busyInstances: 'refuse-all' } } })
    await world.apply(instance('web'))
    world.sandbox.world.courses.push(slow('instance.power'))
    await byHand(world, cycle(world))
    expect((await world.apply(instance('web', 'uefi: true'))).exitCode).toBe(0)
    expect(waits(world)).toContainEqual(expect.stringMatching(/^workflow [0-9a-f-]{36}/))
  })
  test('where the workflow ended between the refusal and the look for it', async () => {
    const world = createWorld({
      sandbox: { readings: { busyInstances: 'refuse-all' } },
      transport: (inner) => async (request) => {
        const answer = await inner(request)
        if (answer.status === 409) await world.clock.sleep(25_000)
        return answer
      },
    })
    await world.apply(instance('web'))
    world.sandbox.world.courses.push(slow('instance.power'))
    await byHand(world, cycle(world))
    expect((await world.apply(instance('web', 'uefi: true'))).exitCode).toBe(0)
  })
  test('while a workflow on what it hangs on is under way', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    world.sandbox.world.courses.push(slow('instance.power'))
    await byHand(world, cycle(world))
    world.sandbox.faults.list.push({ operation: 'createFirewallRule', status: 409, times: 2 })
    expect((await world.apply(all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')))).exitCode).toBe(0)
    const again = all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22'), rule('www', 'action: ACCEPT\nport_start: 80'))
    await world.clock.advance(60_000)
    world.sandbox.faults.list.push({ operation: 'createFirewallRule', status: 409, times: 2 })
    expect((await world.apply(again)).exitCode).toBe(8)
  })
  test('while the object is in between', async () => {
    const world = createWorld()
    const texts = all(cluster('PASSWORD: one'), service('shop'))
    await world.apply(texts)
    const { clusterServices } = world.sandbox.world.tables
    const become = (status: 'UPDATING' | 'RUNNING'): void => void clusterServices.update(clusterServices.all()[0]?.id ?? '', { status })
    let refusals = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'updateK3sService' || refusals > 0) return undefined
      refusals += 1
      become('UPDATING')
      void world.clock.sleep(8000).then(() => become('RUNNING'))
      return { status: 409 }
    }
    expect((await world.apply(texts.replace('shop:1', 'shop:2'))).exitCode).toBe(0)
  })
  test('while what it hangs on is in between, though no workflow says so', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const { instances } = world.sandbox.world.tables
    const become = (state: 'PENDING' | 'AVAILABLE'): void => void instances.update(instances.all()[0]?.id ?? '', { state })
    let refusals = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createFirewallRule' || refusals++ > 0) return undefined
      become('PENDING')
      void world.clock.sleep(8000).then(() => become('AVAILABLE'))
      return { status: 409 }
    }
    expect((await world.apply(all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')))).exitCode).toBe(0)
    expect(waits(world)).toContainEqual(expect.stringMatching(/^Instance /))
  })
  test.each([409, 400])('while what has its name, and is nobody’s, is on its way out (%i)', async (status) => {
    const world = createWorld()
    const texts = all(cluster('PASSWORD: one'), service('shop'))
    await world.apply(cluster('PASSWORD: one'))
    const { clusterServices } = world.sandbox.world.tables
    const wid = world.sandbox.workspaceId
    const worker = world.sandbox.world.tables.instances.all()[0]?.id ?? ''
    await byHand(world, call(routes.createK3sService, { wid }, { name: 'shop', image: 'old:1', mode: 'SPREAD', target_instances: [worker] }))
    await world.clock.advance(60_000)
    await world.plan(texts)
    const old = clusterServices.all()[0]?.id ?? ''
    clusterServices.update(old, { status: 'DELETING' })
    let refusals = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createK3sService') return undefined
      refusals += 1
      if (refusals === 2) clusterServices.delete(old)
      return refusals < 3 ? { status } : undefined
    }
    const done = await world.apply(texts)
    expect([done.exitCode, refusals, done.outcome?.failed]).toEqual([0, 3, []])
  })
})

test.each([409, 400] as const)('a name that somebody took meanwhile is told with its id, refused with %i', async (takenStatus) => {
  let isTaken = false
  const world = createWorld({
    sandbox: { readings: { takenStatus } },
    transport: (inner) => async (request) => {
      if (request.method === 'POST' && request.path.endsWith('/secrets') && !isTaken) {
        isTaken = true
        await inner(request)
      }
      return inner(request)
    },
  })
  const done = await world.apply(all(manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'mine', 'name: mine\ndata: { A: b }')))
  expect(done.exitCode).toBe(8)
  expect(done.outcome?.failed.map((one) => one.summary)).toEqual([expect.stringMatching(/^K3sSecret\/mine: such a K3sSecret exists already \(id \d+\)/)])
})

test('a delete that is refused waits as long as what holds the object is on its way out', async () => {
  const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 600_000 } } })
  await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
  const done = await world.destroy()
  expect(done.exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()).toEqual([])
})
