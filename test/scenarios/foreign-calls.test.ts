// A request that is not the plan's never leaves, whoever made it so: settings, a kind, a state.
import { expect, test } from 'vitest'
import type { Call } from '../../src/api/calls/call.ts'
import { call } from '../../src/api/calls/call.ts'
import { compatSchema } from '../../src/api/calls/compat.ts'
import { undocumentedRoutes } from '../../src/api/routes/commands.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { sandboxTransport } from '../../src/cli/sandbox/folder.ts'
import type { AnyKind } from '../../src/kinds/definition/kind.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { randomOf } from '../builders/random-of.ts'
import { createRuns } from '../builders/runs.ts'
import type { Runs } from '../builders/runs.ts'
import { createWorld, testMachine } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, effects, files, instance, vpc } from './stage.ts'

const address = (spec = 'instance: prod') => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\n${spec}`)

/** The same project with other kinds or settings than those of the registry and the loader. */
function runsWith(world: World, given: { readonly kinds?: readonly AnyKind[]; readonly attachPath?: string }): Runs {
  const { clock, sandbox, fileSystem } = world
  const compat = compatSchema.parse({})
  const set = given.attachPath === undefined ? compat : { ...compat, attach_ip: { ...compat.attach_ip, path: given.attachPath } }
  const parts = { clock, transport: sandboxTransport(sandbox), token: sandbox.token, fileSystem, random: randomOf(3), machine: testMachine() }
  return createRuns({ ...parts, compat: set, kinds: given.kinds })
}

/** The registry with one kind whose steps make other calls. */
function spoiled(name: string, spoil: (call: Call, step: string) => Call, marks: Partial<AnyKind> = {}): readonly AnyKind[] {
  return kinds.map((kind): AnyKind => {
    if (kind.name !== name) return kind
    const steps: AnyKind['steps'] = (view) => kind.steps(view).map((step) => ({ ...step, call: spoil(step.call, step.name) }))
    const removal: AnyKind['removal'] = (view) => kind.removal(view).map((step) => ({ ...step, call: spoil(step.call, step.name) }))
    return { ...kind, steps, removal, ...marks }
  })
}

const only = (name: string, other: Call) => (own: Call, step: string) => (step === name ? other : own)
const before = all(instance('prod'), vpc('main'), vpc('other', '10.30.0.0/24'))
const changed = all(instance('prod'), vpc('main').replace('of main', 'changed'), vpc('other', '10.30.0.0/24'))
const idOf = (world: World, address: string) => world.document().then((one) => one?.resources.find((each) => each.address === address)?.id ?? '')

async function refused(world: World, runs: Runs, texts: Parameters<Runs['apply']>[0]): Promise<readonly (string | undefined)[]> {
  const sent = effects(world)
  const done = await runs.apply(texts)
  const [failed] = done.outcome?.failed ?? []
  expect([done.exitCode, failed?.code]).toEqual([8, 'request_foreign'])
  expect(failed?.summary).toMatch(/cannot be sent/)
  // Closed, not left open: the next run has nothing to settle.
  const journal = [...world.fileSystem.files()].find(([path]) => path.endsWith('.journal'))
  expect(journal === undefined ? '' : new TextDecoder().decode(journal[1])).not.toContain('"t":"intent"')
  return sent
}

test.each([
  ['deletes an instance', routes.deleteInstance],
  ['cuts its power', routes.powerInstance],
] as const)('a step of an address that %s is held back', async (_, route) => {
  const world = createWorld()
  await world.apply(before)
  const foreign = call(route, { id: await idOf(world, 'Instance/prod') }, route === routes.powerInstance ? { action: 'POWER_OFF' } : undefined)
  const runs = runsWith(world, { kinds: spoiled('FloatingIp', only('attach', foreign)) })
  expect(await refused(world, runs, all(before, address()))).toEqual(['createFloatingIp'])
  expect(world.sandbox.world.tables.instances.all()).toHaveLength(1)
})
test('a call that the kind declares, but for another object, is held back', async () => {
  const world = createWorld()
  await world.apply(before)
  const other = call(routes.updateVpc, { vid: await idOf(world, 'Vpc/other') }, { description: 'mine' })
  const runs = runsWith(world, { kinds: spoiled('Vpc', only('update', other)) })
  expect(await refused(world, runs, changed)).toEqual([])
})
test('a deletion is held back where the plan says update', async () => {
  const world = createWorld()
  await world.apply(before)
  const gone = call(routes.deleteVpc, { vid: await idOf(world, 'Vpc/main') })
  for (const marks of [{}, { calls: { making: [routes.createVpc, routes.updateVpc, routes.deleteVpc], removing: [routes.deleteVpc] } }]) {
    const spoil: AnyKind[] = spoiled('Vpc', only('update', gone), marks).map((kind) =>
      kind.name === 'Vpc' ? { ...kind, steps: (view) => kind.steps(view).map((step) => (step.creates ? step : { ...step, removes: true as const })) } : kind,
    )
    expect(await refused(world, runsWith(world, { kinds: spoil }), changed)).toEqual([])
  }
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
})
test('a deletion of another object than the one that goes is held back', async () => {
  const world = createWorld()
  await world.apply(before)
  const other = call(routes.deleteVpc, { vid: await idOf(world, 'Vpc/other') })
  const runs = runsWith(world, { kinds: spoiled('Vpc', only('delete', other)) })
  expect(await refused(world, runs, all(instance('prod'), vpc('other', '10.30.0.0/24')))).toEqual([])
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
})
test('a call in another workspace is held back', async () => {
  const world = createWorld()
  await world.apply(before)
  const body = { name: 'more', description: 'x', range: '10.40.0.0/24' }
  const runs = runsWith(world, { kinds: spoiled('Vpc', only('create', call(routes.createVpc, { wid: '77' }, body))) })
  expect(await refused(world, runs, all(before, vpc('more', '10.40.0.0/24')))).toEqual([])
})
test('a detachment of an address that is not its own is held back', async () => {
  const world = createWorld()
  await world.apply(all(before, address(), address().replace('name: mail', 'name: news')))
  const other = call(undocumentedRoutes.detachIp, {}, { ip_id: await idOf(world, 'FloatingIp/news') })
  const runs = runsWith(world, { kinds: spoiled('FloatingIp', only('detach', other)) })
  expect(await refused(world, runs, all(before, address(''), address().replace('name: mail', 'name: news')))).toEqual([])
})
test('a path that settings give it is held back although the loader was passed by', async () => {
  const world = createWorld()
  await world.apply(before)
  const sent = effects(world)
  const id = await idOf(world, 'Instance/prod')
  const done = await runsWith(world, { attachPath: `/v1/instances/${id}/power` }).apply(all(before, address()))
  expect([done.exitCode, sent]).toEqual([8, ['createFloatingIp']])
})
test('a project with such settings is not loaded at all', () => {
  const world = createWorld()
  const attach = '{ method: DELETE, path: /v1/instances/1152921504607016201, ip: null, instance: null }'
  expect(() => world.load(files(`provider: { compat: { attach_ip: ${attach} } }\n`, before))).toThrow(/method must be one of POST, PUT, PATCH/)
})
test('a saved plan is not carried out under other settings than it was made under', async () => {
  const world = createWorld()
  const { plan } = await world.plan(before)
  const runs = runsWith(world, { attachPath: '/v1/commands/ip-attach' })
  await expect(runs.applySaved(before, plan)).rejects.toMatchObject({ exitCode: 6 })
  expect((await world.applySaved(before, plan)).exitCode).toBe(0)
})
