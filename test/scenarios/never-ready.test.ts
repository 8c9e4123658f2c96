// Creates that were carried out and whose objects never became ready: corrected, replaced, removed and destroyed like any other.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, instance, said, vpc } from './stage.ts'

const failures = (done: Awaited<ReturnType<World['apply']>>) => done.outcome?.failed.map((one) => one.code)
const statuses = (done: Awaited<ReturnType<World['apply']>>, kind: string) =>
  done.document.resources.filter((one) => one.kind === kind).map((one) => one.status)

describe('a service none of whose containers comes up', () => {
  const base = all(
    manifest('K3sCluster', 'main', ''),
    ...['first', 'second'].flatMap((name) => [instance(name), manifest('K3sNode', name, `instance: ${name}`)]),
  )
  const shop = (on: string, metadata = 'timeouts: { create: 30s, update: 40s }') =>
    manifest('K3sService', 'shop', `image: shop:1\nmode: SPREAD\ntarget_instances: [${on}]`, metadata)
  const stuck = async (texts = all(base, shop('first'))) => {
    const world = createWorld()
    await world.apply(base)
    const { instances } = world.sandbox.world.tables
    instances.update(instances.all().find((one) => one.name === 'first')?.id ?? '', { online: false })
    const done = await world.apply(texts)
    expect([done.exitCode, failures(done), statuses(done, 'K3sService')]).toEqual([8, ['operation_timeout'], ['creating']])
    return world
  }

  test('is corrected by an update, and told as created', async () => {
    const world = await stuck()
    const sent = effects(world)
    const right = all(base, shop('second'))
    expect(brief((await world.plan(right)).plan)).toEqual(['update K3sService/shop (resumed): update'])
    const done = await world.apply(right)
    expect([done.exitCode, sent, statuses(done, 'K3sService'), done.outcome]).toMatchObject([0, ['updateK3sService'], ['ready'], { added: 1, changed: 0 }])
    expect(brief((await world.plan(right)).plan)).toEqual([])
  })
  test('is restarted for what it waits for, before it is waited for itself', async () => {
    const shopWith = (secret: string) =>
      all(
        base,
        manifest('K3sSecret', 'db', `name: db\ndata: { PASSWORD: ${secret} }`),
        shop('first', 'timeouts: { create: 30s }\nlifecycle: { redeploy_triggered_by: [K3sSecret/db] }'),
      )
    const world = await stuck(shopWith('wrong'))
    const { instances } = world.sandbox.world.tables
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method !== 'GET') sent.push(`${operation}`)
      if (operation === 'redeployK3sService') for (const one of instances.all()) instances.update(one.id, { online: true })
      return undefined
    }
    const done = await world.apply(shopWith('right'))
    expect([done.exitCode, sent, statuses(done, 'K3sService')]).toEqual([0, ['updateK3sSecret', 'redeployK3sService'], ['ready']])
  })
  test('is corrected once where nothing tells of the correction, and waited for', async () => {
    const world = await stuck()
    const { instances } = world.sandbox.world.tables
    const switched = (online: boolean) => instances.update(instances.all().find((one) => one.name === 'second')?.id ?? '', { online })
    switched(false)
    void world.clock.sleep(400_000).then(() => switched(true))
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method !== 'GET') sent.push(`${operation}`)
      return `${operation}`.includes('Workflow') ? { status: 404 } : undefined
    }
    const done = await world.apply(all(base, shop('second', 'timeouts: { create: 5m, update: 5m }')))
    expect([done.exitCode, sent, statuses(done, 'K3sService')]).toEqual([0, ['updateK3sService'], ['ready']])
  })
  test('is waited for as long as its create may take where nothing is to be changed', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(all(base, shop('first')))
    expect([done.exitCode, failures(done), sent]).toEqual([8, ['operation_timeout'], []])
    const { instances } = world.sandbox.world.tables
    void world.clock.sleep(12_000).then(() => instances.update(instances.all().find((one) => one.name === 'first')?.id ?? '', { online: true }))
    const again = await world.apply(all(base, shop('first')))
    expect([again.exitCode, sent, statuses(again, 'K3sService'), again.outcome]).toMatchObject([0, [], ['ready'], { added: 1 }])
  })
  test('is replaced on request', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(all(base, shop('second')), { replace: ['K3sService/shop'] })
    expect([done.exitCode, sent, statuses(done, 'K3sService')]).toEqual([0, ['deleteK3sService', 'createK3sService'], ['ready']])
  })
  test('goes with its manifest', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(base)
    expect([done.exitCode, sent, statuses(done, 'K3sService')]).toEqual([0, ['deleteK3sService'], []])
  })
  test('goes with the project', async () => {
    const world = await stuck()
    const done = await world.destroy(all(base, shop('first')))
    expect([done.exitCode, done.document.resources]).toEqual([0, []])
  })
})

