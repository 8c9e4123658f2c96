// Creates whose answers were lost: what they may have begun is looked for among the workflows, and ends before anything is sent again.
import { describe, expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { TransportError } from '../../src/api/transport/wire.ts'
import { createWork } from '../../src/engine/apply/work.ts'
import { createLedger } from '../../src/engine/model/ledger.ts'
import { recover } from '../../src/engine/recover/recover.ts'
import type { Entry } from '../../src/state/record.ts'
import { intentOf } from '../builders/journal.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World, WorldOptions } from '../builders/world.ts'
import { all, brief, instance, rule, vpc } from './stage.ts'

type Course = NonNullable<NonNullable<WorldOptions['sandbox']>['courses']>[number]

const creates = (durationMs: number, more: Partial<Course> = {}): Course => ({ operation: 'instance.create', outcome: 'COMPLETED', durationMs, ...more })
const instances = (world: World) => world.sandbox.world.tables.instances.all()
const workflows = (world: World) => world.sandbox.world.tables.workflows.all()

/** Loses the answer to the first create, hides what is made from lists for so long, and notes what left when. */
function losing(world: World, operation: 'createInstance' | 'createVpc' | 'createFirewallRule', staleMs = 0, lost: 'after' | 'before' = 'after') {
  const sent: { readonly operation: string; readonly atMs: number }[] = []
  const startedMs = world.clock.now()
  world.sandbox.faults.hook = (request) => {
    // An estimate asks, and changes nothing.
    if (request.method !== 'GET' && request.operation !== 'estimatePrice') sent.push({ operation: `${request.operation}`, atMs: world.clock.now() - startedMs })
    if (request.operation === operation && sent.filter((one) => one.operation === operation).length === 1) return { reset: lost }
    return request.operation === 'listInstances' && staleMs > 0 ? { staleMs } : undefined
  }
  return sent
}

const longerThanTheWindow = 50_000

/** A service that ignores since when workflows are asked for. */
const withoutFilter: WorldOptions['transport'] = (inner) => (request) => inner({ ...request, path: request.path.replace(/started_after=[^&]*&?/, '') })

describe('a create whose answer was lost and whose object no list shows before its workflow has ended', () => {
  test.each(['word-id', 'id', 'none'] as const)('is not sent again (workflow data: %s)', async (data) => {
    const world = createWorld({ sandbox: { courses: [creates(longerThanTheWindow)], readings: { workflowData: data } } })
    // With data that names it the object is found though lists still lag; without, lists show it within the lag of reads.
    const sent = losing(world, 'createInstance', data === 'none' ? longerThanTheWindow + 2000 : 300_000)
    const done = await world.apply(instance('web'))
    expect([done.exitCode, sent.map((one) => one.operation), instances(world).length]).toEqual([0, ['createInstance'], 1])
    expect(done.document.resources.map((one) => [one.id, one.status])).toEqual([[instances(world)[0]?.id, 'ready']])
    expect(brief((await world.plan(instance('web'))).plan)).toEqual([])
  })
  test('is not sent again where filters are ignored and pages are short', async () => {
    const world = createWorld({ transport: withoutFilter, compat: { page_size: 2 }, sandbox: { courses: [creates(400), creates(longerThanTheWindow)] } })
    await world.beside().apply(all(instance('a'), instance('b'), instance('c')))
    const sent = losing(world, 'createInstance', 300_000)
    const done = await world.apply(instance('web'))
    expect([done.exitCode, sent.map((one) => one.operation), instances(world).length]).toEqual([0, ['createInstance'], 4])
  })
  test('waits for the next run where its workflow does not end in time, and is not sent again there', async () => {
    const world = createWorld({ sandbox: { courses: [creates(600_000)] } })
    const web = instance('web', '', 'timeouts: { create: 2m }')
    const sent = losing(world, 'createInstance', 900_000)
    const first = await world.apply(web)
    expect([first.exitCode, first.outcome?.failed.map((one) => one.code)]).toEqual([8, ['operation_timeout']])
    expect(first.outcome?.failed[0]?.summary).toContain(workflows(world)[0]?.id)
    const again = await world.apply(instance('web', '', 'timeouts: { create: 20m }'))
    expect([again.exitCode, sent.map((one) => one.operation), instances(world).length]).toEqual([0, ['createInstance'], 1])
    expect(again.document.resources.map((one) => one.id)).toEqual(instances(world).map((one) => one.id))
  })
})

test('a create whose effect shows later than it may arrive is looked for as long as reads may lag', async () => {
  const world = createWorld({ compat: { settle_window: '5s', read_grace: '60s' }, sandbox: { readings: { readLagMs: 45_000 } } })
  const sent = losing(world, 'createVpc')
  const done = await world.apply(vpc('main'))
  expect([done.exitCode, sent.map((one) => one.operation), world.sandbox.world.tables.vpcs.all().length]).toEqual([0, ['createVpc'], 1])
  const [made] = world.sandbox.world.tables.vpcs.all()
  expect(world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))).toEqual([
    `Vpc/main: the answer to its create was lost; the Vpc with id ${made?.id}, which is like it and has appeared since, is taken for it`,
  ])
})

