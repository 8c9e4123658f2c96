// What a manifest's lifecycle and the project's blocks do over several applies.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, rule, said, service, vpc } from './stage.ts'

describe('moved', () => {
  test('keeps the object under its new name, and what depends on it', async () => {
    const world = createWorld()
    const before = await world.apply(files('', instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22')))
    const id = before.document.resources.find((one) => one.kind === 'Instance')?.id
    const sent = effects(world)
    const after = files(
      'moved: [{ from: Instance/web, to: Instance/front }]',
      instance('front', 'name: web'),
      rule('ssh', 'action: ACCEPT\nport_start: 22').replace('instance: web', 'instance: front'),
    )
    const { plan } = await world.plan(after)
    expect(plan.changes.find((one) => one.kind === 'Instance')).toMatchObject({
      action: 'no-op',
      address: 'Instance/front',
      previous_address: 'Instance/web',
      id,
    })
    const done = await world.apply(after)
    expect(done.exitCode).toBe(0)
    expect(sent).toEqual([])
    expect(done.document.resources.map((one) => [one.address, one.depends_on])).toEqual([
      ['FirewallRule/ssh', ['Instance/front']],
      ['Instance/front', []],
    ])
    expect((await world.plan(after)).plan.changes.map((one) => one.previous_address)).toEqual([null, null])
  })
  test('onto an address that is taken is an error', async () => {
    const world = createWorld()
    await world.apply(all(vpc('one'), vpc('two', '10.30.0.0/24')))
    const { plan } = await world.plan(files('moved: [{ from: Vpc/one, to: Vpc/two }]', vpc('two', '10.30.0.0/24')))
    expect(said(plan)).toContainEqual(expect.stringMatching(/^moved_conflict /))
  })

  test('is nothing in an environment that still declares the source, whatever its state holds', async () => {
    const project = `apiVersion: iac/v1
kind: Project
variables: { keys: { type: list } }
environments: { one: { variables: { keys: [a] } }, two: { variables: { keys: [c] } } }
`
    const network = manifest('Vpc', 'net', 'name: "net-${each.key}"\ndescription: d\nrange: 10.20.0.0/24', 'for_each: ${vars.keys}')
    const before = { 'iac.yaml': project, 'main.yaml': network }
    const after = { ...before, 'iac.yaml': `${project}moved: [{ from: 'Vpc/net["a"]', to: 'Vpc/net["c"]' }]\n` }
    const [one, two] = [createWorld(), createWorld()]
    expect((await one.apply(after, {}, {}, { environment: 'one' })).exitCode).toBe(0)
    expect((await two.apply(after, {}, {}, { environment: 'two' })).exitCode).toBe(0)
    const { plan } = await one.plan(after, {}, { environment: 'one' })
    expect([brief(plan), said(plan)]).toEqual([[], []])
  })
})

describe('leaving without being destroyed', () => {
  test.each([
    ['a removed block', '', 'removed: [{ address: Vpc/main, destroy: false }]'],
    ['on_remove: retain', 'lifecycle: { on_remove: retain }', ''],
  ])('%s forgets the object', async (_, metadata, block) => {
    const world = createWorld()
    await world.apply(files('', vpc('main', '10.20.0.0/24', metadata), vpc('other', '10.30.0.0/24')))
    const sent = effects(world)
    const done = await world.apply(files(block, vpc('other', '10.30.0.0/24')))
    expect(brief(done.plan)).toEqual(['forget Vpc/main (removed): '])
    expect(done.outcome).toMatchObject({ forgotten: 1, destroyed: 0 })
    expect(sent).toEqual([])
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  })
  test('a removed block that destroys does so', async () => {
    const world = createWorld()
    await world.apply(files('', vpc('main', '10.20.0.0/24', 'lifecycle: { on_remove: retain }'), vpc('other', '10.30.0.0/24')))
    const done = await world.apply(files('removed: [{ address: Vpc/main, destroy: true }]', vpc('other', '10.30.0.0/24')))
    expect(done.outcome).toMatchObject({ destroyed: 1 })
  })
})

describe('prevent_destroy', () => {
  const guarded = (range: string) => vpc('main', range, 'lifecycle: { prevent_destroy: true }')
  test('stops a replacement, a removal and a destroy, and is lifted by an apply without it alone', async () => {
    const world = createWorld()
    const other = vpc('other', '10.30.0.0/24')
    await world.apply(all(guarded('10.20.0.0/24'), other))
    const sent = effects(world)
    expect((await world.apply(all(guarded('10.21.0.0/24'), other))).exitCode).toBe(5)
    const removed = await world.apply(other)
    expect(removed.exitCode).toBe(5)
    expect(said(removed.plan)).toContainEqual('guard_protected Vpc/main would be destroyed, and prevent_destroy protects it')
    expect((await world.destroy(all(guarded('10.20.0.0/24'), other))).exitCode).toBe(5)
    expect(sent).toEqual([])
    const lifted = await world.apply(all(vpc('main'), other))
    expect(lifted.document.resources.map((one) => one.protected)).toEqual([false, false])
    expect((await world.apply(other)).outcome).toMatchObject({ destroyed: 1 })
  })
})

test('ignore_changes leaves what others set alone', async () => {
  const world = createWorld()
  const texts = (description: string) => vpc('main', '10.20.0.0/24', 'lifecycle: { ignore_changes: [/description] }').replace('of main', description)
  await world.apply(texts('first'))
  expect((await world.plan(texts('second'))).plan.summary).toMatchObject({ no_op: 1 })
  const [row] = world.sandbox.world.tables.vpcs.all()
  world.sandbox.world.tables.vpcs.update(row?.id ?? '', { description: 'by hand' })
  expect((await world.plan(texts('second'))).plan.summary).toMatchObject({ no_op: 1 })
  const renamed = texts('second').replace('name: main-net', 'name: other-net')
  expect((await world.apply(renamed)).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()[0]).toMatchObject({ name: 'other-net', description: 'by hand' })
})

test('a field that is left out stays as it is, with one note', async () => {
  const world = createWorld()
  await world.apply(instance('web', 'os_name: Debian 13'))
  const done = await world.apply(instance('web'))
  expect(brief(done.plan)).toEqual([])
  expect(said(done.plan)).toContainEqual(expect.stringMatching(/^note Instance\/web: os_name is no longer declared/))
  expect(done.document.resources[0]?.spec).not.toHaveProperty('os_name')
  expect(said((await world.plan(instance('web'))).plan)).toEqual([])
  expect(world.sandbox.world.tables.instances.all()[0]).toMatchObject({ osName: 'Debian 13' })
})

describe('replace_triggered_by', () => {
  const web = instance('web', '', 'lifecycle: { replace_triggered_by: [Vpc/main] }')
  test.each([
    ['updated', vpc('main').replace('of main', 'changed')],
    ['replaced', vpc('main', '10.21.0.0/24')],
  ])('replaces when the trigger is %s', async (_, changed) => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web))
    expect(brief((await world.plan(all(vpc('main'), web))).plan)).toEqual([])
    const { plan } = await world.plan(all(changed, web))
    expect(plan.changes.find((one) => one.kind === 'Instance')).toMatchObject({ action: 'replace', reason: 'trigger' })
  })
  test.each(['before', 'after'] as const)('fires for no create that an earlier run began and whose answer was lost %s its effect', async (reset) => {
    const world = createWorld()
    const { document } = await world.apply(instance('web'))
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createVpc') return undefined
      world.fileSystem.crash('kill')
      return { reset }
    }
    await world.apply(all(vpc('main'), web)).catch(() => undefined)
    world.sandbox.faults.hook = undefined
    expect((await world.plan(all(vpc('main'), web))).plan.changes.find((one) => one.kind === 'Instance')).toMatchObject({ action: 'no-op' })
    expect(await world.apply(all(vpc('main'), web))).toMatchObject({ exitCode: 0, outcome: { destroyed: 0 } })
    expect(world.sandbox.world.tables.instances.all().map((one) => one.id)).toEqual([document.resources[0]?.id])
  })
  test('takes the keys of a for_each and patterns', async () => {
    const world = createWorld()
    const one = (text: string) => vpc('net', '10.20.0.0/24', 'for_each: [a, b]').replace('name: net-net', 'name: net-${each.key}').replace('of net', text)
    const two = instance('two', '', "lifecycle: { replace_triggered_by: ['Vpc/n*'] }")
    const three = instance('three', '', 'lifecycle: { replace_triggered_by: [Vpc/net] }')
    await world.apply(all(one('first'), two, three))
    const { plan } = await world.plan(all(one('second'), two, three))
    expect(plan.changes.filter((each) => each.reason === 'trigger').map((each) => each.address)).toEqual(['Instance/three', 'Instance/two'])
  })
  const changed = vpc('main').replace('of main', 'changed')
  const next = instance('next', '', 'lifecycle: { replace_triggered_by: [Instance/web] }')
  test.each([
    ['as no target', { targets: ['Instance/web'] }, []],
    ['as excluded', { excludes: ['Vpc/main'] }, []],
    ['as no target of a chain', { targets: ['Instance/next'] }, []],
    ['in the middle of a chain', { targets: ['Instance/next', 'Vpc/main'] }, ['update Vpc/main']],
    ['in the middle of a chain as excluded', { excludes: ['Instance/web'] }, ['update Vpc/main']],
    ['though it is to be replaced', { targets: ['Instance/*'], replace: ['Vpc/main'] }, []],
    ['where only what is live is recorded', { refreshOnly: true }, []],
    ['at the end of a chain', { excludes: ['Instance/next'] }, ['replace Instance/web', 'update Vpc/main']],
  ])('replaces nothing for a trigger that is left out, %s', async (_, options, doing) => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web, next))
    const { plan } = await world.plan(all(changed, web, next), options)
    expect(plan.changes.flatMap((one) => (one.action === 'no-op' ? [] : [`${one.action} ${one.address}`])).toSorted()).toEqual(doing)
  })
  test('replaces what is a target in no run, and once with its trigger', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), web))
    const sent = effects(world)
    for (const _ of [1, 2]) expect((await world.apply(all(changed, web), { targets: ['Instance/web'] })).exitCode).toBe(0)
    expect(sent).toEqual([])
    expect(brief((await world.apply(all(changed, web))).plan)).toEqual(['update Vpc/main (changed): update', 'replace Instance/web (trigger): delete, create'])
    expect(brief((await world.plan(all(changed, web))).plan)).toEqual([])
  })
})