describe('an instance that goes off while it is made', () => {
  const web = (spec = '') => instance('web', spec, 'timeouts: { create: 20s, update: 40s, delete: 40s }')
  const stuck = async () => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 }] } })
    const done = await world.apply(web())
    expect([done.exitCode, failures(done)]).toEqual([8, ['operation_timeout']])
    await world.clock.sleep(120_000)
    // The service gets on where it is asked.
    await world.plan(web())
    const { instances } = world.sandbox.world.tables
    expect(instances.all()).toMatchObject([{ state: 'AVAILABLE', online: true }])
    instances.update(instances.all()[0]?.id ?? '', { online: false })
    return world
  }

  test('is changed, and ready once it is on', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(web('name: other'))
    expect([done.exitCode, failures(done), sent, statuses(done, 'Instance')]).toEqual([8, ['operation_timeout'], ['updateInstance'], ['creating']])
    const { instances } = world.sandbox.world.tables
    instances.update(instances.all()[0]?.id ?? '', { online: true })
    const again = await world.apply(web('name: other'))
    expect([again.exitCode, sent, statuses(again, 'Instance'), again.outcome]).toMatchObject([0, ['updateInstance'], ['ready'], { added: 1 }])
  })
  test('is replaced on request', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(web(), { replace: ['Instance/web'] })
    expect([done.exitCode, sent, statuses(done, 'Instance')]).toEqual([0, ['deleteInstance', 'createInstance'], ['ready']])
  })
  test('goes with its manifest', async () => {
    const world = await stuck()
    const sent = effects(world)
    const done = await world.apply(vpc('main'))
    expect([done.exitCode, sent.toSorted(), statuses(done, 'Instance')]).toEqual([0, ['createVpc', 'deleteInstance'], []])
  })
  test('goes with the project, also where its workflow is known no more: then it had its whole time once more', async () => {
    for (const isKnown of [true, false]) {
      const world = await stuck()
      const sent: string[] = []
      world.sandbox.faults.hook = ({ operation, method }) => {
        if (method !== 'GET') sent.push(`${operation}`)
        return !isKnown && `${operation}`.includes('Workflow') ? { status: 404 } : undefined
      }
      const startedMs = world.clock.now()
      const done = await world.destroy(web())
      expect([done.exitCode, sent, done.document.resources]).toEqual([0, ['deleteInstance'], []])
      expect(world.clock.now() - startedMs > 25_000).toBe(!isKnown)
    }
  })
  test('is waited for where it refuses a change for as long as it is off, and is refused in the words of the service where that lasts', async () => {
    for (const status of [400, 409, 422]) {
      const world = await stuck()
      const { instances } = world.sandbox.world.tables
      const isOff = () => instances.all()[0]?.online === false
      const sent: string[] = []
      world.sandbox.faults.hook = ({ operation, method }) => {
        if (method !== 'GET') sent.push(`${operation}`)
        return operation === 'updateInstance' && isOff() ? { status, message: 'not now' } : undefined
      }
      const refused = await world.apply(web('name: other'))
      expect(refused.outcome?.failed.map((one) => one.summary)).toEqual([`Instance/web: update was refused: not now (status ${status})`])
      void world.clock.sleep(200_000).then(() => instances.update(instances.all()[0]?.id ?? '', { online: true }))
      sent.length = 0
      const done = await world.apply(web('name: other').replace('create: 20s', 'create: 10m'))
      expect([done.exitCode, new Set(sent), statuses(done, 'Instance')]).toEqual([0, new Set(['updateInstance']), ['ready']])
      expect(sent.length).toBeLessThan(30)
    }
  })
  test('has a refusal told at once that no waiting changes', async () => {
    const world = await stuck()
    world.sandbox.faults.hook = ({ operation }) => (operation === 'updateInstance' ? { status: 403, message: 'no' } : undefined)
    const startedMs = world.clock.now()
    const done = await world.apply(web('name: other').replace('create: 20s', 'create: 10m'))
    expect([done.exitCode, world.clock.now() - startedMs < 60_000]).toEqual([4, true])
  })
  test('has no value yet where it does not show one', async () => {
    const world = await stuck()
    const { ips } = world.sandbox.world.tables
    const kept = ips.all().filter((one) => one.instanceId !== null)
    for (const one of kept) ips.delete(one.id)
    const texts = all(web(), vpc('main').replace('of main', "${Instance['web'].ip4}"))
    const { plan } = await world.plan(texts)
    expect([plan.changes.find((one) => one.kind === 'Vpc')?.after_unknown, said(plan).filter((one) => !one.startsWith('note'))]).toEqual([['/description'], []])
    const { instances } = world.sandbox.world.tables
    const later = async (): Promise<void> => {
      await world.clock.sleep(15_000)
      for (const one of kept) ips.insert(one)
      instances.update(instances.all()[0]?.id ?? '', { online: true })
    }
    void later()
    const done = await world.apply(texts)
    expect([done.exitCode, world.sandbox.world.tables.vpcs.all().find((one) => one.name === 'main-net')?.description]).toEqual([
      0,
      kept.find((one) => !one.address.includes(':'))?.address,
    ])
  })
})

