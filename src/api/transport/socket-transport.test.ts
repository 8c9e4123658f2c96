// The transport with and without a proxy against interception and real sockets on loopback: what reaches the service, and what counts as not sent.
import nock from 'nock'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, isIPv6, Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { inspect } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import { proxyWay } from './proxy.ts'
import type { OpenTransport } from './socket-transport.ts'
import { socketTransport } from './socket-transport.ts'
import type { Transport, WireRequest } from './wire.ts'
import { TransportError } from './wire.ts'

const baseUrl = 'https://api.example.com/cloud'
const get: WireRequest = { method: 'GET', path: '/v1/plans?limit=2', headers: { authorization: 'Bearer t' } }
const post: WireRequest = { method: 'POST', path: '/v1/things', headers: {}, body: '{}' }

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  nock.cleanAll()
  nock.restore()
})

function intercepted() {
  if (!nock.isActive()) nock.activate()
  return nock('https://api.example.com')
}

/** A server that treats each connection as `handle` says, for the time of `use`. */
async function listening(handle: (socket: Socket) => void, use: (url: string) => Promise<void>, host = '127.0.0.1'): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    handle(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address: AddressInfo | string | null = server.address()
  try {
    await use(`http://${isIPv6(host) ? `[${host}]` : host}:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

/** Answers that there is nothing, and notes the head of what was asked. */
function noContent(heads: string[]): (socket: Socket) => void {
  return (socket) =>
    void socket.once('data', (bytes) => {
      heads.push(bytes.toString())
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
}

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const opened: OpenTransport[] = []

function open(made: OpenTransport): Transport {
  opened.push(made)
  return made.transport
}

/** The same questions to both: the one without a proxy, and the one that knows proxies where the host is exempt. */
const ways: readonly (readonly [string, (url: string) => Transport])[] = [
  ['direct', (url) => open(socketTransport({ baseUrl: url }))],
  ['exempt', (url) => open(socketTransport({ baseUrl: url, way: proxyWay({ httpsProxy: 'http://127.0.0.1:9', noProxy: '*' }) }))],
]

async function failureOf(work: Promise<unknown>): Promise<TransportError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof TransportError) return error
  throw new Error('did not fail as a transport does', { cause: error })
}

describe.each(ways)('%s transport', (_, to) => {
  test('carries method, path, headers and body both ways', async () => {
    const sent = intercepted().post('/cloud/v1/things', '{}').matchHeader('x-mfa', '123').matchHeader('authorization', 'Bearer t')
    sent.reply(201, '{"id":"1"}', { 'X-Message': 'made' })
    const response = await to(baseUrl)({ ...post, headers: { ...get.headers, 'x-mfa': '123' } })
    expect(response.status).toBe(201)
    expect(response.headers['x-message']).toBe('made')
    expect(await response.text(100)).toBe('{"id":"1"}')
  })

  test('does not follow a redirect', async () => {
    intercepted().get('/cloud/v1/plans?limit=2').reply(302, '', { location: 'https://evil.example.com/' })
    const response = await to(baseUrl)(get)
    expect([response.status, response.headers['location']]).toEqual([302, 'https://evil.example.com/'])
  })

  test('stops at the cap', async () => {
    intercepted().get('/cloud/v1/plans?limit=2').reply(200, 'x'.repeat(1000))
    const response = await to(baseUrl)(get)
    await expect(response.text(999)).rejects.toThrow(new RangeError('the answer is larger than 999 bytes'))
  })
})

describe.each(ways)('%s transport on sockets', (_, to) => {
  test('a refused connection was not sent', async () => {
    let free = ''
    await listening(
      () => undefined,
      async (url) => void (free = url),
    )
    expect((await failureOf(to(free)(post))).sent).toBe(false)
  })

  test('the token is sent, and stands in no options of a request, which node prints on demand', async () => {
    const made = vi.spyOn(http, 'request')
    onTestFinished(() => made.mockRestore())
    const heads: string[] = []
    await listening(noContent(heads), async (url) => void (await to(url)(get)))
    expect(heads.map((head) => head.match(/^authorization: .*$/gim))).toEqual([['authorization: Bearer t']])
    expect(inspect(made.mock.calls, { depth: 4 })).not.toContain('Bearer')
  })

  test('a path is sent as it is written, below that of the address', async () => {
    const heads: string[] = []
    await listening(noContent(heads), async (url) => {
      for (const base of ['', '/', '/be%20low']) await to(url + base)({ ...get, path: '/v1/a%2Fb?name=c%20d&at=1%3A2' })
    })
    expect(heads.map((head) => head.split('\r\n', 1)[0])).toEqual(['', '', '/be%20low'].map((below) => `GET ${below}/v1/a%2Fb?name=c%20d&at=1%3A2 HTTP/1.1`))
  })

  test.runIf(hasIPv6)('an address of IPv6 is reached, and named as it stands in the URL', async () => {
    const heads: string[] = []
    const use = async (url: string): Promise<void> => {
      await to(url)(get)
      expect(heads.map((head) => /^host: (.*)$/im.exec(head)?.[1])).toEqual([new URL(url).host])
    }
    await listening(noContent(heads), use, '::1')
  })

  test('a connection closed after the request was sent, once', async () => {
    let requests = 0
    await listening(
      (socket) => {
        socket.on('data', () => {
          requests += 1
          socket.destroy()
        })
      },
      async (url) => {
        expect((await failureOf(to(url)(post))).sent).toBe(true)
        expect(requests).toBe(1)
      },
    )
  })

  test('a body that breaks off is an error of the body', async () => {
    await listening(
      (socket) => {
        socket.on('data', () => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"id":'))
      },
      async (url) => {
        const response = await to(url)(post)
        expect(response.status).toBe(201)
        expect((await failureOf(response.text(1000))).sent).toBe(true)
      },
    )
  })

  test('a body that is not UTF-8 is an error of the body', async () => {
    await listening(
      (socket) => {
        socket.on('data', () => socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n'), Buffer.from([0x22, 0xff, 0x22])])))
      },
      async (url) => {
        const response = await to(url)(get)
        expect((await failureOf(response.text(1000))).message).toContain('UTF-8')
      },
    )
  })

  test('what is abandoned counts as sent', async () => {
    const stop = new AbortController()
    await listening(
      (socket) => void socket.once('data', () => stop.abort()),
      async (url) => {
        expect((await failureOf(to(url)({ ...post, signal: stop.signal }))).sent).toBe(true)
      },
    )
  })

  test.each([
    ['EPROTO', 'wrong version number'],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'packet length too long'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['EADDRNOTAVAIL', 'connect EADDRNOTAVAIL'],
  ])('what breaks a connection that stood counts as sent, whatever it is called (%s)', async (code, message) => {
    const sockets: Socket[] = []
    const note = (told: unknown): void => {
      const socket: unknown = typeof told === 'object' && told !== null && 'socket' in told ? told.socket : undefined
      if (socket instanceof Socket) sockets.push(socket)
    }
    subscribe('net.client.socket', note)
    onTestFinished(() => void unsubscribe('net.client.socket', note))
    let requests = 0
    const breakAll = (socket: Socket): void =>
      void socket.on('data', () => {
        requests += 1
        for (const one of sockets) one.destroy(Object.assign(new Error(message), { code, syscall: 'connect' }))
      })
    await listening(breakAll, async (url) => {
      expect(await failureOf(to(url)(post))).toMatchObject({ sent: true, hopeless: undefined })
      expect(requests).toBe(1)
    })
  })
})

describe('socketTransport', () => {
  test('a port that no client may use is hopeless, and nothing was sent', async () => {
    const error = await failureOf(socketTransport({ baseUrl: 'http://127.0.0.1:6000', way: proxyWay({ httpsProxy: 'http://127.0.0.1:9' }) }).transport(get))
    expect(error).toMatchObject({
      message: '127.0.0.1:6000: bad port: clients of the fetch standard refuse it, take another one',
      sent: false,
      hopeless: 'always',
    })
  })

  test.each([
    ['an alert', (socket: Socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])), /: TLS failed: [^:]* handshake failure \(ERR_SSL_[A-Z0-9_/]+\)$/],
    ['a reset', (socket: Socket) => socket.resetAndDestroy(), /: the connection was reset \(ECONNRESET\)$/],
    ['an end', (socket: Socket) => socket.end(), /: the connection was reset \(ECONNRESET\)$/],
  ])('a handshake of TLS that ends in %s was given nothing, directly or in a tunnel', async (_, answer, message) => {
    await listening(
      (socket) => void socket.once('data', () => answer(socket)),
      async (url) => {
        const error = await failureOf(open(socketTransport({ baseUrl: url.replace('http:', 'https:') }))(post))
        expect(error).toMatchObject({ sent: false, message: expect.stringMatching(message) })
      },
    )
    await listening(tunnel(answer), async (url) => {
      const error = await failureOf(open(socketTransport({ baseUrl, way: proxyWay({ httpsProxy: url }) }))(post))
      expect(error).toMatchObject({ sent: false, message: expect.stringMatching(message) })
    })
  })

  test.each([
    ['refuses the tunnel', (socket: Socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), 'the proxy answered 407'],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'the connection was reset (ECONNRESET)'],
    ['ends the connection', (socket: Socket) => socket.end(), 'the connection was closed before the answer came (UND_ERR_SOCKET)'],
  ])('a proxy that %s is named without its password; nothing was sent, and it was asked once', async (_, answer, what) => {
    let asked = 0
    const handle = (socket: Socket): void =>
      void socket.once('data', () => {
        asked += 1
        answer(socket)
      })
    await listening(handle, async (url) => {
      const httpsProxy = url.replace('//', '//user:CANARY@')
      const error = await failureOf(open(socketTransport({ baseUrl, way: proxyWay({ httpsProxy }) }))(post))
      expect(error).toMatchObject({ sent: false, message: `api.example.com, by way of the proxy ${new URL(url).host}: ${what}` })
      expect(asked).toBe(1)
    })
  })

  test.each(['http://user:CANARY@[bad', 'socks5://user:CANARY@127.0.0.1:9', 'proxy.CANARY:3128', 'CANARY:x@127.0.0.1:9', 'http://user:CANARY%@127.0.0.1:9'])(
    'a proxy that is no http or https URL is refused without its password (%s)',
    (httpsProxy) => {
      let error: unknown
      try {
        proxyWay({ httpsProxy })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(Failure)
      expect(JSON.stringify([String(error), error])).not.toContain('CANARY')
    },
  )
})

/** A proxy that opens a tunnel, in which `answer` answers the first bytes. */
function tunnel(answer: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) =>
    void socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.once('data', () => answer(socket))
    })
}
