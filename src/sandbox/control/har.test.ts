// The request log as an HTTP Archive: the shape that HAR 1.2 demands, and what stands in it.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { transports, withHost } from '../../../test/builders/host-bench.ts'

const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const size = z.int().min(-1)
const message = { httpVersion: z.string(), cookies: z.array(z.unknown()), headers: pairs, headersSize: size, bodySize: size }
const ms = z.number().nonnegative()

/** What HAR 1.2 requires, written from its specification; members of one's own begin with an underscore. */
const har12 = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
    entries: z.array(
      z
        .object({
          startedDateTime: z.iso.datetime({ offset: true }),
          time: ms,
          request: z.strictObject({
            method: z.string().min(1),
            url: z.url(),
            queryString: pairs,
            postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
            ...message,
          }),
          response: z.strictObject({
            status: z.int(),
            statusText: z.string(),
            content: z.strictObject({ size, mimeType: z.string(), text: z.string().optional() }),
            redirectURL: z.string(),
            ...message,
          }),
          cache: z.strictObject({}),
          timings: z.strictObject({ send: ms, wait: ms, receive: ms }),
        })
        .catchall(z.union([z.string(), z.null()])),
    ),
  }),
})

describe.each(transports)('%s', (way) => {
  test('an archive has every member that HAR 1.2 requires, bodies without secrets, and the answers', () =>
    withHost(way, {}, async ({ call, wid }) => {
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: { name: 'main', description: '', range: '10.0.0.0/24' } })
      await call({ method: 'POST', path: '/v1/login', token: null, body: { email: 'owner@sandbox.test', password: 'sandbox-password' } })
      await call(`/v1/workspaces/${wid}/vpcs?name=main&id=1&id=2`)
      await call('/v1/vpcs/1')
      await call('/v1/invites/lookup?code=hush')
      const { status, headers, text } = await call('/_sandbox/requests.har')
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
      const { log } = har12.parse(JSON.parse(text))
      expect(log.creator).toEqual({ name: 'iac sandbox', version: '1.2.3' })
      expect(log.entries.map(({ request, response }) => [request.method, new URL(request.url).pathname, response.status, response.statusText])).toEqual([
        ['POST', `/v1/workspaces/${wid}/vpcs`, 201, 'Created'],
        ['POST', '/v1/login', 200, 'OK'],
        ['GET', `/v1/workspaces/${wid}/vpcs`, 200, 'OK'],
        ['GET', '/v1/vpcs/1', 404, 'Not Found'],
        ['GET', '/v1/invites/lookup', 404, 'Not Found'],
      ])
      const [made, login, list, missing] = log.entries
      expect(JSON.parse(made?.request.postData?.text ?? '')).toMatchObject({ name: 'main' })
      expect(JSON.parse(made?.response.content.text ?? '')).toMatchObject({ name: 'main', range: '10.0.0.0/24' })
      expect(made?.response.content.size).toBe(Buffer.byteLength(made?.response.content.text ?? ''))
      expect(JSON.parse(login?.request.postData?.text ?? '')).toEqual({ email: 'owner@sandbox.test', password: '(sensitive value)' })
      expect(list?.request.queryString.map(({ name, value }) => `${name}=${value}`)).toEqual(['name=main', 'id=1', 'id=2'])
      expect([missing?.response.headers, missing?.request.bodySize]).toEqual([[{ name: 'x-message', value: 'not found' }], 0])
      expect(text).not.toMatch(/sandbox-password|hush/)
    }))

  test('a request without an answer has the status 0, and says what became of it', () =>
    withHost(way, {}, async ({ call }) => {
      await call({ method: 'POST', path: '/_sandbox/faults', body: { reset: 'before' } })
      await call('/v1/plans').catch(() => undefined)
      const [entry] = har12.parse(JSON.parse((await call('/_sandbox/requests.har')).text)).log.entries
      expect([entry?.response.status, entry?.response.statusText, entry?.['_outcome'], entry?.['_operation']]).toEqual([0, '', 'lost-before', 'listPlans'])
    }))

  test('the requests of a tenant are below its address, and those of others are not among them', () =>
    withHost(way, {}, async ({ call, host }) => {
      const { prefix } = host.tenants.create({})
      await call('/v1/plans')
      await call({ path: `${prefix}/v1/plans`, token: host.tenants.list()[0]?.place.sandbox.token ?? '' })
      const urlsOf = async (path: string): Promise<string[]> =>
        har12.parse(JSON.parse((await call(path)).text)).log.entries.map((one) => new URL(one.request.url).pathname)
      expect(await urlsOf(`${prefix}/_sandbox/requests.har`)).toEqual([`${prefix}/v1/plans`])
      expect(await urlsOf('/_sandbox/requests.har')).toEqual(['/v1/plans'])
      expect(await urlsOf('/_sandbox/requests.har?since=1')).toEqual([])
    }))

  test('nobody gets it without the control token', () =>
    withHost(way, {}, async ({ call }) => {
      expect((await call({ path: '/_sandbox/requests.har', token: null })).status).toBe(401)
    }))
})
