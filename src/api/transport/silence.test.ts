// What says nothing while it is connected to is given up, in a time that flies here: undici keeps the first clock it sees, so all tests share one.
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { silentPort } from '../../../test/builders/silent-port.ts'
import { proxyWay } from './proxy.ts'
import type { OpenTransport } from './socket-transport.ts'
import { socketTransport } from './socket-transport.ts'

let silent: Awaited<ReturnType<typeof silentPort>>
beforeAll(async () => {
  silent = await silentPort()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] })
})
afterAll(() => {
  vi.useRealTimers()
  silent.close()
})

/** What becomes of a request, and how much time flew by from the moment that it was `under way`. */
async function givenUp(made: OpenTransport, underWay: Promise<unknown>): Promise<{ readonly failed: unknown; readonly afterMs: number }> {
  onTestFinished(() => void made.close())
  let failed: unknown
  void made.transport({ method: 'POST', path: '/v1/things', headers: {} }).catch((error: unknown) => (failed = error))
  await underWay
  const startedMs = Date.now()
  while (failed === undefined) {
    vi.advanceTimersByTime(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { failed, afterMs: Date.now() - startedMs }
}

test('an address', async () => {
  const host = `127.0.0.2:${silent.port}`
  const { failed, afterMs } = await givenUp(socketTransport({ baseUrl: `http://${host}` }), Promise.resolve())
  expect(failed).toMatchObject({ sent: false, hopeless: undefined, message: `${host}: connecting took too long (UND_ERR_CONNECT_TIMEOUT)` })
  expect(afterMs).toBeLessThan(15_000)
})

test('a proxy that was asked for a tunnel', async () => {
  const proxy = createServer((socket) => void socket.on('error', () => undefined))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const address = proxy.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const asked = new Promise((resolve) => proxy.once('connection', (socket) => socket.once('data', resolve)))
  const { failed, afterMs } = await givenUp(socketTransport({ baseUrl: 'https://api.example.com', way: proxyWay({ httpsProxy: `http://${host}` }) }), asked)
  const message = `api.example.com, by way of the proxy ${host}: the proxy took too long to answer (UND_ERR_HEADERS_TIMEOUT)`
  expect(failed).toMatchObject({ sent: false, hopeless: undefined, message })
  expect(afterMs).toBeLessThan(15_000)
})
