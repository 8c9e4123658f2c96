// What ends with something else: named, counted and guarded like what goes by itself, or the other one stays.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, project, rule, said, saved } from './stage.ts'

const guarded = 'lifecycle: { prevent_destroy: true }'
const secret = (metadata = '') => manifest('K3sSecret', 'db', 'name: db\ndata:\n  A: b', metadata)
const bgp = manifest('BgpConfiguration', 'bgp', 'asn: 64512')
const prefix = (metadata = '') => manifest('BgpPrefix', 'one', 'prefix: 203.0.113.0/24\nenabled: true\ncommunity: DEFAULT', metadata)
const ssh = (metadata = '') => rule('ssh', 'action: ACCEPT\nport_start: 22', metadata)
/** A rule that names its instance by the id, so that its manifest can stay without the other's. */
const byId = (world: World, metadata = '') => ssh(metadata).replace('instance: web', `instance: { id: "${world.sandbox.world.tables.instances.all()[0]?.id}" }`)

const held = (world: World) => {
  const { clusterSecrets, bgpPrefixes, firewallRules } = world.sandbox.world.tables
  return clusterSecrets.all().length + bgpPrefixes.all().length + firewallRules.all().length
}

/** Owners with something on them, and the manifests that leave the owner out. */
const owned: readonly (readonly [string, (world: World, metadata: string) => Promise<string>, string, string])[] = [
  [
    'a secret of a cluster',
    async (world, metadata) => {
      await world.apply(all(manifest('K3sCluster', 'main', ''), instance('worker'), secret(metadata)))
      return all(instance('worker'), secret(metadata))
    },
    'K3sSecret/db',
    'K3sCluster/main',
  ],
  [
    'a prefix of a BGP session',
    async (world, metadata) => {
      await world.apply(all(bgp, prefix(metadata), instance('other')))
      return all(prefix(metadata), instance('other'))
    },
    'BgpPrefix/one',
    'BgpConfiguration/bgp',
  ],
  [
    'a rule of an instance',
    async (world, metadata) => {
      await world.apply(instance('web'))
      await world.apply(all(instance('web'), byId(world, metadata)))
      return byId(world, metadata)
    },
    'FirewallRule/ssh',
    'Instance/web',
  ],
]

describe.each(owned.slice(0, 2))('%s that stays declared while its owner is taken out', (_, prepare, address, owner) => {
  test('stops the plan: it could not be made again', async () => {
    const world = createWorld()
    const texts = await prepare(world, '')
    const sent = effects(world)
    const wrong = `plan_impossible ${owner} is deleted by this plan, and what is declared ends with it: ${address}`
    for (const options of [{}, { unread: true }, { targets: [owner] }]) expect(said((await world.plan(texts, options)).plan)).toContainEqual(wrong)
    expect([(await world.apply(texts)).exitCode, sent, held(world)]).toEqual([3, [], 1])
  })
  test('or its owner has another name without `moved`', async () => {
    const world = createWorld()
    const texts = await prepare(world, '')
    const again = manifest(owner.split('/')[0] ?? '', 'renamed', owner.startsWith('Bgp') ? 'asn: 64512' : '')
    expect((await world.apply(all(again, texts))).exitCode).toBe(3)
    const moved = files(`moved: [{ from: ${owner}, to: ${owner.replace(/\/.*/, '/renamed')} }]`, again, texts)
    expect(brief((await world.plan(moved)).plan)).toEqual([])
    expect([(await world.apply(moved)).exitCode, held(world)]).toEqual([0, 1])
  })
})

describe.each(owned)('%s whose owner goes', (_, prepare, address, owner) => {
  test('is protected by its own manifest, in a saved plan and one that was not read for, too', async () => {
    const world = createWorld()
    const texts = await prepare(world, guarded)
    const sent = effects(world)
    for (const options of [{}, { unread: true }]) {
      const { plan } = await world.plan(texts, options)
      expect(said(plan)).toContainEqual(`guard_protected ${address} would be destroyed with ${owner}, and prevent_destroy protects it`)
      await expect(world.applySaved({ 'iac.yaml': project() }, saved(plan))).rejects.toMatchObject({ exitCode: 5 })
    }
    expect((await world.apply(texts)).exitCode).toBe(5)
    expect([sent, held(world)]).toEqual([[], 1])
  })
  test('goes without a word of its own where no manifest wants it either', async () => {
    const world = createWorld()
    await prepare(world, '')
    const { plan } = await world.plan('', { destroy: true })
    expect(said(plan).filter((one) => !one.startsWith('no_resources'))).toEqual([])
    expect((await world.apply('', { destroy: true }, { maxDestroy: plan.summary.delete })).exitCode).toBe(0)
    expect(held(world)).toBe(0)
  })
  test('is kept with what it ends with where it is to be retained', async () => {
    const world = createWorld()
    await prepare(world, guarded)
    const left = files(`removed: [{ address: ${address}, destroy: false }]`, instance('worker'), instance('other'))
    const { plan } = await world.plan(left)
    expect(said(plan)).toContainEqual(`note ${owner} is forgotten and stays: ${address}, which is to be retained, needs it`)
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
    for (const one of [address, owner]) expect(brief(plan)).toContainEqual(expect.stringContaining(`forget ${one}`))
    expect((await world.apply(left)).exitCode).toBe(0)
    expect(held(world)).toBe(1)
  })
})

