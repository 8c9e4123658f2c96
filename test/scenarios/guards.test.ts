// What a plan warns of, and what stops it before anything is changed.
import { describe, expect, test } from 'vitest'
import { memoryMachine } from '../../src/state/backends/local/memory-machine.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, said, service, vpc } from './stage.ts'

const two = all(vpc('main'), vpc('other', '10.30.0.0/24'))

describe('guards', () => {
  test('a destroy budget counts deletes and replacements', async () => {
    const world = createWorld()
    await world.apply(files('guards: { max_destroy: 1 }', two))
    const sent = effects(world)
    const replaced = files('guards: { max_destroy: 1 }', vpc('main', '10.21.0.0/24'))
    const done = await world.apply(replaced)
    expect(done.exitCode).toBe(5)
    expect(said(done)).toEqual(['guard_budget the plan destroys 2, and max_destroy allows 1'])
    expect(sent).toEqual([])
    expect((await world.apply(replaced, {}, { maxDestroy: 2 })).exitCode).toBe(0)
  })
  test('--no-destroy refuses a delete and a replacement, and nothing else', async () => {
    const world = createWorld()
    await world.apply(two)
    expect((await world.apply(vpc('main'), {}, { noDestroy: true })).exitCode).toBe(5)
    expect((await world.apply(two, { replace: ['Vpc/main'] }, { noDestroy: true })).exitCode).toBe(5)
    expect((await world.apply(all(two, instance('web')), {}, { noDestroy: true })).exitCode).toBe(0)
  })
  test('--no-destroy refuses the replacement of what failed, too, which no budget counts', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'FAILED', leaves: 'failed' }] } })
    await world.apply(instance('web'))
    const sent = effects(world)
    const done = await world.apply(instance('web'), {}, { noDestroy: true })
    expect([done.exitCode, said(done), sent]).toEqual([5, ['guard_no_destroy --no-destroy: the plan would destroy or replace Instance/web'], []])
    expect((await world.apply(instance('web'), {}, { maxDestroy: 0 })).outcome).toMatchObject({ added: 1, destroyed: 1 })
  })
  test('a destroy heeds prevent_destroy of a manifest that was not applied yet, and of one that is gone', async () => {
    const world = createWorld()
    await world.apply(two)
    const guarded = all(vpc('main', '10.20.0.0/24', 'lifecycle: { prevent_destroy: true }'), vpc('other', '10.30.0.0/24'))
    const sent = effects(world)
    const done = await world.destroy(guarded)
    expect([done.exitCode, sent]).toEqual([5, []])
    expect(said(done.plan)).toEqual([expect.stringMatching(/^guard_protected Vpc\/main would be destroyed/)])
    expect(done.plan.diagnostics[0]?.position?.text).toBe('  lifecycle: { prevent_destroy: true }')
    expect((await world.apply(guarded)).exitCode).toBe(0)
    const gone = await world.destroy()
    expect([gone.exitCode, gone.plan.diagnostics.flatMap((one) => (one.code === 'guard_protected' ? [one.hint] : []))]).toEqual([
      5,
      ['put its manifest back with prevent_destroy: false and apply that first'],
    ])
    const hints = (await world.plan(vpc('other', '10.30.0.0/24'))).plan.diagnostics.map((one) => one.hint)
    expect(hints).toEqual(['put its manifest back with prevent_destroy: false and apply that first'])
    expect((await world.apply(two)).exitCode).toBe(0)
    expect((await world.destroy(two)).exitCode).toBe(0)
  })
  test('a project without manifests destroys nothing, but an empty for_each does', async () => {
    const world = createWorld()
    await world.apply(two)
    const empty = await world.apply('')
    expect(empty.exitCode).toBe(5)
    expect(said(empty)).toContainEqual(expect.stringMatching(/^guard_empty .*/))
    expect((await world.apply(vpc('net', '10.20.0.0/24', 'for_each: []'))).outcome).toMatchObject({ destroyed: 2 })
  })
  test('a quota that is too small refuses, the extra one of a create-first replacement included', async () => {
    const world = createWorld({ sandbox: { quota: { max_vpcs: 2 } } })
    const third = all(two, vpc('third', '10.40.0.0/24'))
    const { plan } = await world.plan(third)
    const workspace = world.sandbox.workspaceId
    expect(plan.quota).toContainEqual({ workspace, name: 'max_vpcs', used: 0, after: 3, limit: 2, exceeded: true })
    expect((await world.apply(third)).exitCode).toBe(5)
    expect((await world.apply(two)).exitCode).toBe(0)
    const first = two.replace('10.20.0.0', '10.21.0.0')
    const forced = all(vpc('main', '10.21.0.0/24', 'lifecycle: { create_before_destroy: true }'), vpc('other', '10.30.0.0/24'))
    expect((await world.plan(forced)).plan.quota).toContainEqual({ workspace, name: 'max_vpcs', used: 2, after: 2, limit: 2, exceeded: true })
    expect((await world.apply(forced)).exitCode).toBe(5)
    expect((await world.apply(first)).exitCode).toBe(0)
  })
})

