// Objects change hands once: what an address holds is taken by no other, and a new name takes everything along.
import { describe, expect, test } from 'vitest'
import type { StateDocument } from '../../src/state/record.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, vpc } from './stage.ts'

const held = (document: StateDocument | undefined) => document?.resources.map((one) => `${one.address} ${one.id}`)
const importing = (name: string, id: string) => instance(name, 'name: web', `import: { id: "${id}" }`)

describe('metadata.import of what another address holds', () => {
  const prepared = async () => {
    const world = createWorld()
    const done = await world.apply(instance('web', 'name: web'))
    return { world, id: done.document.resources[0]?.id ?? '' }
  }
  test.each([
    ['beside it', (id: string) => all(instance('web', 'name: web'), importing('twin', id))],
    ['in whose place it is declared', (id: string) => importing('twin', id)],
  ])('is an error %s', async (_, texts) => {
    const { world, id } = await prepared()
    const sent = effects(world)
    const done = await world.apply(texts(id))
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toEqual([`import_conflict Instance/twin: Instance/web holds the Instance with id ${id} already`])
    expect(done.plan.diagnostics[0]?.hint).toContain('moved')
    expect([sent, held(await world.document())]).toEqual([[], [`Instance/web ${id}`]])
  })
  test('is an error where two manifests of one plan ask for it', async () => {
    const { world, id } = await prepared()
    const other = world.beside()
    const done = await other.apply(all(importing('one', id), importing('two', id)))
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toEqual([`import_conflict Instance/two: Instance/one holds the Instance with id ${id} already`])
    expect(await other.document()).toBeUndefined()
  })
})

describe('a moved resource', () => {
  const moved = (from: string, to: string) => `moved: [{ from: ${from}, to: ${to} }]`

  test('is recorded once by a refresh, under its new address', async () => {
    const world = createWorld()
    const { document } = await world.apply(files('', instance('web', 'name: web')))
    const next = files(moved('Instance/web', 'Instance/frontend'), instance('frontend', 'name: web'))
    expect(held((await world.refresh(next)).document)).toEqual([`Instance/frontend ${document.resources[0]?.id}`])
    const { plan } = await world.plan(next)
    expect([brief(plan), said(plan)]).toEqual([[], []])
    expect(brief((await world.plan(files('', instance('frontend', 'name: web')))).plan)).toEqual([])
  })
  test('takes its old half along, and the next plan deletes it', async () => {
    const world = createWorld()
    const named = (name: string, range: string) =>
      vpc(name, range, 'lifecycle: { create_before_destroy: true }').replace(`${name}-net`, 'main-net').replace(`of ${name}`, 'of main')
    await world.apply(files('', named('main', '10.20.0.0/24')))
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422, times: 2 })
    const left = await world.apply(files('', named('main', '10.21.0.0/24')))
    expect([left.exitCode, left.document.resources[0]?.deposed.length]).toEqual([8, 1])
    const next = files(moved('Vpc/main', 'Vpc/core'), named('core', '10.21.0.0/24'))
    const again = await world.apply(next)
    expect(again.document.resources.map((one) => [one.address, one.deposed])).toEqual([['Vpc/core', left.document.resources[0]?.deposed]])
    const done = await world.apply(next)
    expect(done.outcome).toMatchObject({ added: 0, destroyed: 1, failed: [] })
    expect(done.document.resources.map((one) => [one.address, one.deposed])).toEqual([['Vpc/core', []]])
    expect(world.sandbox.world.tables.vpcs.all().map((one) => one.range)).toEqual(['10.21.0.0/24'])
    expect(brief((await world.plan(next)).plan)).toEqual([])
  })
  test('takes along what is under way on it', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 90 * 60_000 }] } })
    const web = (name: string) => instance(name, 'name: web', 'timeouts: { create: 1m, update: 1m }')
    await world.apply(files('', web('web')))
    const next = files(moved('Instance/web', 'Instance/frontend'), web('frontend'))
    const waiting = await world.apply(next)
    expect([waiting.exitCode, waiting.outcome?.failed.map((one) => one.code)]).toEqual([8, ['operation_unknown']])
    expect((await world.plan(next)).folded.open.map((one) => one.intent.address)).toEqual(['Instance/frontend'])
    await world.clock.sleep(90 * 60_000)
    const done = await world.apply(next)
    expect(done.document.resources.map((one) => [one.address, one.status])).toEqual([['Instance/frontend', 'ready']])
    expect([done.exitCode, world.sandbox.world.tables.instances.all().length]).toEqual([0, 1])
  })
  test('takes its old half along where a refresh moves it', async () => {
    const world = createWorld()
    const first = vpc('main', '10.20.0.0/24', 'lifecycle: { create_before_destroy: true }')
    await world.apply(files('', first))
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 422 })
    const left = await world.apply(files('', first.replace('10.20', '10.21')))
    const [before] = left.document.resources
    const { document } = await world.refresh(files(moved('Vpc/main', 'Vpc/core'), vpc('core', '10.21.0.0/24')))
    expect(document?.resources).toEqual([{ ...before, address: 'Vpc/core' }])
  })
})

test('what somebody else makes while the question stands is not taken for what a lost create made', async () => {
  const world = createWorld()
  const other = world.beside()
  const decide = async () => {
    await other.apply(instance('web'))
    world.sandbox.faults.list.push({ operation: 'createInstance', reset: 'before' })
    return true
  }
  const done = await world.apply(instance('web'), {}, { decide })
  expect(done.exitCode).toBe(0)
  expect(held(done.document)).not.toEqual(held(await other.document()))
  expect(world.sandbox.world.tables.instances.all()).toHaveLength(2)
})
