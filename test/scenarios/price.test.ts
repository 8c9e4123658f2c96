// What a plan says things will cost, and what the service then bills for them.
import { expect, test } from 'vitest'
import type { WireResponse } from '../../src/api/transport/wire.ts'
import { planSchema } from '../../src/engine/model/plan-schema.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, instance, vpc } from './stage.ts'

const HOUR_MS = 3_600_000

function database(region: string): string {
  const sizes = 'type: CUSTOM\ngroup: RYZEN\ncpu: 2\nmemory_bytes: 4GiB\nstorage:\n  - { size_bytes: 60GiB, boot: true, backing: LOCAL }\n'
  return manifest('Instance', 'db', `${sizes}ips:\n  - { family: IPv4, ddos: true }\nregion: ${region}`)
}

/** Micro-USD that the service billed for the resources of a kind in the hours to come. */
async function billed(world: World, hours: number): Promise<number> {
  const { sandbox, clock } = world
  const from = new Date(clock.wall()).toISOString()
  await clock.advance(hours * HOUR_MS)
  const to = new Date(clock.wall()).toISOString()
  const headers = { authorization: `Bearer ${sandbox.token}` }
  const answer = await sandbox.handle({ method: 'GET', path: `/v1/workspaces/${sandbox.workspaceId}/usage?from=${from}&to=${to}`, headers })
  const { resources } = JSON.parse(await answer.text(1_000_000))
  return resources
    .filter((one: { resource_kind: string }) => one.resource_kind === 'INSTANCE')
    .reduce((sum: number, one: { cost: number }) => sum + one.cost, 0)
}

test('the price of a plan is what is billed when it was applied', async () => {
  const world = createWorld()
  const manifests = `${instance('web')}\n${database('nyc-1')}`
  const { plan } = await world.plan(manifests)
  // Two cores, memory and storage as the plan ryzen-2, an address with protection on top; and the plan ryzen-4.
  expect(plan.cost).toMatchObject({ hourly_before: '0', hourly_after: '51000', monthly_after: String(51_000 * 672), unpriced: [] })
  expect((await world.apply(manifests)).exitCode).toBe(0)
  expect(await billed(world, 10)).toBe(510_000)
})

test('what is left out and was never made costs nothing', async () => {
  const { plan } = await createWorld().plan(`${instance('web')}\n${database('nyc-1')}`, { targets: ['Instance/web'] })
  expect(plan.cost).toMatchObject({ hourly_before: '0', hourly_after: '30000' })
})

test('what the service does not estimate is named, and nothing is made up for it', async () => {
  const world = createWorld()
  for (const { id } of world.sandbox.world.tables.rates.by('type', 'IP')) world.sandbox.world.tables.rates.delete(id)
  const { plan } = await world.plan(`${instance('web')}\n${database('fra-1')}`)
  expect(plan.cost).toMatchObject({ hourly_after: '30000', unpriced: ['Instance/db'] })
})

test.each([-5, 0.5])('what is no price (%s) is named, and no part of the plan that is saved', async (rateMicroUsd) => {
  const world = createWorld()
  const { plans } = world.sandbox.world.tables
  for (const { id } of plans.all()) plans.update(id, { rateMicroUsd })
  const { plan } = await world.plan(instance('web'))
  expect(plan.cost).toMatchObject({ hourly_after: '0', unpriced: ['Instance/web'] })
  expect(planSchema.safeParse(plan).error).toBeUndefined()
})

const withIps = database('fra-1')
const withoutIps = withIps.replace(/ +ips:\n.*\n/, '')

test.each([
  ['will not estimate any more', withoutIps, withIps],
  ['did not estimate before', withIps, withoutIps],
])('what the service %s is no difference, nor is what stands in that region beside it', async (_, before, after) => {
  const world = createWorld()
  const data = manifest('Disk', 'data', 'name: data\nsize: 100GiB\nbackend: LOCAL\nregion: fra-1')
  expect((await world.apply([before, data, instance('web')].join('\n'))).exitCode).toBe(0)
  for (const { id } of world.sandbox.world.tables.rates.by('type', 'IP')) world.sandbox.world.tables.rates.delete(id)
  const { plan } = await world.plan([after, data, instance('web'), instance('more')].join('\n'))
  expect(plan.cost).toMatchObject({ hourly_before: '30000', hourly_after: '60000', unpriced: ['Disk/data', 'Instance/db'] })
})

