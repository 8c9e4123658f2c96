// Faults come when they are asked for, in order, and at no other request.
import { expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { fetchFrom } from '../fetch.ts'
import { ConnectionReset, streamResponse, textResponse, truncated } from './faults.ts'

const plans = { method: 'GET', path: '/v1/plans' }
const me = { method: 'GET', path: '/v1/users/@me' }

test('listed faults of one operation follow each other, each for its times', async () => {
  const bench = createBench({
    faults: {
      list: [
        { operation: 'listPlans', status: 500 },
        { operation: 'listPlans', status: 502, times: 2 },
        { status: 503, retryAfterSeconds: 7, after: 1 },
      ],
    },
  })
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) statuses.push((await bench.call(plans)).status)
  expect(statuses).toEqual([500, 502, 502, 503, 200])
  expect((await bench.call(me)).status).toBe(200)
})

test('an answer that is a fault says so, with Retry-After where it was given', async () => {
  const bench = createBench({ faults: { list: [{ status: 429, retryAfterSeconds: 7, message: 'slow down' }] } })
  expect(await bench.call(plans)).toMatchObject({
    status: 429,
    body: null,
    headers: { 'retry-after': '7', 'x-message': 'slow down', 'x-sandbox-fault': 'unnamed' },
  })
})

test('a hook sees each request with its number, and faults can be added while it runs', async () => {
  const seen: string[] = []
  const bench = createBench({
    faults: { hook: ({ operation, count }) => (seen.push(`${operation} ${count}`), count === 2 ? { status: 503 } : undefined) },
  })
  expect([(await bench.call(plans)).status, (await bench.call(me)).status, (await bench.call(plans)).status]).toEqual([200, 200, 503])
  expect(seen).toEqual(['listPlans 1', 'getUser 1', 'listPlans 2'])
  bench.sandbox.faults.hook = undefined
  bench.sandbox.faults.list.push({ operation: 'getUser', status: 500 })
  expect([(await bench.call(me)).status, (await bench.call(me)).status]).toEqual([500, 200])
})

test('a delay passes on the clock of the sandbox', async () => {
  const bench = createBench({ faults: { list: [{ delayMs: 3000 }] } })
  let done = false
  const answer = bench.call(plans).then((result) => ((done = true), result))
  await bench.clock.advance(2999)
  expect(done).toBe(false)
  await bench.clock.advance(1)
  expect((await answer).status).toBe(200)
})

test('a body that ends early fails for who reads it to the end', async () => {
  const read: string[] = []
  const short = truncated(textResponse(200, {}, '{"id":"1"}'), 4)
  await expect(
    (async () => {
      for await (const chunk of short.chunks()) read.push(Buffer.from(chunk).toString())
    })(),
  ).rejects.toThrow(ConnectionReset)
  expect(read).toEqual(['{"id'])
  await expect(short.text(100)).rejects.toThrow(ConnectionReset)
  await expect(textResponse(200, {}, 'ääää').text(5)).rejects.toThrow('longer than 5 bytes')
})

test('a stream comes in pieces, and is stopped when nobody reads it any more', async () => {
  let stopped = false
  async function* pieces(): AsyncIterable<Uint8Array> {
    try {
      for (;;) yield Buffer.from('data: x\n\n')
    } finally {
      stopped = true
    }
  }
  const response = await fetchFrom(async () => streamResponse(200, { 'content-type': 'text/event-stream' }, pieces()), new Request('http://localhost/v1/x'))
  const reader = response.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: x\n\n')
  await reader?.cancel()
  expect(stopped).toBe(true)
  await expect(streamResponse(200, {}, pieces()).text(100)).rejects.toThrow('longer')
})

const statuses = async (bench: ReturnType<typeof createBench>, calls: number, call = plans): Promise<number[]> => {
  const all: number[] = []
  for (let count = 0; count < calls; count += 1) all.push((await bench.call(call)).status)
  return all
}

