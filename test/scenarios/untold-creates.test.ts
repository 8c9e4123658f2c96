// Creates of what nothing reads whose answers were lost, and of which no later create tells: plan and run say so, and what they say to do helps.
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/base/diagnostic.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, instance, vpc } from './stage.ts'

const app = (at: string, name: string): string =>
  manifest('App', at, `instance: web\nname: ${name}\ntemplate_id: { name: postgres }\nenvironment: { POSTGRES_DB: orders, ADVERTISED: null }`)
const both = all(instance('web'), app('orders', 'orders'))
const renamed = all(instance('web'), app('orders', 'sales'))

const rows = (world: World) => world.sandbox.world.tables.apps.all().map((one) => one.name)
/** What is said of the app's address, but for what is said of every unfinished request. */
const ofOrders = (found: readonly Diagnostic[]) => found.filter((one) => one.address === 'App/orders' && one.code === 'advice')

/** A world in which a run ended right after it had sent the create, which was made or not. */
async function leftOpen(before = instance('web'), reset: 'before' | 'after' = 'after'): Promise<World> {
  const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
  await world.apply(before)
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'deployApp') return undefined
    world.fileSystem.crash('kill')
    return { reset }
  }
  await world.apply(all(before, app('orders', 'orders'))).catch(() => undefined)
  world.sandbox.faults.hook = undefined
  return world
}

/** What a run told of the app's address while it ran, beside how it ended. */
async function noting<T>(world: World, run: Promise<T>) {
  const before = world.events.length
  const done = await run
  const noted = world.events.slice(before).flatMap((one) => (one.type === 'note' ? [one.diagnostic] : []))
  return { done, noted: ofOrders(noted) }
}

const where =
  /^If it did, an App \(name: orders\) is on Instance\/web, and ends with it; no call reads one\. `iac workflows --since 20\S+Z` lists what began then\.$/

describe('under another name', () => {
  test('another create does not tell, which plan and run say', async () => {
    const world = await leftOpen()
    expect(ofOrders((await world.plan(renamed)).plan.diagnostics)).toMatchObject([
      {
        summary: 'App/orders: whether its earlier create (name: orders) arrived, whose answer was lost, this one (name: sales) does not tell',
        detail: expect.stringMatching(where),
        hint: 'to be told, go back to name: orders here, and declare name: sales at another address',
        position: { file: 'main.yaml', line: expect.any(Number) },
      },
    ])
    const { done, noted } = await noting(world, world.apply(renamed))
    expect([done.exitCode, rows(world).toSorted()]).toEqual([0, ['orders', 'sales']])
    expect(noted).toMatchObject([
      {
        summary: 'App/orders: whether a create of it (name: orders) arrived, whose answer was lost, nothing tells; what it made is in no state',
        detail: expect.stringMatching(where),
        hint: 'to find out, apply one with name: orders at another address: it is made, or refused with the command that takes over what is there',
      },
    ])
    expect(ofOrders((await world.plan(renamed)).plan.diagnostics)).toEqual([])
  })
  test('what the plan says to do finds it', async () => {
    const world = await leftOpen()
    const apart = all(both, app('sales', 'sales'))
    const said = [(await world.plan(renamed)).plan, (await world.plan(apart)).plan].map((plan) => ofOrders(plan.diagnostics).length)
    expect(said).toEqual([1, 0])
    const { done, noted } = await noting(world, world.apply(apart))
    expect([done.exitCode, rows(world).toSorted(), noted.map((one) => one.detail)]).toEqual([
      0,
      ['orders', 'sales'],
      ['What may be its own began on Instance/web.'],
    ])
    expect(brief((await world.plan(apart)).plan)).toEqual([])
  })
  test('what the run says to do finds it', async () => {
    const world = await leftOpen()
    const { noted } = await noting(world, world.apply(renamed))
    expect(noted.map((one) => one.hint)).toEqual([expect.stringContaining('apply one with name: orders at another address')])
    const found = all(renamed, app('found', 'orders'))
    const [refused] = (await world.apply(found)).outcome?.failed ?? []
    expect(refused?.hint).toMatch(/take it over with: iac import 'App\/found' \d+\/orders$/)
    await world.importObject(found, 'App/found', refused?.hint?.split(' ').at(-1) ?? '')
    expect([brief((await world.plan(found)).plan), (await world.apply(found)).exitCode]).toEqual([[], 0])
  })
  test('one that was sent twice is told once', async () => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(instance('web'))
    world.sandbox.faults.hook = ({ operation }) => (operation === 'deployApp' ? { reset: 'after' } : undefined)
    await world.apply(both)
    world.sandbox.faults.hook = undefined
    const { plan, folded } = await world.plan(renamed)
    const { noted } = await noting(world, world.apply(renamed))
    expect([folded.open.length, ofOrders(plan.diagnostics).length, noted.length]).toEqual([2, 1, 1])
  })
  test.each(['after', 'before'] as const)('the refusal of another one says nothing of one that was lost %s it was made', async (reset) => {
    const world = await leftOpen(instance('web'), reset)
    const id = world.sandbox.world.tables.instances.all()[0]?.id ?? ''
    await world.beside().apply(app('theirs', 'sales').replace('instance: web', `instance: { id: "${id}" }`))
    const { done, noted } = await noting(world, world.apply(renamed))
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code), noted, done.document.resources.length]).toEqual([8, ['exists'], [], 1])
    const { done: back } = await noting(world, world.apply(both))
    expect([back.exitCode, rows(world).toSorted()]).toEqual([0, ['orders', 'sales']])
    expect(brief((await world.plan(both)).plan)).toEqual([])
  })
  test('nothing is said where what it made ends with its instance by the same plan', async () => {
    const world = await leftOpen()
    const replacing = { replace: ['Instance/web'] }
    const said = [(await world.plan(renamed)).plan, (await world.plan(renamed, replacing)).plan].map((plan) => ofOrders(plan.diagnostics).length)
    const { done, noted } = await noting(world, world.apply(renamed, replacing))
    expect([said, done.exitCode, noted, rows(world)]).toEqual([[1, 0], 0, [], ['sales']])
  })
})

