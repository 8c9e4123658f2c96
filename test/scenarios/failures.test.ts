// What goes wrong on the way: what goes on, what is skipped and named, what the next run does.
import { describe, expect, test } from 'vitest'
import type { Event } from '../../src/engine/model/events.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, attachment, brief, effects, instance, rule, said, vpc } from './stage.ts'

const skips = (events: readonly Event[]) => events.flatMap((one) => (one.type === 'skipped' ? [`${one.address} because of ${one.because}`] : []))

/** Refuses what makes the object of this name. */
function refuse(world: World, name: string, status: number): void {
  world.sandbox.faults.hook = ({ method, body }) => (method === 'POST' && body?.includes(`"${name}"`) ? { status, message: 'not today' } : undefined)
}

/** Operations one at a time, so that what follows a refusal is not under way with it. */
function createdOneByOne(world: World, texts: string) {
  return world.apply(texts, {}, { parallelism: 1 })
}

describe('an operation that fails', () => {
  const texts = all(
    vpc('bad'),
    vpc('good', '10.30.0.0/24'),
    instance('web', 'vpcs: [bad]'),
    instance('api', 'vpcs: [good]'),
    rule('ssh', 'action: ACCEPT\nport_start: 22'),
  )

  test('stops what needs it and nothing else; the next run does the rest', async () => {
    const world = createWorld()
    refuse(world, 'bad-net', 400)
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(8)
    expect(done.outcome).toMatchObject({ added: 2 })
    expect(done.outcome?.failed.map((one) => one.summary)).toEqual(['Vpc/bad: create was refused: not today (status 400)'])
    expect(skips(world.events)).toEqual(['Instance/web because of Vpc/bad', 'FirewallRule/ssh because of Instance/web'])
    expect(done.document.resources.map((one) => one.address)).toEqual(['Instance/api', 'Vpc/good'])
    world.sandbox.faults.hook = undefined
    const again = await world.apply(texts)
    expect(again.outcome).toMatchObject({ added: 3, failed: [] })
    expect(again.exitCode).toBe(0)
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  })
  test('says where the resource is declared, and nothing where it is declared no more', async () => {
    const world = createWorld()
    refuse(world, 'bad-net', 400)
    const done = await world.apply(all(vpc('good', '10.30.0.0/24'), vpc('bad')))
    expect(done.outcome?.failed).toMatchObject([{ address: 'Vpc/bad', position: { file: 'main.yaml', line: 15, text: '  name: bad' } }])
    expect(world.events.flatMap((one) => (one.type === 'failed' ? one.diagnostics : []))).toEqual(done.outcome?.failed)
    world.sandbox.faults.hook = ({ method }) => (method === 'DELETE' ? { status: 400, message: 'not today' } : undefined)
    const gone = await world.apply(vpc('other', '10.40.0.0/24'))
    expect(gone.outcome?.failed.map((one) => [one.address, one.position])).toEqual([['Vpc/good', undefined]])
  })
  test('ends everything with --fail-fast', async () => {
    const world = createWorld()
    refuse(world, 'bad-net', 400)
    const chain = all(vpc('bad'), vpc('good', '10.30.0.0/24'), instance('web', 'vpcs: [good]'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
    world.sandbox.faults.hook = ({ method, path, body }) =>
      method === 'POST' && body?.includes('"bad-net"') ? { status: 400, message: 'not today' } : path.endsWith('/vpcs') ? { delayMs: 50 } : undefined
    const done = await world.apply(chain, {}, { failFast: true })
    expect(done.exitCode).toBe(8)
    expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/good'])
  })
  test.each(Array.from({ length: 12 }, (_, nth) => nth))('at line %i of the journal lets nothing leave that relies on it', async (nth) => {
    let [written, world] = [0, createWorld()]
    const left: string[] = []
    const journal = (): string => Buffer.from([...world.fileSystem.files()].find(([path]) => path.endsWith('.journal'))?.[1] ?? '').toString()
    world = createWorld({
      fileSystem: { fault: (operation, path) => (operation === 'write' && path.includes('journal') && written++ === nth ? 'ENOSPC' : undefined) },
      transport: (inner) => (request) => {
        if (request.method === 'POST' && request.path.endsWith('/instances')) left.push(journal())
        return inner(request)
      },
    })
    await world.apply(all(vpc('main'), instance('web', 'vpcs: [main]'))).catch(() => undefined)
    for (const text of left) expect(text).toMatch(/"t":"record"[^]*Vpc\/main/)
  })
  test('for want of a permission leads to 4, and other branches go on', async () => {
    const world = createWorld()
    refuse(world, 'bad-net', 403)
    const done = await world.apply(texts)
    expect(done.exitCode).toBe(4)
    expect(done.outcome).toMatchObject({ added: 2, unauthorized: true })
  })
  test('in the middle of a replacement leaves the old half to be deleted, once', async () => {
    const world = createWorld()
    const first = vpc('main', '10.20.0.0/24', 'lifecycle: { create_before_destroy: true }')
    await world.apply(first)
    const changed = first.replace('10.20', '10.21')
    world.sandbox.faults.list.push({ operation: 'deleteVpc', status: 403 })
    const done = await world.apply(changed)
    expect(done.exitCode).toBe(4)
    expect(done.document.resources[0]?.deposed).toHaveLength(1)
    const { plan } = await world.plan(changed)
    expect(brief(plan)).toEqual(['delete Vpc/main (resumed): delete'])
    expect((await world.apply(changed)).outcome).toMatchObject({ destroyed: 1, added: 0 })
    expect(world.sandbox.world.tables.vpcs.all().map((one) => one.range)).toEqual(['10.21.0.0/24'])
  })
  test('leaves an update to do, never a replacement', async () => {
    const world = createWorld()
    world.sandbox.faults.list.push({ operation: 'updateInstance', status: 400 })
    const texts2 = instance('web', 'uefi: true')
    expect((await world.apply(texts2)).exitCode).toBe(8)
    const { plan } = await world.plan(texts2)
    expect(brief(plan)).toEqual(['update Instance/web (resumed): update, power on'])
    expect((await world.apply(texts2)).exitCode).toBe(0)
    expect(world.sandbox.world.tables.instances.all()).toHaveLength(1)
    expect(world.sandbox.world.tables.instances.all()[0]).toMatchObject({ uefi: true, online: true })
  })
  test.each([
    { leaves: 'nothing', next: 'create Instance/web (new): create' },
    { leaves: 'failed', next: 'replace Instance/web (failed): delete, create' },
  ] as const)('in its workflow and leaves $leaves', async ({ leaves, next }) => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'FAILED', leaves }] } })
    const guarded = instance('web', '', 'lifecycle: { prevent_destroy: true }')
    expect((await world.apply(guarded)).exitCode).toBe(8)
    expect(brief((await world.plan(guarded)).plan)).toEqual([next])
    expect((await world.apply(guarded, {}, { maxDestroy: 0 })).exitCode).toBe(0)
    expect(world.sandbox.world.tables.instances.all().map((one) => one.state)).toEqual(['AVAILABLE'])
  })
  test('in its workflow is not made anew where its object is ready by then', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'FAILED', leaves: 'failed' }] } })
    const { document } = await world.apply(instance('web'))
    const { instances } = world.sandbox.world.tables
    const [made] = document.resources
    expect([made?.status, instances.all()[0]?.state]).toEqual(['failed', 'FAILED'])
    instances.update(made?.id ?? '', { state: 'AVAILABLE', online: true })
    expect(brief((await world.plan(instance('web'))).plan)).toEqual(['update Instance/web (resumed): '])
    const sent = effects(world)
    const done = await world.apply(instance('web'), {}, { noDestroy: true })
    expect([done.exitCode, sent, done.document.resources.map((one) => [one.id, one.status])]).toEqual([0, [], [[made?.id, 'ready']]])
    expect(brief((await world.plan(instance('web'))).plan)).toEqual([])
  })
})

