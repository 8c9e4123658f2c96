// Whatever a browser can be tricked into sending is refused, even where it carries the token.
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { CONTROL_TOKEN, transports, withHost } from '../../../test/builders/host-bench.ts'
import { isForeign, refusalOf } from './guard.ts'

const json = { 'content-type': 'application/json' }
const withToken = { authorization: `Bearer ${CONTROL_TOKEN}` }

/** What a browser sends for a page of another site: `fetch` of a test must not set all of these itself. */
function sent(headers: Readonly<Record<string, string>>, method = 'POST'): ReturnType<typeof refusalOf> {
  const body = method === 'POST' ? { body: '{"ms":1}' } : {}
  return refusalOf(new Request('http://127.0.0.1:4000/_sandbox/clock/advance', { method, headers: { ...withToken, ...headers }, ...body }), CONTROL_TOKEN)
}

describe('a request that carries the token', () => {
  test('is let in as a program sends it', () => {
    expect(sent(json)).toBeUndefined()
    expect(sent({ 'content-type': 'application/json; charset=utf-8' })).toBeUndefined()
    expect(sent({}, 'GET')).toBeUndefined()
    expect(
      sent({ ...json, host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }),
    ).toBeUndefined()
  })

  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a text, as forms and beacons send it', { 'content-type': 'text/plain' }],
    ['a text that says it is JSON somewhere', { 'content-type': 'text/plain; application/json' }],
    ['JSON under another name', { 'content-type': 'application/json-seq' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-7' }],
  ])('is refused as %s', (_, headers) => {
    expect(sent(headers)).toMatchObject({ status: 415 })
  })

  test('is refused without a type, also where it would have no body', () => {
    const bare = new Request('http://127.0.0.1/_sandbox/reset', { method: 'POST', headers: withToken })
    expect(refusalOf(bare, CONTROL_TOKEN)).toMatchObject({ status: 415 })
    expect(sent({ 'content-type': 'text/plain' }, 'GET')).toMatchObject({ status: 415 })
  })

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page on another port', { host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4001' }],
    ['a page that hides where it is from', { origin: 'null' }],
    ['another site, by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['another port, by what the browser says', { 'sec-fetch-site': 'same-site' }],
    ['a name that was made to point here', { host: 'evil.example:4000' }],
    ['a name that looks like here', { host: '127.0.0.1.evil.example' }],
    ['a request that was made without CORS', { 'sec-fetch-mode': 'no-cors' }],
  ])('is refused for %s', (_, headers) => {
    expect(sent({ ...json, ...headers })).toMatchObject({ status: 403 })
  })

  test('is foreign by either of two headers', () => {
    expect([{}, { 'sec-fetch-site': 'none' }, { host: 'a', origin: 'http://a' }].map((headers) => isForeign(new Headers(headers)))).toEqual([
      false,
      false,
      false,
    ])
    expect([{ 'sec-fetch-site': 'cross-site' }, { host: 'a', origin: 'https://a' }].map((headers) => isForeign(new Headers(headers)))).toEqual([true, true])
  })
})

test.each([
  ['no token', {}],
  ['a wrong one', { authorization: 'Bearer other' }],
  ['a wrong one of its own header', { 'x-sandbox-token': 'other' }],
  ['the right one by another scheme', { authorization: `Basic ${CONTROL_TOKEN}` }],
  ['a wrong one before the right one', { 'x-sandbox-token': 'other', ...withToken }],
])('a request with %s is refused', (_, headers) => {
  const asked = new Request('http://127.0.0.1/_sandbox/health', { headers })
  expect(refusalOf(asked, CONTROL_TOKEN)).toMatchObject({ status: 401 })
  expect(refusalOf(new Request(asked, { headers: { 'x-sandbox-token': CONTROL_TOKEN } }), CONTROL_TOKEN)).toBeUndefined()
  expect(refusalOf(asked, '')).toMatchObject({ status: 401 })
})

describe.each(transports)('%s', (way) => {
  test('every control route asks for the token, and nothing is changed without it', () =>
    withHost(way, {}, async ({ call, host }) => {
      const before = host.place.sandbox.snapshot()
      const { controlRoutes } = await import('./control-routes.ts')
      for (const { method, path } of controlRoutes) {
        for (const token of [null, 'other', host.place.sandbox.token]) {
          expect((await call({ method, path: `/_sandbox${path.replaceAll(/\{\w+\}/g, 'x')}`, token, body: method === 'POST' ? {} : undefined })).status).toBe(
            401,
          )
        }
      }
      expect(host.place.sandbox.snapshot()).toEqual(before)
    }))

  test('a preflight is answered without leave to go on', () =>
    withHost(way, {}, async ({ send }) => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-sandbox-token' }
      const response = await send('/_sandbox/reset', { method: 'OPTIONS', headers })
      expect([response.status, [...response.headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([403, []])
    }))
})

test('a server refuses other names and other sites for the API, too', () =>
  withHost('over HTTP', {}, async ({ host, call }) => {
    const { base_url: address } = JSON.parse((await call({ method: 'POST', path: '/_sandbox/tenants', body: {} })).text)
    const { port } = new URL(address)
    const status = (headers: Readonly<Record<string, string>>, path = '/v1/plans'): Promise<unknown> =>
      new Promise((resolve, reject) =>
        request({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${host.place.sandbox.token}`, ...headers } }, (answer) =>
          resolve(answer.resume().statusCode),
        )
          .on('error', reject)
          .end(),
      )
    expect(await status({})).toBe(200)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ origin: 'https://evil.example' })).toBe(403)
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    for (const path of ['/v1/plans?q=/_sandbox/', '/v1/plans/_sandbox/', '/_tenants/t1/v1/plans?q=/_sandbox/'])
      expect(await status({ origin: 'https://evil.example' }, path)).toBe(403)
    expect(await status({ host: `evil.example:${port}`, authorization: `Bearer ${CONTROL_TOKEN}` }, '/_sandbox/health')).toBe(403)
    expect(await status({ authorization: `Bearer ${CONTROL_TOKEN}` }, '/_sandbox/health')).toBe(200)
  }))
