// Reads: retries, deadlines, what cannot be understood, what is learnt and what is kept secret.
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../test/builders/random-of.ts'
import { answer, double } from '../../test/builders/wire-double.ts'
import { virtualClock } from '../base/clock.ts'
import { Failure } from '../base/diagnostic.ts'
import { ApiError, call } from './calls/call.ts'
import { compatSchema } from './calls/compat.ts'
import { UnreachableError } from './calls/failed-call.ts'
import type { Client, ClientParts } from './client.ts'
import { createClient } from './client.ts'
import type { TraceEvent } from './exchange.ts'
import { routes } from './routes/routes.ts'
import type { WireRequest, WireResponse } from './transport/wire.ts'
import { TransportError } from './transport/wire.ts'

const vpc = call(routes.getVpc, { vid: '5' })
const token = 'tok_CANARY_1234'

function world(handle: (request: WireRequest, count: number) => WireResponse | Promise<WireResponse>, parts: Partial<ClientParts> = {}) {
  const clock = virtualClock()
  const wire = double(handle)
  const client = createClient({ transport: wire.transport, token, clock, random: randomOf(1), compat: compatSchema.parse({}), userAgent: 'iac/0', ...parts })
  return { clock, client, ...wire }
}

async function thrown(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('read', () => {
  test('sends token, agent and path, and reads 64-bit numbers exactly', async () => {
    const { client, requests } = world(() => answer(200, { id: 9007199254740993n }))
    expect(await client.read(vpc)).toEqual({ id: 9007199254740993n })
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/v1/vpcs/5',
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'iac/0' },
      body: undefined,
    })
  })

  test('an open call carries no token', async () => {
    const { client, requests } = world(() => answer(200, { id: '1' }))
    await client.read(call(routes.lookupInvite, {}, undefined, { code: 'x' }))
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('404 is undefined, nothing is null where nothing may be', async () => {
    expect(await world(() => answer(404)).client.read(vpc)).toBeUndefined()
    expect(await world(() => answer(200)).client.read(call(routes.getDhcp, { id: '1' }))).toBeNull()
  })

  test('404 with a page in place of the service says nothing of the object', async () => {
    const page = answer(404, '<html><h1>404 Not Found</h1></html>', { 'content-type': 'text/html' })
    const once = world((_, count) => (count < 2 ? page : answer(200, { id: '5' })))
    expect(await once.client.read(vpc)).toEqual({ id: '5' })
    const always = world(() => page)
    expect(String(await thrown(always.client.read(vpc)))).toContain('no answer to GET /v1/vpcs/5: a page answered 404 in place of the service')
    expect(always.requests).toHaveLength(2)
    const ownPage = answer(404, '<html>', { 'x-message': 'no such VPC' })
    expect(await world(() => ownPage).client.read(vpc)).toBeUndefined()
  })

  test.each([408, 429, 500, 502, 503, 504])('%d is tried again', async (status) => {
    const { client, requests } = world((_, count) => (count < 4 ? answer(status) : answer(200, { id: '5' })))
    expect(await client.read(vpc)).toEqual({ id: '5' })
    expect(requests).toHaveLength(4)
  })

  test.each([400, 401, 403, 409, 422, 501, 302])('%d is not', async (status) => {
    const { client, requests } = world(() => answer(status, undefined, { location: 'https://evil.example.com/x?y' }))
    expect(await thrown(client.read(vpc))).toBeInstanceOf(ApiError)
    expect(requests).toHaveLength(1)
  })

  test('gives up after 60 s without an answer, and tries until then', async () => {
    const { client, clock, requests } = world(() => {
      throw new TransportError('refused', false)
    })
    const error = await thrown(client.read(vpc))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(clock.now()).toBeGreaterThan(55_000)
    expect(clock.now()).toBeLessThanOrEqual(60_001)
    expect(requests.length).toBeGreaterThan(8)
    expect(requests.length).toBeLessThan(40)
  })

  test('a service that has not answered at all is given less time where that is asked for', async () => {
    let refusing = true
    const refuse = () => (refusing ? Promise.reject(new TransportError('refused', false)) : answer(404))
    const { client, clock } = world(refuse, { budget: { unansweredMs: 5000 } })
    expect(await thrown(client.read(vpc))).toBeInstanceOf(UnreachableError)
    expect(clock.now()).toBeLessThanOrEqual(5001)
    refusing = false
    await client.read(vpc)
    refusing = true
    expect(await thrown(client.read(vpc))).toBeInstanceOf(UnreachableError)
    expect(clock.now()).toBeGreaterThan(55_000)
  })

  test('what no further try can mend ends at once, a call with an effect as well', async () => {
    const { client, clock, requests } = world(() => Promise.reject(new TransportError('host: bad port', false, 'always')))
    expect(await thrown(client.read(vpc))).toMatchObject({ name: 'UnreachableError', message: 'no answer to GET /v1/vpcs/5: host: bad port' })
    expect(await client.send(call(routes.deleteVpc, { vid: '5' }))).toEqual({ is: 'not sent', why: 'host: bad port' })
    expect([clock.now(), requests.length]).toEqual([0, 2])
  })

  test('a service that says nothing is left after 60 s, one that drips as well', async () => {
    const never = new Promise<never>(() => undefined)
    for (const handle of [() => never, () => ({ ...answer(200), text: () => never })]) {
      const { client, clock } = world(handle)
      expect(await thrown(client.read(vpc))).toBeInstanceOf(UnreachableError)
      expect(clock.now()).toBe(60_000)
    }
  })

  test('Retry-After is obeyed, by the date of the answer as well', async () => {
    const date = 'Thu, 01 Jan 2026 12:00:00 GMT'
    for (const [told, ms] of [
      ['3', 3000],
      ['120', 120_000],
      ['Thu, 01 Jan 2026 12:00:09 GMT', 9000],
    ] as const) {
      const { client, clock } = world((_, count) => (count === 1 ? answer(429, undefined, { 'retry-after': told, date }) : answer(200, { id: '5' })))
      await client.read(vpc)
      expect(clock.now()).toBeGreaterThanOrEqual(ms)
      expect(clock.now()).toBeLessThan(ms + 1100)
    }
  })

  test('a wait beyond the deadline is not begun', async () => {
    const { client, clock, requests } = world(() => answer(429, undefined, { 'retry-after': '120' }))
    expect(await thrown(client.read(vpc, { deadlineMs: 10_000 }))).toMatchObject({ status: 429 })
    expect([clock.now(), requests.length]).toEqual([0, 1])
  })

  test('no answer is read beyond 32 MiB', async () => {
    const caps: number[] = []
    const { client } = world(() => ({ ...answer(200), text: async (maxBytes) => `{"id":"${caps.push(maxBytes)}"}` }))
    expect(await client.read(vpc)).toEqual({ id: '1' })
    expect(caps).toEqual([32 * 1024 * 1024])
  })

  test.each(['<html>portal</html>', '{"id":', '{"id":"1","id":"2"}', '{"id":NaN}', ''])(
    '%j is read once more, then an error that names the request',
    async (text) => {
      const { client, requests } = world(() => answer(200, text, { 'x-request-id': 'r-7' }))
      const error = await thrown(client.read(vpc))
      expect(error).toBeInstanceOf(ApiError)
      expect(String(error)).toMatch(/GET \/v1\/vpcs\/5.*r-7/)
      expect(requests).toHaveLength(2)
      const once = world((_, count) => (count === 1 ? answer(200, text) : answer(200, '\uFEFF{"id":"5"}')))
      expect(await once.client.read(vpc)).toEqual({ id: '5' })
    },
  )

  test('the signal ends it anywhere', async () => {
    const stop = new AbortController()
    const { client } = world(() => {
      stop.abort(new Error('stopped'))
      return new Promise<never>(() => undefined)
    })
    expect(String(await thrown(client.read(vpc, { signal: stop.signal })))).toContain('stopped')
  })

  test('a brown-out of 30 % is survived', async () => {
    const random = randomOf(3)
    const { client, requests } = world(() => (random() < 0.3 ? answer(500) : answer(200, { id: '5' })))
    const all = await Promise.all(Array.from({ length: 2000 }, () => client.read(vpc, { deadlineMs: 1_200_000 })))
    expect(all.every((one) => one !== undefined)).toBe(true)
    expect(requests.length).toBeLessThan(3100)
  })

  test('a storm of refusals slows down and fails nothing', async () => {
    const random = randomOf(3)
    const { client, clock, requests } = world(() => (clock.now() < 60_000 || random() < 0.2 ? answer(429) : answer(200, { id: '5' })))
    const all = await Promise.all(Array.from({ length: 100 }, () => client.read(vpc)))
    expect(all.every((one) => one !== undefined)).toBe(true)
    expect(requests.length).toBeLessThan(300)
    expect(clock.now()).toBeLessThan(240_000)
  })
})

