// What a plan names and the service does not have is found when planning: a replacement would destroy first.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, effects, instance, said, saved, vpc } from './stage.ts'

const disk = (region: string) => manifest('Disk', 'data', `name: data\nsize: 10GiB\nbackend: LOCAL\nregion: ${region}`)
const ip = (region: string) => manifest('FloatingIp', 'web', `type: IPv4\nregion: ${region}\nddos: false`)

describe('a region that is not there', () => {
  test.each([
    ['an instance', instance('web'), instance('web').replace('fra-1', 'fra1')],
    ['a disk', disk('fra-1'), disk('fra1')],
    ['an address', all(disk('fra-1'), ip('fra-1')), all(disk('fra-1'), ip('fra1'))],
  ])('of %s stops its replacement before anything goes', async (_, texts, changed) => {
    const world = createWorld()
    await world.apply(texts)
    const sent = effects(world)
    const done = await world.apply(changed)
    expect([done.exitCode, said(done.plan).filter((one) => one.startsWith('unsupported'))]).toEqual([
      3,
      [expect.stringMatching(/^unsupported_change .*: there is no region "fra1"$/)],
    ])
    expect(done.plan.diagnostics.find((one) => one.code === 'unsupported_change')).toMatchObject({
      hint: 'did you mean "fra-1"?',
      position: { text: expect.stringContaining('region: fra1') },
    })
    expect(sent).toEqual([])
  })
  test('is left open where the service estimates nothing', async () => {
    const world = createWorld()
    await world.apply(disk('fra-1'))
    world.sandbox.faults.list.push({ operation: 'estimatePrice', status: 501, times: 'always' })
    expect(said((await world.plan(disk('fra1'))).plan).filter((one) => one.startsWith('unsupported'))).toEqual([])
  })
  test('is no error where another one is there', async () => {
    const world = createWorld()
    await world.apply(disk('fra-1'))
    expect((await world.apply(disk('ams-1'))).exitCode).toBe(0)
  })
  test('is asked about only where it is sent', async () => {
    const world = createWorld()
    await world.apply(all(disk('fra-1'), instance('web')))
    const asked: string[] = []
    world.sandbox.faults.hook = ({ operation }) => void asked.push(`${operation}`)
    await world.plan(all(disk('fra-1'), instance('web')))
    expect(asked.filter((one) => one === 'estimatePrice' || one === 'listPrices')).toEqual([])
  })
})

describe('an id that is not there', () => {
  test.each([
    ['a plan', instance('web').replace('plan: ryzen-4', 'plan: { id: "77" }'), 'Instance/web: there is no Plan with id 77'],
    ['a VPC', instance('web', 'vpcs: [{ id: "78" }]'), 'Instance/web: there is no Vpc with id 78'],
    ['a node', instance('web').replace('region: fra-1', 'node: { id: "79" }'), 'Instance/web: there is no Node with id 79'],
  ])('of %s', async (_, changed, message) => {
    const world = createWorld()
    await world.apply(instance('web'))
    const sent = effects(world)
    const done = await world.apply(changed)
    expect([done.exitCode, done.plan.diagnostics.filter((one) => one.severity === 'error').map((one) => one.summary), sent]).toEqual([3, [message], []])
    expect(done.plan.diagnostics.find((one) => one.summary === message)?.position?.line).toBeGreaterThan(5)
  })
  test('of what somebody deleted, and another file declares (-f): nothing goes for its sake', async () => {
    const world = createWorld()
    const { sandbox, clock } = world
    const { document } = await world.apply({ 'net.yaml': vpc('main'), 'web.yaml': instance('web') })
    const id = document.resources.find((one) => one.address === 'Vpc/main')?.id
    await sandbox.handle({ method: 'DELETE', path: `/v1/vpcs/${id}`, headers: { authorization: `Bearer ${sandbox.token}` } })
    await clock.advance(3_600_000)
    const sent = effects(world)
    const changed = { 'net.yaml': vpc('main'), 'web.yaml': instance('web', 'vpcs: [main]').replace('ryzen-4', 'ryzen-8') }
    const done = await world.apply(changed, {}, {}, { only: ['web.yaml'] })
    const errors = done.plan.diagnostics.filter((one) => one.severity === 'error').map((one) => one.summary)
    expect([done.exitCode, errors, sent]).toEqual([3, [`Instance/web: there is no Vpc with id ${id}`], []])
    expect((await world.apply(changed)).exitCode).toBe(0)
  })
  test.each([
    ['by its name, while its question stands', 'vpcs: [main]', true],
    ['by its id, while its question stands', undefined, true],
    ['by its name, while a saved plan waits', 'vpcs: [main]', false],
    ['by its id, while a saved plan waits', undefined, false],
  ])('of what a replacement names %s, and somebody deletes: nothing goes for its sake', async (_, named, asks) => {
    const world = createWorld()
    const { sandbox, clock } = world
    const { document } = await world.apply(all(vpc('main'), instance('web')))
    const id = document.resources.find((one) => one.address === 'Vpc/main')?.id
    const next = all(vpc('main'), instance('web', named ?? `vpcs: [{ id: "${id}" }]`).replace('ryzen-4', 'ryzen-8'))
    const plan = saved((await world.plan(next)).plan)
    const sent = effects(world)
    const remove = async (): Promise<boolean> => {
      await sandbox.handle({ method: 'DELETE', path: `/v1/vpcs/${id}`, headers: { authorization: `Bearer ${sandbox.token}` } })
      await clock.advance(3_600_000)
      return true
    }
    if (asks) {
      const done = await world.apply(next, {}, { decide: remove })
      expect([done.exitCode, done.outcome?.failed.map((one) => one.summary)]).toEqual([8, ['Instance/web has changed since the plan was shown']])
    } else {
      await remove()
      await expect(world.applySaved(next, plan)).rejects.toMatchObject({
        exitCode: 6,
        message: 'Instance/web cannot be replaced: Vpc/main is there no more',
      })
    }
    expect(sent).toEqual(['deleteVpc'])
  })
  test('is left open where the service refuses its read', async () => {
    const world = createWorld()
    world.sandbox.faults.list.push({ operation: 'getVpc', status: 501, times: 'always' })
    expect(said((await world.plan(instance('web', 'vpcs: [{ id: "78" }]'))).plan).filter((one) => one.includes('no Vpc'))).toEqual([])
  })
})

test('an image, which no list tells of, is named where the server would go before its successor is asked for', async () => {
  const world = createWorld()
  await world.apply(instance('web'))
  const asked = async (spec: string, metadata = '') =>
    (await world.plan(all(instance('web', spec, metadata), instance('api')))).plan.diagnostics.filter((one) => one.summary.includes('no list tells'))
  expect(await asked('image: { id: "77777" }')).toMatchObject([
    {
      severity: 'warning',
      address: 'Instance/web',
      hint: expect.stringContaining('create_before_destroy'),
      position: { text: expect.stringContaining('77777') },
    },
  ])
  expect(await asked('image: { id: "77777" }', 'lifecycle: { create_before_destroy: true }')).toEqual([])
  expect(await asked('')).toEqual([])
})