test('what somebody else made like a creation that ended badly, and named no object, is taken with a word', async () => {
  const courses = [creates(20_000, { outcome: 'FAILED', leaves: 'nothing' })]
  const world = createWorld({ sandbox: { courses, readings: { workflowData: 'none' }, strains: { resourceInCreate: 'no' } } })
  const mine = world.apply(instance('web'))
  await world.clock.sleep(5000)
  const theirs = await world.beside().apply(instance('web'))
  const [taken] = (await mine).document.resources
  const told = world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))
  const text = `Instance/web: its creation ended badly and named no object; the Instance with id ${taken?.id}, which is like it and has appeared since, is taken for it`
  expect([theirs.exitCode, told, taken?.id]).toEqual([0, [text], theirs.document.resources[0]?.id])
})

test('what somebody else is still making like a creation that ended badly is theirs', async () => {
  const courses = [creates(20_000, { outcome: 'FAILED', leaves: 'nothing' }), creates(300_000)]
  const world = createWorld({ sandbox: { courses, readings: { workflowData: 'none' }, strains: { resourceInCreate: 'no' } } })
  const mine = world.apply(instance('web'))
  await world.clock.sleep(3000)
  const theirs = world.beside().apply(instance('web'))
  expect(await mine).toMatchObject({ exitCode: 8, document: { resources: [] } })
  expect((await theirs).document.resources[0]?.status).toBe('ready')
  const ids = instances(world).map((one) => one.id)
  expect(ids).toEqual([(await theirs).document.resources[0]?.id])
})