describe('without its manifest', () => {
  const files = { 'main.yaml': both, 'net.yaml': vpc('net') }
  const others = { only: ['net.yaml'] }

  test('a run of other files gives it up, which plan and run say', async () => {
    const world = await leftOpen()
    expect(ofOrders((await world.plan(files, {}, others)).plan.diagnostics)).toMatchObject([
      {
        summary: 'App/orders: whether its create (name: orders) arrived, whose answer was lost, nothing among these files tells: applying this gives it up',
        detail: expect.stringMatching(where),
        hint: 'name the file of App/orders as well: then its create tells, and what is there is recorded',
      },
    ])
    const { noted } = await noting(world, world.apply(files, {}, {}, others))
    expect(noted).toMatchObject([{ detail: expect.stringMatching(where), hint: expect.stringContaining('apply one with name: orders') }])
  })
  test('what the plan says to do finds it', async () => {
    const world = await leftOpen()
    const asked = { only: ['net.yaml', 'main.yaml'] }
    const said = [(await world.plan(files, {}, others)).plan, (await world.plan(files, {}, asked)).plan].map((plan) => ofOrders(plan.diagnostics).length)
    expect(said).toEqual([1, 0])
    expect([(await world.apply(files, {}, {}, asked)).exitCode, rows(world)]).toEqual([0, ['orders']])
    expect(brief((await world.plan(files)).plan)).toEqual([])
  })
  test('a plan of all files says that it is given up', async () => {
    const world = await leftOpen()
    expect(ofOrders((await world.plan(instance('web'))).plan.diagnostics)).toMatchObject([
      {
        summary: 'App/orders: whether its create (name: orders) arrived, whose answer was lost, nothing tells without its manifest: applying this gives it up',
        hint: 'keep its manifest for one more apply: then its create tells, and what is there is recorded',
      },
    ])
  })
})

describe('by a destroy', () => {
  test('it has ended with its instance, which is said', async () => {
    const world = await leftOpen()
    expect(ofOrders((await world.plan(both, { destroy: true })).plan.diagnostics)).toEqual([])
    const { done, noted } = await noting(world, world.destroy(both))
    const detail = expect.stringMatching(/^If it did, what it made has ended with Instance \d+\.$/)
    expect([done.exitCode, noted, rows(world)]).toMatchObject([0, [{ detail }], []])
  })
})

