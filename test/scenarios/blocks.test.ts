// What moved and removed blocks mean for whole for_eaches, patterns and chains.
import { describe, expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { brief, effects, files, instance, said, saved, vpc } from './stage.ts'

/** VPCs whose objects are the same whatever their logical name is. */
const each = (name: string, keys: string) =>
  vpc(name, '10.20.0.0/24', `for_each: ${keys}`).replace(`name: ${name}-net`, 'name: net-${each.key}').replace(`of ${name}`, 'one of many')
const same = (name: string) => vpc(name).replace(`name: ${name}-net`, 'name: net-k').replace(`of ${name}`, 'one of many')
const kept = vpc('kept', '10.30.0.0/24')
const addresses = (done: { readonly document: { readonly resources: readonly { readonly address: string; readonly id: string }[] } }) =>
  done.document.resources.map((one) => one.address)

describe('a removed block that keeps', () => {
  test.each(['Vpc/old', 'Vpc/o*', 'Vpc/old["*"]', 'Vpc/old["\\u0061*"]'])('%s forgets all it names', async (address) => {
    const world = createWorld()
    await world.apply(files('', each('old', '[a, ab]'), kept))
    const sent = effects(world)
    const done = await world.apply(files(`removed: [{ address: '${address}', destroy: false }]`, kept))
    expect(brief(done.plan)).toEqual(['forget Vpc/old["a"] (removed): ', 'forget Vpc/old["ab"] (removed): '])
    expect([done.exitCode, sent, addresses(done)]).toEqual([0, [], ['Vpc/kept']])
  })
  test('one key leaves the others to be destroyed; where another block destroys, it still keeps', async () => {
    const world = createWorld()
    await world.apply(files('', each('old', '[a, b]'), kept))
    const block = `removed: [{ address: Vpc/old, destroy: true }, { address: 'Vpc/old["a"]', destroy: false }]`
    expect(brief((await world.plan(files(block, kept))).plan)).toEqual(['forget Vpc/old["a"] (removed): ', 'delete Vpc/old["b"] (removed): delete'])
  })
  test('holds in a saved plan and for a selection', async () => {
    const world = createWorld()
    await world.apply(files('', each('old', '[a, b]'), kept))
    const sent = effects(world)
    const after = files('removed: [{ address: Vpc/old, destroy: false }]', kept)
    const one = await world.apply(after, { targets: ['Vpc/old["a"]'] })
    expect(addresses(one)).toEqual(['Vpc/kept', 'Vpc/old["b"]'])
    const { plan } = await world.plan(after)
    const done = await world.applySaved(after, saved(plan))
    expect([done.outcome?.forgotten, sent, addresses(done)]).toEqual([1, [], ['Vpc/kept']])
  })
})

describe('moved', () => {
  const before = [
    ['a whole for_each', each('old', '[a, b]'), each('new', '[a, b]'), '[{ from: Vpc/old, to: Vpc/new }]'],
    [
      'a whole for_each but for one that goes elsewhere',
      each('old', '[a]'),
      each('new', '[a]'),
      `[{ from: Vpc/old, to: Vpc/no }, { from: 'Vpc/old["a"]', to: 'Vpc/new["a"]' }]`,
    ],
    ['a chain, its last link first', same('A'), same('C'), '[{ from: Vpc/B, to: Vpc/C }, { from: Vpc/A, to: Vpc/B }]'],
    ['a chain, its first link first', same('A'), same('C'), '[{ from: Vpc/A, to: Vpc/B }, { from: Vpc/B, to: Vpc/C }]'],
    ['a chain from its middle', same('B'), same('C'), '[{ from: Vpc/A, to: Vpc/B }, { from: Vpc/B, to: Vpc/C }]'],
    ['a chain of whole for_eaches', each('A', '[a, b]'), each('C', '[a, b]'), '[{ from: Vpc/B, to: Vpc/C }, { from: Vpc/A, to: Vpc/B }]'],
    ['a key that is written with escapes', each('A', '[k]'), each('B', '[k]'), `[{ from: 'Vpc/A["k"]', to: 'Vpc/B["\\u006b"]' }]`],
    ['a single one that gets a for_each', same('a'), each('a', '[k]'), `[{ from: Vpc/a, to: 'Vpc/a["k"]' }]`],
    [
      'a single one that is renamed and gets a for_each',
      same('a'),
      each('c', '[k]'),
      `[{ from: Vpc/b, to: Vpc/c }, { from: 'Vpc/a["k"]', to: 'Vpc/b["k"]' }, { from: Vpc/a, to: 'Vpc/a["k"]' }]`,
    ],
    ['one that loses its for_each', each('a', '[k]'), same('a'), `[{ from: 'Vpc/a["k"]', to: Vpc/a }]`],
  ] as const
  test.each(before)('%s', async (_, old, now, blocks) => {
    const world = createWorld()
    const first = await world.apply(files('', old, kept))
    const ids = (done: typeof first) => done.document.resources.filter((one) => one.address !== 'Vpc/kept').map((one) => one.id)
    const sent = effects(world)
    const after = files(`moved: ${blocks}`, now, kept)
    const done = await world.apply(after)
    expect([done.exitCode, brief(done.plan), sent, ids(done)]).toEqual([0, [], [], ids(first)])
    expect(addresses(done)).toEqual(world.load(after).project.resources.map((one) => one.address))
    expect((await world.plan(after)).plan.changes.map((one) => one.previous_address)).toEqual(done.document.resources.map(() => null))
  })
  test('a for_each that has lost a key: that one is destroyed, the others stay', async () => {
    const world = createWorld()
    await world.apply(files('', each('old', '[a, b]'), kept))
    const sent = effects(world)
    const done = await world.apply(files('moved: [{ from: Vpc/old, to: Vpc/new }]', each('new', '[a]'), kept))
    expect(brief(done.plan)).toEqual(['delete Vpc/new["b"] (removed): delete'])
    expect([done.exitCode, sent, addresses(done)]).toEqual([0, ['deleteVpc'], ['Vpc/kept', 'Vpc/new["a"]']])
  })
  test('what is removed under its new address is kept', async () => {
    const world = createWorld()
    await world.apply(files('', each('old', '[a, b]'), kept))
    const sent = effects(world)
    const done = await world.apply(files('moved: [{ from: Vpc/old, to: Vpc/new }]\nremoved: [{ address: Vpc/new, destroy: false }]', kept))
    expect([done.exitCode, done.outcome?.forgotten, sent, addresses(done)]).toEqual([0, 2, [], ['Vpc/kept']])
  })
  test('counts before a destroy, too, old halves included', async () => {
    const world = createWorld()
    const first = (range: string) => files('', vpc('old', range, 'lifecycle: { create_before_destroy: true }'))
    await world.apply(first('10.20.0.0/24'))
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 403 })
    const replaced = await world.apply(first('10.21.0.0/24'))
    expect(replaced.document.resources.map((one) => one.deposed.length)).toEqual([1])
    const done = await world.destroy(files('moved: [{ from: Vpc/old, to: Vpc/new }]', vpc('new', '10.21.0.0/24')))
    expect([done.exitCode, done.outcome?.destroyed, addresses(done)]).toEqual([0, 2, []])
    expect(world.sandbox.world.tables.vpcs.all()).toEqual([])
  })
  test('two that are recorded and would have one address are an error at the block', async () => {
    const world = createWorld()
    await world.apply(files('', same('A'), vpc('B')))
    const { plan } = await world.plan(files('moved:\n  - { from: Vpc/A, to: Vpc/B }\n  - { from: Vpc/B, to: Vpc/C }\n', same('C')))
    expect(said(plan)).toContainEqual('moved_conflict Vpc/A and Vpc/B cannot both move to Vpc/C')
    expect(plan.diagnostics.find((one) => one.code === 'moved_conflict')?.position).toMatchObject({ file: 'iac.yaml', line: 6 })
  })
})