describe('a request that never arrived', () => {
  test('is sent again as soon as the window has passed where nothing began', async () => {
    const world = createWorld()
    const sent = losing(world, 'createInstance', 0, 'before')
    expect((await world.apply(instance('web'))).exitCode).toBe(0)
    expect(sent.map((one) => one.operation)).toEqual(['createInstance', 'createInstance'])
    expect(sent[1]?.atMs).toBeLessThan(35_000)
  })
  test('waits for what somebody else began meanwhile, takes nothing of it, and is sent then', async () => {
    const world = createWorld({ sandbox: { courses: [creates(longerThanTheWindow)] } })
    const sent = losing(world, 'createInstance', 0, 'before')
    const mine = world.apply(instance('web'))
    await world.clock.sleep(2000)
    const hook = world.sandbox.faults.hook
    world.sandbox.faults.hook = undefined
    const theirs = world.beside().apply(instance('other'))
    await world.clock.sleep(1000)
    world.sandbox.faults.hook = hook
    const [done, other] = await Promise.all([mine, theirs])
    expect([done.exitCode, other.exitCode]).toEqual([0, 0])
    expect(sent.map((one) => one.operation)).toEqual(['createInstance', 'createInstance'])
    expect(sent[1]?.atMs).toBeGreaterThan(longerThanTheWindow)
    expect(done.document.resources.map((one) => one.id)).not.toEqual(other.document.resources.map((one) => one.id))
    expect(instances(world)).toHaveLength(2)
  })
  test.each(['within the run', 'in the next run'] as const)('takes nothing that it could not have made, though that has its name (%s)', async (when) => {
    const world = createWorld()
    const texts = instance('web')
    const stop = new AbortController()
    const sent = losing(world, 'createInstance', 0, 'before')
    const mine = world.apply(texts, {}, { stop: stop.signal })
    await world.clock.sleep(2000)
    const hook = world.sandbox.faults.hook
    world.sandbox.faults.hook = undefined
    const theirs = await world.beside().apply(texts.replace('ryzen-4', 'ryzen-2').replace('fra-1', 'ams-1'))
    world.sandbox.faults.hook = hook
    if (when === 'in the next run') stop.abort()
    const first = await mine
    const done = when === 'in the next run' ? await world.apply(texts) : first
    expect([done.exitCode, theirs.exitCode, sent.map((one) => one.operation)]).toEqual([0, 0, ['createInstance', 'createInstance']])
    expect(done.document.resources.map((one) => one.id)).not.toEqual(theirs.document.resources.map((one) => one.id))
    expect(
      instances(world)
        .map((one) => one.region)
        .toSorted(),
    ).toEqual(['ams-1', 'fra-1'])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('takes nothing that was there before it, though the workflow that made it ends meanwhile', async () => {
    const world = createWorld({ sandbox: { courses: [creates(longerThanTheWindow)] } })
    const theirs = world.beside().apply(instance('web'))
    await world.clock.sleep(5000)
    const sent = losing(world, 'createInstance', 0, 'before')
    const [done, other] = await Promise.all([world.apply(instance('web')), theirs])
    expect([done.exitCode, sent.map((one) => one.operation), instances(world).length]).toEqual([0, ['createInstance', 'createInstance'], 2])
    expect(done.document.resources.map((one) => one.id)).not.toEqual(other.document.resources.map((one) => one.id))
  })
  test.each([
    ['honours', undefined],
    ['ignores', withoutFilter],
  ] as const)('does not wait for what began long before it, nor for what answered another request of ours (the service %s filters)', async (_, transport) => {
    const world = createWorld({
      ...(transport ? { transport } : {}),
      // The rule is for an instance whose create never ends.
      sandbox: { courses: [creates(0, { outcome: 'RUNNING' }), creates(0, { outcome: 'RUNNING' })], without: ['firewall.instance-state'] },
    })
    await world.beside().apply(instance('old', '', 'timeouts: { create: 1m }'))
    await world.clock.sleep(120_000)
    const texts = all(
      instance('slow', '', 'timeouts: { create: 5m }'),
      rule('ssh', 'action: ACCEPT').replace('instance: web', `instance: "${instances(world)[0]?.id}"`),
    )
    const sent = losing(world, 'createFirewallRule', 0, 'before')
    const done = await world.apply(texts)
    expect(done.outcome?.failed.map((one) => one.address)).toEqual(['Instance/slow'])
    const [, again] = sent.filter((one) => one.operation === 'createFirewallRule')
    expect(again?.atMs).toBeLessThan(35_000)
  })
  test('does not go on waiting for what turns out to be the answer to another request of ours', async () => {
    const world: World = createWorld({
      sandbox: { courses: [creates(0), creates(0, { outcome: 'RUNNING' })] },
      transport: (inner) => async (request) => {
        const answer = await inner(request)
        if (request.method === 'POST' && (request.body ?? '').includes('"slow"')) await world.clock.sleep(45_000)
        return answer
      },
    })
    await world.apply(instance('web'))
    const sent = losing(world, 'createFirewallRule', 0, 'before')
    const done = await world.apply(all(instance('web'), instance('slow', '', 'timeouts: { create: 5m }'), rule('ssh', 'action: ACCEPT')))
    expect(done.outcome?.failed.map((one) => one.address)).toEqual(['Instance/slow'])
    expect(sent.filter((one) => one.operation === 'createFirewallRule')[1]?.atMs).toBeLessThan(80_000)
  })
  test('does not wait for any workflow where its kind is made without one', async () => {
    const world = createWorld({ sandbox: { courses: [creates(0, { outcome: 'RUNNING' })] } })
    const theirs = world.beside().apply(instance('other', '', 'timeouts: { create: 5m }'))
    const sent = losing(world, 'createVpc', 0, 'before')
    expect((await world.apply(vpc('main'))).exitCode).toBe(0)
    expect(sent.filter((one) => one.operation === 'createVpc')[1]?.atMs).toBeLessThan(35_000)
    await theirs
  })
  test('is settled as before where workflows may not be listed', async () => {
    const world = createWorld()
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method !== 'GET') sent.push(`${operation}`)
      if (operation === 'listWorkspaceWorkflows') return { status: 403 }
      return operation === 'createInstance' && sent.length === 1 ? { reset: 'before' } : undefined
    }
    expect((await world.apply(instance('web'))).exitCode).toBe(0)
    expect([sent, instances(world).length]).toEqual([['createInstance', 'createInstance'], 1])
  })
})

