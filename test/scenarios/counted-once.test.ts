// A create that an earlier run left open is counted once: where a list shows what it may have made, that is counted, and not what is to come of it.
import { expect, test } from 'vitest'
import { otherEnvironmentsIn } from '../../src/engine/model/other-environments.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, instance, rule, saved, vpc } from './stage.ts'

const [first, second, third] = [vpc('main'), vpc('more', '10.30.0.0/24'), vpc('third', '10.40.0.0/24')]
const network = (max: number): WorldOptions => ({ sandbox: { quota: { max_vpcs: max } } })

/** A world, and how a run dies there whose first request to such a path arrives. */
function mortal(options: WorldOptions) {
  let path: string | undefined
  const world = createWorld({
    ...options,
    transport: (inner) => async (request) => {
      const answer = await inner(request)
      if (path === undefined || request.method !== 'POST' || !request.path.endsWith(path)) return answer
      path = undefined
      return new Promise(() => undefined)
    },
  })
  const dies = async (at: string, texts: string): Promise<void> => {
    path = at
    void world.apply(texts)
    await world.clock.sleep(20_000)
    expect(path).toBeUndefined()
  }
  return { world, dies }
}

const quotaOf = async (world: World, texts: string) => (await world.plan(texts)).plan.quota

test('by a plan', async () => {
  const { world, dies } = mortal(network(2))
  await dies('/vpcs', first)
  expect(await quotaOf(world, all(first, second))).toMatchObject([{ used: 1, after: 2, limit: 2, exceeded: false }])
  expect(await quotaOf(world, all(first, second, third))).toMatchObject([{ used: 1, after: 3, limit: 2, exceeded: true }])
  expect((await world.apply(all(first, second))).exitCode).toBe(0)
})

test('in the place of what it replaces', async () => {
  const { world, dies } = mortal(network(2))
  const main = (range: string) => vpc('main', range, 'lifecycle: { create_before_destroy: true }')
  await world.apply(main('10.20.0.0/24'))
  await dies('/vpcs', main('10.30.0.0/24'))
  expect(await quotaOf(world, main('10.30.0.0/24'))).toMatchObject([{ used: 2, after: 1, limit: 2, exceeded: false }])
  const texts = all(main('10.30.0.0/24'), third)
  expect(await quotaOf(world, texts)).toEqual([])
  expect((await world.apply(texts)).exitCode).toBe(0)
})

test('where a limit holds for each place', async () => {
  const rules = { compat: { firewall_quota: 'instance' }, sandbox: { quota: { firewall_rules_per_ip: 2 }, readings: { firewallQuota: 'instance' } } } as const
  const { world, dies } = mortal(rules)
  const ports = (...list: readonly number[]) => all(instance('web'), ...list.map((port) => rule(`r${port}`, `action: ACCEPT\nport_start: ${port}`)))
  await world.apply(ports())
  await dies('/firewall-rules', ports(22))
  expect(await quotaOf(world, ports(22, 23))).toMatchObject([{ used: 1, after: 2, limit: 2, exceeded: false }])
  expect((await world.apply(ports(22, 23))).exitCode).toBe(0)
})

test('what was there before it is not what it made', async () => {
  const { world, dies } = mortal(network(3))
  await world.beside().apply(first)
  await world.clock.sleep(60_000)
  await dies('/vpcs', first)
  expect(await quotaOf(world, all(first, second))).toMatchObject([{ used: 2, after: 3, limit: 3, exceeded: false }])
  world.sandbox.faults.hook = ({ operation }) => (operation === 'listVpcs' ? { staleMs: 40_000 } : undefined)
  expect(await quotaOf(world, all(first, second))).toMatchObject([{ used: 1, after: 3, limit: 3, exceeded: false }])
})

test.each(['directly', 'from a file'])('of what is in doubt, so that the rest goes on (%s)', async (how) => {
  const theirs = [{ environment: 'theirs', flags: ['-e', 'theirs'], found: { problem: 'no credentials' } }]
  const { world, dies } = mortal({ ...network(2), otherEnvironments: async () => otherEnvironmentsIn(theirs) })
  await dies('/vpcs', first)
  expect((await world.apply(first)).exitCode).toBe(8)
  const texts = all(first, second)
  const done = how === 'directly' ? await world.apply(texts) : await world.applySaved(texts, saved((await world.plan(texts)).plan))
  expect(done).toMatchObject({ exitCode: 8, outcome: { added: 1, failed: [{ code: 'ambiguous_adoption', address: 'Vpc/main' }] } })
})

test('what cannot be what a lost create made is not counted for it', async () => {
  let isDying = true
  const world = createWorld({
    sandbox: { quota: { max_instances: 2 } },
    transport: (inner) => async (request) => {
      if (!isDying || request.method !== 'POST' || !request.path.endsWith('/instances')) return inner(request)
      isDying = false
      return new Promise(() => undefined)
    },
  })
  void world.apply(instance('web'))
  await world.clock.sleep(20_000)
  await world.beside().apply(instance('web').replace('ryzen-4', 'ryzen-8'))
  const { quota } = (await world.plan(all(instance('web'), instance('api')))).plan
  expect(quota?.filter((one) => one.name === 'max_instances')).toMatchObject([{ used: 1, after: 3, limit: 2, exceeded: true }])
})