describe('errors', () => {
  test('hold reason and fields in one line, and no secret', async () => {
    const body = {
      errors: [
        { path: 'name', message: `bad ${token}` },
        { field: 'size', message: 'too\nsmall' },
      ],
    }
    const { client } = world(() => answer(400, body, { 'x-message': `no \u001b[31mCANARY_PASSWORD "x" caf\u00c3\u00a9` }))
    client.secrets.add('CANARY_PASSWORD "x"')
    const error = await thrown(client.read(vpc))
    expect(error).toMatchObject({
      status: 400,
      request: 'GET /v1/vpcs/5',
      reason: 'no  [31m(sensitive value) café',
      fields: [
        { path: 'name', message: 'bad (sensitive value)' },
        { path: 'size', message: 'too small' },
      ],
    })
  })

  test.each([
    [
      { errors: { name: ['short', 'odd'] } },
      '',
      [
        ['name', 'short'],
        ['name', 'odd'],
      ],
    ],
    [{ message: 'no' }, 'no', []],
    [{ detail: 'no' }, 'no', []],
    [{ error: { message: 'no' } }, 'no', []],
    ['"no"', 'no', []],
    ['<html>', '', []],
    [
      { errors: [{ loc: ['body', 0], msg: 'odd' }, 'plain', 7] },
      '',
      [
        ['body.0', 'odd'],
        ['', 'plain'],
      ],
    ],
  ])('reads %j', async (body, reason, fields) => {
    const error = await thrown(world(() => answer(422, body)).client.read(vpc))
    expect(error).toMatchObject({ reason, fields: fields.map(([path, message]) => ({ path, message })) })
  })

  test('a malformed token never gets to a header', () => {
    expect(() => world(() => answer(200), { token: 'CAN\nARY' })).toThrow(Failure)
  })

  test('traces hold no secret, and say what happened', async () => {
    const events: TraceEvent[] = []
    const { client } = world(
      (_, count) => {
        if (count === 1) throw new TransportError(`reset ${token}`, true)
        return answer(200, { id: '1' }, { 'x-request-id': 'r-1' })
      },
      { onTrace: (event) => events.push(event) },
    )
    client.secrets.add('CANARY/code')
    await client.read(call(routes.lookupInvite, {}, undefined, { code: 'CANARY/code' }))
    expect(events).toMatchObject([{ why: 'reset (sensitive value)' }, { status: 200, requestId: 'r-1' }])
    expect(JSON.stringify(events.map((event) => ({ ...event, request: event.request() })))).not.toContain('CANARY')
  })

  test('the code of an invite stands in no trace, known as a secret or not', async () => {
    const events: TraceEvent[] = []
    const { client } = world(() => answer(200, { id: '1' }), { onTrace: (event) => events.push(event) })
    await client.read(call(routes.lookupInvite, {}, undefined, { code: 'CANARY' }))
    expect(events.map((event) => event.request())).toEqual(['GET /v1/invites/lookup?code=(sensitive value)'])
  })
})