test('what came with an instance is counted once, where disks and addresses are listed, too', async () => {
  const world = createWorld({ sandbox: { quota: { max_floating_ips: 4, max_storage_bytes: 130 * 1024 ** 3 } } })
  const disk = (name: string, size: string): string => manifest('Disk', name, `name: ${name}\nsize: ${size}\nbackend: LOCAL\nregion: fra-1`)
  const address = (name: string): string => manifest('FloatingIp', name, 'type: IPv4\nddos: false\nregion: fra-1')
  const there = [instance('web'), disk('first', '1GiB'), address('a')].join('\n')
  expect((await world.apply(there)).exitCode).toBe(0)
  const { plan } = await world.plan([there, disk('data', '10GiB'), address('b')].join('\n'))
  // The boot disk of 120 GiB and the one that is there; one address of each family with the instance, and the one that is there.
  expect(plan.quota).toMatchObject([
    { name: 'max_floating_ips', used: 3, after: 4, limit: 4, exceeded: false },
    { name: 'max_floating_ipv4', used: 2, after: 3 },
    { name: 'max_storage_bytes', used: 121 * 1024 ** 3, after: 131 * 1024 ** 3, exceeded: true },
  ])
})

test('what is there beside the project counts for the quota, though no manifest is of its kind', async () => {
  const GiB = 1024 ** 3
  let isRefused = false
  const refusal: WireResponse = { status: 403, headers: {}, text: async () => '{}', chunks: async function* () {} }
  const world = createWorld({
    sandbox: { quota: { max_floating_ips: 3, max_storage_bytes: 500 * GiB } },
    transport: (inner) => async (request) => (isRefused && request.method === 'GET' && /\/ips(\?|$)/.test(request.path) ? refusal : await inner(request)),
  })
  const { sandbox, clock } = world
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const make = async (what: string, body: object): Promise<void> => {
    await sandbox.handle({ method: 'POST', path: `/v1/workspaces/${sandbox.workspaceId}/${what}`, headers, body: JSON.stringify(body) })
    await clock.advance(HOUR_MS)
  }
  await make('ips', { type: 'IPv4', ddos: false, region: 'fra-1' })
  await make('ips', { type: 'IPv4', ddos: false, region: 'fra-1' })
  await make('disks', { name: 'theirs', size: 10 * GiB, backend: 'CEPH', region: 'fra-1' })
  expect((await world.plan(instance('web'))).plan.quota).toMatchObject([
    { name: 'max_floating_ips', used: 2, after: 4, exceeded: true },
    { name: 'max_floating_ipv4', used: 2, after: 3 },
    { name: 'max_floating_ipv6', used: 0, after: 1 },
    { name: 'max_instances', used: 0, after: 1 },
    { name: 'max_storage_bytes', used: 10 * GiB, after: 130 * GiB },
  ])
  const refused = await world.apply(instance('web'))
  expect([refused.exitCode, refused.outcome]).toEqual([5, undefined])
  // One list that may not be read keeps no other from being counted.
  isRefused = true
  const { quota } = (await world.plan(instance('web'))).plan
  expect(quota?.find(({ name }) => name === 'max_storage_bytes')).toMatchObject({ used: 10 * GiB, after: 130 * GiB })
})

test('what a disk grows by counts for the quota, and a plan that the service would refuse for it ends with 5', async () => {
  const GiB = 1024 ** 3
  const world = createWorld({ sandbox: { quota: { max_storage_bytes: 100 * GiB } } })
  const disk = (size: number, name = 'data'): string => manifest('Disk', 'data', `name: ${name}\nsize: ${size * GiB}\nbackend: CEPH\nregion: fra-1`)
  expect((await world.apply(disk(10))).exitCode).toBe(0)
  expect((await world.plan(disk(100))).plan.quota).toEqual([
    { workspace: world.sandbox.workspaceId, name: 'max_storage_bytes', used: 10 * GiB, after: 100 * GiB, limit: 100 * GiB, exceeded: false },
  ])
  expect((await world.plan(disk(101))).plan.quota).toMatchObject([{ after: 101 * GiB, exceeded: true }])
  const refused = await world.apply(disk(101))
  expect([refused.exitCode, refused.outcome]).toEqual([5, undefined])
  expect((await world.plan(disk(10, 'other'))).plan.quota).toEqual([])
  expect((await world.apply(disk(100))).exitCode).toBe(0)
})

test('what has grown by hand costs what it costs now, after the plan as before it, and is not recorded as asked for', async () => {
  const world = createWorld()
  const text = manifest('Disk', 'data', 'size: 100GiB\nbackend: LOCAL\nregion: fra-1')
  await world.apply(text)
  const { disks } = world.sandbox.world.tables
  disks.update(disks.all()[0]?.id ?? '', { sizeBytes: 1000 * 1024 ** 3 })
  expect(brief((await world.plan(text)).plan)).toEqual([])
  const { plan } = await world.plan(all(text, vpc('main')))
  expect(plan.cost?.hourly_after).toBe(plan.cost?.hourly_before)
  expect(Number(plan.cost?.hourly_after)).toBeGreaterThan(0)
  await world.refresh(text)
  expect(brief((await world.plan(text)).plan)).toEqual([])
  expect((await world.apply(text)).exitCode).toBe(0)
})
