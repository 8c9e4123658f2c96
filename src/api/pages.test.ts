// Whole lists from services that page in different ways, honestly or not.
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../test/builders/random-of.ts'
import { answer, double } from '../../test/builders/wire-double.ts'
import { virtualClock } from '../base/clock.ts'
import { ApiError, call } from './calls/call.ts'
import { compatSchema } from './calls/compat.ts'
import { createClient } from './client.ts'
import { routes } from './routes/routes.ts'
import type { WireResponse } from './transport/wire.ts'

type Handle = (query: URLSearchParams, count: number) => WireResponse

const vpcs = call(routes.listVpcs, { wid: '1' })

function items(count: number, from = 1): { id: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: String(from + index) }))
}

function world(handle: Handle, settings: unknown = {}) {
  const wire = double((request, count) => handle(new URL(`https://host${request.path}`).searchParams, count))
  return { client: createClient({ ...parts(settings), transport: wire.transport }), ...wire }
}

function parts(settings: unknown = {}) {
  return { token: 't', clock: virtualClock(), random: randomOf(1), compat: compatSchema.parse(settings), userAgent: 'iac/0' }
}

interface Ways {
  readonly cursors?: boolean
  readonly numbers?: boolean
  readonly mostPerPage?: number
  readonly hasNext?: boolean
}

/** A service that holds `all` and pages as `ways` says; by default honestly, by cursor and by number. */
function honest(all: readonly { id: string }[], ways: Ways = {}): Handle {
  const { cursors = true, numbers = true, mostPerPage = 1000 } = ways
  return (query) => {
    const limit = Math.min(Number(query.get('limit') ?? 50), mostPerPage)
    const after = query.get('after')
    const start = after !== null && cursors ? all.findIndex((one) => one.id === after) + 1 : numbers ? (Number(query.get('page') ?? 1) - 1) * limit : 0
    const page = all.slice(start, start + limit)
    const more = start + limit < all.length
    return answer(200, {
      items: page,
      hasNext: ways.hasNext ?? more,
      hasPrevious: start > 0,
      after: cursors && more ? (page.at(-1)?.id ?? null) : null,
      before: null,
    })
  }
}

