// Requests to a forge on a virtual clock: limits of rate, what fails for a while, pages, and that nothing but one host gets the token.
import { describe, expect, test } from 'vitest'
import { answer, double } from '../../../test/builders/wire-double.ts'
import { TransportError } from '../../api/transport/wire.ts'
import type { WireResponse } from '../../api/transport/wire.ts'
import { virtualClock } from '../../base/clock.ts'
import { Failure } from '../../base/diagnostic.ts'
import { forgeCalls } from './forge-calls.ts'

type Handle = (count: number) => WireResponse

function open(handle: Handle) {
  const clock = virtualClock()
  const wire = double((_, count) => handle(count))
  const headers = { authorization: 'Bearer canary' }
  const calls = forgeCalls({ forge: 'GitHub', origin: 'https://api.test', headers, transport: wire.transport, clock, hint: 'give a token' })
  return { calls, clock, ...wire }
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error('did not fail as calls do', { cause: error })
  expect(JSON.stringify(error.diagnostics)).not.toContain('canary')
  return error
}

const get = { method: 'GET', path: '/x' } as const
const post = { method: 'POST', path: '/x', body: { body: 'hi' }, once: true } as const
const resetAt = `${Date.UTC(2026, 0, 1) / 1000 + 30}`

describe('a limit of rate is waited for, for a comment that is made, too', () => {
  test.each<[string, WireResponse, number]>([
    ['429 with seconds', answer(429, {}, { 'retry-after': '7' }), 7000],
    ['429 with a date', answer(429, {}, { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }), 9000],
    ['403 with seconds', answer(403, { message: 'You have exceeded a secondary rate limit' }, { 'retry-after': '5' }), 5000],
    ['403 with nothing left', answer(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt }), 31_000],
    [
      '403 in words alone',
      answer(403, { message: 'You have exceeded a secondary rate limit' }, { 'x-ratelimit-remaining': '99', 'x-ratelimit-reset': resetAt }),
      60_000,
    ],
    ['429 of GitLab', answer(429, 'Retry later', { 'ratelimit-reset': resetAt }), 31_000],
  ])('%s', async (_, limit, waitedMs) => {
    const { calls, clock, requests } = open((count) => (count === 1 ? limit : answer(201, { id: 1 })))
    expect(await calls.ask(post)).toMatchObject({ value: { id: 1 } })
    expect([requests.length, Math.round(clock.now())]).toEqual([2, waitedMs])
  })

  test('by the clock of the forge, whatever the machine has for the time', async () => {
    const limit = answer(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt, date: 'Thu, 01 Jan 2026 00:00:20 GMT' })
    const { calls, clock } = open((count) => (count === 1 ? limit : answer(200, [])))
    await calls.ask(get)
    expect(Math.round(clock.now())).toBe(11_000)
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['of no time', { 'retry-after': '0' }],
    ['of a time that is over', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000' }],
  ])('with ever longer pauses where it is one %s', async (_, headers) => {
    const { calls, clock, requests } = open((count) => (count < 4 ? answer(403, {}, headers) : answer(200, [])))
    await calls.ask(get)
    expect([requests.length, clock.now()]).toEqual([4, 1000 + 2000 + 4000])
  })

  test('that GraphQL tells in a good answer, and in no other', async () => {
    const limited = { errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded for installation' }] }
    const limit = answer(200, limited, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt })
    const { calls, clock } = open((count) => (count === 1 ? limit : answer(200, { data: {} })))
    expect(await calls.ask({ ...post, graph: true })).toMatchObject({ value: { data: {} } })
    expect(Math.round(clock.now())).toBe(31_000)
    expect(await open(() => answer(200, limited)).calls.ask(get)).toMatchObject({ value: limited })
    expect((await failureOf(open(() => limit).calls.ask({ ...post, graph: true }))).diagnostics[0]?.code).toBe('forge_unreachable')
  })

  test('but not for an hour', async () => {
    const { calls, requests } = open(() => answer(429, {}, { 'retry-after': '3600' }))
    const { diagnostics } = await failureOf(calls.ask(get))
    expect(diagnostics[0]).toMatchObject({ code: 'forge_unreachable', hint: 'run again in 3600 s' })
    expect(requests).toHaveLength(1)
  })
})

