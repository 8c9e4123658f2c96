// What services, instances and workspaces say of themselves: logs of a failed one, an environment nobody can read, what is left, what is unwell.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, cluster, effects, files, instance, said, service } from './stage.ts'

const base = cluster('PASSWORD: one')

/** The service answers this log. */
function logging(log: string) {
  const asked: string[] = []
  const transport: NonNullable<Parameters<typeof createWorld>[0]>['transport'] = (inner) => async (request) => {
    if (!request.path.includes('/logs')) return inner(request)
    asked.push(request.path)
    const empty = await inner({ ...request, path: '/v1/nowhere' })
    return { ...empty, status: 200, headers: { 'content-type': 'text/plain' }, text: async () => log }
  }
  return { asked, transport }
}

describe('a service that failed', () => {
  const log = `${Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n')}\nlogin with hunter2-secret refused\n`
  const texts = files('variables: { password: { type: string, sensitive: true } }', cluster('PASSWORD: "${vars.password}"'), service('shop'))
  const failing = async (): Promise<readonly [World, string[]]> => {
    const { transport, asked } = logging(log)
    const world = createWorld({ transport, variables: { password: 'hunter2-secret' } })
    return [world, asked]
  }
  test('says why by the end of its log, without any secret', async () => {
    const [world, asked] = await failing()
    const { clusterServices } = world.sandbox.world.tables
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'getK3sService') for (const one of clusterServices.all()) clusterServices.update(one.id, { status: 'FAILED' })
      return undefined
    }
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(8)
    const [failed] = done.outcome?.failed ?? []
    expect(failed?.summary).toContain('K3sService/shop')
    expect(failed?.detail).toBe(
      `Its log ends with:\n${Array.from({ length: 9 }, (_, at) => `line ${at + 21}`).join('\n')}\nlogin with (sensitive value) refused`,
    )
    expect(asked).toEqual([expect.stringContaining('tail=10')])
  })
})

describe('a service that was taken over', () => {
  const declared = service('shop', 'environment: { MODE: live }')
  const undeclared = service('shop')
  const imported = async () => {
    const owner = createWorld()
    await owner.apply(all(base, declared))
    const record = (await owner.document())?.resources ?? []
    const other = owner.beside()
    for (const one of record) await other.importObject(all(base, undeclared), one.address, one.id)
    return { owner, other }
  }
  test('shows no change, and keeps a mark that its environment is unknown', async () => {
    const { other } = await imported()
    expect(brief((await other.plan(all(base, undeclared))).plan)).toEqual([])
    expect((await other.document())?.resources.find((one) => one.kind === 'K3sService')?.blind).toEqual(['environment'])
  })
  test('is not updated before the environment is declared, also by later runs', async () => {
    const { owner, other } = await imported()
    const next = all(base, undeclared.replace('shop:1', 'shop:2'))
    const sent = effects(owner)
    expect((await other.apply(next)).exitCode).toBe(3)
    expect(said((await other.plan(next)).plan)).toContainEqual(expect.stringContaining('cannot show the environment that this update would replace'))
    expect(sent).toEqual([])
    const whole = all(base, declared.replace('shop:1', 'shop:2'))
    expect((await other.apply(whole)).exitCode).toBe(0)
    const record = (await other.document())?.resources.find((one) => one.kind === 'K3sService')
    expect(record?.blind ?? []).toEqual([])
    expect((await other.apply(all(base, service('shop').replace('shop:1', 'shop:3')))).exitCode).toBe(0)
  })
  test('by the plan itself is warned of what is taken as declared', async () => {
    const owner = createWorld()
    await owner.apply(all(base, declared))
    const id = (await owner.document())?.resources.find((one) => one.kind === 'K3sService')?.id ?? ''
    const other = owner.beside()
    for (const one of (await owner.document())?.resources ?? [])
      if (one.kind !== 'K3sService') await other.importObject(all(base, declared), one.address, one.id)
    const texts = all(base, service('shop', 'environment: { MODE: live }', `import: { id: "${id}" }`))
    const { plan } = await other.plan(texts)
    expect(said(plan)).toContainEqual('advice K3sService/shop: environment cannot be read; it is taken as declared')
    const bare = all(base, service('shop', '', `import: { id: "${id}" }`))
    await other.apply(bare)
    expect((await other.document())?.resources.find((one) => one.kind === 'K3sService')?.blind).toEqual(['environment'])
  })
})

describe('an object that was ready and is not any more', () => {
  test('is a warning and drift, and never replaced by itself', async () => {
    const world = createWorld()
    const texts = all(base, service('shop'), instance('web'))
    await world.apply(texts)
    const { clusterServices, instances } = world.sandbox.world.tables
    clusterServices.update(clusterServices.all()[0]?.id ?? '', { status: 'FAILED' })
    instances.update(instances.all().find((one) => one.name === 'web')?.id ?? '', { state: 'SUSPENDED' })
    const { plan } = await world.plan(texts)
    expect(brief(plan)).toEqual([])
    expect(plan.drift?.map(({ address, before, after, patch }) => ({ address, before, after, patch }))).toEqual([
      { address: 'Instance/web', before: { status: 'ready' }, after: { status: 'stopped' }, patch: [{ op: 'replace', path: '/status', value: 'stopped' }] },
      { address: 'K3sService/shop', before: { status: 'ready' }, after: { status: 'failed' }, patch: [{ op: 'replace', path: '/status', value: 'failed' }] },
    ])
    expect(said(plan)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^advice Instance\/web is stopped/), expect.stringMatching(/^advice K3sService\/shop has failed/)]),
    )
    await world.refresh(texts)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
})

test('addresses that came with an instance and are still there without it are named', async () => {
  const world = createWorld({ sandbox: { readings: { grantedIps: 'kept' } } })
  await world.apply(instance('web'))
  await world.destroy()
  const notes = world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))
  expect(notes).toEqual([
    expect.stringMatching(/^Instance\/web is gone, and what came with it is still there: address [\d.]+ \(id \d+\), address [\da-f:]+ \(id \d+\)$/),
  ])
  const clean = createWorld()
  await clean.apply(instance('web'))
  await clean.destroy()
  expect(clean.events.filter((one) => one.type === 'note')).toEqual([])
})

test('a workspace is renamed by its owner alone: the plan says so', async () => {
  const world = createWorld()
  const texts = manifest('Workspace', 'shop', 'name: shop-prod')
  await world.apply(texts)
  const { members, workspaces } = world.sandbox.world.tables
  const id = workspaces.all().find((one) => one.name === 'shop-prod')?.id ?? ''
  for (const one of members.by('workspace', id)) members.update(one.id, { accessLevel: 'ADMINISTRATOR' })
  expect(said((await world.plan(texts.replace('shop-prod', 'shop-live'))).plan)).toContainEqual(
    'advice Workspace/shop: update needs the role OWNER, and the caller is ADMINISTRATOR',
  )
  expect(said((await world.plan(`${texts}  disable_ssh_password: true\n`)).plan)).toEqual([])
})
