// A catalogue changes what is offered, adds what is new, and is put in place again after a reset.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { catalogueSchema } from './catalogue-schema.ts'

const catalogue = catalogueSchema.parse({
  plans: [
    { name: 'ryzen-2', memory: '32GiB', rate: 1 },
    { name: 'tiny', group: 'LIGHTNING', cpu: 1, memory: 536_870_912, disk: '5GB', bytes_sec: 1000, disabled: false },
  ],
  images: [{ name: 'debian-13', os_name: 'Debian' }, { name: 'mine' }],
  regions: [
    { code: 'fra-1', name: 'Here' },
    { code: 'mars-1', groups: ['RYZEN'] },
  ],
  prices: [{ type: 'CPU', region: 'mars-1', unit_rate: 42 }],
  quota: { max_vpcs: 1, iso_count: null },
})

describe('a catalogue', () => {
  test('changes what is known and adds what is not', async () => {
    const { tables, call, wid } = createBench({ catalogue })
    const plan = (name: string) => tables.plans.all().find((row) => row.name === name)
    expect(plan('ryzen-2')).toMatchObject({ memoryBytes: 32 * 1024 ** 3, rateMicroUsd: 1, cpu: 2, group: 'RYZEN' })
    expect(plan('tiny')).toMatchObject({ memoryBytes: 536_870_912, diskBytes: 5e9, uploadBytesSec: 1000, downloadBytesSec: 1000 })
    expect(tables.images.all().filter((row) => ['debian-13', 'mine'].includes(row.name))).toMatchObject([
      { osName: 'Debian', kind: 'TEMPLATE' },
      { osName: 'mine' },
    ])
    expect([tables.regions.get('fra-1')?.name, tables.regions.get('mars-1')?.groups]).toEqual(['Here', ['RYZEN']])
    expect(tables.nodes.all().filter((row) => row.region === 'mars-1')).toMatchObject([{ group: 'RYZEN' }])
    expect(tables.rates.by('place', 'CPU/mars-1')).toMatchObject([{ unitRateMicroUsd: 42, earlier: [] }])
    const vpc = { method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: { name: 'main', description: '', range: '10.0.0.0/24' } }
    expect([(await call(vpc)).status, (await call(vpc)).status]).toEqual([201, 403])
    expect(tables.workspaces.get(wid)?.quota).toMatchObject({ iso_count: null, max_instances: 1000 })
  })

  test('gives the workspace machines of its own, on which its private cloud stands', async () => {
    const nodes = [
      { name: 'rack-1', group: 'RYZEN', region: 'fra-1', owner: 'default', cores: 8, memory: '64GiB' },
      { name: 'fra-1-ryzen-1', region: 'fra-1', cores: 16 },
      { name: 'far', region: 'moon-1' },
    ]
    const given = catalogueSchema.parse({ regions: [{ code: 'fra-1', backends: ['CEPH'] }], nodes })
    const { tables, call, wid, sandbox } = createBench({ catalogue: given })
    const list = async (path: string, token = sandbox.token) => (await call({ method: 'GET', path, token })).body
    expect(await list(`/v1/workspaces/${wid}/nodes`)).toMatchObject({
      items: [{ name: 'rack-1', group: 'RYZEN', region: 'fra-1', owner: { id: wid, name: 'default' }, max_memory: 64 * 1024 ** 3, cores: 8, flags: ['CEPH'] }],
    })
    expect(await list('/v1/nodes?name=fra-1-ryzen-1', sandbox.operatorToken)).toMatchObject({ items: [{ owner: null, group: 'RYZEN', cores: 16 }] })
    expect(tables.regions.get('moon-1')).toBeDefined()
    const make = async (name: string) => {
      const plan = BigInt(tables.plans.all().find((row) => row.name === name)?.id ?? 0)
      const body = { type: 'PLAN', name: 'web', region: 'PRIVATE_CLOUD', plan }
      return (await call({ method: 'POST', path: `/v1/workspaces/${wid}/instances`, body })).status
    }
    expect([await make('ryzen-8'), await make('lightning-1')]).toEqual([202, 400])
    expect(tables.instances.all()).toMatchObject([{ region: 'PRIVATE_CLOUD', nodeId: tables.nodes.by('owner', wid)[0]?.id, storage: [{ backing: 'LOCAL' }] }])
    const again = createBench({ catalogue: given, snapshot: sandbox.snapshot() })
    expect(again.tables.nodes.all().length).toBe(tables.nodes.all().length)
  })

  test('without limits leaves those of the seed', () => {
    const { tables, wid } = createBench({ catalogue: catalogueSchema.parse({}) })
    expect(tables.workspaces.get(wid)?.quota).toEqual(createBench().tables.workspaces.all()[0]?.quota)
  })

  test('is put in place again after a reset, once over the same rows', () => {
    const first = createBench({ catalogue })
    const before = first.sandbox.snapshot()
    first.sandbox.reset()
    expect(first.sandbox.snapshot()).toEqual(before)
    expect(createBench({ catalogue, snapshot: before }).sandbox.snapshot()).toEqual(before)
    const dearer = { ...catalogue, prices: [{ type: 'CPU' as const, region: 'mars-1', qualifiers: {}, unit_rate: 43 }] }
    const { tables } = createBench({ catalogue: dearer, snapshot: before })
    expect(tables.rates.by('place', 'CPU/mars-1')).toMatchObject([{ unitRateMicroUsd: 43, earlier: [{ unitRateMicroUsd: 42 }] }])
  })

  test.each([
    [{ plans: [{ name: 'x', memory: '8 gigs' }] }, 'plans.0.memory'],
    [{ plans: [{ name: 'x', ram: 1 }] }, 'plans.0'],
    [{ quota: { max_vpc: 1 } }, 'quota'],
    [{ regions: [{ code: 'A B' }] }, 'regions.0.code'],
    [{ regions: [{ code: 'mars-1', backends: [] }] }, 'regions.0.backends'],
    [{ nodes: [{ name: 'rack-1', region: 'fra-1', owner: 'somebody' }] }, 'nodes.0.owner'],
    [{ other: [] }, ''],
  ])('is refused for %j', (given, at) => {
    expect(catalogueSchema.safeParse(given).error?.issues.map((issue) => issue.path.join('.'))).toEqual([at])
  })
})