test('what fails for a while is sent again, each time later', async () => {
  const { calls, clock, requests } = open((count) => {
    if (count === 1) throw new TransportError('api.test: the connection was reset', true)
    return count < 4 ? answer(502, 'bad gateway') : answer(200, [])
  })
  expect(await calls.ask(get)).toMatchObject({ value: [] })
  expect([requests.length, clock.now()]).toEqual([4, 1000 + 2000 + 4000])
})

test.each<[string, Handle]>([
  ['5xx', () => answer(502)],
  [
    'the connection ends',
    () => {
      throw new TransportError('reset', true)
    },
  ],
])('a comment whose answer is lost is sent once: %s', async (_, handle) => {
  const { calls, requests } = open(handle)
  expect(await calls.ask(post)).toBeUndefined()
  expect(requests).toHaveLength(1)
})

test('a comment that was not sent is sent again', async () => {
  const { calls, requests } = open((count) => {
    if (count === 1) throw new TransportError('refused', false)
    return answer(201, { id: 1 })
  })
  expect(await calls.ask(post)).toMatchObject({ value: { id: 1 } })
  expect(requests).toHaveLength(2)
})

test.each<[string, WireResponse, string]>([
  ['401', answer(401, { message: 'Bad credentials' }), 'forge_refused'],
  ['403', answer(403, { message: 'Resource not accessible by integration' }), 'forge_refused'],
  ['404', answer(404, { message: 'Not Found' }), 'forge_refused'],
  ['422', answer(422, { message: 'Validation Failed' }), 'forge_error'],
  ['a redirect', answer(302, '', { location: 'https://evil.test/' }), 'forge_error'],
  ['no JSON', answer(200, '<html>'), 'forge_error'],
  ['500 for long', answer(500), 'forge_unreachable'],
])('%s is said in words', async (_, refusal, code) => {
  const { calls } = open(() => refusal)
  expect((await failureOf(calls.ask(get))).diagnostics[0]?.code).toBe(code)
})

test('what is gone is no mistake where it may be', async () => {
  const { calls } = open(() => answer(404))
  expect(await calls.ask({ method: 'DELETE', path: '/x', mayBeGone: true })).toBeUndefined()
})

describe('pages', () => {
  test('by the Link header', async () => {
    const link = '<https://api.test/x?page=1>; rel="prev", <https://api.test/x?a=1,2&page=2>; rel="next"'
    const { calls, seen } = open((count) => (count === 1 ? answer(200, [1], { link }) : answer(200, [2])))
    expect(await calls.pages('/x')).toEqual([1, 2])
    expect(seen()).toEqual(['GET /x', 'GET /x?a=1,2&page=2'])
  })

  test('by the header of GitLab, empty on the last', async () => {
    const { calls, seen } = open((count) => answer(200, [count], { 'x-next-page': count < 3 ? `${count + 1}` : '' }))
    expect(await calls.pages('/x?per_page=100')).toEqual([1, 2, 3])
    expect(seen().at(-1)).toBe('GET /x?per_page=100&page=3')
  })

  test('never at another host, and not without end', async () => {
    const away = open(() => answer(200, [], { link: '<https://evil.test/x?page=2>; rel="next"' }))
    expect((await failureOf(away.calls.pages('/x'))).message).toContain('another host')
    expect(away.requests).toHaveLength(1)
    const endless = open(() => answer(200, [], { link: '<https://api.test/x>; rel="next"' }))
    await failureOf(endless.calls.pages('/x'))
    expect(endless.requests.length).toBeLessThan(300)
  })
})
