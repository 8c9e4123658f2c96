// Calls with an effect: delivered at most once with any, methods negotiated, everything classified.
import { describe, expect, test } from 'vitest'
import { fc } from '../../test/builders/properties.ts'
import { randomOf } from '../../test/builders/random-of.ts'
import { answer, double } from '../../test/builders/wire-double.ts'
import { virtualClock } from '../base/clock.ts'
import { call } from './calls/call.ts'
import { compatSchema } from './calls/compat.ts'
import { InvalidRequest } from './calls/failed-call.ts'
import { createClient } from './client.ts'
import { routes } from './routes/routes.ts'
import type { WireRequest, WireResponse } from './transport/wire.ts'
import { TransportError } from './transport/wire.ts'

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const workflow = { id: uuid, name: 'dns.set', state: 'QUEUED' }
const create = call(routes.createVpc, { wid: '1' }, { name: 'main', description: '', range: '10.0.0.0/16' })
const setDns = call(routes.setDns, { id: '5' }, { dns: 'a.example.com' })
const updateSecret = call(routes.updateK3sSecret, { wid: '1', id: '5' }, { data: { a: 'b' } })

function world(handle: (request: WireRequest, count: number) => WireResponse | Promise<WireResponse>, settings: unknown = {}) {
  const clock = virtualClock()
  const wire = double(handle)
  const client = createClient({ transport: wire.transport, token: 't', clock, random: randomOf(1), compat: compatSchema.parse(settings), userAgent: 'iac/0' })
  return { clock, client, ...wire }
}