test('a create that may have begun is not sent again while workflows cannot be read, and holds up nothing else', async () => {
  const world = createWorld({ sandbox: { courses: [creates(longerThanTheWindow)] } })
  const sent = losing(world, 'createInstance', 300_000)
  const hook = world.sandbox.faults.hook
  world.sandbox.faults.hook = (request) => (request.operation === 'listWorkspaceWorkflows' ? { status: 503 } : hook?.(request))
  const first = await world.apply(instance('web'))
  expect([first.exitCode, sent.map((one) => one.operation)]).toEqual([8, ['createInstance']])
  const second = await world.apply(all(instance('web'), vpc('main')))
  expect([second.exitCode, second.outcome?.added, sent.map((one) => one.operation)]).toEqual([8, 1, ['createInstance', 'createVpc']])
  world.sandbox.faults.hook = hook
  const again = await world.apply(all(instance('web'), vpc('main')))
  expect([again.exitCode, sent.length, instances(world).length]).toEqual([0, 2, 1])
})

describe('an object that was adopted by its natural key, whose own create then fails', () => {
  const ssh = all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22'))
  const rules = (world: World) => world.sandbox.world.tables.firewallRules.all()
  const fails: Course = { operation: 'firewall.create', outcome: 'FAILED', leaves: 'nothing', durationMs: 20_000 }

  test('is made anew within the run', async () => {
    const world = createWorld({ sandbox: { courses: [fails] } })
    await world.apply(instance('web'))
    const sent = losing(world, 'createFirewallRule')
    const done = await world.apply(ssh)
    expect([done.exitCode, sent.map((one) => one.operation)]).toEqual([0, ['createFirewallRule', 'createFirewallRule']])
    await world.clock.sleep(60_000)
    expect(done.document.resources.find((one) => one.kind === 'FirewallRule')?.id).toBe(rules(world)[0]?.id)
    expect(brief((await world.plan(ssh)).plan)).toEqual([])
  })
  test('is told as failed where that happens twice', async () => {
    const world = createWorld({ sandbox: { courses: [fails, fails] } })
    await world.apply(instance('web'))
    world.sandbox.faults.hook = ({ operation }) => (operation === 'createFirewallRule' ? { reset: 'after' } : undefined)
    const done = await world.apply(ssh)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code), rules(world)]).toEqual([8, ['operation_failed'], []])
    expect((await world.plan(ssh)).folded.open).toEqual([])
    world.sandbox.faults.hook = undefined
    expect((await world.apply(ssh)).exitCode).toBe(0)
  })
})

