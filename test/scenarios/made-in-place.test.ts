// Nothing goes before it is known that its successor can be made, and made without losing what nobody can read.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, said, saved, service, vpc } from './stage.ts'

const base = cluster('PASSWORD: one')
const join = (name: string, to: string): string => manifest('VpcAttachment', name, `instance: web\nvpc: ${to}`)
const node = (name: string, on: string): string => manifest('K3sNode', name, `instance: ${on}`)

/** Another state beside, which holds all but one kind, and then makes one of that kind: to the first state it is nobody's. */
async function madeBeside(world: World, texts: string, kind: string, own: string): Promise<void> {
  const other = world.beside()
  for (const one of (await world.document())?.resources ?? []) if (one.kind !== kind) await other.importObject(texts, one.address, one.id)
  expect((await other.apply(all(texts, own))).exitCode).toBe(0)
}

/** What is said of a plan, and what its apply sends. */
async function tried(world: Pick<World, 'plan' | 'apply'>, sandbox: World['sandbox'], texts: string, options = {}) {
  const told = said((await world.plan(texts, options)).plan)
  const sent = effects({ sandbox })
  const { exitCode } = await world.apply(texts, options)
  return { told, exitCode, sent }
}

/** With these words, before any effect. */
function refused(text: string) {
  return { told: expect.arrayContaining([expect.stringContaining(text)]), exitCode: 3, sent: [] }
}

describe('what nobody manages and has what only one may have', () => {
  test('a service is not given the name of another one', async () => {
    const world = createWorld()
    await world.apply(all(base, service('shop')))
    await madeBeside(world, base, 'K3sService', service('web'))
    expect(await tried(world, world.sandbox, all(base, service('shop', 'name: web')))).toEqual(
      refused('exists K3sService/shop: such a K3sService exists already'),
    )
  })

  test('a node is not moved to an instance that is one already', async () => {
    const world = createWorld()
    const two = all(manifest('K3sCluster', 'main', ''), instance('worker'), instance('spare'))
    await world.apply(all(two, node('one', 'worker')))
    await madeBeside(world, two, 'K3sNode', node('own', 'spare'))
    expect(await tried(world, world.sandbox, all(two, node('one', 'spare')))).toEqual(refused('exists K3sNode/one'))
  })

  test('an attachment is not moved to a VPC that the instance is in', async () => {
    const world = createWorld()
    const two = all(instance('web'), vpc('a'), vpc('b', '10.21.0.0/24'))
    await world.apply(all(two, join('one', 'a')))
    await madeBeside(world, two, 'VpcAttachment', join('own', 'b'))
    expect(await tried(world, world.sandbox, all(two, join('one', 'b')))).toEqual(refused('exists VpcAttachment/one'))
  })

  test('stands in the way of what was recorded and is gone, too', async () => {
    const world = createWorld()
    await world.apply(all(base, service('shop')))
    const { clusterServices } = world.sandbox.world.tables
    const [row] = clusterServices.all()
    if (!row) throw new Error('there is one')
    clusterServices.delete(row.id)
    await madeBeside(world, base, 'K3sService', service('shop'))
    const texts = all(base, service('shop'), vpc('main'))
    expect(await tried(world, world.sandbox, texts)).toEqual(refused('exists K3sService/shop'))
    const problem = (await world.plan(texts)).plan.diagnostics.find((one) => one.code === 'exists')
    expect(problem?.hint).toMatch(
      /^once `iac state rm K3sService\/shop` has forgotten the one that is gone, take it over with: iac import 'K3sService\/shop' \d+/,
    )
  })
})

describe('what the caller may delete and not make', () => {
  test('an editor replaces no server', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const { members, instances } = world.sandbox.world.tables
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'EDITOR' })
    expect(await tried(world, world.sandbox, instance('web').replace('ryzen-4', 'ryzen-8'))).toEqual(
      refused('advice Instance/web: create needs the role ADMINISTRATOR'),
    )
    expect(instances.all().map((one) => one.state)).toEqual(['AVAILABLE'])
  })

  test('nor does one who carries out what an administrator planned', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const larger = instance('web').replace('ryzen-4', 'ryzen-8')
    const { plan } = await world.plan(larger)
    expect(plan.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
    const { members, instances } = world.sandbox.world.tables
    const owner = members.all()[0]?.id ?? ''
    members.update(owner, { accessLevel: 'EDITOR' })
    const sent = effects(world).length
    const refusal = await world.applySaved(larger, saved(plan)).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      exitCode: 3,
      diagnostics: [{ summary: 'Instance/web would be deleted, and making it anew needs the role ADMINISTRATOR: the caller is EDITOR' }],
    })
    expect([effects(world).length, instances.all().map((one) => one.state)]).toEqual([sent, ['AVAILABLE']])
    members.update(owner, { accessLevel: 'ADMINISTRATOR' })
    expect((await world.applySaved(larger, saved(plan))).exitCode).toBe(0)
  })

  test('a viewer, who may do neither, is warned', async () => {
    const world = createWorld()
    await world.apply(instance('web'))
    const { members } = world.sandbox.world.tables
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'VIEWER' })
    expect(said((await world.plan(instance('web').replace('ryzen-4', 'ryzen-8'))).plan)).toEqual([
      expect.stringMatching(/^advice Instance\/web: .* needs the role/),
    ])
  })

  test('an administrator moves no invite of that level to another address', async () => {
    const invite = (email: string): string => manifest('WorkspaceInvite', 'ops', `email: ${email}\naccess_level: ADMINISTRATOR`)
    const world = createWorld()
    await world.apply(invite('ada@example.com'))
    const { members } = world.sandbox.world.tables
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'ADMINISTRATOR' })
    expect(await tried(world, world.sandbox, invite('grace@example.com'))).toEqual(refused('advice WorkspaceInvite/ops: create needs the role OWNER'))
  })
})

