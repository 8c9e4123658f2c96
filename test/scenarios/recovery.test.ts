// Unfinished work: every run that finds some settles it first, sends nothing twice, and says so where it cannot.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { TransportError } from '../../src/api/transport/wire.ts'
import { planSentence } from '../../src/cli/render/plan/plan-counts.ts'
import { remove } from '../../src/engine/apply/remove.ts'
import { createWork } from '../../src/engine/apply/work.ts'
import { createLedger } from '../../src/engine/model/ledger.ts'
import { recover } from '../../src/engine/recover/recover.ts'
import { kinds } from '../../src/kinds/registry.ts'
import type { Entry, Intent } from '../../src/state/record.ts'
import { intentOf } from '../builders/journal.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, brief, cluster, effects, instance, rule, service, vpc } from './stage.ts'

const instances = (world: World) => world.sandbox.world.tables.instances.all()
/** A run's surroundings with lines that an earlier one left. */
function workOn(world: World, entries: readonly Entry[]) {
  const run = world.run()
  const ledger = createLedger({ append: async () => undefined, valid: () => true }, { document: undefined, entries })
  const looking = { source: run.client, compat: run.compat, clock: run.clock, digest: () => '' }
  const rest = { looking, digest: () => '', evaluate: () => ({ unknown: true as const }), secrets: new Map() }
  return { ledger, work: createWork(run, { project: { variables: {}, resources: [], moved: [], environments: [], partial: false }, ledger, ...rest }) }
}
const failures = (done: Awaited<ReturnType<World['apply']>>) => done.outcome?.failed.map((one) => one.code)

test('a saved plan is not carried out again after the state could not be written', async () => {
  let isFull = false
  const fault = (operation: string, path: string) => (isFull && operation === 'rename' && path.endsWith('/state.json') ? 'ENOSPC' : undefined)
  const world = createWorld({ fileSystem: { fault } })
  await world.apply(vpc('main'))
  const next = all(vpc('main'), instance('web'))
  const { plan } = await world.plan(next)
  isFull = true
  expect((await world.applySaved(next, plan)).exitCode).toBe(8)
  isFull = false
  await expect(world.applySaved(next, plan)).rejects.toMatchObject({ exitCode: 6 })
  const sent = effects(world)
  const done = await world.apply(next)
  expect([done.exitCode, sent, instances(world).length]).toEqual([0, [], 1])
  expect(done.document.resources.map((one) => one.address)).toEqual(['Instance/web', 'Vpc/main'])
})

describe('a create that is lost twice', () => {
  const lost = async (second: 'before' | 'late') => {
    const world = createWorld()
    world.sandbox.faults.list.push({ operation: 'createInstance', reset: 'before' })
    world.sandbox.faults.list.push({ operation: 'createInstance', after: 1, ...(second === 'late' ? { lateMs: 45_000 } : { reset: 'before' as const }) })
    return { world, done: await world.apply(instance('web')) }
  }
  test.each([
    ['before', ['createInstance']],
    ['late', []],
  ] as const)('(the second time %s) stays open, and the next apply settles it', async (second, sends) => {
    const { world, done } = await lost(second)
    expect([done.exitCode, failures(done)]).toEqual([8, ['operation_unknown']])
    const { plan, folded } = await world.plan(instance('web'))
    expect([brief(plan), folded.open.length]).toEqual([['create Instance/web (resumed): create'], 1])
    await world.clock.sleep(60_000)
    const sent = effects(world)
    const again = await world.apply(instance('web'))
    expect([again.exitCode, sent, instances(world).length]).toEqual([0, sends, 1])
    expect(again.document.resources.map((one) => one.id)).toEqual(instances(world).map((one) => one.id))
  })
})

