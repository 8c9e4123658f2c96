// Saved plans: carried out from the file alone, and only if nothing has changed since.
import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../src/base/json.ts'
import { hashOf, planDocument, withHash } from '../../src/engine/plan/plan.ts'
import { readPlan } from '../../src/engine/saved/saved-plan.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, project, rule, saved, service, vpc } from './stage.ts'

const nothing = { 'iac.yaml': project() }

test('is carried out from the file alone, unknown values included', async () => {
  const world = createWorld()
  const texts = files('', vpc('main'), vpc('other', '10.30.0.0/24'), instance('web', 'vpcs: [main, other]\nos_name: "on ${Vpc[\'main\'].vlan}"'))
  const { plan } = await world.plan(texts)
  const done = await world.applySaved(nothing, saved(plan))
  expect(done.exitCode).toBe(0)
  expect(done.outcome).toMatchObject({ added: 3 })
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

test('carries out updates, replacements and deletes', async () => {
  const world = createWorld()
  await world.apply(all(vpc('main'), vpc('gone', '10.40.0.0/24'), instance('web', 'vpcs: [main]')))
  const next = all(vpc('main', '10.21.0.0/24'), instance('web', 'vpcs: [main]\nos_name: Debian'))
  const done = await world.applySaved(nothing, saved((await world.plan(next)).plan))
  expect(done.outcome).toMatchObject({ added: 1, changed: 1, destroyed: 2 })
  expect(done.exitCode).toBe(0)
  expect(brief((await world.plan(next)).plan)).toEqual([])
})

test('asks for a restart as well', async () => {
  const world = createWorld()
  const shop = service('shop', '', 'lifecycle: { redeploy_triggered_by: [K3sSecret/db] }')
  await world.apply(all(cluster('PASSWORD: one'), shop))
  const next = all(cluster('PASSWORD: two'), shop)
  const plan = saved((await world.plan(next)).plan)
  const sent = effects(world)
  expect((await world.applySaved(next, plan)).exitCode).toBe(0)
  expect(sent).toEqual(['updateK3sSecret', 'redeployK3sService'])
  expect(brief((await world.plan(next)).plan)).toEqual([])
})

describe('is carried out with what is sensitive', () => {
  const plan = async (world: ReturnType<typeof createWorld>, texts: Record<string, string>) => saved((await world.plan(texts)).plan)

  test('and made of what a look-up tells', async () => {
    const world = createWorld()
    const texts = (name: string) => files('', instance('web', `name: ${name}\ncloud_init: "#cloud-config \${lookup('Plan', 'ryzen-4').id}"`))
    expect((await world.applySaved(texts('web-one'), await plan(world, texts('web-one')))).exitCode).toBe(0)
    expect((await world.applySaved(texts('web-two'), await plan(world, texts('web-two')))).exitCode).toBe(0)
    expect(brief((await world.plan(texts('web-two'))).plan)).toEqual([])
  })

  test('and made of what is recorded otherwise than it is live, and of what the same plan takes over', async () => {
    const world = createWorld()
    await world.apply(files('', vpc('main')))
    const { vpcs } = world.sandbox.world.tables
    const [main] = vpcs.all()
    const beside = vpcs.insert({ workspaceId: world.sandbox.workspaceId, name: 'beside', description: 'beside', range: '10.77.0.0/24', vlan: 77 })
    vpcs.update(main?.id ?? '', { vlan: 999 })
    const bgp = manifest('BgpConfiguration', 'bgp', "asn: 64512\npassword: \"${Vpc['main'].vlan} ${Vpc['other'].id}\"")
    const other = vpc('other', '10.77.0.0/24', `import: { id: "${beside.id}" }`).replace('other-net', 'beside').replace('of other', 'beside')
    const texts = files('', vpc('main'), other, bgp)
    expect((await world.applySaved(texts, await plan(world, texts))).exitCode).toBe(0)
  })

  test('which ignore_changes keeps, and which the manifests give otherwise by now', async () => {
    const world = createWorld()
    const texts = (password: string, most: number) =>
      files('', manifest('BgpConfiguration', 'bgp', `asn: 64512\npassword: ${password}\nmax_prefixes: ${most}`, 'lifecycle: { ignore_changes: [/password] }'))
    await world.apply(texts('first-of-all', 5))
    const next = texts('another-one', 6)
    const sent = effects(world, (body) => Object.keys(body).join())
    expect((await world.applySaved(next, await plan(world, next))).exitCode).toBe(0)
    expect(sent).toEqual(['updateBgp max_prefixes'])
  })
})

describe('is refused', () => {
  const prepared = async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const next = all(vpc('main').replace('of main', 'second'), vpc('other', '10.30.0.0/24'))
    return { world, next, plan: saved((await world.plan(next)).plan) }
  }
  test('for what it was shown to be refused for: an error of its own, and a guard', async () => {
    const world = createWorld()
    await world.apply(vpc('main', '10.20.0.0/24', 'lifecycle: { prevent_destroy: true }'))
    const guarded = saved((await world.plan(vpc('main', '10.21.0.0/24', 'lifecycle: { prevent_destroy: true }'))).plan)
    await expect(world.applySaved(nothing, guarded)).rejects.toMatchObject({ exitCode: 5 })
    await world.apply(vpc('main'))
    const plan = saved((await world.plan(vpc('main', '10.21.0.0/24'))).plan)
    await expect(world.applySaved({ 'iac.yaml': project('guards: { max_destroy: 0 }') }, plan)).rejects.toMatchObject({ exitCode: 5 })
    expect((await world.applySaved(nothing, plan)).exitCode).toBe(0)
  })
  test('the second time, with 6', async () => {
    const { world, plan } = await prepared()
    expect((await world.applySaved(nothing, plan)).exitCode).toBe(0)
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject({ exitCode: 6 })
  })
  test('the second time where it was the first apply, with 6', async () => {
    const world = createWorld()
    const plan = saved((await world.plan(files('', vpc('main')))).plan)
    expect((await world.applySaved(nothing, plan)).exitCode).toBe(0)
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject({ exitCode: 6 })
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(1)
  })
  test('in another project, with 6, though neither was ever applied', async () => {
    const world = createWorld()
    const blog = { 'iac.yaml': project().replace('name: shop', 'name: blog') }
    const plan = saved((await world.plan(files('', vpc('main')))).plan)
    const other = world.beside()
    const message = 'the plan was made for the project "shop", and this is "blog"'
    await expect(other.applySaved(blog, plan)).rejects.toMatchObject({ exitCode: 6, message })
    expect(await other.document()).toBeUndefined()
    expect((await world.applySaved(nothing, plan)).exitCode).toBe(0)
    await other.apply({ ...blog, 'main.yaml': vpc('own', '10.60.0.0/24') })
    const next = saved((await world.plan(files('', vpc('main', '10.21.0.0/24')))).plan)
    await expect(other.applySaved(blog, next)).rejects.toMatchObject({ exitCode: 6, message })
  })
  test('for what a delete takes along by now, with 6, and for what it was to take along with 5', async () => {
    const world = createWorld()
    const bgp = manifest('BgpConfiguration', 'bgp', 'asn: 64512')
    const guards = 'guards: { max_destroy: 1 }'
    await world.apply(files(guards, bgp, vpc('main')))
    const plan = saved((await world.plan(files(guards, vpc('main')))).plan)
    const { bgpPrefixes } = world.sandbox.world.tables
    const own = { workspaceId: world.sandbox.workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' } as const
    bgpPrefixes.insert(own)
    await expect(world.applySaved(files(guards), plan)).rejects.toMatchObject({ exitCode: 6 })
    const counted = saved((await world.plan(files(guards, vpc('main')))).plan)
    await expect(world.applySaved(files(guards), counted)).rejects.toMatchObject({ exitCode: 5, message: 'the plan destroys 2, and max_destroy allows 1' })
    expect((await world.applySaved(nothing, counted)).outcome).toMatchObject({ destroyed: 1 })
  })
  test('for what has changed, with 6, before a guard says 5', async () => {
    const world = createWorld()
    await world.apply(files('', vpc('main')))
    const plan = saved((await world.plan(files('', vpc('main', '10.21.0.0/24')))).plan)
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    await expect(world.applySaved(files('guards: { max_destroy: 0 }'), plan)).rejects.toMatchObject({ exitCode: 6 })
  })
  test('when an object that it touches has changed, with 6', async () => {
    const { world, plan } = await prepared()
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    const sent = effects(world)
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject({ exitCode: 6 })
    expect(sent).toEqual([])
  })
  test.each(['delete', 'retain'])('where moved leads what it removes to what a manifest declares by now, with 6 (on_remove: %s)', async (onRemove) => {
    const world = createWorld()
    const lifecycle = `lifecycle: { on_remove: ${onRemove} }`
    await world.apply(files('', vpc('main'), vpc('old', '10.30.0.0/24', lifecycle)))
    const plan = saved((await world.plan(files('', vpc('main')))).plan)
    const renamed = vpc('new', '10.30.0.0/24', lifecycle).replace('new-net', 'old-net').replace('of new', 'of old')
    const next = files('moved: [{ from: Vpc/old, to: Vpc/older }, { from: Vpc/older, to: Vpc/new }]', vpc('main'), renamed)
    const sent = effects(world)
    await expect(world.applySaved(next, plan)).rejects.toMatchObject({ exitCode: 6, diagnostics: [{ code: 'plan_stale', address: 'Vpc/old' }] })
    expect(sent).toEqual([])
    expect((await world.apply(next)).outcome).toMatchObject({ added: 0, destroyed: 0 })
  })
  test('when the state has changed, with 6', async () => {
    const { world, plan } = await prepared()
    await world.apply(all(vpc('main'), vpc('third', '10.50.0.0/24')))
    await expect(world.applySaved(nothing, plan)).rejects.toMatchObject({ exitCode: 6 })
  })
  test('when another version made it, with 9 and before anything is sent, though its form and its hash are right', async () => {
    const world = createWorld()
    const base = all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
    await world.apply(base)
    const { plan } = await world.plan(base.replace('port_start: 22', 'port_start: 23'))
    // As an earlier one ranked the rules of an instance: another scale, the same shape.
    const changes = plan.changes.map((one) => (one.group === null ? one : { ...one, rank: one.rank + 4 }))
    // And it counted other things in a review.
    const { hash: _, ...rest } = withHash({ ...plan, tool_version: '0.0.0-before', changes })
    const before = { ...rest, review: 'e'.repeat(64) }
    const older = saved({ ...before, hash: hashOf(before) })
    const sent = effects(world)
    const refused = await world.applySaved(nothing, older).catch((error: unknown) => error)
    expect(refused).toMatchObject({ exitCode: 9, diagnostics: [{ code: 'plan_damaged', hint: 'plan again' }] })
    expect(refused).toHaveProperty('message', 'the plan was made by iac 0.0.0-before, and this is iac 0.0.0')
    expect(sent).toEqual([])
    expect((await world.applySaved(nothing, saved(plan))).exitCode).toBe(0)
  })
  test.each([
    ['lacks members', (text: string) => text.replace(/"review":"[0-9a-f]+",/, '')],
    ['has members of its own', (text: string) => text.replace('{', '{"later":{},')],
  ])('when another version made it whose plans %s, with 9 and by its version', async (_, spoil) => {
    const { plan } = await prepared()
    const text = spoil(stringifyJson(planDocument(withHash({ ...plan, tool_version: '9.0.0' }))))
    expect(() => readPlan(text, 'plan.json', plan.tool_version)).toThrow(`the plan was made by iac 9.0.0, and this is iac ${plan.tool_version}`)
    expect(() => readPlan(text, 'plan.json', '9.0.0')).toThrow('plan.json is no plan that can be carried out')
  })
  test.each([
    ['altered', (text: string) => text.replace('"second"', '"worse"')],
    ['cut off', (text: string) => text.slice(0, -20)],
    ['of a newer format', (text: string) => text.replace('iac-plan/v1', 'iac-plan/v2')],
    ['of an older format', (text: string) => text.replace('iac-plan/v1', 'iac-plan/v0')],
    ['without ranks', (text: string) => text.replaceAll(/"rank":\d+,/g, '')],
    ['no plan', () => '{}'],
  ])('when it is %s, with 9', async (_, spoil) => {
    const { plan } = await prepared()
    const text = spoil(stringifyJson(planDocument(plan)))
    expect(() => readPlan(text, 'plan.json', plan.tool_version)).toThrow(expect.objectContaining({ exitCode: 9 }))
  })
})

describe('with sensitive values', () => {
  const texts = files('variables: { password: { type: string, sensitive: true } }', cluster('PASSWORD: "${vars.password}"'))
  const known = { variables: { password: 'first secret' } }
  const plan = async () => {
    const world = createWorld()
    return { world, plan: saved((await world.plan(texts, {}, known)).plan) }
  }
  test('resolves them again', async () => {
    const { world, plan: one } = await plan()
    expect((await world.applySaved(texts, one, known)).exitCode).toBe(0)
    expect(brief((await world.plan(texts, {}, known)).plan)).toEqual([])
  })
  test('misses one: 3', async () => {
    const { world, plan: one } = await plan()
    await expect(world.applySaved(nothing, one)).rejects.toMatchObject({ exitCode: 3 })
  })
  test.each([
    ['finds another: 6', texts, { variables: { password: 'second secret' } }, 6],
    ['misses one: 3', nothing, {}, 3],
  ])('%s, though a guard refuses it, too', async (_, found, given, exitCode) => {
    const guarded = (one: Readonly<Record<string, string>>) => ({ ...one, 'iac.yaml': `${one['iac.yaml']}\nguards: { max_destroy: 0 }\n` })
    const world = createWorld()
    await world.apply(vpc('main'))
    const one = saved((await world.plan(texts, {}, known)).plan)
    const sent = effects(world)
    await expect(world.applySaved(guarded(found), one, given)).rejects.toMatchObject({ exitCode })
    await expect(world.applySaved(guarded(texts), one, known)).rejects.toMatchObject({ exitCode: 5 })
    expect(sent).toEqual([])
  })
  test('finds another: 6', async () => {
    const { world, plan: one } = await plan()
    await expect(world.applySaved(texts, one, { variables: { password: 'second secret' } })).rejects.toMatchObject({ exitCode: 6 })
  })
})

test('what an earlier run left and cannot be settled ends with 8, after a stop with 130, and nothing of the plan is sent', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'RUNNING' }] } })
  const texts = all(vpc('main'), instance('web', '', 'timeouts: { create: 5s }'))
  expect((await world.apply(texts)).exitCode).toBe(8)
  const { plan } = await world.plan(all(texts, vpc('other', '10.30.0.0/24')))
  const sent = effects(world)
  await expect(world.applySaved(texts, saved(plan))).rejects.toMatchObject({ exitCode: 8 })
  const stop = new AbortController()
  void world.clock.sleep(2000).then(() => stop.abort())
  await expect(world.applySaved(texts, saved(plan), {}, stop.signal)).rejects.toMatchObject({ exitCode: 130 })
  expect([sent, world.sandbox.world.tables.vpcs.all().map((one) => one.name)]).toEqual([[], ['main-net']])
})

test('who carries out nothing but saved plans goes on: the next one settles what a run left, and is stale, and that after it fits', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 90_000 }] } })
  const texts = all(vpc('main'), instance('web', '', 'timeouts: { create: 5s }'))
  expect((await world.apply(texts)).exitCode).toBe(8)
  await world.clock.sleep(120_000)
  const again = async () => world.applySaved(texts, saved((await world.plan(texts)).plan))
  const sent = effects(world)
  await expect(again()).rejects.toMatchObject({ exitCode: 6, diagnostics: [{ code: 'plan_stale', hint: 'plan again' }] })
  const done = await again()
  expect([done.exitCode, sent, world.sandbox.world.tables.instances.all().length]).toEqual([0, [], 1])
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})
