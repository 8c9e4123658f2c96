// What a list shows and its own read does not find: nothing tells whether it is there, and taken for gone it would be made a second time.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { brief, instance } from './stage.ts'

/** An applied instance, of which lists show little, so that it is read by its id. */
async function applied() {
  const world = createWorld({ sandbox: { readings: { lists: 'slim' } } })
  await world.apply(instance('web'))
  const denies = (times: number) => {
    let left = times
    world.sandbox.faults.hook = ({ operation }) => (operation === 'getInstance' && left-- > 0 ? { status: 404 } : undefined)
  }
  return { world, denies }
}

test('a read that finds nothing once is asked again', async () => {
  const { world, denies } = await applied()
  denies(1)
  expect(brief((await world.plan(instance('web'))).plan)).toEqual([])
})

test('a read that goes on finding nothing ends the plan, the apply and the destroy, and everything is kept', async () => {
  const { world, denies } = await applied()
  const ids = () => world.sandbox.world.tables.instances.all().map((one) => one.id)
  const made = ids()
  denies(Infinity)
  const refusal = {
    exitCode: 1,
    diagnostics: [{ code: 'api_error', summary: `the service lists the Instance ${made.join(' ')} and answers 404 to a read of it` }],
  }
  await expect(world.plan(instance('web'))).rejects.toMatchObject(refusal)
  await expect(world.apply(instance('web'))).rejects.toMatchObject(refusal)
  await expect(world.destroy()).rejects.toMatchObject(refusal)
  world.sandbox.faults.hook = undefined
  expect(brief((await world.plan(instance('web'))).plan)).toEqual([])
  expect(ids()).toEqual(made)
})

test('what was deleted since is made again, where the list lags behind its own read', async () => {
  const { world } = await applied()
  const { instances } = world.sandbox.world.tables
  const [gone] = instances.all()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'getInstance') instances.delete(gone?.id ?? '')
    return undefined
  }
  expect(brief((await world.plan(instance('web'))).plan)).toEqual(['create Instance/web (missing): create'])
})