describe('objects that nobody manages', () => {
  test('are named where another one like it would be made', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const stranger = world.beside()
    const { plan } = await stranger.plan(vpc('main'))
    expect(said(plan)).toContainEqual(expect.stringMatching(/^possible_duplicate Vpc\/main: a Vpc like it exists already/))
    expect((await stranger.apply(vpc('main'))).exitCode).toBe(0)
  })
  test('are named of what stands in no workspace, too', async () => {
    const world = createWorld()
    const team = (name: string): string => manifest('Workspace', name, 'name: team-one')
    await world.apply(team('one'))
    expect(said((await world.plan(team('two'))).plan)).toContainEqual(
      expect.stringMatching(/^possible_duplicate Workspace\/two: a Workspace like it, Workspace\/one /),
    )
  })
  test('are named where this plan forgets one and makes another one like it', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const like = vpc('next').replace('next-net', 'main-net')
    const texts = files('removed: [{ address: Vpc/main, destroy: false }]', like)
    const { plan } = await world.plan(texts)
    const found = plan.diagnostics.find((one) => one.code === 'possible_duplicate')
    expect(found?.summary).toMatch(/^Vpc\/next: a Vpc like it, Vpc\/main \(id \d+\), is forgotten by this plan and stays; another one will be made$/)
    expect([found?.address, found?.position?.file, found?.hint]).toEqual([
      'Vpc/next',
      'main.yaml',
      expect.stringContaining('moved: [{ from: Vpc/main, to: Vpc/next }]'),
    ])
    expect(said((await world.plan(files('removed: [{ address: Vpc/main, destroy: false }]', vpc('next')))).plan)).toEqual([])
    expect(said((await world.plan(like)).plan)).toEqual([])
    expect((await world.apply(texts)).exitCode).toBe(0)
  })
  test('are named where what this plan leaves out is like another one that it makes, and no manifest at hand declares it', async () => {
    const world = createWorld()
    const first = all(instance('main'), instance('other'))
    await world.apply({ 'main.yaml': first, 'beside.yaml': vpc('main') })
    const key = instance('next', 'name: main', 'for_each: ["it\'s"]')
    const found = async (text: string, options: Parameters<typeof world.plan>[1], only?: readonly string[]) => {
      const { plan } = await world.plan({ 'main.yaml': text, 'beside.yaml': vpc('main') }, options, only ? { only } : {})
      return plan.diagnostics.filter((one) => one.code === 'possible_duplicate')
    }
    const renamed = all(instance('next', 'name: main'), instance('other'))
    const [one, ...more] = await found(renamed, { targets: ['Instance/next'] })
    expect(one?.summary).toMatch(
      /^Instance\/next: an Instance like it, Instance\/main \(id \d+\), is left out of this plan and stays; another one will be made$/,
    )
    expect([one?.severity, one?.hint, more]).toEqual(['warning', expect.stringContaining('moved: [{ from: Instance/main, to: Instance/next }]'), []])
    expect(await found(renamed, { excludes: ['Instance/main'] })).toEqual([one])
    expect(await found(renamed, {}, ['main.yaml'])).toEqual([one])
    const [keyed] = await found(all(key, instance('other')), { excludes: ['Instance/main'] })
    expect(keyed?.hint).toContain(`moved: [{ from: Instance/main, to: 'Instance/next["it''s"]' }]`)
    // Declared beside it, another one of that name is meant.
    expect(await found(all(first, instance('next', 'name: main')), { targets: ['Instance/next'] })).toEqual([])
    expect(await found(renamed, { excludes: ['Instance/next'] })).toEqual([])
    expect(await found(renamed, {})).toEqual([])
  })
  test.each([
    ['a singleton', manifest('BgpConfiguration', 'bgp', 'asn: 64512')],
    ['a unique name', all(manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'db', 'name: db\ndata: { A: b }'))],
  ])('%s is never taken over', async (_, texts) => {
    const world = createWorld()
    await world.apply(texts)
    const stranger = world.beside()
    const sent = effects(world)
    const done = await stranger.apply(texts)
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toContainEqual(expect.stringMatching(/^exists .* exists already \(id \d+\) and is in no state/))
    expect(done.plan.diagnostics.map((one) => one.hint)).toContainEqual(expect.stringMatching(/iac import '/))
    expect(sent).toEqual([])
  })
  test('that a delete takes along are named and counted', async () => {
    const world = createWorld()
    const session = manifest('BgpConfiguration', 'bgp', 'asn: 64512')
    await world.apply(session)
    const stranger = world.beside()
    await stranger.importObject(session, 'BgpConfiguration/bgp', (await world.document())?.resources[0]?.id ?? '')
    await stranger.apply(all(session, manifest('BgpPrefix', 'one', 'prefix: 203.0.113.0/24\nenabled: true\ncommunity: DEFAULT')))
    const { plan } = await world.plan(session, { destroy: true })
    expect(said(plan)).toContainEqual(expect.stringMatching(/^advice BgpConfiguration\/bgp: its deletion takes along what nobody manages: BgpPrefix \d+$/))
    const done = await world.apply(session, { destroy: true }, { maxDestroy: 1 })
    expect(done.exitCode).toBe(5)
    expect(said(done)).toEqual(['guard_budget the plan destroys 2, and max_destroy allows 1'])
    expect((await world.apply(session, { destroy: true }, { maxDestroy: 2 })).exitCode).toBe(0)
  })
})