describe('send', () => {
  test('an accepted call says what it answered', async () => {
    const { client, requests } = world(() => answer(201, { id: '5', name: 'main' }))
    expect(await client.send(create)).toMatchObject({ is: 'accepted', answer: { status: 201, resourceId: '5' } })
    expect(requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"main","description":"","range":"10.0.0.0/16"}',
    })
  })

  test.each<[string, () => WireResponse | Promise<WireResponse>]>([
    ['500', () => answer(500)],
    ['503 with Retry-After', () => answer(503, undefined, { 'retry-after': '1' })],
    ['302', () => answer(302, undefined, { location: 'https://evil.example.com' })],
    ['408', () => answer(408)],
    ['200 without its id', () => answer(200, {})],
    ['a portal', () => answer(200, '<html>')],
    ['half a body', () => ({ ...answer(201), text: () => Promise.reject(new TransportError('broke off', true)) })],
    ['a body that never ends', () => ({ ...answer(201), text: () => new Promise<never>(() => undefined) })],
    ['a reset', () => Promise.reject(new TransportError('reset', true))],
    ['silence', () => new Promise<never>(() => undefined)],
    ['a defect of the transport', () => Promise.reject(new TypeError('oops'))],
  ])('%s is unknown and delivered once', async (_, handle) => {
    const { client, requests } = world(handle)
    expect((await client.send(create)).is).toBe('unknown')
    expect(requests).toHaveLength(1)
  })

  test.each([400, 401, 403, 404, 409, 422])('%d is a rejection and delivered once', async (status) => {
    const { client, requests } = world(() => answer(status, undefined, { 'x-message': 'no' }))
    expect(await client.send(create)).toMatchObject({ is: 'rejected', error: { status, reason: 'no', request: 'POST /v1/workspaces/1/vpcs' } })
    expect(requests).toHaveLength(1)
  })

  test('refusals for rate are waited out, beyond the deadline for what cannot be sent', async () => {
    const { client, clock, requests } = world((_, count) => (count < 4 ? answer(429, undefined, { 'retry-after': '40' }) : answer(201, { id: '5' })))
    expect((await client.send(create)).is).toBe('accepted')
    expect(requests).toHaveLength(4)
    expect(clock.now()).toBeGreaterThanOrEqual(120_000)
  })

  test('what was not sent is tried again until the deadline', async () => {
    const refuse = () => Promise.reject(new TransportError('the connection was refused', false))
    const { client, clock } = world(refuse)
    expect(await client.send(create, { deadlineMs: 300_000 })).toEqual({ is: 'not sent', why: 'the connection was refused' })
    expect(clock.now()).toBeGreaterThan(290_000)
    const later = world((_, count) => (count < 5 ? refuse() : answer(201, { id: '5' })))
    expect((await later.client.send(create)).is).toBe('accepted')
  })

  test.each([
    ['not sent', false],
    ['unknown', true],
  ])('out of time it is %s where the transport says so as it is stopped', async (is, sent) => {
    const { client, clock } = world(
      ({ signal }) => new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new TransportError('stopped', sent)))),
    )
    expect(await client.send(create)).toEqual({ is, why: sent ? 'no complete answer within 60 s' : 'stopped' })
    expect(clock.now()).toBe(60_000)
  })

  test('what came while the process was stopped for longer than it waits is taken, and what never comes is given up', async () => {
    const hour = 3_600_000
    const sendStopped = (answersAtMs: number) => {
      const clock = virtualClock()
      const stopped = { ...clock, alarm: (ms: number, wake: () => void) => clock.alarm(ms === 60_000 ? hour : ms, wake) }
      const { transport } = double(() => clock.sleep(answersAtMs).then(() => answer(201, { id: '5' })))
      return createClient({ transport, token: 't', clock: stopped, random: randomOf(1), compat: compatSchema.parse({}), userAgent: 'iac/0' }).send(create)
    }
    expect(await sendStopped(hour + 2000)).toMatchObject({ is: 'accepted' })
    expect(await sendStopped(2 * hour)).toEqual({ is: 'unknown', why: 'no complete answer within 60 s' })
  })

  test('a certificate that is refused ends it before the first answer of the run, and is waited for after it', async () => {
    const expired = new TransportError('host: certificate has expired', false, 'at first')
    const early = world(() => Promise.reject(expired))
    expect(await early.client.send(create)).toEqual({ is: 'not sent', why: 'host: certificate has expired' })
    expect([early.clock.now(), early.requests.length]).toEqual([0, 1])
    const { client, clock, requests } = world((_, count) => (count === 1 || clock.now() > 20_000 ? answer(201, { id: '5' }) : Promise.reject(expired)))
    await client.send(create)
    expect(await client.send(create)).toMatchObject({ is: 'accepted' })
    expect(requests.length).toBeGreaterThan(3)
    const { client: reader, clock: time } = world((_, count) => (count === 1 ? answer(200, { items: [], hasNext: false }) : Promise.reject(expired)))
    await reader.all(call(routes.listVpcs, { wid: '1' }))
    await expect(reader.read(call(routes.getVpc, { vid: '5' }))).rejects.toThrow('certificate has expired')
    expect(time.now()).toBe(60_000)
  })

  test('a stop in the moment between its place and its leaving is in time', async () => {
    const stop = new AbortController()
    const { client, requests } = world(() => answer(201, { id: '5' }))
    const sending = client.send(create, { signal: stop.signal })
    stop.abort(new Error('stopped'))
    expect((await sending).is).toBe('not sent')
    expect(requests).toHaveLength(0)
  })

  test('what may not leave any more is not sent, at whatever try, nor from the queue', async () => {
    let isOurs = true
    const refused = world(() => answer(429))
    const repeating = refused.client.send(create, { mayLeave: () => isOurs })
    await refused.clock.sleep(1)
    const before = refused.requests.length
    isOurs = false
    expect([await repeating, refused.requests.length]).toEqual([expect.objectContaining({ is: 'not sent' }), before])
    isOurs = true
    const busy = world(async () => {
      await busy.clock.sleep(1000)
      isOurs = false
      return answer(201, { id: '5' })
    })
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => busy.client.send(create, { mayLeave: () => isOurs })))
    expect(outcomes.filter((one) => one.is === 'not sent').length).toBe(200 - busy.requests.length)
    expect(busy.requests.length).toBeLessThan(200)
  })

  test('the signal stops what has not left, and waits for what has', async () => {
    const stop = new AbortController()
    const { client, requests, clock } = world(async () => {
      stop.abort(new Error('stopped'))
      await clock.sleep(10)
      return answer(201, { id: '5' })
    })
    expect((await client.send(create, { signal: stop.signal })).is).toBe('accepted')
    expect((await client.send(create, { signal: stop.signal })).is).toBe('not sent')
    expect(requests).toHaveLength(1)
    const waiting = new AbortController()
    const refused = world(() => {
      waiting.abort(new Error('stopped'))
      return answer(429, undefined, { 'retry-after': '300' })
    })
    expect((await refused.client.send(create, { signal: waiting.signal })).is).toBe('not sent')
    expect(refused.clock.now()).toBe(0)
  })

  test('what does not fit its route is thrown before anything leaves', async () => {
    const { client, requests } = world(() => answer(201, { id: '5' }))
    await expect(client.send(call(routes.createVpc, { wid: '../1' }, {}))).rejects.toBeInstanceOf(InvalidRequest)
    await expect(client.send(call(routes.createVpc, { wid: '1' }, { name: 'main' }))).rejects.toBeInstanceOf(InvalidRequest)
    expect(requests).toHaveLength(0)
  })
})

