// The transport without a proxy on real servers: connections that are kept, bodies that are compressed, lengths that are said.
import { Agent, createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { connect, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import nock from 'nock'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { httpTransport } from './http-transport.ts'
import type { Transport } from './wire.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  nock.cleanAll()
  nock.restore()
})

/** A server for the time of `use`. */
async function serving(handle: RequestListener, use: (transport: Transport) => Promise<void>, path = ''): Promise<void> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const { transport, close } = httpTransport({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}` })
  try {
    await use(transport)
  } finally {
    await close()
    server.closeAllConnections()
    server.close()
  }
}

describe('httpTransport', () => {
  test('sends requests one after another through one connection', async () => {
    const ports = new Set<number | undefined>()
    await serving(
      (request, response) => {
        ports.add(request.socket.remotePort)
        response.end('{}')
      },
      async (transport) => {
        for (let at = 0; at < 3; at += 1) await (await transport({ method: 'GET', path: '/v1/plans', headers: {} })).text(10)
        expect(ports.size).toBe(1)
      },
    )
  })

  test('says how long a body is, also of a DELETE, and that there is none', async () => {
    const seen: (readonly [IncomingMessage['method'], string | undefined, string | undefined])[] = []
    await serving(
      (request, response) => {
        seen.push([request.method, request.headers['content-length'], request.headers['transfer-encoding']])
        response.end('{}')
      },
      async (transport) => {
        await transport({ method: 'DELETE', path: '/v1/things/1', headers: {}, body: '{"a":"ä"}' })
        await transport({ method: 'POST', path: '/v1/things', headers: {} })
        expect(seen).toEqual([
          ['DELETE', '10', undefined],
          ['POST', '0', undefined],
        ])
      },
    )
  })

  test('puts the path of the address before that of the call, and values that came twice side by side', async () => {
    await serving(
      (request, response) => {
        response.setHeader('set-cookie', ['a=1', 'b=2'])
        response.end(request.url)
      },
      async (transport) => {
        const answer = await transport({ method: 'GET', path: '/v1/plans?limit=2', headers: {} })
        expect(await answer.text(100)).toBe('/cloud/v1/plans?limit=2')
        expect(answer.headers['set-cookie']).toBe('a=1, b=2')
      },
      '/cloud/',
    )
  })

  test('a compressed body is read, and one that breaks off is an error of the body', async () => {
    const whole = gzipSync('{"items":[]}')
    await serving(
      (request, response) => {
        response.setHeader('content-encoding', 'gzip')
        response.end(request.url === '/whole' ? whole : whole.subarray(0, -4))
      },
      async (transport) => {
        expect(await (await transport({ method: 'GET', path: '/whole', headers: {} })).text(100)).toBe('{"items":[]}')
        const broken = await transport({ method: 'GET', path: '/broken', headers: {} })
        await expect(broken.text(100)).rejects.toMatchObject({ name: 'TransportError', sent: true })
      },
    )
  })

  test('a connection that is not there in time is given up, and nothing was sent', async () => {
    const silent = Object.assign(new Socket(), { connecting: true })
    vi.spyOn(Agent.prototype, 'createConnection').mockReturnValue(silent)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { transport, close } = httpTransport({ baseUrl: 'http://127.0.0.1:9' })
    const failed = transport({ method: 'POST', path: '/v1/things', headers: {} }).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(10_000)
    expect(await failed).toMatchObject({ sent: false, hopeless: false })
    await close()
  })

  test('an empty body is empty, though its head calls it compressed', async () => {
    await serving(
      (request, response) => {
        response.statusCode = request.method === 'DELETE' ? 204 : 202
        response.setHeader('content-encoding', 'gzip')
        if (response.statusCode === 202) response.setHeader('content-length', '0')
        response.end()
      },
      async (transport) => {
        for (const method of ['DELETE', 'POST']) expect(await (await transport({ method, path: '/v1/things', headers: {} })).text(10)).toBe('')
      },
    )
  })

  test.each([
    ['EADDRNOTAVAIL', 'read EADDRNOTAVAIL'],
    ['EPROTO', 'wrong version number'],
  ])('what breaks a connection that stood counts as sent, whatever it is called (%s)', async (code, message) => {
    let client: Socket | undefined
    vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(({ port }) => (client = connect(Number(port), '127.0.0.1')))
    await serving(
      () => client?.destroy(Object.assign(new Error(message), { code })),
      async (transport) => {
        await expect(transport({ method: 'POST', path: '/v1/things', headers: {}, body: '{}' })).rejects.toMatchObject({ sent: true, hopeless: false })
      },
    )
  })

  test('beyond this machine asks for compression', async () => {
    if (!nock.isActive()) nock.activate()
    nock('https://api.example.com').get('/v1/plans').matchHeader('accept-encoding', 'gzip').reply(200, '[]')
    const { transport, close } = httpTransport({ baseUrl: 'https://api.example.com' })
    expect((await transport({ method: 'GET', path: '/v1/plans', headers: {} })).status).toBe(200)
    await close()
  })

  test('a header that cannot be written is hopeless, and nothing was sent', async () => {
    const { transport } = httpTransport({ baseUrl: 'http://127.0.0.1:9' })
    await expect(transport({ method: 'GET', path: '/v1/plans', headers: { 'x-name': 'a\nb' } })).rejects.toMatchObject({ sent: false, hopeless: true })
  })
})