describe('a delete', () => {
  test.each([500, 404])('that is answered %i for ever ends at its timeout', async (status) => {
    const world = createWorld()
    await world.apply(vpc('main'))
    let count = 0
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation !== 'deleteVpc') return undefined
      count += 1
      return { status }
    }
    const startedMs = world.clock.now()
    const done = await world.destroy(vpc('main'))
    expect([done.exitCode, failures(done)]).toEqual([8, ['operation_timeout']])
    expect(world.clock.now() - startedMs).toBeLessThan(25 * 60_000)
    expect(count).toBeLessThan(150)
    expect(done.document.resources.map((one) => one.status)).toEqual(['ready'])
    world.sandbox.faults.hook = undefined
    expect((await world.destroy(vpc('main'))).document.resources).toEqual([])
  })
  test('whose workflow fails gives the status back, and what ends with the object is deleted by itself afterwards', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.delete', outcome: 'FAILED' }] } })
    const ssh = rule('ssh', 'action: ACCEPT\nport_start: 22')
    const base = all(instance('web'), ssh, rule('any', 'action: ACCEPT'))
    await world.apply(base)
    const failed = await world.destroy(base, { targets: ['Instance/web'] })
    expect(failed.exitCode).toBe(8)
    expect(failed.document.resources.map((one) => one.status)).toEqual(['ready', 'ready', 'ready'])
    expect(brief((await world.apply(base)).plan)).toEqual([])
    const sent = effects(world)
    const done = await world.apply(all(instance('web'), ssh))
    expect([done.exitCode, sent]).toEqual([0, ['deleteFirewallRule']])
    expect(world.sandbox.world.tables.firewallRules.all()).toHaveLength(1)
  })
})

test('a resumed operation gets the whole time that its manifest allows again, and no more', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'RUNNING' }] } })
  const slow = instance('web', '', 'timeouts: { create: 2h }')
  const took = async (texts: string): Promise<number> => {
    const startedMs = world.clock.now()
    expect((await world.apply(texts)).exitCode).toBe(8)
    return Math.round((world.clock.now() - startedMs) / 60_000)
  }
  const quick = instance('web', '', 'timeouts: { create: 1m }')
  expect([await took(quick), await took(quick), await took(slow), await took(instance('web'))]).toEqual([1, 1, 120, 30])
})

test('a create that a run goes on with has its whole time again, and is told as created', async () => {
  // The instance is there and stays pending: no workflow is left to wait for.
  const world = createWorld()
  const web = (create: string) => instance('web', 'os_name: Debian', `timeouts: { create: ${create}, update: 1h }`)
  world.sandbox.faults.hook = ({ operation }) => (operation === 'powerInstance' ? { status: 422 } : undefined)
  await world.apply(web('10m'))
  const { instances } = world.sandbox.world.tables
  const [made] = instances.all()
  instances.update(made?.id ?? '', { online: false, state: 'PENDING' })
  const startedMs = world.clock.now()
  const slow = await world.apply(web('2m'))
  expect([slow.exitCode, Math.round((world.clock.now() - startedMs) / 60_000)]).toEqual([8, 2])
  world.sandbox.faults.hook = undefined
  instances.update(made?.id ?? '', { online: true, state: 'AVAILABLE' })
  const { plan } = await world.plan(web('2m'))
  expect([brief(plan), planSentence(plan.summary)]).toEqual([['update Instance/web (resumed): '], 'Plan: 1 to add, 0 to change, 0 to destroy.'])
  const done = await world.apply(web('2m'))
  expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 1, changed: 0 }])
  expect(world.events.findLast((one) => one.type === 'complete')).toMatchObject({ address: 'Instance/web', action: 'create' })
})

describe('a delete of what no read tells of', () => {
  const Vpc = kinds.find((kind) => kind.name === 'Vpc')
  test.each([
    ['is sent again where its answer was lost', { reset: 'before' }, 2],
    ['is done where the service answers that there is nothing', { status: 404 }, 1],
  ] as const)('%s', async (_, fault, sends) => {
    const world = createWorld()
    const { document } = await world.apply(vpc('main'))
    const [record] = document.resources
    if (!Vpc || !record) throw new Error('there is nothing to delete')
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method !== 'GET') sent.push(`${operation}`)
      return method !== 'GET' && sent.length === 1 ? fault : undefined
    }
    const { work, ledger } = workOn(world, [{ t: 'record', resource: record }])
    const at = { address: record.address, workspaceId: record.workspace_id ?? '', parents: [], fields: [], dependsOn: [], deadlineMs: 600_000 }
    const current = {
      ...at,
      task: 'remove',
      action: 'delete',
      kind: { ...Vpc, readable: false },
      protected: false,
      onRemove: 'delete',
      group: null,
      object: 'current',
    } as const
    expect(await remove(work, current, record.id)).toMatchObject({ ok: true })
    expect([sent.length, ledger.record(record.address), ledger.isOpen(record.address)]).toEqual([sends, undefined, false])
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(sends === 2 ? 0 : 1)
  })
})