test('a fault befalls each so-manieth request, always or for its times, after the first ones', async () => {
  expect(await statuses(createBench({ faults: { list: [{ status: 503, every: 2, times: 'always' }] } }), 6)).toEqual([503, 200, 503, 200, 503, 200])
  expect(await statuses(createBench({ faults: { list: [{ status: 503, every: 3, times: 2, after: 1 }] } }), 9)).toEqual([
    200, 503, 200, 200, 503, 200, 200, 200, 200,
  ])
})

test('chance is drawn by the seed: the same each time, another for another seed', async () => {
  const run = (seed: number): Promise<number[]> => statuses(createBench({ faults: { list: [{ status: 503, probability: 0.3, seed, times: 'always' }] } }), 200)
  const first = await run(7)
  expect(await run(7)).toEqual(first)
  expect(await run(8)).not.toEqual(first)
  const hits = first.filter((status) => status === 503).length
  expect([hits > 40, hits < 80]).toEqual([true, true])
})

test('a fault befalls the operations that it names, and of those the kind of request that it names', async () => {
  const vpcsAt = (bench: ReturnType<typeof createBench>): string => `/v1/workspaces/${bench.wid}/vpcs`
  const seen = async (fault: object): Promise<number[]> => {
    const bench = createBench({ faults: { list: [{ status: 503, times: 'always', ...fault }] } })
    const path = vpcsAt(bench)
    const body = { name: 'main', description: '', range: '10.0.0.0/24' }
    const calls = [
      me,
      { method: 'GET', path },
      { method: 'POST', path, body },
      { method: 'POST', path: `/v1/workspaces/${bench.wid}/k3s` },
      { method: 'GET', path: '/v1/x' },
    ]
    const all: number[] = []
    for (const call of calls) all.push((await bench.call(call)).status)
    return all
  }
  expect(await seen({})).toEqual([503, 503, 503, 503, 503])
  expect(await seen({ only: 'reads' })).toEqual([503, 503, 201, 202, 404])
  expect(await seen({ only: 'lists' })).toEqual([200, 503, 201, 202, 404])
  expect(await seen({ only: 'effects' })).toEqual([200, 200, 503, 503, 404])
  expect(await seen({ only: 'workflows' })).toEqual([200, 200, 201, 503, 404])
  expect(await seen({ operation: ['getUser', 'createVpc'] })).toEqual([503, 200, 503, 202, 404])
  expect(await seen({ operation: 'createVpc', only: 'reads' })).toEqual([200, 200, 201, 202, 404])
})

test('a fault tells how the workflow goes that a request starts, and leaves nothing behind where it starts none', async () => {
  const bench = createBench({ faults: { list: [{ only: 'effects', times: 2, workflow: { outcome: 'FAILED', leaves: 'failed' } }] } })
  const path = `/v1/workspaces/${bench.wid}/k3s`
  await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body: { name: 'other' } })
  expect(bench.sandbox.world.courses).toEqual([])
  await bench.call({ method: 'POST', path })
  await bench.clock.advance(10_000)
  expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ status: 'FAILED' })
  expect(bench.tables.workflows.all()).toMatchObject([{ state: 'FAILED' }])
})

test('faults have ids, are counted and removed', async () => {
  const bench = createBench()
  const { faults } = bench.sandbox
  const [one, two] = [faults.add({ status: 500, operation: 'listPlans' }), faults.add({ status: 502, times: 'always' })]
  const answer = await bench.call(plans)
  expect([answer.status, answer.headers['x-sandbox-fault'], faults.hits(one), faults.hits(two)]).toEqual([500, one.id, 1, 0])
  expect(await statuses(bench, 2)).toEqual([502, 502])
  expect([faults.hits(one), faults.hits(two)]).toEqual([1, 2])
  expect([faults.remove(two.id ?? ''), faults.remove(two.id ?? ''), faults.list]).toEqual([true, false, [one]])
  expect(await statuses(bench, 1)).toEqual([200])
})

