// Both ways through a list give every row once, in one order, forwards and backwards.
import { describe, expect, test } from 'vitest'
import { readyCluster } from '../../../../test/builders/cluster-bench.ts'
import { otherWorkspace } from '../../../../test/builders/people.ts'
import { fc } from '../../../../test/builders/properties.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../../test/builders/text-of.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, parseJson, stringifyJson } from '../../../base/json.ts'
import type { Readings } from '../../readings/assumptions.ts'
import { readingsOf } from '../../readings/assumptions.ts'
import { listing } from '../exchange.ts'
import type { PageQuery } from './page-query.ts'
import { pageOf as namedPageOf } from './pages.ts'

interface Item {
  readonly id: string
  readonly createdAt: string
  readonly name: string
}

const readings = readingsOf({ maxPageSize: 1000 })
const rowsOf = (names: readonly string[]): Item[] => names.map((name, index) => ({ id: String(10_000 + index), createdAt: '', name }))
const view = ({ id, name }: Item): JsonObject => ({ id, name })
const list = (items: readonly Item[], order: 'newest' | 'oldest') => listing('workspace', items, view, order)

const pageOf = (items: ReturnType<typeof list>, query: PageQuery): JsonObject => namedPageOf(items, query, readings, 'the list')

function read(page: JsonObject): { ids: JsonValue[]; after: string | undefined; before: string | undefined } {
  const { items, after, before } = page
  const ids = Array.isArray(items) ? items.map((item: JsonObject) => item['id'] ?? null) : []
  return { ids, after: typeof after === 'string' ? after : undefined, before: typeof before === 'string' ? before : undefined }
}

const cases = fc.record({
  names: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }),
  limit: fc.integer({ min: 1, max: 25 }),
  order: fc.constantFrom('newest' as const, 'oldest' as const),
  sort: fc.constantFrom(undefined, { sort: 'name', dir: 'asc' as const }, { sort: 'name', dir: 'desc' as const }, { sort: 'id' }),
})

describe('a walk yields every row once', () => {
  test('by page, and by cursor in both directions, in the same order', () => {
    fc.assert(
      fc.property(cases, ({ names, limit, order, sort = {} }) => {
        const rows = rowsOf(names)
        const byPage: JsonValue[] = []
        for (let page = 1, more = true; more && page <= rows.length + 1; page += 1) {
          const answer = pageOf(list(rows, order), { limit, page, ...sort })
          byPage.push(...read(answer).ids)
          more = answer['hasNext'] === true
        }
        const byCursor: JsonValue[] = []
        let at = read(pageOf(list(rows, order), { limit, ...sort }))
        byCursor.push(...at.ids)
        for (let turn = 0; at.after !== undefined && turn <= rows.length; turn += 1) {
          at = read(pageOf(list(rows, order), { limit, after: at.after, ...sort }))
          byCursor.push(...at.ids)
        }
        const back = at.ids.toReversed()
        for (let turn = 0; at.before !== undefined && turn <= rows.length; turn += 1) {
          at = read(pageOf(list(rows, order), { limit, before: at.before, ...sort }))
          back.push(...at.ids.toReversed())
        }
        expect(byPage.toSorted()).toEqual(rows.map((row) => row.id))
        expect(byCursor).toEqual(byPage)
        expect(back.toReversed()).toEqual(byPage)
      }),
      { numRuns: 300 },
    )
  })

  test('by cursor, also when rows come and go meanwhile', () => {
    const rows = rowsOf(['a', 'b', 'c', 'd', 'e', 'f'])
    const first = read(pageOf(list(rows, 'newest'), { limit: 2 }))
    const later = [...rows.filter((row) => row.id !== first.ids[1]), { id: '10006', createdAt: '', name: 'g' }]
    const second = read(pageOf(list(later, 'newest'), { limit: 10, after: first.after ?? '' }))
    expect([first.ids, second.ids]).toEqual([
      ['10005', '10004'],
      ['10003', '10002', '10001', '10000'],
    ])
  })
})