describe('a successor that is made first and never becomes ready', () => {
  const web = (plan: string) => instance('web', '', 'lifecycle: { create_before_destroy: true }\ntimeouts: { create: 20s }').replace('ryzen-4', plan)
  const servers = (world: World) => world.sandbox.world.tables.instances.all()
  const stuck = async () => {
    const world = createWorld()
    await world.apply(web('ryzen-4'))
    world.sandbox.world.courses.push({ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 60_000 })
    expect((await world.apply(web('ryzen-8'))).exitCode).toBe(8)
    await world.clock.sleep(120_000)
    await world.plan(web('ryzen-8'))
    const second = servers(world)[1]?.id ?? ''
    world.sandbox.world.tables.instances.update(second, { online: false })
    return { world, first: servers(world)[0]?.id, second }
  }

  test('is waited for, and the old object stands until it is', async () => {
    const { world, first, second } = await stuck()
    const sent = effects(world)
    for (const _ of [1, 2]) {
      const done = await world.apply(web('ryzen-8'))
      expect([done.exitCode, sent, done.document.resources.map((one) => [one.id, one.status, one.deposed.map(({ id }) => id)])]).toEqual([
        8,
        [],
        [[second, 'creating', [first]]],
      ])
    }
    world.sandbox.world.tables.instances.update(second, { online: true })
    const done = await world.apply(web('ryzen-8'))
    expect([done.exitCode, sent, servers(world).map((one) => one.id)]).toEqual([0, ['deleteInstance'], [second]])
  })
  test('goes with the old object', async () => {
    for (const end of ['destroy', 'removed']) {
      const { world } = await stuck()
      const done = end === 'destroy' ? await world.destroy(web('ryzen-8')) : await world.apply(vpc('main'))
      expect([done.exitCode, servers(world), statuses(done, 'Instance')]).toEqual([0, [], []])
    }
  })
})

