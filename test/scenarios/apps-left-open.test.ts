// A create of what nothing reads whose answer was lost with its run: it stays open until the next create tells, and a saved plan may hold that.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, files, instance, saved, vpc } from './stage.ts'

const app = manifest('App', 'orders', 'instance: web\nname: orders\ntemplate_id: { name: postgres }\nenvironment: { POSTGRES_DB: orders, ADVERTISED: null }')
const both = all(instance('web'), app)
type PlanOptions = Parameters<World['plan']>[1]
const rows = (world: World) => world.sandbox.world.tables.apps.all()
const planned = async (world: World, ...given: Parameters<World['plan']>) => saved((await world.plan(...given)).plan)

/** A world in which a run ended right after it had sent the create, and the plan that was saved before that. */
async function leftOpen(reset: 'after' | 'before', before = both, options: PlanOptions = {}): Promise<{ readonly world: World; readonly earlier: Plan }> {
  const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
  await world.apply(instance('web'))
  const earlier = await planned(world, before, options)
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'deployApp') return undefined
    world.fileSystem.crash('kill')
    return { reset }
  }
  await world.apply(both).catch(() => undefined)
  world.sandbox.faults.hook = undefined
  return { world, earlier }
}

describe.each(['after', 'before'] as const)('(the request was lost %s it arrived)', (reset) => {
  test.each([[{}], [{ replace: ['Instance/web'] }]])('a plan that was saved since is carried out, and makes it once, with %j', async (options) => {
    const { world } = await leftOpen(reset)
    const plan = await planned(world, both, options)
    expect(brief(plan)).toContain('create App/orders (resumed): create')
    const done = await world.applySaved(both, plan)
    expect([done.exitCode, rows(world).length]).toEqual([0, 1])
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
})

describe.each<readonly [string, PlanOptions]>([
  ['makes it', {}],
  ['replaces its instance', { replace: ['Instance/web'] }],
  ['destroys', { destroy: true }],
])('a plan from before it that %s', (_, options) => {
  test('is stale: what it would make again or take along was not there yet', async () => {
    const { world, earlier } = await leftOpen('after', both, options)
    await expect(world.applySaved(both, earlier)).rejects.toMatchObject({ exitCode: 6 })
    expect(rows(world)).toHaveLength(1)
    expect([(await world.apply(both)).exitCode, rows(world).length]).toEqual([0, 1])
  })
})

test('a plan that says nothing of it is stale, says what ends that, and leaves it open', async () => {
  const net = vpc('main')
  const { world, earlier } = await leftOpen('after', all(instance('web'), net))
  const told = await world.applySaved(files('', both, net), earlier).catch((error: unknown) => error)
  expect(told).toMatchObject({ exitCode: 6, diagnostics: [{ hint: expect.stringContaining('`iac state rm App/orders` gives it up') }] })
  expect([(await world.apply(files('', both, net))).exitCode, rows(world).length]).toEqual([0, 1])
})