/** That a page tells the same by its flags and by its cursors, and that a cursor leads to rows. */
function expectConsistent(items: ReturnType<typeof list>, page: JsonObject, query: PageQuery): void {
  const { hasNext, hasPrevious, after, before } = page
  expect({ hasNext, hasPrevious }).toEqual({ hasNext: after !== null, hasPrevious: before !== null })
  const { ids: here } = read(page)
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (typeof cursor !== 'string') continue
    const { ids } = read(pageOf(items, { ...query, page: undefined, after: undefined, before: undefined, [name]: cursor }))
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => here.includes(id))).toEqual([])
  }
}

describe('"A null cursor means there is no page in that direction"', () => {
  const turns = fc.record({ page: fc.integer({ min: 1, max: 9 }), kept: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), back: fc.boolean() })
  test('of any page, also beyond the end, and of any cursor while rows go', () => {
    fc.assert(
      fc.property(cases, turns, ({ names, limit, order, sort = {} }, { page, kept, back }) => {
        const rows = rowsOf(names)
        const query = { limit, ...sort }
        const first = pageOf(list(rows, order), { ...query, page })
        expectConsistent(list(rows, order), first, query)
        const { after, before } = read(first)
        const cursor = back ? { before } : { after }
        if (Object.values(cursor)[0] === undefined) return
        const left = list(
          rows.filter((_, index) => kept[index]),
          order,
        )
        expectConsistent(left, pageOf(left, { ...query, ...cursor }), query)
      }),
      { numRuns: 500 },
    )
  })
  test.each([
    ['a page beyond the end leads back to the last one', { page: 9 }, [], 'before', ['10002']],
    ['so does a cursor behind which nothing is left', { limit: 1, page: 2 }, ['10002'], 'after', ['10001']],
  ] as const)('%s', (_, query, gone, way, expected) => {
    const rows = rowsOf(['a', 'b', 'c'])
    const left = list(
      rows.filter(({ id }) => !gone.some((one) => one === id)),
      'oldest',
    )
    const cursor = read(pageOf(list(rows, 'oldest'), { limit: 2, ...query }))[way]
    const empty = way === 'before' ? { before: cursor } : read(pageOf(left, { limit: 2, after: cursor }))
    expect(read(pageOf(left, { limit: 1, before: empty.before })).ids).toEqual(expected)
  })
  test('a cursor before which nothing is left leads on to what is there', () => {
    const rows = rowsOf(['a', 'b', 'c'])
    const { before } = read(pageOf(list(rows, 'oldest'), { limit: 1, page: 2 }))
    const left = list(rows.slice(1), 'oldest')
    const empty = pageOf(left, { limit: 1, before })
    expect([read(empty).ids, empty]).toMatchObject([[], { hasNext: true, after: expect.any(String), hasPrevious: false, before: null }])
    expect(read(pageOf(left, { limit: 5, after: read(empty).after })).ids).toEqual(['10001', '10002'])
  })
})

describe('over the router', () => {
  test('50 by default, at most the size assumed, and cursors of another list are refused', async () => {
    const bench = createBench()
    for (let count = 0; count < 60; count += 1)
      bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: count })
    const path = `/v1/workspaces/${bench.wid}/vpcs`
    const { body } = await bench.call({ method: 'GET', path })
    expect(body).toMatchObject({ hasNext: true, hasPrevious: false, before: null })
    expect(body).toHaveProperty('items.length', 50)
    const tooMany = await bench.call({ method: 'GET', path: `${path}?limit=101` })
    expect([tooMany.status, tooMany.body]).toEqual([400, { errors: [{ field: 'limit', message: 'must be at most 100' }] }])
    const stranger = await bench.call({ method: 'GET', path: `${path}?after=bm90IGEgY3Vyc29y` })
    expect(stranger.status).toBe(400)
    const unsortable = await bench.call({ method: 'GET', path: `${path}?sort=colour` })
    expect(unsortable.status).toBe(400)
  })

  test('lists whose order is documented begin with the newest', async () => {
    const bench = createBench()
    for (const name of ['first', 'second']) await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name } })
    const { body } = await bench.call({ method: 'GET', path: '/v1/workspaces' })
    expect(body).toMatchObject({ items: [{ name: 'second' }, { name: 'first' }, { name: 'default' }] })
  })
})