describe('where nothing makes it, it stays open, and what ends that is said', () => {
  const stays = 'App/orders: whether its create (name: orders) arrived, whose answer was lost, nothing here tells: it stays open, and a run ends with 8 for it'
  const alone = '`iac state rm App/orders`, run once, forgets that create alone: what is recorded stays'
  const givesUp = '`iac state rm App/orders` gives it up; or an apply that makes it tells'

  test('beside what was imported at its address', async () => {
    const world = await leftOpen()
    const id = world.sandbox.world.tables.apps.all()[0]?.id ?? ''
    const { noted } = await noting(world, world.importObject(both, 'App/orders', id))
    expect(noted).toContainEqual(expect.objectContaining({ summary: stays, hint: alone }))
    expect(ofOrders((await world.plan(both)).plan.diagnostics)).toMatchObject([{ summary: stays, hint: alone }])
    const again = await noting(world, world.apply(both))
    expect([again.done.exitCode, again.noted]).toMatchObject([8, [{ summary: stays, hint: alone }]])
  })
  test('beside what its manifest imports', async () => {
    const world = await leftOpen()
    const id = world.sandbox.world.tables.apps.all()[0]?.id ?? ''
    const importing = both.replace(/(name: orders)\n/, `$1\n  import: { id: "${id}" }\n`)
    expect(ofOrders((await world.plan(importing)).plan.diagnostics)).toContainEqual(expect.objectContaining({ summary: stays, hint: alone }))
    const { done, noted } = await noting(world, world.apply(importing))
    expect([done.exitCode, noted]).toMatchObject([8, [{ summary: stays, hint: alone }]])
  })
  test('in a destroy after one that was killed once its instance was gone', async () => {
    const world = await leftOpen()
    world.sandbox.faults.hook = () => {
      if (world.sandbox.world.tables.instances.all().length === 0) world.fileSystem.crash('kill')
      return undefined
    }
    await world.destroy(both).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    // The first of them settles what that one left.
    await world.destroy(both)
    expect(ofOrders((await world.plan(both, { destroy: true })).plan.diagnostics)).toMatchObject([{ summary: stays, hint: givesUp }])
    const { done, noted } = await noting(world, world.destroy(both))
    expect([done.exitCode, noted]).toMatchObject([8, [{ summary: stays, hint: givesUp }]])
  })
  test('in a run of something else', async () => {
    const net = vpc('net')
    const world = await leftOpen(all(instance('web'), net))
    const whole = all(both, net)
    expect(ofOrders((await world.plan(whole, { targets: ['Vpc/net'] })).plan.diagnostics)).toMatchObject([{ summary: stays, hint: givesUp }])
    const { done, noted } = await noting(world, world.apply(whole, { targets: ['Vpc/net'] }))
    expect([done.exitCode, noted]).toMatchObject([8, [{ summary: stays, hint: givesUp }]])
    expect([(await world.apply(whole)).exitCode, rows(world)]).toEqual([0, ['orders']])
  })
})

test('a destroy that has seen the instance go leaves no create open', async () => {
  const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
  await world.apply(instance('web'))
  world.sandbox.faults.hook = ({ operation }) => (operation === 'deployApp' ? { reset: 'after' } : undefined)
  await world.apply(both)
  world.sandbox.faults.hook = undefined
  await world.importObject(both, 'App/orders', world.sandbox.world.tables.apps.all()[0]?.id ?? '')
  const since = world.events.length
  const codes = [(await world.destroy(both)).exitCode, (await world.destroy(both)).exitCode]
  expect(codes).toEqual([0, 0])
  expect(world.events.slice(since).flatMap((one) => (one.type === 'note' && /a run ends with 8/.test(one.diagnostic.summary) ? [one] : [])).length).toBe(0)
})

test('another one of its name, at another address, names the command that ends the wait', async () => {
  const world = await leftOpen()
  const apart = all(renamed, app('apart', 'orders'))
  const id = world.sandbox.world.tables.instances.all()[0]?.id ?? ''
  await world.beside().apply(app('theirs', 'sales').replace('instance: web', `instance: { id: "${id}" }`))
  await world.importObject(renamed, 'App/orders', `${id}/sales`)
  const { outcome } = await world.apply(apart)
  expect(outcome?.failed.map((one) => one.hint)).toEqual(['an apply that makes App/orders tells; or `iac state rm App/orders` gives its create up'])
})