describe('a quota that the service refuses on the way', () => {
  const many = (count: number): string => all(...Array.from({ length: count }, (_, at) => vpc(`n${at}`, `10.${at + 1}.0.0/24`)))
  test.each([403, 409, 422])('stops further creates of the kind (%d), and nothing else; it ends with 8', async (status) => {
    const world = createWorld()
    const sent = effects(world)
    const inner = world.sandbox.faults.hook
    let creates = 0
    world.sandbox.faults.hook = (request) => {
      inner?.(request)
      if (request.operation !== 'createVpc') return undefined
      creates += 1
      return creates > 2 ? { status, message: 'the quota max_vpcs is reached' } : undefined
    }
    const texts = all(many(12), instance('web'), attachment('late', 'web', 'n0'))
    const done = await createdOneByOne(world, texts)
    expect(done.exitCode).toBe(8)
    expect(done.outcome?.failed).toHaveLength(1)
    expect(done.outcome?.failed[0]).toMatchObject({ summary: expect.stringContaining('quota'), hint: expect.stringContaining('raise it') })
    expect(sent.filter((one) => one === 'createVpc')).toHaveLength(3)
    expect(sent).toContain('createInstance')
    expect(skips(world.events).filter((one) => one.startsWith('Vpc/'))).toHaveLength(9)
    world.sandbox.faults.hook = undefined
    expect((await world.apply(texts)).exitCode).toBe(0)
  })
  test.each([
    [400, 'max_prefixes is out of range'],
    [429, 'rate limit exceeded'],
  ])('is nothing that is refused for another maximum or for its rate (%d)', async (status, message) => {
    const world = createWorld()
    let creates = 0
    world.sandbox.faults.hook = ({ operation, body = '' }) => {
      if (operation !== 'createVpc') return undefined
      creates += 1
      return body.includes('n0-net') ? { status, message } : undefined
    }
    const done = await createdOneByOne(world, all(many(3)))
    expect([done.exitCode, done.outcome?.added, done.outcome?.failed.map((one) => one.hint)]).toEqual([8, 2, [undefined]])
    expect(creates).toBeGreaterThanOrEqual(3)
  })
  test('for what one object grows by ends with 8 as well, and does not say that the caller may not', async () => {
    const world = createWorld()
    const disk = (size: string): string => manifest('Disk', 'data', `size: ${size}\nbackend: CEPH\nregion: fra-1`)
    await world.apply(disk('10GiB'))
    world.sandbox.faults.hook = ({ operation }) => (operation === 'resizeDisk' ? { status: 403, message: 'the quota max_storage_bytes is reached' } : undefined)
    const done = await world.apply(disk('20GiB'))
    expect([done.exitCode, done.outcome?.failed]).toMatchObject([8, [{ code: 'operation_failed', hint: expect.stringContaining('raise it') }]])
    world.sandbox.faults.hook = ({ operation }) => (operation === 'resizeDisk' ? { status: 403, message: 'not allowed' } : undefined)
    expect((await world.apply(disk('20GiB'))).exitCode).toBe(4)
  })
  test('does not stop the new half of what was destroyed for it', async () => {
    const world = createWorld()
    await world.apply(many(3))
    let refused = false
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'createVpc' || refused) return undefined
      refused = true
      return { status: 403, message: 'quota' }
    }
    const next = many(4).replaceAll('10.1.', '10.101.').replaceAll('10.2.', '10.102.')
    const done = await createdOneByOne(world, next)
    expect(done.exitCode).toBe(8)
    expect(world.sandbox.world.tables.vpcs.all().length).toBeGreaterThanOrEqual(3)
    world.sandbox.faults.hook = undefined
    expect((await world.apply(next)).exitCode).toBe(0)
  })
})

