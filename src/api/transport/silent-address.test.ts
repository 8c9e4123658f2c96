// An address that never answers: the next one is tried long before connecting is given up; and what is abandoned meanwhile never leaves.
import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { silentPort } from '../../../test/builders/silent-port.ts'
import { socketTransport } from './socket-transport.ts'

const closers: (() => void)[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) close()
})

type Found = (error: null, all: readonly { readonly address: string; readonly family: number }[]) => void

function lookUp(answer: (done: Found) => void) {
  const lookup = vi.spyOn(dns, 'lookup')
  Reflect.apply(lookup.mockImplementation, lookup, [(_: string, __: unknown, done: Found): void => answer(done)])
  return lookup
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0
}

test('is reached by its other address', async () => {
  const { port, close } = await silentPort()
  closers.push(close)
  const server = createServer((_, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const lookup = lookUp((done) =>
    done(null, [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]),
  )
  const made = socketTransport({ baseUrl: `http://localhost:${port}` })
  closers.push(() => void made.close())
  const startedMs = performance.now()
  const response = await made.transport({ method: 'GET', path: '/v1/plans', headers: {} })
  expect(await response.text(100)).toBe('here')
  expect(lookup).toHaveBeenCalled()
  expect(performance.now() - startedMs).toBeGreaterThan(200)
  expect(performance.now() - startedMs).toBeLessThan(5000)
})

test('what is abandoned while it connects was not sent, and is not sent once the connection stands', async () => {
  const methods: (string | undefined)[] = []
  const server = createServer((request, response) => {
    methods.push(request.method)
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const stop = new AbortController()
  const here = [{ address: '127.0.0.1', family: 4 }]
  const found: Found[] = []
  lookUp((done) => {
    if (stop.signal.aborted) return done(null, here)
    found.push(done)
    setImmediate(() => stop.abort(new Error('stopped')))
  })
  const made = socketTransport({ baseUrl: `http://localhost:${portOf(server.address())}` })
  closers.push(() => void made.close())
  const failed: unknown = await made.transport({ method: 'POST', path: '/v1/things', headers: {}, signal: stop.signal }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ name: 'TransportError', sent: false })
  const stood = new Promise((resolve) => server.once('connection', resolve))
  for (const done of found) done(null, here)
  await stood
  await (await made.transport({ method: 'GET', path: '/v1/plans', headers: {} })).text(10)
  expect(methods).toEqual(['GET'])
})