describe('where the manifests differ from one environment to the next', () => {
  const variants = (old: string, now: string) => `variables: { old: { type: list, default: ${old} }, now: { type: list, default: ${now} } }
environments: { here: {}, there: {} }
`
  const here = { environment: 'here' }
  const apart = (text: string) => text.replace('10.20.0.0/24', '"10.${each.key == \'a\' ? 21 : 22}.0.0/24"')
  const both = [apart(each('old', '${vars.old}')), apart(each('now', '${vars.now}')), kept]
  const whole = 'moved: [{ from: Vpc/old, to: Vpc/now }]\n'

  test.each([
    ['a whole for_each', '[a, b]', '[]', whole],
    ['a key that gets another name', '[a]', '[b]', `moved: [{ from: 'Vpc/old["a"]', to: Vpc/gone }]\n`],
    ['a chain', '[a]', '[]', 'moved: [{ from: Vpc/old, to: Vpc/between }, { from: Vpc/between, to: Vpc/now }]\n'],
    ['a removed whole for_each', '[a, b]', '[]', 'removed: [{ address: Vpc/old, destroy: false }]\n'],
    ['a removed pattern', '[a, b]', '[]', 'removed: [{ address: "Vpc/o*", destroy: false }]\n'],
  ])('%s whose source is declared is left as it is, and destroyed by a destroy', async (_, old, now, blocks) => {
    const world = createWorld()
    const texts = files(variants(old, now) + blocks, ...both)
    const first = await world.apply(texts, {}, {}, here)
    const { plan } = await world.plan(texts, {}, here)
    expect([first.exitCode, brief(plan), plan.changes.map((one) => one.previous_address ?? ''), said(plan)]).toEqual([
      0,
      [],
      addresses(first).map(() => ''),
      [],
    ])
    const done = await world.apply(texts, { destroy: true }, {}, here)
    expect([done.exitCode, done.outcome?.forgotten, addresses(done), world.sandbox.world.tables.vpcs.all()]).toEqual([0, 0, [], []])
  })

  test('what is declared no more moves beside what still is, and is forgotten beside it', async () => {
    const world = createWorld()
    const first = await world.apply(files(variants('[a, b]', '[]'), ...both), {}, {}, here)
    const sent = effects(world)
    const moved = await world.apply(files(variants('[a]', '[b]') + whole, ...both), {}, {}, here)
    expect([moved.exitCode, brief(moved.plan), addresses(first), addresses(moved)]).toEqual([
      0,
      [],
      ['Vpc/kept', 'Vpc/old["a"]', 'Vpc/old["b"]'],
      ['Vpc/kept', 'Vpc/now["b"]', 'Vpc/old["a"]'],
    ])
    const done = await world.apply(files(`${variants('[a]', '[]')}removed: [{ address: "Vpc/*o*", destroy: false }]\n`, ...both), {}, {}, here)
    expect([brief(done.plan), sent]).toEqual([['forget Vpc/now["b"] (removed): '], []])
  })

  test('a chain ends at the first name that is declared', async () => {
    const world = createWorld()
    const first = await world.apply(files('environments: { here: {} }\n', each('A', '[k]')), {}, {}, here)
    const sent = effects(world)
    const texts = files('environments: { here: {} }\nmoved: [{ from: Vpc/B, to: Vpc/C }, { from: Vpc/A, to: Vpc/B }]\n', each('B', '[k]'))
    const done = await world.apply(texts, {}, {}, here)
    expect([brief(done.plan), sent, addresses(done), done.document.resources[0]?.id]).toEqual([[], [], ['Vpc/B["k"]'], first.document.resources[0]?.id])
    expect((await world.plan(texts, {}, here)).plan.changes.map((one) => one.previous_address)).toEqual([null])
  })

  test('a run of other files (-f) moves nothing that may be declared beside them', async () => {
    const world = createWorld()
    const texts = { ...files(variants('[a]', '[]') + whole, ...both.slice(0, 2)), 'kept.yaml': kept }
    await world.apply(texts, {}, {}, here)
    const done = await world.apply(texts, {}, {}, { ...here, only: ['kept.yaml'] })
    expect(addresses(done)).toEqual(['Vpc/kept', 'Vpc/old["a"]'])
  })

  test('a saved plan does not move what the project at hand declares by now', async () => {
    const world = createWorld()
    await world.apply(files(variants('[a]', '[]'), ...both), {}, {}, here)
    const { plan } = await world.plan(files(variants('[]', '[a]') + whole, ...both), {}, here)
    await expect(world.applySaved(files(variants('[a]', '[]') + whole, ...both), saved(plan), here)).rejects.toMatchObject({ exitCode: 6 })
    expect(addresses(await world.applySaved(files(variants('[]', '[a]') + whole, ...both), saved(plan), here))).toEqual(['Vpc/kept', 'Vpc/now["a"]'])
  })
})

test('a create that an earlier run left open has the time that its new address allows', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'RUNNING' }] } })
  const web = (name: string, minutes: number) => instance(name, '', `timeouts: { create: ${minutes}m }`)
  expect((await world.apply(files('', web('web', 1)))).exitCode).toBe(8)
  const startedMs = world.clock.now()
  expect((await world.apply(files('moved: [{ from: Instance/web, to: Instance/www }]\n', web('www', 3)))).exitCode).toBe(8)
  expect(Math.round((world.clock.now() - startedMs) / 60_000)).toBe(3)
})