describe('methods that the document leaves open', () => {
  const only = (method: string, otherwise: number) => (request: WireRequest) =>
    request.method === method ? answer(202, workflow) : request.method === 'GET' ? answer(200, { id: '5' }) : answer(otherwise)

  test.each([
    [405, ['PUT', 'POST', 'POST']],
    [404, ['PUT', 'GET', 'POST', 'POST']],
    [501, ['PUT', 'GET', 'POST', 'POST']],
  ])('%d leads to the other, which is remembered', async (status, methods) => {
    const { client, requests } = world(only('POST', status))
    expect((await client.send(setDns)).is).toBe('accepted')
    expect((await client.send(setDns)).is).toBe('accepted')
    expect(requests.map((one) => one.method)).toEqual(methods)
    for (const one of requests) expect(one.path).toBe(one.method === 'GET' ? '/v1/networking/ips/5' : '/v1/networking/ips/5/dns')
  })

  test('the first is kept where it works: a 404 is no question of the method any more', async () => {
    const { client, requests } = world((_, count) => (count === 1 ? answer(202, workflow) : answer(404)))
    await client.send(setDns)
    expect(await client.send(setDns)).toMatchObject({ is: 'rejected', error: { status: 404 } })
    expect(requests.map((one) => one.method)).toEqual(['PUT', 'PUT'])
  })

  test('a 404 of an object that is not there is what it says', async () => {
    const { client, requests } = world(() => answer(404))
    expect(await client.send(setDns)).toMatchObject({ is: 'rejected', error: { status: 404 } })
    expect(requests.map((one) => one.method)).toEqual(['PUT', 'GET'])
  })

  test('a 501 of an object that is not there stays unknown; of both methods it is a refusal', async () => {
    expect((await world((request) => answer(request.method === 'GET' ? 404 : 501)).client.send(setDns)).is).toBe('unknown')
    expect(await world((request) => answer(request.method === 'GET' ? 200 : 501)).client.send(setDns)).toMatchObject({ is: 'rejected', error: { status: 501 } })
  })

  test('a setting is taken at its word', async () => {
    const { client, requests } = world(only('PUT', 405), { dns_method: 'POST' })
    expect((await client.send(setDns)).is).toBe('rejected')
    expect(requests.map((one) => one.method)).toEqual(['POST'])
  })

  test('a secret is looked for in its list, since it has no read of its own', async () => {
    const { client, seen } = world((request) =>
      request.method === 'GET' ? answer(200, { items: [] }) : request.method === 'PATCH' ? answer(200, { id: '5' }) : answer(404),
    )
    expect((await client.send(updateSecret)).is).toBe('accepted')
    expect(seen()).toEqual(['PUT /v1/workspaces/1/k3s/secrets/5', 'GET /v1/workspaces/1/k3s/secrets', 'PATCH /v1/workspaces/1/k3s/secrets/5'])
  })
})

// What may happen to one delivery, and whether the service may have acted on it.
const fates = {
  refused: { effect: false, reply: () => Promise.reject(new TransportError('refused', false)) },
  throttled: { effect: false, reply: () => answer(429) },
  toldToWait: { effect: false, reply: () => answer(429, undefined, { 'retry-after': '7' }) },
  invalid: { effect: false, reply: () => answer(400) },
  wrongMethod: { effect: false, reply: () => answer(405) },
  gone: { effect: false, reply: () => answer(404) },
  reset: { effect: true, reply: () => Promise.reject(new TransportError('reset', true)) },
  failed: { effect: true, reply: () => answer(500) },
  unavailable: { effect: true, reply: () => answer(503, undefined, { 'retry-after': '1' }) },
  silent: { effect: true, reply: () => new Promise<never>(() => undefined) },
  portal: { effect: true, reply: () => answer(200, '<html>') },
  cutOff: { effect: true, reply: () => ({ ...answer(202), text: () => Promise.reject(new Error('cut')) }) },
  accepted: { effect: true, reply: () => answer(202, { workflow, vpc: { id: '5' }, id: '5' }) },
} as const

describe('property', () => {
  test('never delivers again what may have had an effect', async () => {
    const fate = fc.constantFrom(...Object.values(fates))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(create, setDns, updateSecret),
        fc.integer({ min: 0, max: 100_000 }),
        async (plan, one, stopMs) => {
          let effects = 0
          let at = 0
          const stop = new AbortController()
          const { client, clock } = world((request) => {
            if (request.method === 'GET') return answer(200, { id: '5' })
            const next = plan[at % plan.length] ?? fates.accepted
            at += 1
            if (next.effect) effects += 1
            return next.reply()
          })
          void clock.sleep(stopMs).then(() => stop.abort(new Error('stopped')))
          const outcome = await client.send(one, { signal: stop.signal })
          expect(effects).toBeLessThanOrEqual(1)
          expect(effects).toBe(outcome.is === 'accepted' || outcome.is === 'unknown' ? 1 : 0)
        },
      ),
      { numRuns: 400, seed: 20_260_101 },
    )
  })
})