function ids(list: readonly unknown[]): string[] {
  return list.map((one) => String(Object(one).id))
}

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('all', () => {
  test.each<[string, number, Ways, number]>([
    ['cursor', 250, {}, 3],
    ['numbers', 250, { cursors: false }, 3],
    ['a short list', 7, {}, 1],
    ['an empty list', 0, {}, 1],
    ['exactly one page', 100, {}, 2],
    ['limit capped at 50', 120, { mostPerPage: 50 }, 3],
    ['limit capped at 50, numbers', 120, { mostPerPage: 50, cursors: false }, 3],
    ['never more, by cursor', 250, { hasNext: false }, 3],
    ['never more, by number', 250, { cursors: false, hasNext: false }, 3],
  ])('%s', async (_, count, ways, requests) => {
    const { client, seen } = world(honest(items(count), ways))
    expect(ids(await client.all(vpcs))).toEqual(ids(items(count)))
    expect(seen()).toHaveLength(requests)
    expect(seen()[0]).toBe('GET /v1/workspaces/1/vpcs?limit=100')
  })

  test('a limit that is ignored changes nothing', async () => {
    const { client, seen } = world(() => answer(200, { items: items(500), hasNext: false, after: null }))
    expect(await client.all(vpcs)).toHaveLength(500)
    expect(seen()).toHaveLength(1)
  })

  test.each<[string, number, number, (page: number) => number | undefined, number]>([
    ['pages of 20', 45, 20, (page) => page, 3],
    ['full pages', 230, 100, (page) => page, 3],
    ['one page, whatever number is asked for', 20, 20, () => 1, 2],
    ['one page, any other refused', 20, 20, (page) => (page > 1 ? undefined : page), 2],
    ['nothing', 0, 20, (page) => page, 1],
  ])('%s, without a word about what comes next', async (_, count, size, pageOf, requests) => {
    const { client, seen } = world((query) => {
      const page = pageOf(Number(query.get('page') ?? 1))
      return page === undefined ? answer(400) : answer(200, { items: items(count).slice((page - 1) * size, page * size) })
    })
    expect(ids(await client.all(vpcs))).toEqual(ids(items(count)))
    expect(seen()).toHaveLength(requests)
  })

  test.each([50, 20, 10])('400 on the limit leads to %i where that is the most, remembered', async (most) => {
    const inner = honest(items(120))
    const { client, seen } = world((query, count) => (Number(query.get('limit')) > most ? answer(400) : inner(query, count)))
    expect(await client.all(vpcs)).toHaveLength(120)
    await client.all(vpcs)
    expect(seen().filter((one) => one.includes('limit=100'))).toHaveLength(1)
  })

  test('400 on the limit of lists that were asked for together leads each of them to 50', async () => {
    const inner = honest(items(60))
    const { client } = world((query, count) => (Number(query.get('limit')) > 50 ? answer(400) : inner(query, count)))
    const both = await Promise.all([client.all(vpcs), client.all(call(routes.listVpcs, { wid: '2' }))])
    expect(both.map((list) => list.length)).toEqual([60, 60])
  })

  test('400 on the limit of one list does not cut another one short that is under way', async () => {
    let pages = 0
    const numbered = honest(items(450), { cursors: false })
    const refusing: Handle = (query, count) => (Number(query.get('limit')) > 50 ? answer(400) : honest(items(60))(query, count))
    let refused: Promise<unknown> | undefined
    const wire = double((request, count) => {
      const { searchParams } = new URL(`https://host${request.path}`)
      if (request.path.startsWith('/v1/workspaces/2/')) return refusing(searchParams, count)
      pages += 1
      // While this one is at its third page, the other learns that the limit is 50.
      if (pages === 3) refused = client.all(call(routes.listVpcs, { wid: '2' }))
      return refused ? refused.then(() => numbered(searchParams, count)) : numbered(searchParams, count)
    })
    const client = createClient({ ...parts(), transport: wire.transport })
    expect(ids(await client.all(vpcs))).toEqual(ids(items(450)))
  })

  test('another 400 is an error, and changes no habit', async () => {
    const { client, seen } = world((_, count) => (count <= 4 ? answer(400, undefined, { 'x-message': 'administrators only' }) : answer(200, { items: [] })))
    expect(await thrown(client.all(vpcs))).toMatchObject({ status: 400, reason: 'administrators only' })
    await client.all(vpcs)
    expect(seen().at(-1)).toContain('limit=100')
  })

  test.each([
    ['cut at 50 without a limit', 120, 50, 3],
    ['cut at less', 45, 20, 3],
    ['cut where it ends', 100, 50, 3],
    ['shorter than a page', 7, 50, 2],
    ['empty', 0, 50, 1],
  ])('an array of a list that takes pages, %s: none is missed', async (_, count, size, requests) => {
    const all = items(count)
    const { client, seen } = world((query) => {
      const page = Number(query.get('page') ?? 1)
      return answer(200, all.slice((page - 1) * size, page * size))
    })
    expect(ids(await client.all(call(routes.listWalletGrants, { uid: '@me' })))).toEqual(ids(all))
    expect(seen()).toHaveLength(requests)
    expect(seen()[0]).toBe('GET /v1/wallet/@me/grants')
  })

  test.each([
    ['knows no pages', 200],
    ['refuses them', 400],
    ['has none behind the first', 404],
  ])('an array from a service that %s is whole', async (_, status) => {
    const { client, seen } = world((query) => (query.get('page') === null ? answer(200, items(50)) : answer(status, status === 200 ? items(50) : undefined)))
    expect(await client.all(call(routes.listFirewallCounts, { wid: '1' }))).toHaveLength(50)
    expect(seen()).toEqual(['GET /v1/workspaces/1/firewall-rules', 'GET /v1/workspaces/1/firewall-rules?page=2'])
  })

  test('an array where a page is shown is gone on from as well; one cut at its limit that refuses the next page is an error', async () => {
    const all = items(250)
    const numbered = world((query) => {
      const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit'))]
      return answer(200, all.slice((page - 1) * limit, page * limit))
    })
    expect(await numbered.client.all(vpcs)).toHaveLength(250)
    const refused = world((query) => (query.get('page') === null ? answer(200, items(100)) : answer(400)))
    expect(await thrown(refused.client.all(vpcs))).toMatchObject({ reason: 'the pages of this list do not end' })
  })

  test('a plain array where a page is shown, and the other way round', async () => {
    expect(await world(() => answer(200, items(3))).client.all(vpcs)).toHaveLength(3)
    const grants = call(routes.listWalletGrants, { uid: '@me' })
    const { client, seen } = world((query) =>
      query.get('after') === null
        ? answer(200, { items: items(2), after: 'x', hasNext: true })
        : answer(200, { items: items(2, 3), after: null, hasNext: false }),
    )
    expect(await client.all(grants)).toHaveLength(4)
    expect(seen()[0]).toBe('GET /v1/wallet/@me/grants')
  })

  test('a cursor that goes in circles gives way to numbers', async () => {
    const all = items(250)
    const { client } = world((query) => {
      const start = query.get('after') === null ? (Number(query.get('page') ?? 1) - 1) * 100 : 100
      return answer(200, { items: all.slice(start, start + 100), hasNext: start + 100 < 250, after: 'again' })
    })
    expect(new Set(ids(await client.all(vpcs)))).toEqual(new Set(ids(all)))
  })

  test('a cursor that is refused gives way to numbers', async () => {
    const inner = honest(items(250))
    const { client } = world((query, count) => (query.get('after') === null ? inner(query, count) : answer(400)))
    expect(await client.all(vpcs)).toHaveLength(250)
  })

  test('a cursor after the end is followed once in a run', async () => {
    const { client, seen } = world((query) => answer(200, { items: query.get('after') === null ? items(3) : [], hasNext: false, after: 'end' }))
    expect(await client.all(vpcs)).toHaveLength(3)
    expect(await client.all(vpcs)).toHaveLength(3)
    expect(seen()).toHaveLength(3)
  })

  test('an empty page that promises more is no end; promises that are never kept are an error', async () => {
    const sparse = world((query) => {
      const at = Number(query.get('after') ?? 0)
      return answer(200, { items: at === 1 ? [] : items(2, 1 + at * 10), hasNext: at < 3, after: at < 3 ? String(at + 1) : null })
    })
    expect(ids(await sparse.client.all(vpcs))).toEqual(['1', '2', '21', '22', '31', '32'])
    const numbered = world((query) => {
      const page = Number(query.get('page') ?? 1)
      return answer(200, { items: page === 2 || page === 3 ? [] : items(2, page * 10), hasNext: page < 4, after: null })
    })
    expect(ids(await numbered.client.all(vpcs))).toEqual(['10', '11', '40', '41'])
    for (const cursor of [true, false]) {
      const endless = world((query, count) =>
        answer(200, { items: query.has('after') || query.has('page') ? [] : items(2), hasNext: true, after: cursor ? `c${count}` : null }),
      )
      expect(await thrown(endless.client.all(vpcs))).toMatchObject({ reason: 'the pages of this list do not end' })
      expect(endless.seen().length).toBeLessThan(20)
    }
  })

  test('the last page again is the end; the first one for ever is an error', async () => {
    const clamped = world((query) => answer(200, { items: items(50, query.get('page') === null ? 1 : 51), hasNext: true, after: null }))
    expect(await clamped.client.all(vpcs)).toHaveLength(100)
    const stuck = world(() => answer(200, { items: items(100), hasNext: true, after: null }))
    expect(await thrown(stuck.client.all(vpcs))).toBeInstanceOf(ApiError)
    const endless = world((_, count) => answer(200, { items: items(100), hasNext: true, after: `c${count}` }))
    expect(await thrown(endless.client.all(vpcs))).toBeInstanceOf(ApiError)
    expect(endless.seen().length).toBeLessThan(20)
  })

  test('what moves while it is read by number is found by a second look', async () => {
    let all = items(300)
    const { client } = world((query, count) => {
      // A new one in front and one gone from the back of the first page: one item is seen twice, another slips by.
      if (count === 2) all = [{ id: '900' }, ...all]
      if (count === 3) all = all.filter((one) => Number(one.id) > 3)
      return honest(all, { cursors: false })(query, count)
    })
    const found = new Set(ids(await client.all(vpcs)))
    for (const one of all) expect(found).toContain(one.id)
  })

  test('and not by cursors that were found broken', async () => {
    let all = items(300)
    const { client } = world((query, count) => {
      if (query.get('after') !== null) return answer(400)
      // One is added in front and three are gone, between pages that are read by number.
      if (count === 4) all = [{ id: '900' }, ...all]
      if (count === 5) all = all.filter((one) => Number(one.id) > 3)
      return honest(all)(query, count)
    })
    const found = new Set(ids(await client.all(vpcs)))
    for (const one of all) expect(found).toContain(one.id)
  })

  test('404 is an error, and so is what is no list', async () => {
    expect(await thrown(world(() => answer(404)).client.all(vpcs))).toMatchObject({ status: 404 })
    expect(await thrown(world(() => answer(200, { things: [] })).client.all(vpcs))).toBeInstanceOf(ApiError)
    expect(await thrown(world(() => answer(204)).client.all(vpcs))).toMatchObject({ status: 204, reason: 'the answer is no list' })
  })

  test.each([[[1, 2, null]], [['web']], [[{ id: '1' }, [{ id: '2' }]]]])('%j is no list of objects', async (list) => {
    for (const body of [list, { items: list, hasNext: false }])
      expect(await thrown(world(() => answer(200, body)).client.all(vpcs))).toMatchObject({ status: 200, reason: 'the answer is no list of objects' })
  })
})

