// A list below something that is there, and that the service says is not: nothing on it is forgotten, made again or left behind for that.
import { describe, expect, test } from 'vitest'
import type { FaultRequest } from '../../src/sandbox/faults/faults.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, files, instance, rule, said, service, vpc } from './stage.ts'

const session = manifest('BgpConfiguration', 'session', 'asn: 64512')
const prefix = manifest('BgpPrefix', 'own', 'prefix: 192.0.2.0/24\nenabled: true\ncommunity: DEFAULT', 'depends_on: [BgpConfiguration/session]')
const base = all(
  instance('web'),
  vpc('main'),
  session,
  manifest('K3sCluster', 'main', ''),
  instance('worker'),
  manifest('K3sNode', 'worker', 'instance: worker'),
)
const secret = manifest('K3sSecret', 'db', 'name: db\ndata:\n  USER: shop')

/** A world after an apply of this, whose lists of these operations are not found from then on. */
async function lacking(operations: readonly string[], texts: Parameters<World['apply']>[0]) {
  const world = createWorld()
  expect((await world.apply(texts)).exitCode).toBe(0)
  const sent = effects(world)
  const note = world.sandbox.faults.hook
  world.sandbox.faults.hook = (asked) => (operations.includes(String(asked.operation)) ? { status: 404 } : note?.(asked))
  return { world, sent }
}

/** How a run ends that is no result: the status that the service answered with, and what it was asked for. */
const refused = (what: string) => ({ name: 'ApiError', status: 404, request: expect.stringContaining(what) })

describe('what has lost its manifest', () => {
  test.each([
    ['listBgpPrefixes', '/bgp/prefixes', 'BgpPrefix/own', prefix],
    ['listVpcMembers', '/instances', 'VpcAttachment/web', attachment('web', 'web', 'main')],
    ['listK3sSecrets', '/k3s/secrets', 'K3sSecret/db', secret],
  ])('is not forgotten while %s answers 404', async (operation, path, address, text) => {
    const { world, sent } = await lacking([operation], all(base, text))
    await expect(world.plan(base)).rejects.toMatchObject(refused(path))
    await expect(world.apply(base)).rejects.toMatchObject(refused(path))
    expect([sent, (await world.document())?.resources.map((one) => one.address)]).toEqual([[], expect.arrayContaining([address])])
    world.sandbox.faults.hook = undefined
    expect(brief((await world.plan(base)).plan)).toEqual([`delete ${address} (removed): delete`])
  })
  test('is not taken for gone where the list fails once its delete is sent, and goes with the next run', async () => {
    const { world } = await lacking([], all(base, prefix))
    let isOut = false
    world.sandbox.faults.hook = ({ operation, method }) => {
      isOut ||= operation === 'deleteBgpPrefix'
      return isOut && operation === 'listBgpPrefixes' && method === 'GET' ? { status: 404 } : undefined
    }
    expect((await world.apply(base)).exitCode).toBe(8)
    world.sandbox.faults.hook = undefined
    const done = await world.apply(base)
    expect([done.exitCode, done.document.resources.map((one) => one.kind)]).toEqual([0, expect.not.arrayContaining(['BgpPrefix'])])
  })
})

describe('what is declared', () => {
  const texts = files(
    '',
    cluster('USER: shop'),
    service('shop'),
    instance('web'),
    vpc('main'),
    attachment('web', 'web', 'main'),
    rule('ssh', 'action: ACCEPT\nport_start: 22'),
    session,
    prefix,
    manifest('Dedibox', 'db', 'name: metal-1'),
    manifest('DediboxIp', 'own', 'dedibox: db\naddress: 203.0.113.77\ntype: IPv4'),
  )
  test.each([
    ['listBgpPrefixes', '/bgp/prefixes'],
    ['listVpcMembers', '/instances'],
    ['listK3sSecrets', '/k3s/secrets'],
    ['listK3sServices', '/k3s/services'],
    ['listK3sNodes', '/k3s/nodes'],
    ['listInstanceFirewallRules', '/firewall-rules'],
    ['listDediboxIps', '/ips'],
  ])('is not made a second time while %s answers 404', async (operation, path) => {
    const { world, sent } = await lacking([operation], texts)
    await expect(world.apply(texts)).rejects.toMatchObject(refused(path))
    expect(sent).toEqual([])
    world.sandbox.faults.hook = undefined
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
})

describe('what it hangs on is gone as well', () => {
  test.each([
    ['the session', ['listBgpPrefixes', 'getBgp'], all(session, prefix), ['BgpConfiguration/session', 'BgpPrefix/own']],
    ['the cluster', ['listK3sSecrets', 'getK3s'], all(manifest('K3sCluster', 'main', ''), secret), ['K3sCluster/main', 'K3sSecret/db']],
  ])('%s: all of it is missing', async (_, operations, texts, addresses) => {
    const { world } = await lacking(operations, texts)
    expect(brief((await world.plan(texts)).plan)).toEqual(addresses.map((address) => `create ${address} (missing): create`))
  })
  test('a VPC that goes between the list of all and that of its members has none', async () => {
    const texts = all(instance('web', 'vpcs: [main]'), vpc('main'), vpc('other', '10.21.0.0/24'))
    const { world } = await lacking([], texts)
    const { vpcs } = world.sandbox.world.tables
    world.sandbox.faults.hook = ({ operation, path }: FaultRequest) => {
      const other = vpcs.all().find((one) => one.name === 'other-net')
      if (operation === 'listVpcMembers' && other && path.includes(other.id)) vpcs.delete(other.id)
      return undefined
    }
    expect(said((await world.plan(texts)).plan)).toEqual([])
    expect(brief((await world.plan(texts)).plan)).toEqual(['create Vpc/other (missing): create'])
  })
})

test('a list that lags behind what it hangs on is asked for again', async () => {
  const texts = all(base, attachment('web', 'web', 'main'), prefix, secret)
  const world = createWorld()
  const since = new Map<string, number>()
  world.sandbox.faults.hook = ({ operation = '', method }) => {
    const now = world.clock.now()
    const own = { updateBgp: 'listBgpPrefixes', createVpc: 'listVpcMembers', createK3s: 'listK3sSecrets' }
    for (const [makes, list] of Object.entries(own)) if (operation === makes) since.set(list, now)
    return method === 'GET' && now - (since.get(operation) ?? -Infinity) < 9000 ? { status: 404 } : undefined
  }
  const done = await world.apply(texts)
  expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

test('what is missing is not forgotten by a caller who sees its workspace no more', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), vpc('other', '10.21.0.0/24')))
  const { vpcs } = world.sandbox.world.tables
  for (const one of vpcs.all()) if (one.name === 'other-net') vpcs.delete(one.id)
  let looks = 0
  // The plan looks once, and the apply as long as reads may lag.
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'getVpc') looks += 1
    return looks > 1 ? { status: 404 } : undefined
  }
  const done = await world.apply(vpc('main'))
  expect([done.exitCode, done.outcome?.failed.map((one) => one.code), done.document.resources.map((one) => one.address)]).toEqual([
    8,
    ['operation_unknown'],
    ['Vpc/main', 'Vpc/other'],
  ])
  world.sandbox.faults.hook = undefined
  const again = await world.apply(vpc('main'))
  expect([again.exitCode, again.outcome?.forgotten, again.document.resources.map((one) => one.address)]).toEqual([0, 1, ['Vpc/main']])
})
