// A successor that never was ready stands in for the object itself where the old half is gone out there, and is kept as that would be.
import { describe, expect, test } from 'vitest'
import type { Change } from '../../src/engine/model/plan-data.ts'
import { withHash } from '../../src/engine/plan/plan.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, files, instance, said, saved, vpc } from './stage.ts'

const rest = vpc('rest', '10.90.0.0/24')
const main = (more: string, range = '10.20.0.0/24') => vpc('main', range, `lifecycle: { create_before_destroy: true${more} }`)
const retain = ', on_remove: retain'
const protect = ', prevent_destroy: true'
const gone = files('', rest)
const destroyed = { destroy: true, targets: ['Vpc/main'] }
const ranges = (world: World) =>
  world.sandbox.world.tables.vpcs
    .all()
    .map((one) => one.range)
    .toSorted()

/** A VPC whose successor was made, and not seen to be ready; `since` is what the manifest says after that. */
async function beside(more: string, since = '') {
  const world = createWorld()
  await world.apply(all(main(more), rest))
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'createVpc') return undefined
    world.fileSystem.crash('kill')
    return { reset: 'after' }
  }
  await world.apply(all(main(more, '10.21.0.0/24'), rest)).catch(() => undefined)
  world.sandbox.faults.hook = undefined
  const { document } = await world.apply(all(main(`${more}${since}`, '10.21.0.0/24'), rest), { targets: ['Vpc/rest'] })
  const [record] = document.resources
  expect(record).toMatchObject({ address: 'Vpc/main', status: 'creating', deposed: [{}] })
  return { world, old: record?.deposed[0]?.id ?? '' }
}

/** The same, with the old half deleted by hand. */
async function alone(more: string, since = '') {
  const { world, old } = await beside(more, since)
  expect(world.sandbox.world.tables.vpcs.delete(old)).toBeTruthy()
  expect(ranges(world)).toEqual(['10.21.0.0/24', '10.90.0.0/24'])
  return world
}

const leaving = [
  ['its manifest is gone', retain, '', gone, {}],
  ['its manifest is gone, and it was protected', retain, protect, gone, {}],
  ['it is removed without being destroyed', '', '', files('removed: [{ address: Vpc/main, destroy: false }]', rest), {}],
  ['it has moved, and is gone', retain, '', files('moved: [{ from: Vpc/main, to: Vpc/other }]', rest), {}],
  ['it is destroyed', retain, '', gone, destroyed],
  ['it is destroyed, and was protected', retain, protect, gone, destroyed],
] as const

describe('a successor whose old half is gone out there', () => {
  test.each(leaving)('is forgotten and stays where %s', async (_, more, since, next, options) => {
    for (const way of ['plain', 'saved', 'unread'] as const) {
      const world = await alone(more, since)
      const unread = way === 'unread'
      const { plan } = await world.plan(next, { ...options, unread })
      expect(plan.summary).toMatchObject({ delete: 0, forget: 2 })
      const done = way === 'saved' ? await world.applySaved(next, saved(plan)) : await world.apply(next, { ...options, unread })
      expect(done).toMatchObject({ exitCode: 0, outcome: { destroyed: 0, forgotten: 2 } })
      expect(ranges(world)).toEqual(['10.21.0.0/24', '10.90.0.0/24'])
      expect((await world.document())?.resources.map((one) => one.address)).toEqual(['Vpc/rest'])
    }
  })
  test.each([
    ['its manifest is gone', gone, {}],
    ['it is destroyed', gone, destroyed],
  ] as const)('is protected where %s', async (_, next, options) => {
    for (const unread of [false, true]) {
      const world = await alone('', protect)
      const { plan } = await world.plan(next, { ...options, unread })
      expect(said(plan)).toContain('guard_protected Vpc/main would be destroyed, and prevent_destroy protects it')
      await expect(world.applySaved(next, saved(plan))).rejects.toMatchObject({ exitCode: 5 })
      expect(
        await world.apply(next, { ...options, unread }).then(
          (one) => one.exitCode,
          (error) => error.exitCode,
        ),
      ).toBe(5)
      expect(ranges(world)).toEqual(['10.21.0.0/24', '10.90.0.0/24'])
    }
  })
  test.each([
    ['retained', retain, ''],
    ['protected', '', protect],
    ['both', retain, protect],
  ] as const)('stays where a saved plan would delete it, and it is %s', async (_, more, since) => {
    const { world, old } = await beside(more, since)
    const twin = await beside(more, since)
    const { plan } = await twin.world.plan(gone)
    twin.world.sandbox.world.tables.vpcs.delete(old)
    world.sandbox.world.tables.vpcs.delete(old)
    await expect(twin.world.applySaved(gone, saved(plan))).rejects.toMatchObject({ exitCode: 6 })
    expect(ranges(twin.world)).toEqual(['10.21.0.0/24', '10.90.0.0/24'])
    // Altered so that nothing else is wrong with it.
    const now = (await world.plan(gone)).plan
    const isFront = (one: Change): boolean => one.address === 'Vpc/main' && !one.deposed
    const front = plan.changes.find(isFront)
    expect(front).toMatchObject({ action: 'delete' })
    const changes = now.changes.map((one) => (isFront(one) && front ? front : one))
    const by = now.changes.some((one) => isFront(one) && one.action === 'forget') ? 1 : 0
    const summary = { ...now.summary, delete: now.summary.delete + by, forget: now.summary.forget - by }
    const diagnostics = now.diagnostics.filter((one) => one.code !== 'guard_protected')
    const done = world.applySaved(gone, saved(withHash({ ...now, summary, changes, diagnostics })))
    await expect(done).rejects.toMatchObject({ exitCode: since !== '' && more === '' ? 5 : 6 })
    expect(ranges(world)).toEqual(['10.21.0.0/24', '10.90.0.0/24'])
  })
})

