// Disks: every rule, and their life beside the instances that hold them.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import type { DiskRow } from '../../store/rows.ts'
import { disksArea } from './disks.ts'

const GIB = 1024 ** 3
const body = { name: 'data', size: 10 * GIB, backend: 'CEPH', region: 'fra-1' }

function disk({ tables, wid }: Bench, fields: Partial<DiskRow> = {}): string {
  const base = { name: 'data', sizeBytes: 10 * GIB, backend: 'LOCAL', region: 'fra-1', boot: false, instanceId: null, state: 'AVAILABLE' } as const
  return tables.disks.insert({ workspaceId: wid, ...base, ...fields }).id
}
function create({ wid }: Bench, fields: object = {}): TestCall {
  return { method: 'POST', path: `/v1/workspaces/${wid}/disks`, body: { ...body, ...fields } }
}
function act(verb: 'attach' | 'detach' | 'resize', id: string, sent?: object): TestCall {
  return { method: 'POST', path: `/v1/disks/${id}/${verb}`, ...(sent ? { body: sent } : {}) }
}
function attach(id: string, instance: string): TestCall {
  return act('attach', id, { instance_id: BigInt(instance) })
}
function remove(id: string): TestCall {
  return { method: 'DELETE', path: `/v1/disks/${id}` }
}
function leaving(bench: Bench): string {
  return bench.instance({ state: 'DELETING' }).id
}
async function shown({ call }: Bench, id: string) {
  return (await call({ method: 'GET', path: `/v1/disks/${id}` })).body
}

describeRules('disks', disksArea.rules, [
  { rule: 'disks.region', accepted: 202, arrange: (bench) => create(bench, { region: 'mars-1', backend: 'LOCAL' }) },
  { rule: 'disks.region', accepted: 202, arrange: (bench) => create(bench, { region: 'PRIVATE_CLOUD', backend: 'LOCAL' }) },
  {
    rule: 'disks.backend',
    accepted: 202,
    arrange(bench) {
      bench.tables.nodes.update(bench.tables.nodes.all()[0]?.id ?? '', { ownerWorkspaceId: bench.wid, flags: [] })
      return create(bench, { region: 'PRIVATE_CLOUD' })
    },
  },
  { rule: 'disks.larger', accepted: 202, arrange: (bench) => act('resize', disk(bench), { size: 10 * GIB }) },
  { rule: 'disks.quota', accepted: 202, options: { quota: { max_storage_bytes: 10 * GIB - 1 } }, arrange: (bench) => create(bench) },
  {
    rule: 'disks.quota',
    accepted: 202,
    options: { quota: { max_storage_bytes: 20 * GIB } },
    arrange: (bench) => act('resize', disk(bench), { size: 20 * GIB + 1 }),
  },
  {
    rule: 'disks.quota',
    accepted: 202,
    options: { quota: { max_storage_bytes: 30 * GIB } },
    async arrange(bench) {
      await bench.call(act('resize', disk(bench), { size: 21 * GIB }))
      return create(bench)
    },
  },
  { rule: 'disks.attach-visible', accepted: 202, arrange: (bench) => attach(disk(bench), bench.instance({ workspaceId: '77' }).id) },
  { rule: 'disks.attach-region', accepted: 202, arrange: (bench) => attach(disk(bench), bench.instance({ region: 'nyc-1' }).id) },
  { rule: 'disks.attach-instance', accepted: 202, arrange: (bench) => attach(disk(bench), bench.instance({ state: 'DELETING' }).id) },
  {
    rule: 'disks.deleting',
    accepted: 200,
    arrange: (bench) => ({ method: 'PATCH', path: `/v1/disks/${disk(bench, { state: 'DELETING' })}`, body: { name: 'x' } }),
  },
  {
    rule: 'disks.busy',
    accepted: 202,
    async arrange(bench) {
      const id = disk(bench)
      await bench.call(attach(id, bench.instance().id))
      return remove(id)
    },
  },
  { rule: 'disks.busy', accepted: 202, arrange: (bench) => remove(disk(bench, { state: 'PENDING' })) },
  { rule: 'disks.busy', accepted: 202, arrange: (bench) => act('detach', disk(bench, { state: 'DELETING', instanceId: bench.instance().id })) },
  { rule: 'disks.attach-detached', accepted: 202, arrange: (bench) => attach(disk(bench, { instanceId: bench.instance().id }), bench.instance().id) },
  { rule: 'disks.attach-available', accepted: 202, arrange: (bench) => attach(disk(bench, { state: 'FAILED' }), bench.instance().id) },
  { rule: 'disks.detach-attached', accepted: 202, arrange: (bench) => act('detach', disk(bench)) },
  { rule: 'disks.detach-boot', accepted: 202, arrange: (bench) => act('detach', disk(bench, { boot: true, instanceId: bench.instance().id })) },
  ...(['detach', 'resize'] as const).map((verb) => ({
    rule: 'disks.instance-deleting',
    accepted: 202,
    options: { readings: { extraDisks: 'deleted' as const } },
    arrange: (bench: Bench) => act(verb, disk(bench, { instanceId: leaving(bench) }), verb === 'resize' ? { size: 20 * GIB } : undefined),
  })),
  {
    rule: 'disks.instance-deleting',
    accepted: 202,
    arrange: (bench) => act('resize', disk(bench, { boot: true, instanceId: leaving(bench) }), { size: 20 * GIB }),
  },
  { rule: 'disks.resize-available', accepted: 202, arrange: (bench) => act('resize', disk(bench, { state: 'UNPLACED' }), { size: 20 * GIB }) },
  { rule: 'disks.delete-detached', accepted: 202, arrange: (bench) => remove(disk(bench, { instanceId: bench.instance().id })) },
])