describe('a request that a killed run sent, and whose workflow goes on for longer than it may arrive late', () => {
  const data = (on: string) => manifest('Disk', 'data', `size: 20GiB\nbackend: LOCAL\nregion: fra-1\n${on}`)

  test('is waited for: what it does is not taken for undone', async () => {
    const world = createWorld()
    const { document } = await world.apply(all(instance('web'), data('instance: web')))
    const id = document.resources.find((one) => one.kind === 'Disk')?.id ?? ''
    world.sandbox.world.courses.push({ operation: 'disk.detach', outcome: 'COMPLETED', durationMs: 60_000 })
    const { client, clock } = world.run()
    const subject = { address: 'Disk/data', kind: 'Disk', workspace_id: world.sandbox.workspaceId, id, step: 'detach', clears: ['instance'] }
    const records = document.resources.map((resource): Entry => ({ t: 'record', resource }))
    const { ledger, work } = workOn(world, [...records, intentOf(1, { ...subject, sent_at: clock.wall() })])
    await client.send(call(routes.detachDisk, { did: id }))
    expect(await recover(work)).toEqual([])
    expect(ledger.unfinished()).toEqual([])
    expect(world.sandbox.world.tables.disks.get(id)?.instanceId).toBe(null)
  })
})

test('a delete whose answer was lost, and whose workflow then fails, is sent again before what its object held goes', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'k3s.node.delete', outcome: 'FAILED', leaves: 'nothing', durationMs: 20_000 }] } })
  const texts = all(manifest('K3sCluster', 'main', ''), instance('worker'), manifest('K3sNode', 'worker', 'instance: worker'))
  await world.apply(texts)
  world.sandbox.faults.list.push({ operation: 'deleteK3sNode', times: 1, reset: 'after' })
  const sent: string[] = []
  world.sandbox.faults.hook = ({ method, operation }) => void (method === 'DELETE' && sent.push(`${operation}`))
  const done = await world.destroy(texts)
  expect([done.exitCode, sent.toSorted()]).toEqual([0, ['deleteInstance', 'deleteK3s', 'deleteK3sNode', 'deleteK3sNode']])
  expect(sent.slice(0, 2)).toEqual(['deleteK3sNode', 'deleteK3sNode'])
})

describe('commands that write the state alone', () => {
  test('forget nothing for a read that lags', async () => {
    const world = createWorld()
    const { document } = await world.apply(vpc('main'))
    world.sandbox.faults.hook = ({ method, operation }) => (method === 'GET' && `${operation}`.includes('Vpc') ? { staleMs: 5000 } : undefined)
    expect((await world.refresh(vpc('main'))).document.resources).toEqual(document.resources)
  })
  test('forget what stays away', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const { vpcs } = world.sandbox.world.tables
    vpcs.delete(vpcs.all()[0]?.id ?? '')
    expect((await world.refresh(vpc('main'))).document.resources).toEqual([])
  })
  test('do their work beside what cannot be settled, and end with 8', async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'RUNNING' }] } })
    const made = await world.beside().apply(vpc('main'))
    const web = instance('web', '', 'timeouts: { create: 1m }')
    expect((await world.apply(web)).exitCode).toBe(8)
    const texts = all(web, vpc('main'))
    await expect(world.importObject(texts, 'Vpc/main', made.document.resources[0]?.id ?? '')).rejects.toMatchObject({ exitCode: 8 })
    const { vpcs } = world.sandbox.world.tables
    vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
    await expect(world.refresh(texts)).rejects.toMatchObject({ exitCode: 8 })
    const recorded = (await world.document())?.resources.map((one) => [one.address, one.status, one.spec['description']])
    expect(recorded).toEqual([
      ['Instance/web', 'creating', undefined],
      ['Vpc/main', 'ready', 'by hand'],
    ])
  })
})

test('a field that a lost request may have set is cleared where no manifest says it', async () => {
  const world = createWorld()
  const base = all(cluster('PASSWORD: one'), service('shop'))
  await world.apply(base)
  const stop = new AbortController()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'updateK3sService') return undefined
    stop.abort()
    return { reset: 'after' }
  }
  const environment = () => world.sandbox.world.tables.clusterServices.all()[0]?.revision.environment
  const lost = await world.apply(all(cluster('PASSWORD: one'), service('shop', 'environment: { A: "1" }')), {}, { stop: stop.signal })
  expect([lost.exitCode, environment()]).toEqual([130, { A: '1' }])
  world.sandbox.faults.hook = undefined
  const done = await world.apply(base)
  expect([done.exitCode, environment()]).toEqual([0, {}])
  expect(brief((await world.plan(base)).plan)).toEqual([])
})