describe('in the next run', () => {
  /** Settles what a run left that died before it saw any answer: what it had sent, and what is open then. */
  const settle = async (names: readonly string[], courses: readonly Course[], arrived: number, aheadMs = 0) => {
    const world = createWorld({ sandbox: { courses, readings: { workflowData: 'none' } } })
    const { client, clock, compat } = world.run()
    const wid = world.sandbox.workspaceId
    const plan = world.sandbox.world.tables.plans.all()[0]?.id ?? ''
    const entries: Entry[] = [{ t: 'seen', kind: 'Instance', workspace_id: wid, ids: [] }]
    for (const [seq, name] of names.entries()) {
      const sets = { name, type: 'PLAN', plan, region: 'fra-1', start: true }
      const subject = { address: `Instance/${seq}`, kind: 'Instance', workspace_id: wid, natural_key: name, step: 'create' }
      entries.push(intentOf(seq, { ...subject, creates: true, sets, sent_at: clock.wall() + aheadMs }))
      if (seq < arrived) await client.send(call(routes.createInstance, { wid }, sets))
    }
    world.sandbox.faults.hook = ({ operation }) => (operation === 'listInstances' ? { staleMs: longerThanTheWindow + 2000 } : undefined)
    const ledger = createLedger({ append: async () => undefined, valid: () => true }, { document: undefined, entries })
    const looking = { source: client, compat, clock, digest: () => '' }
    const errors = await recover(
      createWork(world.run(), {
        project: { variables: {}, resources: [], moved: [], environments: [], partial: false },
        ledger,
        looking,
        digest: () => '',
        evaluate: () => ({ unknown: true }),
        secrets: new Map(),
      }),
    )
    const { resources, open } = ledger.folded()
    return { errors: errors.map((one) => one.diagnostic.code), open: open.length, adopted: resources.size, made: instances(world).length }
  }
  test('one is adopted once its workflow has ended', async () => {
    expect(await settle(['web'], [creates(longerThanTheWindow)], 1)).toEqual({ errors: [], open: 0, adopted: 1, made: 1 })
  })
  test('one is adopted, too, where the machines of the service do not agree on the time', async () => {
    expect(await settle(['web'], [creates(longerThanTheWindow)], 1, 30_000)).toEqual({ errors: [], open: 0, adopted: 1, made: 1 })
  })
  test('two that look alike are adopted once their workflows have ended', async () => {
    const twins = await settle(['twin', 'twin'], [creates(longerThanTheWindow), creates(longerThanTheWindow)], 2)
    expect(twins).toEqual({ errors: [], open: 0, adopted: 2, made: 2 })
  })
  test('one that never arrived is closed', async () => {
    expect(await settle(['web'], [], 0)).toEqual({ errors: [], open: 0, adopted: 0, made: 0 })
  })
  test.each([
    [1, ['web']],
    [0, ['twin', 'twin']],
  ])('nothing is closed while one may be under way, and %d adopted (%j)', async (adopted, names) => {
    const found = await settle(names, [creates(0, { outcome: 'RUNNING' })], 1)
    expect(found).toEqual({ errors: ['operation_timeout'], open: names.length, adopted, made: 1 })
  })
})