describe('life', () => {
  test('made, attached, enlarged, renamed, detached, deleted', async () => {
    const bench = createBench()
    const { id: instance } = bench.instance()
    const made = await bench.call(create(bench))
    expect(made).toMatchObject({ status: 202, body: { workflow: { name: 'disk.create', state: 'QUEUED' }, disk: { state: 'PENDING', instance: null } } })
    const id = bench.tables.disks.all()[0]?.id ?? ''
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toEqual({
      id,
      name: 'data',
      backend: 'CEPH',
      boot: false,
      size: 10 * GIB,
      instance: null,
      state: 'AVAILABLE',
      region: 'fra-1',
      live: {},
      created_at: expect.any(String),
    })
    expect(bench.tables.workflows.all()[0]).toMatchObject({ output: { disk_id: id }, state: 'COMPLETED' })
    expect(await bench.call(attach(id, instance))).toMatchObject({ status: 202, body: { name: 'disk.attach' } })
    expect(await shown(bench, id)).toMatchObject({ instance: null, state: 'AVAILABLE' })
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toMatchObject({ instance, live: { usage_pct: expect.any(Number) } })
    expect(await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/instances/${instance}/workflows` })).toMatchObject({
      body: { items: [{ name: 'disk.attach' }] },
    })
    expect((await bench.call(act('resize', id, { size: 20 * GIB }))).status).toBe(202)
    await bench.clock.advance(1000)
    expect(await bench.call({ method: 'PATCH', path: `/v1/disks/${id}`, body: { name: 'more' } })).toMatchObject({
      status: 200,
      body: { name: 'more', size: 20 * GIB },
    })
    expect(await bench.call({ method: 'PATCH', path: `/v1/disks/${id}`, body: {} })).toMatchObject({ status: 200, body: { name: 'more' } })
    expect((await bench.call(act('detach', id))).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(remove(id))).status).toBe(202)
    expect(await shown(bench, id)).toMatchObject({ instance: null, state: 'DELETING' })
    await bench.clock.advance(1000)
    expect((await bench.call({ method: 'GET', path: `/v1/disks/${id}` })).status).toBe(404)
  })

  test('an attachment that fails leaves the disk detached', async () => {
    const bench = createBench({ courses: [{ operation: 'disk.attach', outcome: 'FAILED', leaves: 'nothing' }] })
    const id = disk(bench)
    await bench.call(attach(id, bench.instance().id))
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toMatchObject({ instance: null, state: 'AVAILABLE' })
  })

  test('an instance stays while its disks are under way; where it may go, it takes the boot disk along, and what was asked of it has failed', async () => {
    const bench = createBench({ readings: { busyInstances: 'refuse-none' } })
    const { id: instance } = bench.instance()
    const [boot, attached, coming] = [disk(bench, { boot: true, instanceId: instance }), disk(bench, { instanceId: instance }), disk(bench)]
    const slow = { outcome: 'COMPLETED', durationMs: 5000 } as const
    bench.sandbox.world.courses.push({ operation: 'disk.resize', ...slow }, { operation: 'disk.attach', ...slow }, { operation: 'disk.detach', ...slow })
    await bench.call(act('resize', boot, { size: 50 * GIB }))
    await bench.call(attach(coming, instance))
    await bench.call(act('detach', attached))
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })).status).toBe(202)
    await bench.clock.advance(10_000)
    expect((await bench.call({ method: 'GET', path: `/v1/disks/${boot}` })).status).toBe(404)
    for (const id of [attached, coming]) expect(await shown(bench, id)).toMatchObject({ instance: null, state: 'AVAILABLE' })
    expect(bench.tables.workflows.all().map(({ name, state }) => `${name} ${state}`)).toEqual([
      'disk.resize FAILED',
      'disk.attach FAILED',
      'disk.detach COMPLETED',
      'instance.delete COMPLETED',
    ])
  })

  test('a disk that stays behind a deleted instance can be detached and enlarged meanwhile', async () => {
    const bench = createBench()
    const id = disk(bench, { instanceId: leaving(bench) })
    expect((await bench.call(act('resize', id, { size: 20 * GIB }))).status).toBe(202)
    await bench.clock.advance(1000)
    expect((await bench.call(act('detach', id))).status).toBe(202)
    await bench.clock.advance(1000)
    expect(await shown(bench, id)).toMatchObject({ instance: null, size: 20 * GIB })
  })

  test('a disk that went with its instance was not detached', async () => {
    const bench = createBench({ readings: { busyInstances: 'refuse-none', extraDisks: 'deleted' } })
    const { id: instance } = bench.instance()
    const id = disk(bench, { instanceId: instance })
    bench.sandbox.world.courses.push({ operation: 'disk.detach', outcome: 'COMPLETED', durationMs: 5000 })
    await bench.call(act('detach', id))
    await bench.call({ method: 'DELETE', path: `/v1/instances/${instance}` })
    await bench.clock.advance(10_000)
    expect((await bench.call({ method: 'GET', path: `/v1/disks/${id}` })).status).toBe(404)
    expect(bench.tables.workflows.all().map(({ name, state }) => `${name} ${state}`)).toEqual(['disk.detach FAILED', 'instance.delete COMPLETED'])
  })

  test('a disk whose attachment has ended and does not show yet goes nowhere else', async () => {
    const bench = createBench({ readings: { effectLagMs: 3000 } })
    const [id, first, second] = [disk(bench), bench.instance().id, bench.instance().id]
    await bench.call(attach(id, first))
    await bench.clock.advance(1000)
    expect(await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/workflows` })).toMatchObject({ body: { items: [{ state: 'COMPLETED' }] } })
    expect([(await bench.call(attach(id, second))).status, (await bench.call(remove(id))).status]).toEqual([409, 409])
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${first}` })).status).toBe(409)
    await bench.clock.advance(3000)
    expect(await shown(bench, id)).toMatchObject({ instance: first, state: 'AVAILABLE' })
  })

  test('another region, where the reading lets it', async () => {
    const bench = createBench({ readings: { otherRegion: 'accept' } })
    expect((await bench.call(attach(disk(bench), bench.instance({ region: 'nyc-1' }).id))).status).toBe(202)
  })

  test('an unknown instance is 404, as is an unknown disk', async () => {
    const bench = createBench()
    expect((await bench.call(attach(disk(bench), '5'))).status).toBe(404)
    expect((await bench.call(attach('5', bench.instance().id))).status).toBe(404)
    expect((await bench.call({ method: 'POST', path: `/v1/disks/${disk(bench)}/attach`, body: {} })).status).toBe(400)
  })
})

const page = z.object({ items: z.array(z.object({ name: z.string() })) })

describe('lists', () => {
  test('every filter, of one workspace and of all', async () => {
    const bench = createBench()
    const { id: instance } = bench.instance()
    disk(bench, { name: 'one', boot: true, instanceId: instance })
    const two = disk(bench, { name: 'two', backend: 'CEPH', state: 'FAILED' })
    const foreign = disk(bench, { name: 'three', workspaceId: '77' })
    const listed = async (path: string, token = bench.sandbox.token): Promise<string> =>
      page
        .parse((await bench.call({ method: 'GET', path, token })).body)
        .items.map((item) => item.name)
        .join(' ')
    const of = (query: string): Promise<string> => listed(`/v1/workspaces/${bench.wid}/disks?${query}`)
    expect(await of('')).toBe('one two')
    for (const query of [`id=${two}`, 'name=tw', 'boot=false', 'state=FAILED&state=PENDING', 'backend=CEPH', 'q=TW', `q=${two}`]) {
      expect(await of(query)).toBe('two')
    }
    for (const query of [`instance=${instance}`, 'boot=true', 'state=AVAILABLE', 'backend=LOCAL']) expect(await of(query)).toBe('one')
    expect([await of(`owner=${bench.wid}`), await of('owner=77')]).toEqual(['one two', ''])
    expect((await bench.call({ method: 'GET', path: '/v1/disks' })).status).toBe(403)
    expect(await listed('/v1/disks', bench.sandbox.operatorToken)).toBe('one two three')
    expect(await listed('/v1/disks?owner=77', bench.sandbox.operatorToken)).toBe('three')
    expect((await bench.call({ method: 'GET', path: `/v1/disks/${foreign}` })).status).toBe(404)
  })
})