test('an import says which of several objects a lost create made', async () => {
  let isFirst = true
  const transport: WorldOptions['transport'] = (inner) => async (request) => {
    if (!isFirst || request.method !== 'POST' || !request.path.endsWith('/instances')) return inner(request)
    isFirst = false
    await inner(request)
    await inner(request)
    throw new TransportError('lost', true)
  }
  const world = createWorld({ transport })
  const texts = instance('web')
  expect(failures(await world.apply(texts))).toEqual(['ambiguous_adoption'])
  expect(failures(await world.apply(texts))).toEqual(['ambiguous_adoption'])
  expect(instances(world)).toHaveLength(2)
  const [, second] = instances(world)
  expect((await world.importObject(texts, 'Instance/web', second?.id ?? '')).resources.map((one) => one.id)).toEqual([second?.id])
  const sent = effects(world)
  const done = await world.apply(texts)
  expect([done.exitCode, sent, done.document.resources.map((one) => [one.id, one.status])]).toEqual([0, [], [[second?.id, 'ready']]])
})

test('a stop while a lost request holds others back leaves its intent open', async () => {
  const world = createWorld()
  const base = (spec: string) => all(vpc('main'), instance('web', `name: ${spec}`))
  await world.apply(base('web\nvpcs: []'))
  const stop = new AbortController()
  const sent: string[] = []
  world.sandbox.faults.hook = ({ operation, method }) => {
    if (method !== 'GET') sent.push(`${operation}`)
    if (operation !== 'updateInstance' || stop.signal.aborted) return undefined
    void world.clock.sleep(10_000).then(() => stop.abort())
    return { reset: 'after' }
  }
  const next = base('renamed\nvpcs: [main]')
  const stopped = await world.apply(next, {}, { stop: stop.signal })
  expect([stopped.exitCode, sent]).toEqual([130, ['updateInstance']])
  expect((await world.plan(next)).folded.open.map((one) => one.intent.step)).toEqual(['update'])
  const startedMs = world.clock.now()
  expect((await world.apply(next)).exitCode).toBe(0)
  expect(sent).toEqual(['updateInstance', 'joinVpc'])
  expect(world.clock.now() - startedMs).toBeGreaterThanOrEqual(30_000)
})

const cpus = (world: World) => new Map(instances(world).map((one) => [one.id, one.cpu]))

describe('two creates of one name whose answers hold a workflow alone', () => {
  const plain = (data: 'word-id' | 'none', courses: NonNullable<WorldOptions['sandbox']>['courses'] = []) =>
    createWorld({ sandbox: { courses, readings: { workflowData: data }, strains: { resourceInCreate: 'no' } } })
  const twin = (name: string, plan: string) => instance(name, 'name: twin', 'timeouts: { create: 1m }').replace('ryzen-4', plan)
  const twins = all(twin('small', 'ryzen-2'), twin('large', 'ryzen-8'))

  test.each(['word-id', 'none'] as const)('are not swapped within a run (workflow data: %s)', async (data) => {
    const world = plain(data)
    const done = await world.apply(twins)
    expect([done.exitCode, done.document.resources.map((one) => cpus(world).get(one.id))]).toEqual([0, [8, 2]])
    expect(brief((await world.plan(twins)).plan)).toEqual([])
  })
  test('do not run into each other where one is not settled in time: the second waits for the next run', async () => {
    const world = plain('none', [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 120_000 }])
    const sent = effects(world)
    const first = await world.apply(twins)
    expect([first.exitCode, failures(first), sent]).toEqual([8, ['operation_timeout', 'operation_unknown'], ['createInstance']])
    const done = await world.apply(twins.replaceAll('create: 1m', 'create: 10m'))
    expect([done.exitCode, done.document.resources.map((one) => cpus(world).get(one.id))]).toEqual([0, [8, 2]])
    expect(instances(world)).toHaveLength(2)
  })
})

