// The transport on real servers: connections that are kept, bodies that are compressed, lengths that are said.
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener } from 'node:http'
import { inspect } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { proxyWay } from './proxy.ts'
import { socketTransport } from './socket-transport.ts'
import type { WayTo } from './way.ts'
import type { Transport } from './wire.ts'

/** A server for the time of `use`. */
async function serving(handle: RequestListener, use: (transport: Transport) => Promise<void>, path = '', way?: WayTo): Promise<void> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const { transport, close } = socketTransport({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`, ...(way && { way }) })
  try {
    await use(transport)
  } finally {
    await close()
    server.closeAllConnections()
    server.close()
  }
}

describe('socketTransport', () => {
  test('keeps connections for requests one after another', async () => {
    const ports = new Set<number | undefined>()
    await serving(
      (request, response) => {
        ports.add(request.socket.remotePort)
        response.end('{}')
      },
      async (transport) => {
        for (let at = 0; at < 12; at += 1) await (await transport({ method: 'GET', path: '/v1/plans', headers: {} })).text(10)
        // The next may be sent a moment before the first counts as idle again.
        expect(ports.size).toBeLessThanOrEqual(2)
      },
    )
  })

  test.each([
    ['node', undefined],
    ['undici', proxyWay({ httpsProxy: 'http://127.0.0.1:1' })],
  ])('what may not leave any more once its connection stands is not sent by %s, and a later one is', async (_, way) => {
    const seen: (string | undefined)[] = []
    await serving(
      (request, response) => {
        seen.push(request.url)
        response.end('{}')
      },
      async (transport) => {
        let isOurs = true
        const late = transport({ method: 'POST', path: '/v1/late', headers: {}, body: '{}', mayLeave: () => isOurs })
        isOurs = false
        await expect(late).rejects.toMatchObject({ sent: false, message: expect.stringContaining('stopped before it left') })
        isOurs = true
        await (await transport({ method: 'POST', path: '/v1/ours', headers: {}, body: '{}', mayLeave: () => isOurs })).text(10)
        isOurs = false
        const kept = transport({ method: 'POST', path: '/v1/kept', headers: {}, body: '{}', mayLeave: () => isOurs })
        await expect(kept).rejects.toMatchObject({ sent: false })
      },
      '',
      way,
    )
    expect(seen).toEqual(['/v1/ours'])
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

  test('puts the path of the address before that of the call', async () => {
    await serving(
      (request, response) => {
        response.end(request.url)
      },
      async (transport) => {
        const answer = await transport({ method: 'GET', path: '/v1/plans?limit=2', headers: {} })
        expect(await answer.text(100)).toBe('/cloud/v1/plans?limit=2')
      },
      '/cloud/',
    )
  })

  test('asks for compression, reads what is compressed, and what is damaged is an error of the body', async () => {
    const whole = gzipSync('{"items":[]}')
    const damaged = Buffer.from(whole).fill(255, 10, 14)
    await serving(
      (request, response) => {
        expect(request.headers['accept-encoding']).toContain('gzip')
        response.setHeader('content-encoding', 'gzip')
        response.end(request.url === '/whole' ? whole : damaged)
      },
      async (transport) => {
        expect(await (await transport({ method: 'GET', path: '/whole', headers: {} })).text(100)).toBe('{"items":[]}')
        const broken = await transport({ method: 'GET', path: '/broken', headers: {} })
        await expect(broken.text(100)).rejects.toMatchObject({ name: 'TransportError', sent: true })
      },
    )
  })

  test('reads what is compressed in each way that it asks for, and unpacks nothing twice', async () => {
    const text = '{"items":[]}'
    const bodies = {
      gzip: gzipSync(text),
      'X-Gzip': gzipSync(text),
      deflate: deflateSync(text),
      br: brotliCompressSync(text),
      'gzip, gzip': gzipSync(gzipSync(text)),
    }
    await serving(
      (request, response) => {
        const found = Object.entries(bodies).find(([coding]) => request.url === `/${encodeURIComponent(coding)}`)
        response.setHeader('content-encoding', found?.[0] ?? '')
        response.end(found?.[1])
      },
      async (transport) => {
        const read = async (coding: string) => await (await transport({ method: 'GET', path: `/${encodeURIComponent(coding)}`, headers: {} })).text(100)
        for (const coding of ['gzip', 'X-Gzip', 'deflate', 'br']) expect(await read(coding)).toBe(text)
        await expect(read('gzip, gzip')).rejects.toMatchObject({ name: 'TransportError', sent: true })
      },
    )
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

  test.each([407, 421])('%d is an answer like any other, and the request is sent once', async (status) => {
    let requests = 0
    await serving(
      (_, response) => {
        requests += 1
        response.writeHead(status, { 'X-Message': 'not here', 'X-Twice': ['a', 'b'] })
        response.end('{}')
      },
      async (transport) => {
        const answer = await transport({ method: 'POST', path: '/v1/things', headers: {}, body: '{}' })
        expect([answer.status, answer.headers['x-message'], answer.headers['x-twice']]).toEqual([status, 'not here', 'a, b'])
        expect(await answer.text(10)).toBe('{}')
        expect(requests).toBe(1)
      },
    )
  })

  test('a kept connection that is closed as the next request is written: that may have arrived, and is not sent again', async () => {
    const seen: string[] = []
    const ports = new Set<number | undefined>()
    await serving(
      (request, response) => {
        seen.push(`${request.method} ${request.url}`)
        ports.add(request.socket.remotePort)
        if (request.method === 'GET') response.end('{}')
        else request.socket.destroy()
      },
      async (transport) => {
        await (await transport({ method: 'GET', path: '/v1/plans', headers: {} })).text(10)
        // The connection counts as idle a moment after the body has been read.
        await new Promise((resolve) => setTimeout(resolve, 50))
        const lost = transport({ method: 'POST', path: '/v1/things', headers: {}, body: '{}' })
        await expect(lost).rejects.toMatchObject({ name: 'TransportError', sent: true })
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect([seen, ports.size]).toEqual([['GET /v1/plans', 'POST /v1/things'], 1])
      },
    )
  })

  test('a switch to another protocol that nobody asked for ends the request at once, and it may have arrived', async () => {
    await serving(
      ({ socket }) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      async (transport) => {
        const begunMs = performance.now()
        await expect(transport({ method: 'POST', path: '/v1/things', headers: {}, body: '{}' })).rejects.toMatchObject({ name: 'TransportError', sent: true })
        expect(performance.now() - begunMs).toBeLessThan(5000)
      },
    )
  })

  test('a header that cannot be written is hopeless, nothing was sent, and its value is not told', async () => {
    const { transport } = socketTransport({ baseUrl: 'http://127.0.0.1:9' })
    const error: unknown = await transport({ method: 'GET', path: '/v1/plans', headers: { 'x-name': 'CAN\nARY' } }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: '127.0.0.1:9: a header holds what cannot be sent', sent: false, hopeless: 'always' })
    expect(inspect(error)).not.toContain('ARY')
  })
})
