// The server's own part: what only a socket shows.
import { request } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConnectionReset, streamResponse, textResponse } from './faults/faults.ts'
import type { SandboxRequest, SandboxResponse } from './request/exchange.ts'
import { serveSandbox } from './server.ts'

async function serving(
  handle: (request: SandboxRequest) => Promise<SandboxResponse>,
  work: (url: string) => Promise<void>,
  fetch?: (request: Request) => Response,
): Promise<void> {
  const { url, close } = await serveSandbox({ sandbox: { handle }, ...(fetch === undefined ? {} : { fetch }) })
  try {
    await work(url)
  } finally {
    await close()
  }
}

test('hands over method, path with query, headers and body, and answers with all that came back', () =>
  serving(
    async ({ method, path, headers, body }) => textResponse(207, { 'x-message': 'so' }, JSON.stringify([method, path, headers['x-one'], body])),
    async (url) => {
      const answer = await fetch(`${url}/v1/a%20b?q=%c3%a4&q=2`, { method: 'PATCH', headers: { 'X-One': '1' }, body: 'ä' })
      expect([answer.status, answer.headers.get('x-message'), await answer.json()]).toEqual([207, 'so', ['PATCH', '/v1/a%20b?q=%c3%a4&q=2', '1', 'ä']])
      expect(await (await fetch(`${url}/v1/a`)).json()).toEqual(['GET', '/v1/a', null, null])
    },
  ))

test('what arrives in pieces leaves in pieces, and what ends early has begun to arrive', () => {
  async function* cut(): AsyncIterable<Uint8Array> {
    yield Buffer.from('one')
    yield Buffer.from('two')
    throw new ConnectionReset()
  }
  return serving(
    async () => streamResponse(200, { 'content-type': 'text/plain' }, cut()),
    async (url) => {
      const answer = await fetch(`${url}/v1/logs`)
      expect(answer.status).toBe(200)
      let text = ''
      const reading = async (): Promise<void> => {
        for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString()
      }
      await expect(reading()).rejects.toThrow('terminated')
      expect(text).toBe('onetwo')
    },
  )
})

test('who leaves is waited for no longer, and a stream that nobody reads is ended', async () => {
  let [aborted, ended] = [false, false]
  async function* endless(): AsyncIterable<Uint8Array> {
    try {
      for (;;) {
        yield Buffer.from('.')
        await later(1)
      }
    } finally {
      ended = true
    }
  }
  await serving(
    async ({ path, signal }) => {
      if (path === '/v1/logs') return streamResponse(200, {}, endless())
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
      aborted = true
      return textResponse(200, {}, '')
    },
    async (url) => {
      for (const path of ['/v1/logs', '/v1/slow']) {
        const leaving = new AbortController()
        const answer = fetch(url + path, { signal: leaving.signal })
        if (path === '/v1/logs') await answer
        else await later(50)
        leaving.abort()
        await answer.catch(() => undefined)
      }
      await expect.poll(() => [aborted, ended]).toEqual([true, true])
    },
  )
})

test('a defect is an answer that says so, and the next request is answered', () => {
  let asked = 0
  return serving(
    async () => {
      if ((asked += 1) === 1) throw new Error('so nicht ☹')
      return textResponse(204, {}, '')
    },
    async (url) => {
      const broken = await fetch(`${url}/v1/plans`)
      expect([broken.status, broken.headers.get('x-message')]).toEqual([500, 'a defect of the sandbox: so nicht ?'])
      expect((await fetch(`${url}/v1/plans`)).status).toBe(204)
    },
  )
})

test('the root and the control paths go another way, which is no way at all where there is none', async () => {
  const handle = async ({ path }: SandboxRequest): Promise<SandboxResponse> => textResponse(404, { 'x-message': path }, '')
  const paths = ['/', '/_sandbox/health', '/_tenants/t1/_sandbox/health', '/v1/plans']
  const reached = (url: string): Promise<(string | null)[]> => Promise.all(paths.map(async (path) => (await fetch(url + path)).headers.get('x-message')))
  await serving(handle, async (url) => expect(await reached(url)).toEqual(paths))
  const web = (): Response => new Response('', { headers: { 'x-message': 'web' } })
  await serving(handle, async (url) => expect(await reached(url)).toEqual(['web', 'web', 'web', '/v1/plans']), web)
})

test('a page of another site reaches nothing of the API', () =>
  serving(
    async () => textResponse(200, {}, ''),
    async (url) => {
      const asked = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
        new Promise((resolve, reject) =>
          request(`${url}/v1/plans`, { headers }, (response) => resolve(response.resume().statusCode))
            .on('error', reject)
            .end(),
        )
      expect(await asked({ origin: 'http://evil.example' })).toBe(403)
      expect(await asked({ 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await asked({ origin: url })).toBe(200)
    },
  ))