describe('a node of the cluster whose create answered nothing, or a workflow that does not name it', () => {
  const base = all(manifest('K3sCluster', 'main', ''), instance('worker'))
  const joined = all(base, manifest('K3sNode', 'worker', 'instance: worker'))
  const nodes = (world: World) => world.sandbox.world.tables.clusterNodes.all()

  test.each([
    ['is found by its instance, though lists lag', { reset: 'after' }, 'listK3sNodes', { staleMs: 600_000 }, ['getInstanceK3sNode']],
    ['is found by its instance, once its workflow has ended', undefined, 'listK3sNodes', { staleMs: 600_000 }, ['getInstanceK3sNode']],
    [
      'is found in the list where its instance tells nothing',
      { reset: 'after' },
      'getInstanceK3sNode',
      { status: 404 },
      ['getInstanceK3sNode', 'listK3sNodes'],
    ],
    ['is found in the list where its instance may not be asked', undefined, 'getInstanceK3sNode', { status: 403 }, ['getInstanceK3sNode', 'listK3sNodes']],
  ] as const)('%s', async (_, lost, hindered, fault, asked) => {
    const world = createWorld({ sandbox: { readings: { workflowData: 'none' } } })
    await world.apply(base)
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation }) => {
      const created = sent.includes('createK3sNode')
      sent.push(`${operation}`)
      if (operation === 'createK3sNode' && !created) return lost
      return operation === hindered && created ? fault : undefined
    }
    const done = await world.apply(joined)
    expect([done.exitCode, sent.filter((one) => one === 'createK3sNode').length, nodes(world).length]).toEqual([0, 1, 1])
    const looks = sent.slice(sent.indexOf('createK3sNode')).filter((one) => one === 'getInstanceK3sNode' || one === 'listK3sNodes')
    expect(looks.slice(0, asked.length)).toEqual(asked)
    expect(done.document.resources.find((one) => one.address === 'K3sNode/worker')).toMatchObject({ id: nodes(world)[0]?.id, status: 'ready' })
    world.sandbox.faults.hook = undefined
    expect(brief((await world.plan(joined)).plan)).toEqual([])
  })
})

describe('an import while a create is not settled', () => {
  /** The first create of a VPC in our own run is lost on its way; it arrives when it is let go. */
  const withLost = async (stranger: string) => {
    let arrive = async (): Promise<void> => undefined
    let isOurs = false
    const transport: WorldOptions['transport'] = (inner) => async (request) => {
      if (!isOurs || request.method !== 'POST') return inner(request)
      isOurs = false
      arrive = async () => void (await inner(request))
      throw new TransportError('lost', true)
    }
    const world = createWorld({ transport })
    const made = await world.beside().apply(stranger)
    isOurs = true
    // Nothing can be read any more: the run ends without having settled it.
    world.sandbox.faults.hook = ({ operation }) => (!isOurs && operation === 'listVpcs' ? { status: 503 } : undefined)
    expect((await world.apply(vpc('main'))).exitCode).toBe(8)
    world.sandbox.faults.hook = undefined
    return { world, id: made.document.resources[0]?.id ?? '', late: () => world.clock.sleep(3000).then(() => arrive()) }
  }
  const ids = (world: World) => world.sandbox.world.tables.vpcs.all().map((one) => one.id)

  test.each([
    ['has another range', vpc('main', '10.66.0.0/24')],
    ['has another name', vpc('y')],
    ['looks like it, and was there before', vpc('main')],
  ])('takes no object that %s for what it made: that is settled first, and holds the address', async (_, stranger) => {
    const { world, id, late } = await withLost(stranger)
    const arrived = late()
    await expect(world.importObject(vpc('main'), 'Vpc/main', id)).rejects.toMatchObject({ exitCode: 3, message: 'Vpc/main is in the state already' })
    await arrived
    const done = await world.apply(vpc('main'))
    expect([done.exitCode, done.document.resources.map((one) => one.id)]).toEqual([0, ids(world).filter((one) => one !== id)])
    expect(ids(world)).toHaveLength(2)
  })
  test('takes over what is named where the create never arrived, and records what is there', async () => {
    const { world, id } = await withLost(vpc('main', '10.66.0.0/24').replace('of main', 'by hand'))
    const document = await world.importObject(vpc('main', '10.66.0.0/24'), 'Vpc/main', id)
    expect(document.resources).toMatchObject([{ id, status: 'ready', spec: { description: 'by hand' } }])
  })
  test('records what is there of the object that it says was made', async () => {
    const { world, late } = await withLost(vpc('y'))
    await late()
    const { vpcs } = world.sandbox.world.tables
    const own = vpcs.all().find((one) => one.name === 'main-net')?.id ?? ''
    vpcs.update(own, { description: 'by hand' })
    const document = await world.importObject(vpc('main'), 'Vpc/main', own)
    expect(document.resources).toMatchObject([{ id: own, spec: { description: 'by hand' } }])
    expect(brief((await world.plan(vpc('main'))).plan)).toEqual(['update Vpc/main (resumed): update'])
  })
})