describe('filters', () => {
  const asked = (list: readonly string[]) => call(routes.listVpcs, { wid: '1' }, undefined, { id: list })
  const filtering: Handle = (query) => answer(200, { items: query.getAll('id').map((id) => ({ id })), hasNext: false, after: null })

  test('ids go out in batches', async () => {
    const list = ids(items(120))
    const { client, requests } = world(filtering)
    expect(ids(await client.all(asked([...list, '1'])))).toEqual(list)
    expect(requests).toHaveLength(3)
    expect(Math.max(...requests.map((one) => one.path.length))).toBeLessThan(2000)
  })

  test('once the first batch shows that the filter works, the others go out together', async () => {
    const clock = virtualClock()
    let [underWay, peak] = [0, 0]
    const wire = double(async (request) => {
      peak = Math.max(peak, (underWay += 1))
      await clock.sleep(20)
      underWay -= 1
      return filtering(new URL(`https://host${request.path}`).searchParams, 0)
    })
    const client = createClient({ ...parts(), clock, transport: wire.transport })
    const list = ids(items(250))
    expect(ids(await client.all(asked(list)))).toEqual(list)
    expect([clock.now(), peak, wire.requests.length]).toEqual([40, 4, 5])
  })

  test('no id, no request', async () => {
    const { client, requests } = world(filtering)
    expect(await client.all(asked([]))).toEqual([])
    expect(requests).toHaveLength(0)
  })

  test('a filter that is ignored is applied here, and no more sent in this run', async () => {
    const { client, seen } = world(honest(items(130)))
    expect(ids(await client.all(asked(['3', '128'])))).toEqual(['3', '128'])
    expect(client.filtersWork()).toBe(false)
    expect(ids(await client.all(asked(['7'])))).toEqual(['7'])
    expect(seen().map((one) => one.includes('id='))).toEqual([true, false, false, false])
  })

  test('a filter that another list ignores leaves no batch of this one out', async () => {
    const list = ids(items(120))
    const { client } = world((query, count) => (query.has('id') && query.get('id') !== '900' ? filtering(query, count) : honest(items(130))(query, count)))
    const [other, own] = await Promise.all([client.all(asked(['900'])), client.all(asked(list))])
    expect([other, client.filtersWork()]).toEqual([[], false])
    expect(ids(own)).toEqual(list)
  })

  test('a filter that is refused is left out', async () => {
    const inner = honest(items(10))
    const { client } = world((query, count) => (query.has('id') ? answer(400) : inner(query, count)))
    expect(ids(await client.all(asked(['3'])))).toEqual(['3'])
    expect(client.filtersWork()).toBe(false)
  })

  test('a setting is taken at its word', async () => {
    const { client, seen } = world(honest(items(10)), { array_query: 'comma' })
    expect(ids(await client.all(asked(['3', '4'])))).toEqual(['3', '4'])
    await client.all(asked(['5']))
    expect(seen()[0]).toContain('id=3%2C4')
    expect(seen()[1]).toContain('id=5')
    const none = world(honest(items(10)), { array_query: 'none' })
    expect(ids(await none.client.all(asked(['3'])))).toEqual(['3'])
    expect(none.seen()[0]).not.toContain('id=')
  })
})

