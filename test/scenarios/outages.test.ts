// When the service, or what was made there, goes away: nothing is made twice, and the next run goes on.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, files, instance, rule, said, service, vpc } from './stage.ts'

const texts = all(vpc('main'), instance('web'), attachment('web', 'web', 'main'), rule('ssh', 'action: ACCEPT\nport_start: 22'))

describe('the service goes away', () => {
  test.each([0, 1, 2, 3])('after %i effects: 8, and the next run does the rest', async (count) => {
    const world = createWorld()
    let left = count
    world.sandbox.faults.hook = ({ method }) => {
      if (method !== 'GET' && left-- > 0) return undefined
      return left < 0 ? { reset: 'before' } : undefined
    }
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(8)
    expect(done.outcome?.failed.length).toBeGreaterThan(0)
    world.sandbox.faults.hook = undefined
    const again = await world.apply(texts)
    expect(again.exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    const { vpcs, instances, firewallRules, memberships } = world.sandbox.world.tables
    expect([vpcs, instances, firewallRules, memberships].map((table) => table.all().length)).toEqual([1, 1, 1, 1])
  })
  test('before anything: 1, and nothing is written', async () => {
    const world = createWorld()
    world.sandbox.faults.hook = () => ({ reset: 'before' })
    await expect(world.apply(texts)).rejects.toMatchObject({ exitCode: 1 })
    expect(await world.document()).toBeUndefined()
  })
})

test('a token that is no longer accepted stops everything with 4', async () => {
  const world = createWorld()
  const sent: string[] = []
  // The network is still being made when the refusal comes, and what waits for it could go on.
  world.sandbox.faults.hook = ({ method, operation }) => {
    if (method !== 'GET') sent.push(`${operation}`)
    return operation === 'createInstance' ? { status: 401 } : operation === 'createVpc' ? { delayMs: 5000 } : undefined
  }
  const done = await world.apply(all(instance('web'), vpc('main'), vpc('late', '10.30.0.0/24', 'depends_on: [Vpc/main]')))
  expect(done.exitCode).toBe(4)
  expect(sent.toSorted()).toEqual(['createInstance', 'createVpc'])
  expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/main'])
  world.sandbox.faults.hook = () => ({ status: 401 })
  await expect(world.plan(texts)).rejects.toMatchObject({ exitCode: 4 })
})

describe('objects that somebody else deleted', () => {
  test('are made anew with all that hung on them', async () => {
    const world = createWorld()
    const everything = all(texts, cluster('PASSWORD: one'), service('shop'), manifest('BgpConfiguration', 'bgp', 'asn: 64512\ninstance: web'))
    expect((await world.apply(everything)).exitCode).toBe(0)
    const other = world.beside()
    const ids = (await world.document())?.resources ?? []
    const web = ids.find((one) => one.address === 'Instance/web')?.id ?? ''
    await other.importObject(instance('web'), 'Instance/web', web)
    expect((await other.destroy(instance('web'))).exitCode).toBe(0)
    const { plan } = await world.plan(everything)
    expect(
      plan.changes
        .filter((one) => one.reason === 'missing')
        .map((one) => one.address)
        .toSorted(),
    ).toEqual(['FirewallRule/ssh', 'Instance/web', 'VpcAttachment/web'])
    const done = await world.apply(everything)
    expect(done.exitCode).toBe(0)
    expect(brief((await world.plan(everything)).plan)).toEqual([])
  })
  test('are forgotten by a destroy, without a call', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24')))
    const { vpcs } = world.sandbox.world.tables
    vpcs.delete(vpcs.all()[0]?.id ?? '')
    const sent = effects(world)
    const done = await world.destroy()
    expect(done.exitCode).toBe(0)
    expect(sent).toEqual(['deleteVpc'])
    expect(done.document.resources).toEqual([])
  })
  test('while it is carried out are told, and made anew by the next run', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'vpcs: []')))
    const { vpcs } = world.sandbox.world.tables
    world.sandbox.faults.hook = ({ operation }) => {
      const [first] = vpcs.all()
      if (operation === 'updateVpc' && first) vpcs.delete(first.id)
      return undefined
    }
    const changed = all(vpc('main').replace('of main', 'second'), instance('web', 'vpcs: []'))
    expect((await world.apply(changed)).exitCode).toBe(8)
    world.sandbox.faults.hook = undefined
    const again = await world.apply(changed)
    expect(again.outcome).toMatchObject({ added: 1, failed: [] })
  })
})

test('one resource becomes one of a for_each by a move', async () => {
  const world = createWorld()
  await world.apply(files('', vpc('net')))
  const keyed = vpc('net', '10.20.0.0/24', 'for_each: [a]')
  const done = await world.apply(files('moved: [{ from: Vpc/net, to: \'Vpc/net["a"]\' }]', keyed))
  expect(brief(done.plan)).toEqual([])
  expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/net["a"]'])
  expect(said(done.plan)).toEqual([])
})
