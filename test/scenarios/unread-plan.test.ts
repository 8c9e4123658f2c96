// Plans without a refresh: the state stands for what is live, nothing managed is read, and applying holds each object against its record.
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, project, rule, said, saved, service, vpc } from './stage.ts'

const nothing = { 'iac.yaml': project() }
const unread = { unread: true }

const whole = all(
  vpc('main'),
  instance('web', 'vpcs: [main]\nos_name: Debian\npower: "ON"'),
  rule('ssh', 'action: ACCEPT\nport_start: 22'),
  manifest('BgpConfiguration', 'bgp', 'asn: 64512\nmax_prefixes: 8'),
  manifest('BgpPrefix', 'net', 'prefix: 203.0.113.0/24\nenabled: true\ncommunity: DEFAULT'),
  cluster('PASSWORD: one'),
  service('shop', 'environment: { MODE: live }'),
)

/** The reads that arrive at the service from now on. */
function reads(world: World): string[] {
  const out: string[] = []
  world.sandbox.faults.hook = ({ operation, method }) => {
    if (method === 'GET') out.push(`${operation}`)
    return undefined
  }
  return out
}

function byHand(world: World, description = 'by hand'): void {
  const { vpcs } = world.sandbox.world.tables
  vpcs.update(vpcs.all()[0]?.id ?? '', { description })
}

test('shows no change where the manifests are as recorded, and reads nothing that is managed', async () => {
  const world = createWorld()
  await world.apply(whole)
  byHand(world)
  const asked = reads(world)
  const { plan } = await world.plan(whole, unread)
  expect(brief(plan)).toEqual([])
  expect([...new Set(asked)].toSorted()).toEqual(['listPlans', 'listWorkspaces'])
  expect(plan).toMatchObject({ refreshed: false, drift: null, quota: null })
  expect(said(plan)).toContain('advice live state was not read: this plan shows what differs from the state alone')
})

test('has the same steps as one that reads, where nothing changed out there', async () => {
  const world = createWorld()
  await world.apply(whole)
  const next = all(
    whole.replace('of main', 'renamed').replace('os_name: Debian', 'os_name: Alpine').replace('port_start: 22', 'port_start: 23'),
    vpc('more', '10.30.0.0/24'),
  )
    .replace('shop:1', 'shop:2')
    .replace('PASSWORD: one', 'PASSWORD: two')
    .replace('power: "ON"', 'power: "OFF"')
  const [without, reading] = [(await world.plan(next, unread)).plan, (await world.plan(next)).plan]
  expect(brief(without)).toEqual(brief(reading))
  expect(brief(without).length).toBeGreaterThan(5)
  expect(without.changes.map((one) => one.patch)).toEqual(reading.changes.map((one) => one.patch))
})

test('knows the outputs that are recorded', async () => {
  const world = createWorld()
  const texts = files('outputs: { ip: { value: "${Instance[\'web\'].ip4}" } }', instance('web'))
  const done = await world.apply(texts)
  const { plan } = await world.plan(texts, unread)
  expect(plan.outputs['ip']).toEqual(done.document.outputs['ip'])
  expect(plan.outputs['ip']).toMatchObject({ value: expect.stringContaining('.') })
})

test('destroys what is recorded', async () => {
  const world = createWorld()
  await world.apply(whole)
  const { plan } = await world.plan('', { ...unread, destroy: true })
  expect(plan.summary).toMatchObject({ delete: 10, no_op: 0 })
  expect((await world.applySaved(nothing, saved(plan))).outcome).toMatchObject({ destroyed: 10, failed: [] })
})

test('reads what is to be imported', async () => {
  const world = createWorld()
  await world.apply(vpc('main'))
  const id = world.sandbox.world.tables.vpcs.all()[0]?.id ?? ''
  const { plan } = await world.beside().plan(vpc('main', '10.20.0.0/24', `import: { id: "${id}" }`), unread)
  expect(brief(plan)).toEqual(['import Vpc/main (new): '])
})

describe('the old half that a replacement has left', () => {
  test.each(['scheduled', 'scheduled-apart'] as const)('is read, and no difference while it is leaving (%s)', async (deletion) => {
    const world = createWorld({ sandbox: { readings: { deletion, scheduledDeletionMs: 3_600_000 } } })
    const next = instance('web').replace('ryzen-4', 'ryzen-8')
    await world.apply(instance('web'))
    await world.apply(next)
    const { plan } = await world.plan(next, unread)
    expect(brief(plan)).toEqual([])
    const sent = effects(world)
    expect((await world.apply(next, unread, { noDestroy: true })).exitCode).toBe(0)
    const more = all(next, vpc('main'))
    expect((await world.applySaved(more, saved((await world.plan(more, unread)).plan))).exitCode).toBe(0)
    expect(sent).toEqual(['createVpc'])
    await world.clock.sleep(3_700_000)
    expect((await world.apply(more, unread)).exitCode).toBe(0)
    expect(brief((await world.plan(more)).plan)).toEqual([])
  })
  test('goes where its deletion never began, by a saved plan, too', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.delete', outcome: 'FAILED', leaves: 'nothing' }] } })
    const next = instance('web', '', 'lifecycle: { create_before_destroy: true }')
    await world.apply(next)
    expect((await world.apply(next.replace('ryzen-4', 'ryzen-8'))).exitCode).toBe(8)
    const { plan } = await world.plan(next.replace('ryzen-4', 'ryzen-8'), unread)
    expect(brief(plan)).toEqual(['delete Instance/web (resumed): delete'])
    expect((await world.applySaved(next.replace('ryzen-4', 'ryzen-8'), saved(plan))).exitCode).toBe(0)
    expect(world.sandbox.world.tables.instances.all()).toHaveLength(1)
  })
})

