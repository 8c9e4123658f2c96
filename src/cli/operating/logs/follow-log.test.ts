// Following a log whose streams are lost, end, are refused or last.
import { expect, test } from 'vitest'
import type { Call, Query } from '../../../api/calls/call.ts'
import { ApiError } from '../../../api/calls/call.ts'
import { StreamLostError, UnreachableError } from '../../../api/calls/failed-call.ts'
import { virtualClock } from '../../../base/clock.ts'
import { k3sServiceOperations } from '../../../kinds/k3s-service-operations.ts'
import { followLog } from './follow-log.ts'

/** One stream: its lines, how long it stands then, and how it ends. */
interface Stream {
  readonly lines?: readonly string[]
  readonly ms?: number
  readonly error?: Error
}

const lost = new StreamLostError('GET /v1/logs', 'the connection was lost')
const gone = new ApiError(404, 'no such service', 'GET /v1/logs')

async function followed(streams: readonly Stream[], stopAfterMs = 3_600_000) {
  const clock = virtualClock()
  const stop = new AbortController()
  void clock.sleep(stopAfterMs).then(() => stop.abort(new DOMException('stopped', 'AbortError')))
  const [printed, notes, asked]: [string[], string[], (Query | undefined)[]] = [[], [], []]
  async function* stream({ query }: Call): AsyncIterable<string> {
    const one = streams[asked.length]
    asked.push(query)
    yield* one?.lines ?? []
    await clock.sleep(one?.ms ?? 0, stop.signal)
    if (one?.error) throw one.error
  }
  const operations = k3sServiceOperations
  const end = await followLog({
    client: { stream, serverNow: () => 1_000_000_000 + clock.now() },
    clock,
    signal: stop.signal,
    call: (query) => operations.logs?.('1', '2', query) ?? operations.reading('1', '2'),
    query: { tail: 5 },
    print: (line) => printed.push(line),
    note: (text) => notes.push(text),
  }).catch((error: unknown) => error)
  return { end, endMs: clock.now(), printed, notes, asked }
}

test('a stream that is lost is asked for again since its last line, and goes on where it broke off', async () => {
  const { end, printed, notes, asked } = await followed([
    { lines: ['a', 'b'], ms: 60_000, error: lost },
    { lines: ['a', 'b', 'c'], ms: 10_000, error: lost },
    { lines: ['x'], ms: 60_000, error: gone },
  ])
  expect([end, printed]).toEqual(['ended', ['a', 'b', 'c', 'x']])
  expect(notes).toHaveLength(2)
  expect(asked).toEqual([
    { tail: 5, follow: true },
    { tail: 10_000, follow: true, since_seconds: 999_995 },
    { tail: 10_000, follow: true, since_seconds: 1_000_055 },
  ])
})

test('one that is lost while it tells what there was is asked for all of that again', async () => {
  const { printed, asked } = await followed(
    [
      { lines: ['a', 'b'], error: lost },
      { lines: ['z', 'a', 'b', 'c'], error: lost },
      { lines: ['y', 'z', 'a', 'b', 'c', 'd'], ms: 1e9 },
    ],
    60_000,
  )
  expect([printed, asked[1], asked[2]]).toEqual([['a', 'b', 'c', 'd'], { tail: 10_000, follow: true }, { tail: 10_000, follow: true }])
})

test('one that the service ends now and then goes on, after pauses that are longer where nothing came', async () => {
  const idle = { ms: 60_000 }
  const { end, endMs, printed } = await followed([{ lines: ['a'], ms: 60_000 }, idle, idle, idle, { lines: ['b'] }, { error: gone }])
  expect([end, printed]).toEqual(['ended', ['a', 'b']])
  expect(endMs).toBe(4 * 60_000 + 500 + 1000 + 2000 + 4000 + 500)
})

test('one that ends at once and tells nothing has ended', async () => {
  const { end, printed, asked } = await followed([{ lines: ['a', 'failed'] }, { lines: ['a', 'failed'] }, { lines: ['a', 'failed'] }])
  expect([end, printed, asked.length]).toEqual(['ended', ['a', 'failed'], 3])
})

test('what is refused from the first is thrown, and so is what is no loss', async () => {
  expect((await followed([{ error: gone }])).end).toBe(gone)
  expect((await followed([{ lines: ['a'], ms: 10_000 }, { error: new ApiError(403, 'no', 'GET') }])).end).toMatchObject({ status: 403 })
})

test('stops where it is told to: while it streams, and while it waits', async () => {
  expect(await followed([{ lines: ['a'], ms: 1e9 }], 5000)).toMatchObject({ end: 'stopped', printed: ['a'] })
  expect((await followed([{ lines: ['a'], ms: 10_000, error: lost }], 10_100)).end).toBe('stopped')
})

test('new lines that come with nothing known are told after a while', async () => {
  const { printed } = await followed(
    [
      { lines: ['a'], ms: 10_000, error: lost },
      { lines: ['p', 'q'], ms: 1e9 },
    ],
    20_000,
  )
  expect(printed).toEqual(['a', 'p', 'q'])
})

test('one that stood for hours and is lost is asked for again, and so are those that are lost as soon as they stand', async () => {
  const { end, printed, notes } = await followed(
    [{ lines: ['a'], ms: 4 * 3_600_000, error: lost }, { error: lost }, { error: lost }, { error: lost }, { lines: ['b'], ms: 60_000, error: gone }],
    1e9,
  )
  expect([end, printed, notes.length]).toEqual(['ended', ['a', 'b'], 4])
})

test('one that cannot be opened is no log that has ended', async () => {
  const refused = new UnreachableError('GET /v1/logs', 'the certificate has expired')
  expect((await followed([{ error: refused }])).end).toBe(refused)
  expect((await followed([{ lines: ['a'], ms: 10_000, error: lost }, { error: refused }])).end).toBe(refused)
})