describe('advice', () => {
  test('what the role of the caller does not allow is said, and refused with 4 by the service', async () => {
    const world = createWorld()
    const { members } = world.sandbox.world.tables
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'VIEWER' })
    const { plan } = await world.plan(vpc('main'))
    expect(said(plan)).toEqual(['advice Vpc/main: create needs the role EDITOR, and the caller is VIEWER'])
    expect((await world.apply(vpc('main'))).exitCode).toBe(4)
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'EDITOR' })
    expect(said((await world.plan(vpc('main'))).plan)).toEqual([])
  })
  test('a difference of price stands under the plan', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const { plan } = await world.plan(all(instance('web').replace('ryzen-4', 'ryzen-8'), vpc('main')))
    expect(plan.cost).toMatchObject({ currency: 'USD', unit: 'micro', hourly_before: '30000', hourly_after: '60000', monthly_before: '20160000', unpriced: [] })
    const more = await world.plan(all(instance('web'), cluster('A: b')))
    expect(more.plan.cost).toMatchObject({ hourly_after: '60000', unpriced: ['K3sCluster/main', 'K3sNode/worker'] })
  })
})

test('of two applies at once one is told who holds the lock', async () => {
  const machines = memoryMachine()
  const world = createWorld({ machine: () => machines.start() })
  const first = world.apply(all(vpc('main'), instance('web', 'vpcs: [main]')))
  await expect(world.apply(vpc('main'))).rejects.toMatchObject({ exitCode: 7 })
  expect((await first).exitCode).toBe(0)
  expect(brief((await world.plan(all(vpc('main'), instance('web', 'vpcs: [main]')))).plan)).toEqual([])
})

test('a disabled plan and a service that is not ready are errors before any change', async () => {
  const world = createWorld()
  const sent = effects(world)
  const done = await world.apply(all(vpc('main'), instance('web').replace('ryzen-4', 'ryzen-legacy')))
  expect(done.exitCode).toBe(3)
  expect(said(done.plan)).toContainEqual(expect.stringMatching(/^unsupported_change Instance\/web: the plan is disabled/))
  expect(sent).toEqual([])
  expect((await world.apply(all(cluster('A: b'), service('shop')))).exitCode).toBe(0)
})
