// Faults come when they are asked for, in order, and at no other request.
import { expect, test } from 'vitest'
import { createBench } from '../../test/builders/sandbox-bench.ts'
import { ConnectionReset, streamResponse, textResponse, truncated } from './faults.ts'
import { fetchFrom } from './fetch.ts'

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
    headers: { 'retry-after': '7', 'x-message': 'slow down', 'x-sandbox-fault': 'status' },
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
