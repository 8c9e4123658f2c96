// What somebody else made like a create of ours shows before what that made: while reads may lag, the first is not taken for ours.
import { expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, instance, vpc } from './stage.ts'

test('two that can be what a lost create made are told, and none of them is taken', async () => {
  const course = { operation: 'instance.create', outcome: 'COMPLETED', durationMs: 2000 } as const
  const world = createWorld({ sandbox: { courses: [course, course], readings: { workflowData: 'none' } } })
  const { instances, plans } = world.sandbox.world.tables
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'listInstances') return { staleMs: 6000 }
    if (operation === 'createInstance' && instances.all().length > 0) return { reset: 'after' }
    return operation === 'createVpc' ? { delayMs: 8000 } : undefined
  }
  const texts = all(vpc('main'), instance('web', '', 'depends_on: [Vpc/main]'))
  const applying = world.apply(texts)
  await world.clock.sleep(1500)
  const plan = plans.all().find((one) => one.name === 'ryzen-4')?.id ?? ''
  const body = { type: 'PLAN', name: 'web', plan, region: 'fra-1', start: true } as const
  await world.run().client.send(call(routes.createInstance, { wid: world.sandbox.workspaceId }, body))
  const [theirs] = instances.all()
  const { exitCode, outcome } = await applying
  const ids = instances.all().map((one) => one.id)
  expect([exitCode, outcome?.failed.map((one) => one.code), ids.length]).toEqual([8, ['ambiguous_adoption'], 2])
  expect(ids.filter((one) => !outcome?.failed[0]?.summary.includes(one))).toEqual([])
  await world.importObject(texts, 'Instance/web', ids.find((one) => one !== theirs?.id) ?? '')
  expect((await world.destroy()).exitCode).toBe(0)
  expect(instances.all().map((one) => one.id)).toEqual([theirs?.id])
})

test('alike floating ips whose creates name no id end within their time', async () => {
  const world = createWorld({ sandbox: { readings: { workflowData: 'none' }, strains: { resourceInCreate: 'no' } } })
  const ip = (n: number) => manifest('FloatingIp', `ip${n}`, 'type: IPv4\nregion: fra-1\nddos: false', 'timeouts: { create: 2m }')
  const done = await world.apply(all(...Array.from({ length: 20 }, (_, n) => ip(n))))
  expect([done.exitCode, done.outcome?.failed.map((one) => one.summary)]).toEqual([0, []])
  expect(world.clock.now()).toBeLessThan(60_000)
})
