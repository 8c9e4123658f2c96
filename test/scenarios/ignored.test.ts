// Sensitive values that ignore_changes keeps as they are: what is made from them, and what needs them.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, files, said, saved, vpc } from './stage.ts'

const variable = 'variables: { pw: { type: string, sensitive: true }, user: { default: shop } }'
const loading = (pw: string) => ({ variables: { pw } })
const apply = (world: World, texts: Parameters<World['apply']>[0], pw: string) => world.apply(texts, {}, {}, loading(pw))
const planned = async (world: World, texts: Parameters<World['apply']>[0], pw: string, options = {}) => (await world.plan(texts, options, loading(pw))).plan

describe('of a field that live shows', () => {
  const main = vpc('main', '10.20.0.0/24', 'lifecycle: { ignore_changes: [/description] }').replace('of main', '"${vars.pw}"')
  const copy = (name: string, range: string) => vpc(name, range).replace(`of ${name}`, '"copy of ${Vpc[\'main\'].description}"')
  const texts = files(variable, main, copy('two', '10.30.0.0/24'))
  const descriptions = (world: World) => world.sandbox.world.tables.vpcs.all().map((one) => one.description)

  test('what is made from it stays once the secret was rotated', async () => {
    const world = createWorld()
    await apply(world, texts, 'A')
    const sent = effects(world)
    const done = await apply(world, texts, 'B')
    expect([done.exitCode, brief(done.plan), said(done.plan), sent]).toEqual([0, [], [], []])
    expect(descriptions(world)).toEqual(['A', 'copy of A'])
  })
  test('what is made from it follows a change by hand, once', async () => {
    const world = createWorld()
    const { document } = await apply(world, texts, 'A')
    const id = document.resources.find((one) => one.address === 'Vpc/main')?.id ?? ''
    world.sandbox.world.tables.vpcs.update(id, { description: 'by hand' })
    const done = await apply(world, texts, 'A')
    expect([done.exitCode, brief(done.plan)]).toEqual([0, ['update Vpc/two (changed): update']])
    expect(descriptions(world).toSorted()).toEqual(['by hand', 'copy of by hand'])
    expect(brief(await planned(world, texts, 'A'))).toEqual([])
  })
  test('what is new takes what is there, and so does its own replacement', async () => {
    const world = createWorld()
    await apply(world, texts, 'A')
    const more = files(variable, main.replace('10.20.', '10.21.'), copy('two', '10.30.0.0/24'), copy('three', '10.40.0.0/24'))
    const done = await apply(world, more, 'B')
    expect([done.exitCode, brief(done.plan).length]).toEqual([0, 2])
    expect(descriptions(world).toSorted()).toEqual(['A', 'copy of A', 'copy of A'])
  })
  test('in a saved plan, too', async () => {
    const world = createWorld()
    const { document } = await apply(world, texts, 'A')
    const more = files(variable, main, copy('two', '10.30.0.0/24'), copy('three', '10.40.0.0/24'))
    world.sandbox.world.tables.vpcs.update(document.resources.find((one) => one.address === 'Vpc/main')?.id ?? '', { description: 'by hand' })
    const plan = saved(await planned(world, more, 'B'))
    expect((await world.applySaved(more, plan, loading('B'))).exitCode).toBe(0)
  })
  test('where nothing is read, what is made from it stays', async () => {
    const world = createWorld()
    await apply(world, texts, 'A')
    expect(brief(await planned(world, texts, 'B', { unread: true }))).toEqual([])
  })
})

describe('of a field that nobody can read', () => {
  const secret = (name: string, data: string, metadata = '') => manifest('K3sSecret', name, `data: { ${data} }`, metadata)
  const main = secret('main', 'PW: "${vars.pw}", USER: "${vars.user}"', 'lifecycle: { ignore_changes: [/data/PW] }')
  const copy = (name: string, more = '') => secret(name, `URL: "db:\${K3sSecret['main'].data.PW}"${more}`)
  const texts = (...others: readonly string[]) => files(variable, manifest('K3sCluster', 'main', ''), main, ...others)
  const applied = async () => {
    const world = createWorld()
    expect((await apply(world, texts(copy('two')), 'A')).exitCode).toBe(0)
    return { world, sent: effects(world) }
  }

  test('what is made from it stays as it is, with a note, and so does what is made from that', async () => {
    const world = createWorld()
    const next = texts(copy('two'), secret('three', 'URL: "${K3sSecret[\'two\'].data.URL}"'))
    await apply(world, next, 'A')
    expect([brief(await planned(world, next, 'A')), said(await planned(world, next, 'A'))]).toEqual([[], []])
    const sent = effects(world)
    const done = await apply(world, next, 'B')
    expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
    expect(said(done.plan)).toEqual([
      'note K3sSecret/three: /data/URL stays as it is: it is made from a sensitive value of K3sSecret/two that nobody has',
      'note K3sSecret/two: /data/URL stays as it is: it is made from a sensitive value of K3sSecret/main that nobody has',
    ])
  })
  test.each([
    ['made from it', texts(copy('two'), copy('new')), 'K3sSecret/new'],
    ['written in full with what is made from it', texts(copy('two', ', MORE: x')), 'K3sSecret/two'],
    ['written in full', files(variable, manifest('K3sCluster', 'main', ''), main.replace('${vars.user}', '${vars.user}2'), copy('two')), 'K3sSecret/main'],
  ])('what is to be %s is refused when planning', async (_, next, address) => {
    const { world, sent } = await applied()
    const done = await apply(world, next, 'B')
    const wrong = done.plan.diagnostics.filter((one) => one.severity === 'error')
    expect([done.exitCode, sent, wrong.map((one) => [one.code, one.address])]).toEqual([3, [], [['unsupported_change', address]]])
    expect(wrong[0]?.hint).toContain('ignore_changes')
    expect(wrong[0]?.position).toMatchObject({ file: 'main.yaml' })
    // With the value at hand it is carried out.
    expect((await apply(world, next, 'A')).exitCode).toBe(0)
  })
  test('what is left out is not refused', async () => {
    const { world } = await applied()
    const plan = await planned(world, texts(copy('two'), copy('new')), 'B', { excludes: ['K3sSecret/new'] })
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
  })
  test('with -f what is made from it stays, and what is new names the file that it lacks', async () => {
    const { world } = await applied()
    const parts = { ...texts(), 'b.yaml': all(copy('two')), 'c.yaml': all(copy('new')) }
    const only = (...names: readonly string[]) => ({ ...loading('A'), only: names })
    const kept = await world.plan(parts, {}, only('b.yaml'))
    expect([brief(kept.plan), said(kept.plan)]).toEqual([[], [expect.stringMatching(/^note K3sSecret\/two: \/data\/URL stays as it is/)]])
    const { plan } = await world.plan(parts, {}, only('c.yaml'))
    expect(plan.diagnostics.find((one) => one.severity === 'error')).toMatchObject({
      code: 'unsupported_change',
      hint: expect.stringContaining('K3sSecret/main'),
    })
  })
})
