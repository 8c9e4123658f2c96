// Values that ignore_changes would keep and that point at what goes: the manifest's stand in their place, in the same plan.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, instance, saved, service, vpc } from './stage.ts'

const ignoring = 'ignore_changes: [/instance]'
const both = `${ignoring}, replace_triggered_by: [Instance/web]`
const one = (kind: string, spec: string, lifecycle = ignoring) => manifest(kind, 'one', `instance: web\n${spec}`, `lifecycle: { ${lifecycle} }`)
const ip = 'type: IPv4\nregion: fra-1\nddos: false'
const disk = 'size: 10GiB\nbackend: LOCAL\nregion: fra-1'

describe.each([
  ['an address that is replaced with it', one('FloatingIp', ip, both), 'replace FloatingIp/one (trigger): detach, delete, create, attach'],
  ['a disk that is replaced with it', one('Disk', disk, both), 'replace Disk/one (trigger): detach, delete, create, attach'],
  ['an address that stays', one('FloatingIp', ip), 'update FloatingIp/one (changed): detach, attach'],
  ['a disk that stays', one('Disk', disk), 'update Disk/one (changed): detach, attach'],
  ['DhcpSettings', one('DhcpSettings', 'enabled: false'), 'replace DhcpSettings/one (immutable_field): delete, create'],
  ['a K3sNode', all(manifest('K3sCluster', 'main', ''), one('K3sNode', '')), 'replace K3sNode/one (immutable_field): delete, create'],
])('an instance that is replaced under %s', (_, what, change) => {
  test.each([
    ['old one first', ''],
    ['new one first', 'lifecycle: { create_before_destroy: true }'],
  ])('is followed, %s, by a saved plan, too', async (__, metadata) => {
    const texts = (plan: string) => all(instance('web', '', metadata).replace('ryzen-4', plan), what)
    for (const isSaved of [false, true]) {
      const world = createWorld()
      await world.apply(texts('ryzen-2'))
      const { plan } = await world.plan(texts('ryzen-4'))
      expect(brief(plan)).toContainEqual(change)
      const done = await (isSaved ? world.applySaved(texts('ryzen-4'), saved(plan)) : world.apply(texts('ryzen-4')))
      const [web] = world.sandbox.world.tables.instances.all()
      expect([done.exitCode, done.document.resources.find(({ address }) => address.endsWith('/one'))?.spec['instance']]).toEqual([0, web?.id])
      expect(brief((await world.plan(texts('ryzen-4'))).plan)).toEqual([])
    }
  })
})

test('what the manifest names stands where an instance goes that somebody moved an address to', async () => {
  const world = createWorld()
  const kept = one('FloatingIp', ip)
  await world.apply(all(instance('web'), instance('api'), kept))
  const { ips, instances } = world.sandbox.world.tables
  const own = ips.all().find(({ grantedWith }) => grantedWith === null)?.id ?? ''
  const idOf = (name: string) => instances.all().find((each) => each.name === name)?.id ?? null
  ips.update(own, { instanceId: idOf('api') })
  expect(brief((await world.plan(all(instance('web'), instance('api'), kept))).plan)).toEqual([])
  expect((await world.apply(all(instance('web'), kept))).exitCode).toBe(0)
  expect(ips.get(own)?.instanceId).toBe(idOf('web'))
})

test('what is left out goes nowhere, and what points at it is kept', async () => {
  const world = createWorld()
  const texts = (plan: string) => all(instance('web').replace('ryzen-4', plan), one('FloatingIp', ip))
  await world.apply(texts('ryzen-2'))
  expect(brief((await world.plan(texts('ryzen-4'), { excludes: ['Instance/web'] })).plan)).toEqual([])
})

test('a list is kept as a whole, or as the manifest says where something in it goes', async () => {
  const world = createWorld()
  const node = (name: string) => all(instance(name), manifest('K3sNode', name, `instance: ${name}`))
  const workers = (plan: string) => all(cluster('PASSWORD: one').replace('ryzen-4', plan), node('other'), node('third'))
  const shop = (targets: string) => service('shop', '', 'lifecycle: { ignore_changes: [/target_instances] }').replace('[worker]', targets)
  await world.apply(all(workers('ryzen-2'), shop('[worker, other]')))
  expect(brief((await world.plan(all(workers('ryzen-2'), shop('[third, worker]')))).plan)).toEqual([])
  const next = all(workers('ryzen-8'), shop('[third, worker]'))
  const done = await world.applySaved(next, saved((await world.plan(next)).plan))
  const idOf = (name: string) => done.document.resources.find(({ address }) => address === `Instance/${name}`)?.id
  expect(done.exitCode).toBe(0)
  expect(done.document.resources.find(({ kind }) => kind === 'K3sService')?.spec['target_instances']).toEqual([idOf('third'), idOf('worker')])
  expect(brief((await world.plan(next)).plan)).toEqual([])
})

test('a VPC that goes is still held by memberships that a manifest leaves to others', async () => {
  const world = createWorld()
  const texts = (range: string) => all(vpc('side', range), instance('web', 'vpcs: [side]', 'lifecycle: { ignore_changes: [/vpcs] }'))
  await world.apply(texts('10.20.0.0/24'))
  const { plan } = await world.plan(texts('10.30.0.0/24'))
  expect(plan.diagnostics.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
    'plan_impossible Vpc/side cannot be replaced: Instance/web is attached to it, and is left as it is by this plan',
  ])
  expect(brief(plan).filter((line) => line.includes('Instance/web'))).toEqual([])
})

test.each([
  ['FloatingIp', ip, 'attachIp'],
  ['Disk', disk, 'attachDisk'],
] as const)('a %s whose making stopped before it was attached is attached by the next run', async (kind, spec, operation) => {
  const world = createWorld()
  const texts = all(instance('web'), one(kind, spec))
  world.sandbox.faults.list.push({ operation, status: 400, times: 1 })
  expect((await world.apply(texts)).exitCode).toBe(8)
  const next = await world.apply(texts)
  expect([next.exitCode, brief(next.plan)]).toEqual([0, [`update ${kind}/one (resumed): attach`]])
  const [web] = world.sandbox.world.tables.instances.all()
  expect(next.document.resources.find(({ address }) => address.endsWith('/one'))?.spec['instance']).toBe(web?.id)
})
