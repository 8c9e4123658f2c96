// What a plan names and the service does not have is found when planning: a replacement would destroy first.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, effects, instance, said } from './stage.ts'

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