describe('an environment that nobody can read', () => {
  test.each([
    ['another name', 'name: shop-2', {}],
    ['a replacement that was asked for', '', { replace: ['K3sService/shop'] }],
  ])('is not lost by %s', async (_, spec, options) => {
    const owner = createWorld()
    await owner.apply(all(base, service('shop', 'environment: { MODE: live }')))
    const other = owner.beside()
    for (const one of (await owner.document())?.resources ?? []) await other.importObject(all(base, service('shop')), one.address, one.id)
    expect(await tried(other, owner.sandbox, all(base, service('shop', spec)), options)).toEqual(
      refused('the service cannot show the environment that this replacement would lose'),
    )
    const { plan } = await other.plan(all(base, service('shop', all(spec, 'environment: { MODE: live }'))), options)
    expect([said(plan).filter((one) => one.includes('environment')), brief(plan)]).toEqual([[], [expect.stringContaining('replace K3sService/shop')]])
  })
})

test('a coupon that is used up is not replaced under its code', async () => {
  const coupon = (code: string, more = ''): string => manifest('Coupon', 'welcome', `code: ${code}\namount: 1000000\nuses: 1\n${more}`)
  const world = createWorld({ staff: true })
  await world.apply(coupon('WELCOME'))
  const { coupons, redemptions, users } = world.sandbox.world.tables
  redemptions.insert({ couponId: coupons.all()[0]?.id ?? '', userId: users.all()[0]?.id ?? '', flags: [], workspaceIds: [] })
  expect(await tried(world, world.sandbox, coupon('WELCOME', 'note: again'))).toEqual(
    refused('Coupon/welcome would be replaced, and a coupon that is used up cannot be deleted'),
  )
  const done = await world.apply(coupon('HELLO', 'note: again'))
  expect([done.exitCode, coupons.all().map((one) => one.code)]).toEqual([0, ['WELCOME', 'HELLO']])
})

test('an empty list that the service shows as none is no difference', async () => {
  const world = createWorld({
    staff: true,
    transport: (inner) => async (request) => {
      const answer = await inner(request)
      return { ...answer, text: async (most: number) => (await answer.text(most)).replaceAll(/"(ports|flags)":\s*\[\]/g, '"$1":null') }
    },
  })
  const texts = all(base, service('shop', 'ports: []'), manifest('Coupon', 'welcome', 'code: WELCOME\namount: 1000000\nuses: 1\nflags: []'))
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

test('a server whose deletion was called off is switched on as the plan says', async () => {
  const world = createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
  const texts = all(instance('web', 'power: ON'), vpc('main'))
  await world.apply(texts)
  await world.apply(vpc('main'))
  const { instances, workflows } = world.sandbox.world.tables
  for (const one of workflows.all()) if (one.endedAtMs === null) workflows.delete(one.id)
  for (const one of instances.all()) instances.update(one.id, { state: 'AVAILABLE', online: false })
  expect(brief((await world.plan(texts)).plan)).toEqual([expect.stringContaining('update Instance/web (drifted)')])
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(instances.all().map((one) => one.online)).toEqual([true])
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

test('a member of a map that is not known yet is not known either', async () => {
  const world = createWorld()
  const limits = (mbit: number): string => `{'upload_bytes_sec': ${mbit}000000, 'download_bytes_sec': ${mbit}000000}`
  const texts = all(
    vpc('main'),
    manifest(
      'Instance',
      'aaaa',
      `type: CUSTOM\ngroup: RYZEN\ncpu: 2\nmemory_bytes: 4GiB\nregion: fra-1\nstorage: [{ size_bytes: 40GiB, boot: true, backing: LOCAL }]\nbandwidth: "\${Vpc['main'].id == '1' ? ${limits(1)} : ${limits(2)}}"`,
    ),
    manifest('Vpc', 'other', `name: other\nrange: 10.22.0.0/24\ndescription: "\${has(Instance['aaaa'].bandwidth.upload_bytes_sec) ? 'bounded' : 'free'}"`),
  )
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all().map((one) => one.description)).toContain('bounded')
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})