test.each([
  ['retained', retain, ''],
  ['both', retain, protect],
] as const)('a successor goes where the old half is there, and is %s', async (_, more, since) => {
  const { world } = await beside(more, since)
  expect(brief((await world.plan(gone)).plan)).toEqual(['delete Vpc/main (removed): delete', 'forget Vpc/main (removed): '])
  expect(await world.apply(gone)).toMatchObject({ exitCode: 0, outcome: { destroyed: 1, forgotten: 1 } })
  expect(ranges(world)).toEqual(['10.20.0.0/24', '10.90.0.0/24'])
})

test.each([{}, { unread: true }])('of both nothing is destroyed where nobody looked (%j)', async (late) => {
  const { world } = await beside(retain)
  const { plan } = await world.plan(gone, { unread: true })
  expect(plan.summary).toMatchObject({ delete: 0, forget: 2 })
  const done = 'unread' in late ? await world.apply(gone, late) : await world.applySaved(gone, saved(plan))
  expect(done).toMatchObject({ exitCode: 0, outcome: { destroyed: 0, forgotten: 2 } })
  expect(ranges(world)).toEqual(['10.20.0.0/24', '10.21.0.0/24', '10.90.0.0/24'])
})

describe.each(['DELETING', 'FAILED'] as const)('a successor whose old half is %s', (state) => {
  async function servers(more: string, since = '') {
    const world = createWorld()
    const web = (lifecycle: string) => instance('web', '', `lifecycle: { create_before_destroy: true${lifecycle} }`)
    await world.apply(all(web(more), rest))
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createInstance') return undefined
      world.fileSystem.crash('kill')
      return { reset: 'after' }
    }
    await world.apply(all(web(more).replace('ryzen-4', 'ryzen-8'), rest)).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    const { document } = await world.apply(all(web(`${more}${since}`).replace('ryzen-4', 'ryzen-8'), rest), { targets: ['Vpc/rest'] })
    const record = document.resources.find((one) => one.address === 'Instance/web')
    expect(record).toMatchObject({ status: 'creating', deposed: [{}] })
    world.sandbox.world.tables.instances.update(record?.deposed[0]?.id ?? '', { state })
    return { world, id: record?.id ?? '' }
  }

  test.each(['plain', 'saved'])('is forgotten and stays where it is retained (%s)', async (way) => {
    const { world, id } = await servers(retain)
    const { plan } = await world.plan(gone)
    expect(plan.summary).toMatchObject({ delete: 0, forget: 2 })
    const done = way === 'saved' ? await world.applySaved(gone, saved(plan)) : await world.apply(gone)
    expect(done).toMatchObject({ exitCode: 0, outcome: { destroyed: 0 } })
    expect(world.sandbox.world.tables.instances.get(id)).toMatchObject({ id })
  })
  test('is protected', async () => {
    const { world, id } = await servers('', protect)
    expect(said((await world.plan(gone)).plan)).toContain('guard_protected Instance/web would be destroyed, and prevent_destroy protects it')
    await world.apply(gone).catch(() => undefined)
    expect(world.sandbox.world.tables.instances.get(id)).toMatchObject({ id })
  })
})