describe('the rest', () => {
  test('learns the clock of the service', async () => {
    const { client, clock } = world(() => answer(200, { id: '1' }, { date: 'Thu, 01 Jan 2026 12:00:00 GMT' }))
    expect(client.serverNow()).toBe(clock.wall())
    await client.read(vpc)
    await clock.sleep(5000)
    expect(client.serverNow()).toBe(Date.UTC(2026, 0, 1, 12, 0, 5))
  })

  test('logs are text, or the lines of a stream', async () => {
    const logs = call(routes.getK3sServiceLogs, { wid: '1', id: '2' })
    expect(await world(() => answer(200, 'a\nb')).client.text(logs)).toBe('a\nb')
    expect(await thrown(world(() => answer(404)).client.text(logs))).toBeInstanceOf(ApiError)
    const events = ': hello\r\ndata: gr\u00fc\u00df\r\n\r\nevent: x\ndata:two\ndata\ndata:  three\ndata: cut of'
    async function* bytes() {
      for (const byte of Buffer.from(events)) yield Uint8Array.of(byte)
    }
    const { client } = world(() => ({ ...answer(200, '', { 'content-type': 'text/event-stream' }), chunks: bytes }))
    const lines: string[] = []
    for await (const line of client.stream(logs)) lines.push(line)
    expect(lines).toEqual(['gr\u00fc\u00df', 'two', '', ' three'])
    const refused = world(() => answer(409, undefined, { 'x-message': 'not yet' })).client.stream(logs)
    expect(String(await thrown(refused[Symbol.asyncIterator]().next()))).toContain('not yet')
  })

  test('a stream is opened with the retries of a read', async () => {
    const logs = call(routes.getK3sServiceLogs, { wid: '1', id: '2' })
    const linesOf = async (client: Client): Promise<string[]> => {
      const lines: string[] = []
      for await (const line of client.stream(logs)) lines.push(line)
      return lines
    }
    const throttled = world((_, count) => (count === 1 ? answer(429, undefined, { 'retry-after': '1' }) : answer(200, 'one')))
    expect(await linesOf(throttled.client)).toEqual(['one'])
    expect(throttled.clock.now()).toBeGreaterThanOrEqual(1000)
    const dripping = world((_, count) => (count === 1 ? { ...answer(503), text: () => new Promise<never>(() => undefined) } : answer(200, 'one')))
    expect(await thrown(linesOf(dripping.client))).toMatchObject({ status: 503 })
    expect(dripping.clock.now()).toBe(60_000)
    for (const status of [404, 409]) {
      const refused = world(() => answer(status))
      expect(await thrown(linesOf(refused.client))).toMatchObject({ status })
      expect(refused.requests).toHaveLength(1)
    }
  })

  test('a stream that does not begin is unreachable; one that goes on ends where its reader stops it', async () => {
    const logs = call(routes.getK3sServiceLogs, { wid: '1', id: '2' })
    const silent = world(() => new Promise<never>(() => undefined)).client.stream(logs)
    expect(await thrown(silent[Symbol.asyncIterator]().next())).toBeInstanceOf(UnreachableError)
    const stop = new AbortController()
    const { client } = world(({ signal }) => ({
      ...answer(200),
      async *chunks() {
        yield Buffer.from('one\n')
        if (signal?.aborted) throw new TransportError('aborted', true)
        yield Buffer.from('two\n')
      },
    }))
    const lines: string[] = []
    for await (const line of client.stream(logs, { signal: stop.signal })) {
      lines.push(line)
      stop.abort(new Error('enough'))
    }
    expect(lines).toEqual(['one'])
  })
})