test('a recovery that may not read one thing ends once the rest is settled, since the lock is given back then', async () => {
  const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 20_000 }] } })
  const wid = world.sandbox.workspaceId
  const plan = world.sandbox.world.tables.plans.all()[0]?.id ?? ''
  const sets = { name: 'web', type: 'PLAN', plan, region: 'fra-1', start: true }
  const sent = await world.run().client.send(call(routes.createInstance, { wid }, sets))
  if (sent.is !== 'accepted') throw new Error(sent.is)
  const { workflowId = null, resourceId = null } = sent.answer
  world.sandbox.faults.hook = ({ operation }) => (operation === 'getVpc' ? { status: 403 } : undefined)
  const { work, ledger } = workOn(world, [
    intentOf(1, { address: 'Instance/web', kind: 'Instance', workspace_id: wid, natural_key: 'web', creates: true, sets }),
    { t: 'accepted', seq: 1, workflow_id: workflowId, id: resourceId },
    intentOf(2, { workspace_id: wid, id: '1', removes: true }),
    { t: 'accepted', seq: 2, workflow_id: null, id: null },
  ])
  await expect(recover(work)).rejects.toMatchObject({ status: 403 })
  expect(ledger.folded().open.map((one) => one.intent.seq)).toEqual([2])
  expect(world.clock.now()).toBeGreaterThanOrEqual(20_000)
})

describe('recovery of several open creates of one name', () => {
  type Data = 'word-id' | 'none'
  type Courses = NonNullable<WorldOptions['sandbox']>['courses']

  const openCreate = (seq: number, workspaceId: string, plan: string, sets: Intent['sets']): Intent => {
    const subject = { address: `Instance/${seq}`, kind: 'Instance', workspace_id: workspaceId, natural_key: 'twin' }
    return intentOf(seq, { ...subject, creates: true, step: 'create', body_hash: plan, sets })
  }
  /** Settles creates that an earlier run left accepted without an id: what is open then, and which plan the object at each address has. */
  const settle = async (data: Data, plans: readonly string[], courses: Courses = [], turned = false) => {
    const world = createWorld({ sandbox: { courses, readings: { workflowData: data }, strains: { resourceInCreate: 'no' } } })
    const { client } = world.run()
    const wid = world.sandbox.workspaceId
    const { tables } = world.sandbox.world
    const made: Entry[][] = []
    for (const [index, name] of plans.entries()) {
      const sets = { name: 'twin', type: 'PLAN', plan: tables.plans.all().find((one) => one.name === name)?.id ?? '', region: 'fra-1', start: true }
      const sent = await client.send(call(routes.createInstance, { wid }, sets))
      if (sent.is !== 'accepted') throw new Error(sent.is)
      made.push([openCreate(index, wid, name, sets), { t: 'accepted', seq: index, workflow_id: sent.answer.workflowId ?? null, id: null }])
    }
    const entries: Entry[] = [{ t: 'seen', kind: 'Instance', workspace_id: wid, ids: [] }, ...(turned ? made.toReversed() : made).flat()]
    const { work, ledger } = workOn(world, entries)
    const errors = await recover(work)
    const { resources, open } = ledger.folded()
    const at = [...resources.values()].map((one) => [one.address, cpus(world).get(one.id)]).toSorted()
    return { errors: errors.map((one) => one.diagnostic.code), open: open.length, at }
  }

  test.each([false, true])('takes for each what its workflow names (turned: %s)', async (turned) => {
    const found = await settle('word-id', ['ryzen-2', 'ryzen-8'], [], turned)
    expect(found).toEqual({
      errors: [],
      open: 0,
      at: [
        ['Instance/0', 2],
        ['Instance/1', 8],
      ],
    })
  })
  test('takes all where the requests were the same', async () => {
    const found = await settle('none', ['ryzen-2', 'ryzen-2'])
    expect(found).toEqual({
      errors: [],
      open: 0,
      at: [
        ['Instance/0', 2],
        ['Instance/1', 2],
      ],
    })
  })
  test('leaves it to a person where the requests differ and nothing names the objects', async () => {
    expect(await settle('none', ['ryzen-2', 'ryzen-8'])).toEqual({ errors: ['ambiguous_adoption'], open: 2, at: [] })
  })
  test.each(['word-id', 'none'] as const)('gives nothing to one whose workflow failed (workflow data: %s)', async (data) => {
    const found = await settle(data, ['ryzen-2', 'ryzen-2'], [{ operation: 'instance.create', outcome: 'FAILED' }])
    expect(found).toEqual({ errors: [], open: 0, at: [['Instance/1', 2]] })
  })
})