describe('what comes after a create', () => {
  const disk = (timeout: string) =>
    manifest('Disk', 'data', 'name: data\nsize: 10GiB\nregion: fra-1\nbackend: LOCAL\ninstance: web', `timeouts: { create: ${timeout}, update: 5m }`)

  test.each([undefined, 403, 404] as const)('waits until that is ready, whatever is answered before (%s)', async (status) => {
    const world = createWorld({ sandbox: { courses: [{ operation: 'disk.create', outcome: 'COMPLETED', durationMs: 60_000 }] } })
    await world.apply(instance('web'))
    expect((await world.apply(all(instance('web'), disk('20s')))).exitCode).toBe(8)
    await world.clock.sleep(120_000)
    await world.plan(instance('web'))
    const { disks } = world.sandbox.world.tables
    const made = disks.all().find((one) => one.name === 'data')
    disks.update(made?.id ?? '', { state: 'PENDING' })
    void world.clock.sleep(60_000).then(() => disks.update(made?.id ?? '', { state: 'AVAILABLE' }))
    const sent: string[] = []
    world.sandbox.faults.hook = ({ operation, method }) => {
      if (method === 'GET' || operation === 'estimatePrice') return undefined
      sent.push(`${operation}`)
      return status && disks.get(made?.id ?? '')?.state === 'PENDING' ? { status, message: 'not while it is made' } : undefined
    }
    expect([(await world.apply(all(instance('web'), disk('5m')))).exitCode, sent]).toEqual([0, ['attachDisk']])
  })
  test('and what is changed on an object that is taken over, too', async () => {
    const web = (spec: string, metadata = '') => instance('web', spec, `timeouts: { create: 5m, update: 5m }\n${metadata}`)
    const world = createWorld({ sandbox: { courses: [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 120_000 }] } })
    expect((await world.apply(web('').replace('create: 5m', 'create: 20s'))).exitCode).toBe(8)
    const { instances } = world.sandbox.world.tables
    const seen: unknown[] = []
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'updateInstance') seen.push(instances.all()[0]?.online)
      return undefined
    }
    const done = await world.beside().apply(web('name: other', `import: { id: "${instances.all()[0]?.id}" }`))
    expect([done.exitCode, seen]).toEqual([0, [true]])
  })
})

describe('a deletion that is refused while what it is about is in the making', () => {
  test.each([409, 422])('waits for that, and is asked for once more (%s)', async (status) => {
    for (const end of ['destroy', 'removed']) {
      const world = createWorld()
      const { disks } = world.sandbox.world.tables
      const texts = manifest('Disk', 'data', 'name: data\nsize: 10GiB\nregion: fra-1\nbackend: LOCAL')
      let wasMade = false
      world.sandbox.faults.hook = ({ operation }) => {
        const isLost = wasMade
        wasMade ||= operation === 'createDisk'
        return isLost ? { status: 503 } : undefined
      }
      expect((await world.apply(texts)).exitCode).toBe(8)
      world.sandbox.faults.hook = undefined
      await world.clock.sleep(400_000)
      await world.plan(texts)
      const [made] = disks.all()
      disks.update(made?.id ?? '', { state: 'PENDING' })
      void world.clock.sleep(240_000).then(() => disks.update(made?.id ?? '', { state: 'AVAILABLE' }))
      world.sandbox.faults.hook = ({ operation }) =>
        operation === 'deleteDisk' && disks.all()[0]?.state === 'PENDING' ? { status, message: 'the state does not allow it' } : undefined
      const done = end === 'destroy' ? await world.destroy(texts) : await world.apply(vpc('main'))
      expect([done.exitCode, disks.all()]).toEqual([0, []])
    }
  })
})