describe('orders of other values than text', () => {
  const prefix = (count: number) => ({ prefix: `10.${count}.0.0/16`, source: 'MANUAL', enabled: true, community: 'DEFAULT' })
  test('64-bit integers are ordered, and a cursor holds one', async () => {
    const bench = createBench()
    const path = `/v1/workspaces/${bench.wid}/bgp`
    await bench.call({ method: 'PATCH', path, body: {} })
    for (const count of [1, 2, 3]) await bench.call({ method: 'POST', path: `${path}/prefixes`, body: prefix(count) })
    const ask = async (query: string) => (await bench.call({ method: 'GET', path: `${path}/prefixes?sort=id&dir=desc&limit=2${query}` })).body
    const first = await ask('')
    expect(first).toMatchObject({ items: [{ prefix: '10.3.0.0/16' }, { prefix: '10.2.0.0/16' }], hasNext: true })
    const after = String(Object.entries(first ?? {}).find(([name]) => name === 'after')?.[1])
    expect(await ask(`&after=${after}`)).toMatchObject({ items: [{ prefix: '10.1.0.0/16' }], hasNext: false, after: null })
    bench.tables.bgpPrefixes.delete(bench.tables.bgpPrefixes.all()[0]?.id ?? '')
    expect(await ask(`&after=${after}`)).toMatchObject({ items: [], hasNext: false, hasPrevious: true })
  })
  test('every list is ordered by id, in the order of making where its items show none', async () => {
    const bench = createBench()
    const vpc = bench.tables.vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 }).id
    for (const host of [4, 2, 3]) bench.tables.memberships.insert({ vpcId: vpc, instanceId: bench.instance().id, address: `10.0.0.${host}` })
    const ask = async (query: string) => (await bench.call({ method: 'GET', path: `/v1/vpcs/${vpc}/instances?sort=id&${query}` })).body
    expect(await ask('')).toMatchObject({ items: [{ address: '10.0.0.4' }, { address: '10.0.0.2' }, { address: '10.0.0.3' }] })
    const first = await ask('dir=desc&limit=2')
    expect(first).toMatchObject({ items: [{ address: '10.0.0.3' }, { address: '10.0.0.2' }] })
    expect(await ask(`dir=desc&limit=2&after=${textOf(first, 'after')}`)).toMatchObject({ items: [{ address: '10.0.0.4' }], hasNext: false })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/k3s/nodes?sort=id` })).status).toBe(200)
  })
  test('null comes before every value', async () => {
    const bench = createBench()
    bench.instance({ name: 'none', osName: null })
    bench.instance({ name: 'some', osName: 'debian' })
    bench.instance({ name: 'none-2', osName: null })
    const ask = async (dir: string) => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/instances?sort=os_name&dir=${dir}` })).body
    expect(await ask('asc')).toMatchObject({ items: [{ name: 'none' }, { name: 'none-2' }, { name: 'some' }] })
    expect(await ask('desc')).toMatchObject({ items: [{ name: 'some' }, {}, {}] })
  })
  test('what an item shows as one value can be sorted by, where it stands under the names of the reading', async () => {
    const status = async (details: Readings['details'], sort: string, more: Partial<Readings> = {}): Promise<number> => {
      const bench = createBench({ readings: { details, ...more } })
      bench.instance({ region: 'nyc-1' })
      return (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/instances?sort=${sort}` })).status
    }
    expect([await status('flat', 'region'), await status('nested', 'region'), await status('flat', 'plan')]).toEqual([200, 400, 200])
    expect([await status('aliased', 'memory'), await status('aliased', 'memory_bytes'), await status('nested', 'memory_bytes')]).toEqual([200, 400, 400])
    expect([await status('flat', 'cpu', { lists: 'slim' }), await status('flat', 'name', { lists: 'slim' })]).toEqual([400, 200])
    expect([await status('flat', 'os_name', { emptyMembers: 'absent' }), await status('flat', 'toString')]).toEqual([200, 400])
  })
  test('the order is that of what is shown: codes of regions, records that items wrap', async () => {
    const bench = createBench()
    for (const region of ['nyc-1', 'ams-1', 'fra-1']) bench.instance({ region })
    const regions = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/instances?sort=region&dir=desc` })
    expect(regions.body).toMatchObject({ items: [{ region: 'nyc-1' }, { region: 'fra-1' }, { region: 'ams-1' }] })
    const [first, second] = readyCluster(bench, 2).map(String)
    const { clusterNodes } = bench.tables
    for (const { id, instanceId } of clusterNodes.all()) clusterNodes.update(id, { nodeName: instanceId === first ? 'b' : 'a' })
    const nodes = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/k3s/nodes?sort=node_name` })
    expect(nodes.body).toMatchObject({ items: [{ node: { instance: { id: second } } }, { node: { instance: { id: first } } }] })
  })
  test('a cursor of another shape is refused, and one list has neither state nor status', async () => {
    const bench = createBench({ readings: { listedStates: 'settled' } })
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: { name: 'main', description: '', range: '10.0.0.0/24' } })
    const list = async (query: string) => bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/vpcs?${query}` })
    expect((await list('')).body).toHaveProperty('items.length', 1)
    for (const cursor of [[1], ['/', null, 5], ['other/', null, 'x']])
      expect((await list(`after=${Buffer.from(JSON.stringify(cursor)).toString('base64url')}`)).status).toBe(400)
  })
})