describe('a list whose length is known', () => {
  const all = items(450)
  test('is asked for at once, each page by its number', async () => {
    const { client, requests } = world(honest(all))
    expect(ids(await client.all(vpcs, { expected: 430 }))).toEqual(ids(all))
    const pages = requests.map(({ path }) => new URL(`https://host${path}`).searchParams.get('page'))
    expect(pages).toEqual([null, '2', '3', '4', '5'])
  })
  test.each([
    ['is empty', honest(items(400))],
    ['is refused', (query: URLSearchParams) => (Number(query.get('page')) > 4 ? answer(404) : honest(items(400))(query, 0))],
  ])('with a full last page also the page behind it, which %s', async (_, handle) => {
    const { client, requests } = world(handle)
    const reading = client.all(vpcs, { expected: 400 })
    expect(ids(await reading)).toEqual(ids(items(400)))
    const pages = requests.map(({ path }) => new URL(`https://host${path}`).searchParams.get('page'))
    expect(pages.slice(0, 5)).toEqual([null, '2', '3', '4', '5'])
  })
  test.each([
    ['is longer', honest(items(730)), 730],
    ['is shorter', honest(items(120)), 120],
    ['is paged by cursor alone', honest(items(300), { numbers: false }), 300],
    ['refuses numbers', (query: URLSearchParams) => (query.has('page') ? answer(400) : honest(items(300))(query, 0)), 300],
    ['ends in 404', (query: URLSearchParams) => (Number(query.get('page')) > 3 ? answer(404) : honest(items(300))(query, 0)), 300],
    ['repeats its first page', (query: URLSearchParams) => honest(items(300))(query.has('page') ? new URLSearchParams('limit=100') : query, 0), 300],
  ])('is whole where it %s', async (_, handle, count) => {
    const { client } = world(handle)
    expect(ids(await client.all(vpcs, { expected: 450 }))).toEqual(ids(items(count)))
  })
})