test('what is replaced takes along what is on it', async () => {
  const world = createWorld()
  await world.apply(instance('web'))
  const texts = all(instance('web').replace('ryzen-4', 'ryzen-8'), byId(world, guarded))
  await world.apply(all(instance('web'), byId(world, guarded)))
  const { plan } = await world.plan(texts)
  expect(said(plan)).toContainEqual('guard_protected FirewallRule/ssh would be destroyed with Instance/web, and prevent_destroy protects it')
})

test.each(['id', 'name'])('what is replaced and referred to by its %s says how what is on it is made anew along', async (by) => {
  const world = createWorld()
  await world.apply(instance('web'))
  const texts = all(instance('web'), by === 'id' ? byId(world) : ssh().replace('instance: web', 'instance: { name: web }'))
  await world.apply(texts)
  const { plan } = await world.plan(texts.replace('ryzen-4', 'ryzen-8'))
  const found = plan.diagnostics.find((one) => one.summary === 'Instance/web: its deletion takes along what is to stay: FirewallRule/ssh')
  expect(found?.hint).toContain('by the name of its manifest')
  const named = all(instance('web').replace('ryzen-4', 'ryzen-8'), ssh())
  expect((await world.apply(named)).exitCode).toBe(0)
  expect([held(world), brief((await world.plan(named)).plan)]).toEqual([1, []])
})

describe('-f', () => {
  const parts = (metadata = '') => ({ 'iac.yaml': project(), 'conf.yaml': all(instance('web'), bgp), 'rest.yaml': all(ssh(metadata), prefix(metadata)) })
  test.each(['', guarded])('leaves alone what something in another file ends with, when it destroys (%s)', async (metadata) => {
    const world = createWorld()
    await world.apply(parts(metadata))
    const sent = effects(world)
    const done = await world.apply(parts(metadata), { destroy: true }, {}, { only: ['conf.yaml'] })
    expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
    expect(said(done.plan)).toEqual([
      'advice BgpConfiguration/bgp stays: BgpPrefix/one, which is not among these files, needs it',
      'advice Instance/web stays: FirewallRule/ssh, which is not among these files, needs it',
    ])
  })
  test('names what a replacement takes along of another file, and heeds its protection', async () => {
    const world = createWorld()
    const next = (metadata: string) => ({ ...parts(metadata), 'conf.yaml': all(instance('web').replace('ryzen-4', 'ryzen-8'), bgp) })
    await world.apply(parts(guarded))
    const stopped = await world.apply(next(guarded), {}, {}, { only: ['conf.yaml'] })
    expect([stopped.exitCode, held(world)]).toEqual([5, 2])
    await world.apply(parts())
    const { plan } = await world.plan(next(''), {}, { only: ['conf.yaml'] })
    expect(said(plan)).toContainEqual('advice Instance/web: its deletion takes along what is to stay: FirewallRule/ssh')
  })
})

describe('a destroy', () => {
  test('of a target takes along what ends with it, though its manifest names but an id', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    await world.apply(all(instance('web'), byId(world)))
    const { plan } = await world.plan(all(instance('web'), byId(world)), { destroy: true, targets: ['Instance/web'] })
    expect(brief(plan)).toHaveLength(2)
  })
  test('without the excluded leaves what that ends with', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    await world.apply(all(instance('web'), byId(world)))
    const { plan } = await world.plan(all(instance('web'), byId(world)), { destroy: true, excludes: ['FirewallRule/ssh'] })
    expect(brief(plan)).toEqual([])
    const without = await world.plan(byId(world), { excludes: ['FirewallRule/ssh'] })
    expect(brief(without.plan)).toEqual([])
  })
})