describe('redeploy_triggered_by', () => {
  const shop = service('shop', '', 'lifecycle: { redeploy_triggered_by: [K3sSecret/db] }')
  const texts = (password: string) => all(cluster(`PASSWORD: ${password}`), shop)

  test('restarts a service once its secret was updated', async () => {
    const world = createWorld()
    expect((await world.apply(texts('one'))).exitCode).toBe(0)
    expect(brief((await world.plan(texts('one'))).plan)).toEqual([])
    const sent = effects(world)
    const done = await world.apply(texts('two'))
    expect(brief(done.plan)).toEqual(['update K3sSecret/db (changed): update', 'update K3sService/shop (trigger): redeploy'])
    expect(sent).toEqual(['updateK3sSecret', 'redeployK3sService'])
    expect(brief((await world.plan(texts('two'))).plan)).toEqual([])
  })
  test('is asked for again after the redeploy failed, and when the trigger was named with the change itself', async () => {
    const world = createWorld()
    await world.apply(all(cluster('PASSWORD: one'), service('shop')))
    world.sandbox.faults.list.push({ operation: 'redeployK3sService', status: 400 })
    expect((await world.apply(texts('two'))).exitCode).toBe(8)
    expect(brief((await world.plan(texts('two'))).plan)).toEqual(['update K3sService/shop (trigger): redeploy'])
    const sent = effects(world)
    expect((await world.apply(texts('two'))).exitCode).toBe(0)
    expect(sent).toEqual(['redeployK3sService'])
    expect(brief((await world.plan(texts('two'))).plan)).toEqual([])
  })
  test('is still due where the trigger got another address after the redeploy failed, and asked for once', async () => {
    const world = createWorld()
    await world.apply(files('', texts('one')))
    world.sandbox.faults.list.push({ operation: 'redeployK3sService', status: 400 })
    expect((await world.apply(files('', texts('two')))).exitCode).toBe(8)
    const renamed = texts('two').replace('kind: K3sSecret\nmetadata:\n  name: db', 'kind: K3sSecret\nmetadata:\n  name: store')
    const moved = files(
      'moved: [{ from: K3sSecret/db, to: K3sSecret/store }]',
      renamed.replace('secret_refs: [db]', 'secret_refs: [store]').replace('[K3sSecret/db]', '[K3sSecret/store]'),
    )
    expect(brief((await world.plan(moved)).plan)).toEqual(['update K3sService/shop (trigger): redeploy'])
    const before = (await world.document())?.resources.find((one) => one.kind === 'K3sService')?.restarts
    const { document: refreshed } = await world.refresh(moved)
    expect(refreshed?.resources.find((one) => one.kind === 'K3sService')?.restarts).toEqual({ 'K3sSecret/store': before?.['K3sSecret/db'] })
    const done = await world.apply(moved)
    expect([done.exitCode, brief(done.plan), brief((await world.plan(moved)).plan)]).toEqual([0, ['update K3sService/shop (trigger): redeploy'], []])
  })
  test.each(['before', 'after'] as const)('is carried out although the answer was lost %s its effect', async (reset) => {
    const world = createWorld()
    await world.apply(texts('one'))
    world.sandbox.faults.list.push({ operation: 'redeployK3sService', reset })
    const done = await world.apply(texts('two'))
    expect(done.exitCode).toBe(0)
    expect(brief((await world.plan(texts('two'))).plan)).toEqual([])
  })
  test('restarts nothing while the trigger is left out, and once it was updated', async () => {
    const world = createWorld()
    await world.apply(texts('one'))
    expect(brief((await world.plan(texts('two'), { excludes: ['K3sSecret/db'] })).plan)).toEqual([])
    const done = await world.apply(texts('two'), { excludes: ['K3sService/shop'] })
    expect(brief(done.plan)).toEqual(['update K3sSecret/db (changed): update'])
    expect(brief((await world.plan(texts('two'))).plan)).toEqual(['update K3sService/shop (trigger): redeploy'])
  })
  test('names the services that are not restarted without it', async () => {
    const world = createWorld()
    await world.apply(all(cluster('PASSWORD: one'), service('shop')))
    const { plan } = await world.plan(all(cluster('PASSWORD: two'), service('shop')))
    expect(said(plan)).toContainEqual('advice K3sSecret/db: K3sService/shop will not be restarted by this')
    expect(said((await world.plan(texts('two'))).plan).filter((one) => one.includes('will not be restarted'))).toEqual([])
  })
  test('is an error where nothing can be restarted', () => {
    expect(() => createWorld().load(all(vpc('main'), instance('web', '', 'lifecycle: { redeploy_triggered_by: [Vpc/main] }')))).toThrow(/cannot be restarted/)
  })
})