test('a stop sends nothing more, waits for what runs, and leads to 130', async () => {
  const world = createWorld()
  const stop = new AbortController()
  const sent = effects(world)
  const inner = world.sandbox.faults.hook
  world.sandbox.faults.hook = (request) => {
    const fault = inner?.(request)
    if (request.operation === 'createInstance') stop.abort()
    return fault
  }
  const texts = all(instance('web'), vpc('main'), attachment('web', 'web', 'main'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
  const done = await world.apply(texts, {}, { stop: stop.signal })
  expect(done.exitCode).toBe(130)
  expect(sent.at(-1)).toBe('createInstance')
  expect(done.document.resources.find((one) => one.kind === 'Instance')).toMatchObject({ status: 'ready' })
  world.sandbox.faults.hook = undefined
  const again = await world.apply(texts)
  expect(again.exitCode).toBe(0)
  expect(world.sandbox.world.tables.instances.all()).toHaveLength(1)
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

describe('drift', () => {
  test('is told as recorded → live, and repaired', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24')))
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    vpcs.delete(vpcs.all()[1]?.id ?? '')
    const { plan } = await world.plan(all(vpc('main'), vpc('other', '10.30.0.0/24')))
    expect(plan.drift?.map(({ address, action, before, after }) => ({ address, action, before, after }))).toEqual([
      { address: 'Vpc/main', action: 'update', before: { description: 'of main' }, after: { description: 'by hand' } },
      { address: 'Vpc/other', action: 'delete', before: { name: 'other-net', description: 'of other', range: '10.30.0.0/24' }, after: null },
    ])
    expect(brief(plan).toSorted()).toEqual(['create Vpc/other (missing): create', 'update Vpc/main (drifted): update'])
    const done = await world.apply(all(vpc('main'), vpc('other', '10.30.0.0/24')))
    expect(done.outcome).toMatchObject({ added: 1, changed: 1 })
  })
  test('is recorded without a change by a refresh, and what the manifest says is then a change', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    const sent = effects(world)
    const { document } = await world.refresh(vpc('main'))
    expect(document?.resources[0]?.spec).toMatchObject({ description: 'by hand' })
    expect(sent).toEqual([])
    const { plan } = await world.plan(vpc('main'))
    expect(plan.drift).toEqual([])
    expect(brief(plan)).toEqual(['update Vpc/main (changed): update'])
  })
  test('shows nothing of what the manifest makes of it', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', 'os_name: Debian')))
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    const { plan } = await world.plan(all(vpc('main').replace('of main', '"${Vpc[\'new\'].id}"'), instance('web'), vpc('new', '10.30.0.0/24')))
    expect(plan.drift).toMatchObject([{ address: 'Vpc/main', after: { description: 'by hand' }, after_unknown: [], unresolved: {}, digests: {} }])
  })
  test('of what ignore_changes leaves to others is none', async () => {
    const world = createWorld()
    const kept = vpc('main', '10.20.0.0/24', 'lifecycle: { ignore_changes: [/description] }')
    await world.apply(kept)
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    expect((await world.plan(kept)).plan).toMatchObject({ drift: [], summary: { no_op: 1 } })
    vpcs.update(vpcs.all()[0]?.id ?? '', { name: 'by-hand' })
    expect((await world.plan(kept)).plan.drift).toMatchObject([{ before: { name: 'main-net' }, after: { name: 'by-hand' } }])
  })
  test('of what only the manifest changes is none', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const { plan } = await world.plan(vpc('main').replace('of main', 'new words'))
    expect(plan.drift).toEqual([])
    expect(said(plan)).toEqual([])
  })
})