describe.each(owned.slice(2))('%s whose owner goes, and which names it by its id alone', (_, prepare, address, owner) => {
  test('is named and counted where nothing protects it', async () => {
    const world = createWorld()
    const texts = await prepare(world, '')
    const { plan } = await world.plan(texts)
    const goes = plan.summary.delete
    expect(said(plan)).toContainEqual(`advice ${owner}: its deletion takes along what is to stay: ${address}`)
    const counted = `guard_budget the plan destroys ${goes + 1}, and max_destroy allows ${goes}`
    expect(said(await world.apply(texts, {}, { maxDestroy: goes }))).toEqual([counted])
    const guards = { 'iac.yaml': project(`guards: { max_destroy: ${goes} }`) }
    for (const one of [plan, (await world.plan(texts, { unread: true })).plan])
      await expect(world.applySaved(guards, saved(one))).rejects.toMatchObject({ exitCode: 5, message: counted.slice('guard_budget '.length) })
    expect(held(world)).toBe(1)
    expect((await world.apply(texts, {}, { maxDestroy: goes + 1 })).exitCode).toBe(0)
  })
})

describe('what is made in something that is not there', () => {
  const parts = [
    [manifest('K3sSecret', 'db', 'name: db\ndata:\n  A: b'), 'K3sCluster'],
    [prefix(), 'BgpConfiguration'],
  ] as const
  test.each(parts)('stops the plan: %#', async (text, container) => {
    const world = createWorld()
    const sent = effects(world)
    const done = await world.apply(text)
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(
      expect.stringMatching(new RegExp(`^plan_impossible \\S+: a (?:K3sSecret|BgpPrefix) stands in a ${container}, and the workspace has none$`)),
    )
  })
  test.each(parts)('does not where somebody else made it: %#', async (text, container) => {
    const world = createWorld()
    const own = manifest(container, 'theirs', container === 'K3sCluster' ? '' : 'asn: 64512')
    expect((await world.apply(own)).exitCode).toBe(0)
    const forgetting = files(`removed: [{ address: ${container}/theirs, destroy: false }]`, instance('web'))
    expect((await world.apply(forgetting)).exitCode).toBe(0)
    expect((await world.apply(all(instance('web'), text))).exitCode).toBe(0)
  })
  test.each(parts)('stops it where somebody else deleted it, and another file declares it (-f): %#', async (text, container) => {
    const world = createWorld()
    const { sandbox, clock } = world
    const apart = { 'around.yaml': manifest(container, 'main', container === 'K3sCluster' ? '' : 'asn: 64512'), 'in.yaml': text }
    expect((await world.apply(apart)).exitCode).toBe(0)
    const path = `/v1/workspaces/${sandbox.workspaceId}/${container === 'K3sCluster' ? 'k3s' : 'bgp'}`
    await sandbox.handle({ method: 'DELETE', path, headers: { authorization: `Bearer ${sandbox.token}` } })
    await clock.advance(3_600_000)
    const sent = effects(world)
    const done = await world.apply(apart, {}, {}, { only: ['in.yaml'] })
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan)).toContainEqual(expect.stringContaining(`stands in a ${container}, and the workspace has none`))
    expect((await world.apply(apart)).exitCode).toBe(0)
  })
  test('stops it in a workspace that the plan makes, too', async () => {
    const world = createWorld()
    const done = await world.plan(
      all(
        manifest('Workspace', 'shop', 'name: shop'),
        manifest('BgpPrefix', 'one', 'prefix: 203.0.113.0/24\nenabled: true\ncommunity: DEFAULT', 'workspace: shop'),
      ),
    )
    expect(said(done.plan)).toContainEqual('plan_impossible BgpPrefix/one: a BgpPrefix stands in a BgpConfiguration, and the workspace has none')
  })
})

describe('what ends with an owner and names something on it', () => {
  const mail = manifest('FloatingIp', 'mail', 'type: IPv4\nregion: fra-1\nddos: false\ninstance: web')
  const smtp = rule('smtp', 'action: ACCEPT\nport_start: 25\nlocal: "${FloatingIp[\'mail\'].address}/32"')
  const site = manifest('App', 'site', 'name: site\ninstance: web\ntemplate_id: { name: nginx }', 'depends_on: [Disk/data]')
  const data = manifest('Disk', 'data', 'name: data\nsize: 10GiB\nbackend: LOCAL\nregion: fra-1\ninstance: web')
  test.each([
    ['a rule for an address', all(instance('web'), mail, smtp)],
    ['an app that depends on a disk', all(instance('web'), data, site)],
  ])('%s goes in a destroy, and where the manifests go', async (_, texts) => {
    for (const way of ['destroy', 'taken out'] as const) {
      const world = createWorld()
      expect((await world.apply(texts)).exitCode).toBe(0)
      const done = way === 'destroy' ? await world.destroy() : await world.apply(instance('other'))
      expect([done.exitCode, done.outcome?.failed]).toEqual([0, []])
      expect(done.document.resources.map((one) => one.address)).toEqual(way === 'destroy' ? [] : ['Instance/other'])
    }
  })
})