describe('a cursor', () => {
  const fields = { description: '', range: '10.0.0.0/24' }
  const get = async (bench: Bench, path: string) => bench.call({ method: 'GET', path })
  test('is good for its own list alone', async () => {
    const bench = createBench()
    const other = otherWorkspace(bench)
    for (const workspaceId of [bench.wid, bench.wid, other, other]) bench.tables.vpcs.insert({ ...fields, workspaceId, name: 'main', vlan: 100 })
    const path = `/v1/workspaces/${bench.wid}/vpcs`
    const { body } = await get(bench, `${path}?limit=1`)
    const after = textOf(body, 'after')
    expect((await get(bench, `${path}?limit=1&after=${after}&name=main`)).body).toMatchObject({ items: { length: 1 }, hasNext: false })
    for (const elsewhere of ['/v1/plans', '/v1/workspaces', `/v1/workspaces/${other}/vpcs`, `/v1/workspaces/${bench.wid}/instances`, `${path}?sort=id`])
      expect([elsewhere, (await get(bench, `${elsewhere}${elsewhere.includes('?') ? '&' : '?'}after=${after}`)).status]).toEqual([elsewhere, 400])
  })
  test.each(['after', 'before'])('that is none is told of as %s', async (name) => {
    expect((await get(createBench(), `/v1/plans?${name}=x`)).body).toEqual({ errors: [{ field: name, message: 'not a cursor of this list' }] })
  })
  test('holds a value of the sort that its list is in order of', async () => {
    const bench = createBench()
    const forged = async (sort: string, value: unknown): Promise<number> => {
      const { body } = await get(bench, `/v1/plans?limit=1&sort=${sort}`)
      const parts = parseJson(Buffer.from(textOf(body, 'after'), 'base64url').toString())
      const cursor = Buffer.from(stringifyJson(isList(parts) ? parts.with(1, parseJson(stringifyJson(value))) : [])).toString('base64url')
      return (await get(bench, `/v1/plans?sort=${sort}&after=${cursor}`)).status
    }
    expect(await Promise.all(['x', 5, true, {}, [1]].map(async (value) => forged('name', value)))).toEqual([200, 400, 400, 400, 400])
    expect(await Promise.all(['x', 5, 2n ** 60n, true, {}].map(async (value) => forged('rate', value)))).toEqual([400, 200, 200, 400, 400])
    expect(await Promise.all([true, 'true', 1].map(async (value) => forged('disabled', value)))).toEqual([200, 400, 400])
  })
})