describe('what is told to be under way', () => {
  /** An update under a fault that strikes once planning is over. */
  const told = async (fault: (operation: string, count: number) => { readonly status?: number; readonly reset?: 'before' } | undefined) => {
    const world = createWorld()
    await world.apply(instance('web'))
    const begun = () => world.events.filter((one) => one.type === 'begin').length > 1
    world.sandbox.faults.hook = ({ operation, count }) => (begun() ? fault(`${operation}`, count) : undefined)
    const done = await world.apply(instance('web', 'name: renamed'))
    world.sandbox.faults.hook = undefined
    const { folded } = await world.plan(instance('web', 'name: renamed'))
    return { code: done.exitCode, inFlight: world.events.flatMap((one) => (one.type === 'failed' ? [one.inFlight] : [])), open: folded.open.length }
  }
  test('is nothing that failed before a request left', async () => {
    expect(await told((operation) => (operation === 'getInstance' ? { status: 403 } : undefined))).toEqual({ code: 4, inFlight: [false], open: 0 })
  })
  test('is a request that was lost, though its repetition was refused', async () => {
    const found = await told((operation, count) => (operation !== 'updateInstance' ? undefined : count === 1 ? { reset: 'before' } : { status: 400 }))
    expect(found).toEqual({ code: 8, inFlight: [true], open: 1 })
  })
})

describe('a power-on whose workflow is not known any more, and which did not happen', () => {
  /** The first power call gets nowhere, and its workflow is gone when it is asked for. */
  function loseFirstPower(world: World): string[] {
    const sent: string[] = []
    const { workflows } = world.sandbox.world.tables
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'powerInstance') sent.push(operation)
      const lost = operation === 'powerInstance' || sent.length !== 1 ? [] : workflows.all().filter((one) => one.operation === 'instance.power')
      for (const one of lost) workflows.delete(one.id)
      return undefined
    }
    return sent
  }
  test('is sent again in the same run', async () => {
    const world = createWorld()
    const sent = loseFirstPower(world)
    const web = instance('web', 'firewall_enabled: false')
    const done = await world.apply(web)
    expect([done.exitCode, done.outcome?.failed, sent.length]).toEqual([0, [], 2])
    expect(world.sandbox.world.tables.instances.all().map((one) => one.online)).toEqual([true])
    expect(brief((await world.plan(web)).plan)).toEqual([])
  })
  test('is sent again by the next run where this one ended before', async () => {
    const world = createWorld()
    world.sandbox.world.courses.push({ operation: 'instance.power', outcome: 'RUNNING' })
    const sent = loseFirstPower(world)
    world.sandbox.faults.hook = (
      (hook) => (request) =>
        sent.length === 1 && request.operation !== 'powerInstance' ? { status: 401 } : hook?.(request)
    )(world.sandbox.faults.hook)
    const web = instance('web', 'firewall_enabled: false')
    await world.apply(web)
    loseFirstPower(world)
    const { workflows, instances } = world.sandbox.world.tables
    for (const one of workflows.all()) if (one.endedAtMs === null) workflows.delete(one.id)
    const again = await world.apply(web)
    expect([again.exitCode, again.outcome?.failed, instances.all().map((one) => one.online)]).toEqual([0, [], [true]])
    expect(brief((await world.plan(web)).plan)).toEqual([])
  })
})