test('asks again for what a lost request may have changed', async () => {
  const world = createWorld()
  await world.apply(vpc('main'))
  let sent = false
  world.sandbox.faults.hook = ({ operation }) => {
    sent ||= operation === 'updateVpc'
    return operation === 'updateVpc' ? { reset: 'after' } : sent && operation === 'getVpc' ? { status: 503 } : undefined
  }
  expect((await world.apply(vpc('main').replace('of main', 'renamed'))).exitCode).toBe(8)
  expect(brief((await world.plan(vpc('main'), unread)).plan)).toEqual(['update Vpc/main (changed): update'])
})

test('forgets nothing that is still being deleted', async () => {
  const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
  await world.apply(instance('web'))
  await world.apply(vpc('main'))
  const plan = saved((await world.plan(vpc('more', '10.30.0.0/24'), unread)).plan)
  const done = await world.applySaved(nothing, plan)
  expect(done.document.resources.map((one) => [one.address, one.status])).toEqual([
    ['Instance/web', 'deleting'],
    ['Vpc/more', 'ready'],
  ])
})

describe('saved', () => {
  const prepared = async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'power: "ON"')))
    const next = all(vpc('main').replace('of main', 'second'), instance('web', 'power: "ON"\nos_name: Debian'))
    return { world, next, plan: saved((await world.plan(next, unread)).plan) }
  }
  test('is carried out where everything is as recorded', async () => {
    const { world, next, plan } = await prepared()
    expect((await world.applySaved(nothing, plan)).outcome).toMatchObject({ changed: 2, failed: [] })
    expect(brief((await world.plan(next)).plan)).toEqual([])
  })
  test.each([
    ['was changed', (world: World) => byHand(world)],
    [
      'is gone',
      ({
        sandbox: {
          world: { tables },
        },
      }: World) => void tables.vpcs.delete(tables.vpcs.all()[0]?.id ?? ''),
    ],
    [
      'is in another state',
      ({
        sandbox: {
          world: { tables },
        },
      }: World) => void tables.instances.update(tables.instances.all()[0]?.id ?? '', { state: 'SUSPENDED' }),
    ],
  ])('is refused with 6 where an object that it touches %s', async (_, spoil) => {
    const { world, plan } = await prepared()
    spoil(world)
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject({ exitCode: 6 })
  })
  test('is carried out where something else was changed', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web')))
    const plan = saved((await world.plan(all(vpc('main'), instance('web', 'os_name: Debian')), unread)).plan)
    byHand(world)
    expect((await world.applySaved(nothing, plan)).exitCode).toBe(0)
  })
  test('is refused with 5 where a delete takes along more than the budget allows', async () => {
    const world = createWorld()
    const guarded = 'guards: { max_destroy: 1 }'
    await world.apply(manifest('BgpConfiguration', 'bgp', 'asn: 64512\nmax_prefixes: 8'))
    const { bgpPrefixes } = world.sandbox.world.tables
    bgpPrefixes.insert({ workspaceId: world.sandbox.workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' })
    const { plan } = await world.plan(files(guarded), { ...unread, destroy: true })
    await expect(world.applySaved({ 'iac.yaml': project(guarded) }, saved(plan))).rejects.toMatchObject({ exitCode: 5 })
  })
})

test('a deletion that takes along what nobody manages counts against the budget before anything is sent', async () => {
  const world = createWorld()
  const rest = vpc('rest', '10.90.0.0/24')
  await world.apply(all(manifest('BgpConfiguration', 'bgp', 'asn: 64512\nmax_prefixes: 8'), rest))
  const { bgpPrefixes } = world.sandbox.world.tables
  bgpPrefixes.insert({ workspaceId: world.sandbox.workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' })
  const sent = effects(world)
  const refused = await world.apply(rest, unread, { maxDestroy: 1 })
  expect([refused.exitCode, refused.diagnostics.map((one) => one.code), sent]).toEqual([5, ['guard_budget'], []])
})

test('every kind reads its own record', () => {
  expect(
    kinds
      .filter((kind) => kind.managed && !kind.live.schema.safeParse({ id: '1', instance: '1', vpc: '2', dedibox: '3', type: 'CPU' }).success)
      .map((kind) => kind.name),
  ).toEqual([])
})

test('takes over no singleton that somebody else has made', async () => {
  const world = createWorld()
  const bgp = (asn: number) => manifest('BgpConfiguration', 'bgp', `asn: ${asn}`)
  await world.apply(vpc('main'))
  await world.beside().apply(bgp(64512))
  const plan = saved((await world.plan(all(vpc('main'), bgp(64999)), unread)).plan)
  const done = await world.applySaved(nothing, plan)
  expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, ['exists']])
  expect(world.sandbox.world.tables.bgpConfigurations.all().map((one) => one.asn)).toEqual([64512])
})
