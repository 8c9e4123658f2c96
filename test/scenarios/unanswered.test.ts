// Something between answers 404 to everything: nothing that is not found then is taken for gone, and nothing is made a second time.
import { describe, expect, test } from 'vitest'
import type { Fault, FaultRequest } from '../../src/sandbox/faults/faults.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, attachment, instance, project, vpc } from './stage.ts'

const several = all(instance('web'), instance('db'), vpc('main'), attachment('web', 'web', 'main'))
const ownToken = manifest('ApiToken', 'bot', 'name: deploy-bot\ngrants: { INSTANCE: WRITE }\nlifetime: 90d\nsubject: USER')

function standing(world: World): readonly string[] {
  const { instances, vpcs, tokens } = world.sandbox.world.tables
  return [...instances.all(), ...vpcs.all(), ...tokens.all().filter((one) => one.name === 'deploy-bot')].map((one) => one.id).toSorted()
}

async function held(world: World): Promise<readonly string[]> {
  const { resources = [] } = (await world.document()) ?? {}
  return resources.flatMap((one) => (one.kind === 'VpcAttachment' ? [] : [one.id])).toSorted()
}

/** A hook that has every request after the first that fits answered with 404, or that one, too. */
function pageFrom(fits: (asked: FaultRequest) => boolean, begins: 'with it' | 'after it' = 'after it'): (asked: FaultRequest) => Fault | undefined {
  let isOut = false
  return (asked) => {
    const wasOut = isOut
    isOut ||= fits(asked)
    return wasOut || (isOut && begins === 'with it') ? { status: 404 } : undefined
  }
}

describe('in the middle of a destroy', () => {
  test.each([
    ['after a delete that was accepted', several, 'after it'],
    ['in place of the first delete', several, 'with it'],
    ['in place of the delete of what stands in no workspace', ownToken, 'with it'],
  ] as const)('nothing that stands is forgotten: %s', async (_, texts, begins) => {
    const world = createWorld()
    await world.apply({ 'iac.yaml': project(), 'main.yaml': texts })
    world.sandbox.faults.hook = pageFrom(({ method }) => method === 'DELETE', begins)
    const done = await world.destroy()
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, expect.arrayContaining(['operation_unknown'])])
    expect(await held(world)).toEqual(expect.arrayContaining([...standing(world)]))
    world.sandbox.faults.hook = undefined
    const again = await world.destroy()
    expect([again.exitCode, again.document.resources, standing(world)]).toEqual([0, [], []])
  })
  test('a workspace that is not found while the list of all of them is out of order is not taken for visible', async () => {
    const world = createWorld()
    const texts = all(instance('web'), vpc('main'))
    await world.apply(texts)
    const before = standing(world)
    let isOut = false
    world.sandbox.faults.hook = ({ operation, method }) => {
      isOut ||= method === 'DELETE'
      if (isOut && operation === 'listWorkspaces') return { status: 503 }
      return isOut ? { status: 404 } : undefined
    }
    const done = await world.destroy()
    expect([done.exitCode, standing(world), await held(world)]).toEqual([8, before, before])
  })
  test('a caller who may not list workspaces is believed', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method === 'DELETE') for (const one of world.sandbox.world.tables.vpcs.all()) world.sandbox.world.tables.vpcs.delete(one.id)
      if (operation === 'getWorkspace') return { status: 403 }
      return method === 'DELETE' ? { status: 404 } : undefined
    }
    const done = await world.destroy()
    expect([done.exitCode, done.document.resources]).toEqual([0, []])
  })
})

describe('after a create that was accepted', () => {
  test('it stays open, and the next run makes no second one', async () => {
    const world = createWorld()
    world.sandbox.faults.hook = pageFrom(({ operation }) => operation === 'createInstance')
    const done = await world.apply(instance('web'))
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, ['operation_unknown']])
    world.sandbox.faults.hook = undefined
    const again = await world.apply(instance('web'))
    expect([again.exitCode, standing(world), await held(world)]).toEqual([0, [expect.any(String)], standing(world)])
  })
  test('so does one that an earlier run left, and a delete', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('db')))
    world.sandbox.faults.hook = ({ operation = '' }) => (/orkflow/.test(operation) ? { status: 503 } : undefined)
    const texts = all(vpc('main'), instance('web'))
    expect((await world.apply(texts)).exitCode).toBe(8)
    const { folded } = await world.plan(texts)
    expect(folded.open.map((one) => [one.intent.address, one.accepted])).toEqual(
      expect.arrayContaining([
        ['Instance/web', true],
        ['Instance/db', true],
      ]),
    )
    world.sandbox.faults.hook = pageFrom(({ operation }) => operation === 'listWorkspaces')
    await world.apply(texts).catch((error: unknown) => error)
    world.sandbox.faults.hook = undefined
    expect((await world.plan(texts)).folded.open).toEqual(folded.open)
    const again = await world.apply(texts)
    expect([again.exitCode, await held(world)]).toEqual([0, standing(world)])
  })
})
