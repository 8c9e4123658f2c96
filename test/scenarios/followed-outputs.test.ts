// What an update makes of its object's outputs: the ones that follow a field that it changes are not known yet, and no other.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, service, vpc } from './stage.ts'

const server = (name: string, more: string) => manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`)
const nets = all(vpc('one', '10.1.0.0/24'), vpc('two', '10.2.0.0/24'))
/** A rule for the address of `web` in a network, which no update could change in place. */
const rule = (name: string, net: string) =>
  manifest(
    'FirewallRule',
    name,
    `instance: db\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: 5432\npriority: 100\nremote: "\${Instance['web'].vpc_addresses[Vpc['${net}'].id]}/32"`,
  )
const db = server('db', '')
const note = (expression: string) => manifest('Vpc', 'note', `name: note\nrange: 10.9.0.0/24\ndescription: "\${${expression}}"`)

/** Applies what comes after what stands, and gives the plan of it with all that was sent; nothing is left to do. */
async function step(world: World, before: string, after: string) {
  expect((await world.apply(before)).exitCode).toBe(0)
  const sent = effects(world)
  const { plan } = await world.plan(after)
  expect((await world.apply(after)).exitCode).toBe(0)
  expect(brief((await world.plan(after)).plan)).toEqual([])
  return { plan: brief(plan), sent }
}

test.each([
  ['another name', 'vpcs: [one]', 'name: other\nvpcs: [one]'],
  ['its firewall', 'vpcs: [one]', 'firewall_enabled: false\nvpcs: [one]'],
  ['another network', 'vpcs: [one]', 'vpcs: [one, two]'],
  ['the other network taken away', 'vpcs: [one, two]', 'vpcs: [one]'],
])('what reads an address in a network that stays is left alone: %s', async (_, before, after) => {
  const texts = (spec: string) => all(nets, db, server('web', spec), rule('pg', 'one'))
  const { plan } = await step(createWorld(), texts(before), texts(after))
  expect(plan).toEqual([expect.stringMatching(/^update Instance\/web /)])
})

test('the address in a network that is joined is known once it is', async () => {
  const texts = (spec: string, more = '') => all(nets, db, server('web', spec), more)
  const { plan } = await step(createWorld(), texts('vpcs: [one]'), texts('vpcs: [one, two]', rule('pg', 'two')))
  expect(plan).toEqual([expect.stringMatching(/^update Instance\/web /), expect.stringMatching(/^create FirewallRule\/pg /)])
})

test('the whole map is not known before the update', async () => {
  const texts = (spec: string) => all(nets, server('web', spec), note(`string(size(Instance['web'].vpc_addresses))`))
  const { plan } = await step(createWorld(), texts('vpcs: [one]'), texts('vpcs: [one, two]'))
  expect(plan).toEqual([expect.stringMatching(/^update Instance\/web /), expect.stringMatching(/^update Vpc\/note /)])
})

test('what an update of the addresses leaves alone is known', async () => {
  const texts = (spec: string) => all(server('web', spec), note(`string(size(Instance['web'].ips))`))
  const { plan } = await step(createWorld(), texts(''), texts('name: other'))
  expect(plan).toEqual([expect.stringMatching(/^update Instance\/web /)])
})

test('whether it runs follows its power in the same apply', async () => {
  const texts = (power: string) => all(server('web', `power: "${power}"`), note(`Instance['web'].online ? 'up' : 'down'`))
  const world = createWorld()
  const { plan } = await step(world, texts('ON'), texts('OFF'))
  expect(plan).toEqual([expect.stringMatching(/^update Instance\/web /), expect.stringMatching(/^update Vpc\/note /)])
  expect(world.sandbox.world.tables.vpcs.all()).toMatchObject([{ description: 'down' }])
})

test('what goes on with a create knows nothing of how that will be', async () => {
  const world = createWorld()
  const texts = all(server('web', 'firewall_enabled: false'), note(`Instance['web'].online ? 'up' : 'down'`))
  world.sandbox.faults.list.push({ operation: 'updateInstance', status: 400, times: 1 })
  expect((await world.apply(texts)).exitCode).toBe(8)
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()).toMatchObject([{ description: 'up' }])
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

describe('how a service is', () => {
  const shop = (replicas: number) => service('shop', `replicas: ${replicas}`, 'lifecycle: { redeploy_triggered_by: [K3sSecret/db] }')
  const texts = (password: string, replicas: number) => all(cluster(`PASSWORD: ${password}`), shop(replicas), note(`K3sService['shop'].status`))
  const rows = [
    ['an update', texts('one', 2)],
    ['a restart', texts('two', 1)],
  ] as const

  test.each(rows)('is known after %s that mends it', async (_, after) => {
    const world = createWorld()
    const { clusterServices, vpcs } = world.sandbox.world.tables
    expect((await world.apply(texts('one', 1))).exitCode).toBe(0)
    clusterServices.update(clusterServices.all()[0]?.id ?? '', { status: 'FAILED' })
    expect((await world.apply(texts('one', 1))).exitCode).toBe(0)
    expect(vpcs.all()).toMatchObject([{ description: 'FAILED' }])
    expect((await world.apply(after)).exitCode).toBe(0)
    expect(vpcs.all()).toMatchObject([{ description: 'RUNNING' }])
    expect(brief((await world.plan(after)).plan)).toEqual([])
  })
  test.each(rows)('is known before %s of one that runs', async (_, after) => {
    const { plan } = await step(createWorld(), texts('one', 1), after)
    expect(plan).not.toContainEqual(expect.stringContaining('Vpc/note'))
  })
})

test('what is changed as it is taken over is known once it is', async () => {
  const world = createWorld()
  const other = world.beside()
  expect((await world.apply(server('web', 'name: web\npower: "ON"'))).exitCode).toBe(0)
  const { instances, vpcs } = world.sandbox.world.tables
  const taken = instance('web', 'name: web\npower: "OFF"', `import: { id: "${instances.all()[0]?.id}" }`)
  expect((await other.apply(all(taken, note(`Instance['web'].online ? 'up' : 'down'`)))).exitCode).toBe(0)
  expect(vpcs.all()).toMatchObject([{ description: 'down' }])
})
