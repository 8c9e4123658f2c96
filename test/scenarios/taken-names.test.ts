// A name that is taken says not where: whether a lost create of an app is taken for made goes by what began on its own instance.
import { describe, expect, test } from 'vitest'
import type { Faults } from '../../src/sandbox/faults/faults.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, instance } from './stage.ts'

const app = (name: string): string => manifest('App', name, `instance: web\ntemplate_id: { name: postgres }\nenvironment: { POSTGRES_DB: ${name} }`)

const rows = (world: World) => world.sandbox.world.tables.apps.all()
const instances = (world: World) => world.sandbox.world.tables.instances.all()
const recorded = (done: { readonly document: { readonly resources: readonly { readonly address: string; readonly id: string }[] } }) =>
  done.document.resources.map((one) => `${one.address} ${one.id}`)

describe('a name that an app on another instance has', () => {
  const two = all(instance('web'), instance('other'))
  const wanted = all(two, app('orders'))
  const warned = (world: World) => world.events.flatMap((one) => (one.type === 'note' && one.diagnostic.severity === 'warning' ? [one.diagnostic] : []))

  /** An app of the name stands on the other instance, and the first create of ours is lost before it arrives. */
  const lostBeside = async (afterMs: number, more: NonNullable<Faults['hook']> = () => undefined) => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(two)
    const [web = '', other = ''] = ['web', 'other'].map((name) => instances(world).find((one) => one.name === name)?.id)
    await world.beside().apply(app('orders').replace('instance: web', `instance: { id: "${other}" }`))
    await world.clock.sleep(afterMs)
    let count = 0
    world.sandbox.faults.hook = (request) => (request.operation === 'deployApp' && (count += 1) === 1 ? { reset: 'before' } : more(request))
    return { world, web, other }
  }
  test.each([0, 3_600_000])('is not taken for what a lost create made on its own, of which nothing shows there (%d ms later)', async (afterMs) => {
    const { world, web, other } = await lostBeside(afterMs)
    const done = await world.apply(wanted)
    const hint = `if it is on Instance/web, take it over with: iac import 'App/orders' ${web}/orders`
    expect([done.exitCode, done.outcome?.failed.map((one) => [one.code, one.hint])]).toEqual([8, [['exists', hint]]])
    expect(rows(world).map((one) => one.instanceId)).toEqual([other])
    const { plan, folded } = await world.plan(wanted)
    expect([brief(plan), folded.open]).toEqual([['create App/orders (new): create'], []])
  })
  test('is taken for it with a warning where nothing lists what began there', async () => {
    const { world, web } = await lostBeside(0, ({ operation }) => (operation === 'listInstanceWorkflows' ? { status: 403 } : undefined))
    const done = await world.apply(wanted)
    expect([done.exitCode, recorded(done)]).toEqual([0, expect.arrayContaining([`App/orders ${web}/orders`])])
    expect(warned(world).map((one) => [one.address, one.detail])).toEqual([
      ['App/orders', 'The service does not list what began on Instance/web: it may as well stand elsewhere.'],
    ])
  })
  test('is taken for it with a warning where what may be its own began there', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(two)
    let count = 0
    world.sandbox.faults.hook = ({ operation }) => (operation === 'deployApp' && (count += 1) === 1 ? { reset: 'after' } : undefined)
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(warned(world).map((one) => [one.address, one.detail])).toEqual([['App/orders', 'What may be its own began on Instance/web.']])
  })
  test('is not taken for it where what began there failed', async () => {
    const { world, other } = await lostBeside(0)
    let count = 0
    world.sandbox.faults.hook = ({ operation }) =>
      operation === 'deployApp' && (count += 1) === 1 ? { reset: 'after', workflow: { outcome: 'FAILED', leaves: 'nothing' } } : undefined
    const done = await world.apply(wanted)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code), rows(world).map((one) => one.instanceId)]).toEqual([8, ['exists'], [other]])
  })
  test('is looked for where the create was sent, not where the app is declared by now', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(two)
    const stop = new AbortController()
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deployApp' || stop.signal.aborted) return undefined
      stop.abort()
      return { reset: 'after' }
    }
    await world.apply(wanted, {}, { stop: stop.signal })
    const done = await world.apply(wanted.replace('instance: web', 'instance: other'))
    const [row] = rows(world)
    expect([done.exitCode, rows(world).length, recorded(done)]).toEqual([8, 1, expect.arrayContaining([`App/orders ${row?.instanceId}/orders`])])
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(brief((await world.plan(wanted)).plan)).toEqual([])
  })
})
