// Values that ignore_changes keeps and that do not fit what the manifest says beside them: refused before anything goes.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, cluster, effects, said } from './stage.ts'

const web = (ignored: string, spec: string) => manifest('Instance', 'web', spec, `lifecycle: { ignore_changes: [${ignored}] }`)
const planned = 'type: PLAN\nname: web\nplan: ryzen-2\nregion: fra-1'
const custom = 'type: CUSTOM\nname: web\ngroup: RYZEN\nregion: fra-1\ncpu: 4\nmemory_bytes: 8GiB\nstorage: [{ size_bytes: 120GiB, boot: true, backing: LOCAL }]'
const shop = (spec: string) =>
  manifest('K3sService', 'shop', `image: shop:1\ntarget_instances: [worker]\nsecret_refs: [db]\n${spec}`, 'lifecycle: { ignore_changes: [/replicas] }')
const mail = (spec: string) => manifest('FloatingIp', 'mail', `region: fra-1\n${spec}`, 'lifecycle: { ignore_changes: [/ddos] }')

test.each([
  ['the plan of a server that becomes a custom one', web('/plan', planned), web('/plan', custom), 'Instance/web'],
  ['the group of a custom one that becomes a planned one', web('/group', custom), web('/group', planned), 'Instance/web'],
  [
    'replicas of a service that is pinned',
    all(cluster('PASSWORD: one'), shop('mode: SPREAD\nreplicas: 2')),
    all(cluster('PASSWORD: one'), shop('mode: PINNED')),
    'K3sService/shop',
  ],
  ['protection of an address that becomes IPv6', mail('type: IPv4\nddos: true'), mail('type: IPv6\nddos: false'), 'FloatingIp/mail'],
])('%s', async (_, before, after, address) => {
  const world = createWorld()
  expect((await world.apply(before)).exitCode).toBe(0)
  const sent = effects(world)
  const done = await world.apply(after)
  expect([done.exitCode, sent]).toEqual([3, []])
  expect(said(done.plan)).toContainEqual(expect.stringContaining(`unsupported_change ${address}: with what ignore_changes keeps, `))
})

test('what fits is kept, also where the object is made anew', async () => {
  const world = createWorld()
  expect((await world.apply(web('/plan', planned))).exitCode).toBe(0)
  const next = web('/plan', planned.replace('ryzen-2', 'ryzen-4').replace('name: web', 'name: next'))
  for (const options of [{}, { replace: ['Instance/web'] }]) expect((await world.apply(next, options)).exitCode).toBe(0)
  const plans = world.sandbox.world.tables.plans.all()
  expect(world.sandbox.world.tables.instances.all().map((one) => [one.name, plans.find(({ id }) => id === one.planId)?.name])).toEqual([['next', 'ryzen-2']])
})