test('a fault that is late still tells how the workflow goes', async () => {
  const bench = createBench({ faults: { list: [{ operation: 'createK3s', lateMs: 5000, workflow: { outcome: 'FAILED', leaves: 'failed' } }] } })
  const path = `/v1/workspaces/${bench.wid}/k3s`
  await expect(bench.call({ method: 'POST', path })).rejects.toThrow(ConnectionReset)
  await bench.clock.advance(5000)
  bench.sandbox.tick()
  await bench.clock.advance(10_000)
  expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ status: 'FAILED' })
})

test('after a reset the faults that a sandbox began with befall as at first, and no others', async () => {
  const bench = createBench({ faults: { list: [{ status: 503 }], hook: ({ operation }) => (operation === 'getUser' ? { status: 500 } : undefined) } })
  const run = async (): Promise<number[]> => [...(await statuses(bench, 2)), ...(await statuses(bench, 1, me))]
  const first = await run()
  bench.sandbox.faults.hook = () => ({ status: 418 })
  bench.sandbox.faults.add({ status: 502, times: 'always' })
  bench.sandbox.reset()
  expect([first, await run()]).toEqual([
    [503, 200, 500],
    [503, 200, 500],
  ])
})

test('a hook counts the requests anew after a reset', async () => {
  const counts: number[] = []
  const bench = createBench({ faults: { hook: ({ count }) => void counts.push(count) } })
  await statuses(bench, 2)
  bench.sandbox.reset()
  await statuses(bench, 1)
  expect(counts).toEqual([1, 2, 1])
})

test('a message that no header can carry is told as far as it can be', async () => {
  const bench = createBench({ faults: { list: [{ status: 503, message: 'gesperrt ☹\r\nx-other: 1' }] } })
  expect((await bench.call(plans)).headers['x-message']).toBe('gesperrt ???x-other: 1')
})

test('an answer whose status allows no body has none', async () => {
  for (const status of [204, 205, 304]) {
    const bench = createBench({ faults: { list: [{ status }] } })
    const response = await fetchFrom(bench.sandbox.handle, new Request('http://localhost/v1/plans'))
    expect([response.status, response.body]).toEqual([status, null])
  }
})

test('an answer of several pieces is cut where the bytes end, with nothing read beyond, and loses its connection also where it was shorter', async () => {
  const pieces = async (bytes: number): Promise<readonly string[]> => {
    const seen: string[] = []
    async function* chunks(): AsyncIterable<Uint8Array> {
      for (const text of ['abc', 'def', 'ghi']) {
        seen.push(text.toUpperCase())
        yield Buffer.from(text)
      }
    }
    const reading = async (): Promise<void> => {
      for await (const chunk of truncated({ ...textResponse(200, {}, ''), chunks }, bytes).chunks()) seen.push(Buffer.from(chunk).toString())
    }
    await expect(reading()).rejects.toThrow(ConnectionReset)
    return seen
  }
  expect(await pieces(0)).toEqual(['ABC'])
  expect(await pieces(4)).toEqual(['ABC', 'abc', 'DEF', 'd'])
  expect(await pieces(100)).toEqual(['ABC', 'abc', 'DEF', 'def', 'GHI', 'ghi'])
})

test('each answer that a fault has touched names it, and no other does', async () => {
  const bench = createBench()
  const touch = [{ delayMs: 0 }, { staleMs: 5 }, { workflow: { outcome: 'FAILED' } }, { status: 503 }, { truncateBytes: 4 }] as const
  const ids = touch.map((fault) => bench.sandbox.faults.add(fault).id)
  const headers = { authorization: `Bearer ${bench.sandbox.token}` }
  const named: (string | undefined)[] = []
  for (let count = 0; count <= touch.length; count += 1) {
    const answer = bench.sandbox.handle({ ...plans, headers })
    await bench.clock.advance(0)
    named.push((await answer).headers['x-sandbox-fault'])
  }
  expect(named).toEqual([...ids, undefined])
  expect(bench.sandbox.log.list().map((one) => one.fault)).toEqual([...ids, null])
})
