// Refresh-only: what is live is recorded, nothing is planned and nothing changes out there, from a saved plan, too.
import { expect, test } from 'vitest'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, saved, vpc } from './stage.ts'

const no = async (): Promise<boolean> => false

const refreshOnly = { refreshOnly: true }
const outputs = 'outputs:\n  about: { value: "${Vpc[\'main\'].description}" }\n  web: { value: "${Instance[\'web\'].id}" }\n'
const next = files(outputs, vpc('main').replace('of main', 'declared anew'), vpc('other', '10.30.0.0/24'), instance('web'))

async function drifted(): Promise<World> {
  const world = createWorld()
  await world.apply(all(vpc('main'), vpc('gone', '10.40.0.0/24')))
  changeByHand(world, 'by hand')
  return world
}

function changeByHand(world: World, description: string): void {
  const { vpcs } = world.sandbox.world.tables
  const main = vpcs.all().find((one) => one.name === 'main-net')
  vpcs.update(main?.id ?? '', { description })
}

test('plans no change, and shows the drift', async () => {
  const world = await drifted()
  const { plan } = await world.plan(next, refreshOnly)
  expect(plan.mode).toBe('refresh-only')
  expect(brief(plan)).toEqual([])
  expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 0, no_op: 4 })
  expect(plan.drift).toMatchObject([{ address: 'Vpc/main', after: { description: 'by hand' } }])
  expect(plan.outputs).toMatchObject({ about: { value: 'by hand' }, web: { expression: "${Instance['web'].id}" } })
})

test('records what is live, outputs included', async () => {
  const world = await drifted()
  const sent = effects(world)
  const { document } = await world.refresh(next)
  expect(sent).toEqual([])
  expect(document.resources.map((one) => [one.address, one.spec['description']])).toEqual([
    ['Vpc/gone', 'of gone'],
    ['Vpc/main', 'by hand'],
  ])
  expect(document.outputs).toEqual({ about: { value: 'by hand', sensitive: false } })
})

test('leaves alone what is not selected', async () => {
  const world = await drifted()
  const selected = { targets: ['Vpc/gone'] }
  expect((await world.plan(next, { ...refreshOnly, ...selected })).plan.drift).toEqual([])
  const { document } = await world.refresh(next, selected)
  expect(document.resources.find((one) => one.address === 'Vpc/main')?.spec).toMatchObject({ description: 'of main' })
})

test('a saved plan records, and changes nothing out there', async () => {
  const world = await drifted()
  const { plan } = await world.plan(next, refreshOnly)
  const sent = effects(world)
  const done = await world.applySaved(next, saved(plan))
  expect([done.exitCode, sent, done.outcome]).toMatchObject([0, [], { added: 0, changed: 0, destroyed: 0 }])
  expect(done.document.resources.find((one) => one.address === 'Vpc/main')?.spec).toMatchObject({ description: 'by hand' })
})

test('a saved plan is refused when what it showed has changed again', async () => {
  const world = await drifted()
  const { plan } = await world.plan(next, refreshOnly)
  changeByHand(world, 'by hand again')
  await expect(world.applySaved(next, saved(plan))).rejects.toMatchObject({ exitCode: 6 })
})

test('what is gone is forgotten by a saved plan as well', async () => {
  const world = await drifted()
  const { vpcs } = world.sandbox.world.tables
  for (const one of vpcs.all()) if (one.name === 'gone-net') vpcs.delete(one.id)
  const { plan } = await world.plan(next, refreshOnly)
  expect(plan.drift?.map((one) => `${one.action} ${one.address}`)).toEqual(['delete Vpc/gone', 'update Vpc/main'])
  const done = await world.applySaved(next, saved(plan))
  expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/main'])
})

test('that nobody wants records nothing of it, and ends with 1', async () => {
  const world = await drifted()
  const { exitCode, outcome, diagnostics } = await world.refresh(next, {}, {}, no)
  expect([exitCode, outcome, diagnostics]).toEqual([1, undefined, []])
  expect((await world.document())?.resources.find((one) => one.address === 'Vpc/main')?.spec).toMatchObject({ description: 'of main' })
})

test.each([
  ['that nobody wants', {}, 1],
  ['with errors', { targets: ['Vpc/nosuch'] }, 8],
])('%s tells what is still open of an earlier run', async (_, selection, code) => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'RUNNING' }] } })
  const web = instance('web', '', 'timeouts: { create: 1m }')
  expect((await world.apply(web)).exitCode).toBe(8)
  const plain = await world.apply(web, selection, { decide: no })
  const { exitCode, diagnostics } = await world.refresh(web, selection, {}, no)
  expect([exitCode, diagnostics.map((one) => one.code)]).toEqual([code, ['operation_timeout']])
  expect([plain.exitCode, plain.diagnostics.map((one) => one.code)]).toEqual([code, ['operation_timeout']])
})

test('that nobody wants keeps what was settled before it', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 90_000 }] } })
  const web = instance('web', '', 'timeouts: { create: 1m }')
  expect((await world.apply(web)).exitCode).toBe(8)
  await world.clock.sleep(120_000)
  const done = await world.refresh(web, {}, {}, no)
  expect([done.exitCode, done.diagnostics]).toEqual([1, []])
  const journal = Buffer.from(world.fileSystem.files().get('/project/.iac/state.json.journal') ?? []).toString('utf8')
  expect(journal).not.toContain('intent')
})
