// An address that never answers: the next one is tried long before connecting is given up, and given up it is.
import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchTransport } from './fetch-transport.ts'

const closers: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const close of closers.splice(0)) close()
})

/** A port of 127.0.0.2 whose process never accepts, its queue full: what connects there hears nothing. */
async function silentPort(): Promise<number> {
  const code =
    "const s=require('net').createServer().listen({host:'127.0.0.2',port:0,backlog:1},()=>{require('fs').writeSync(1,String(s.address().port));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)})"
  const child = spawn(process.execPath, ['-e', code])
  closers.push(() => child.kill('SIGKILL'))
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))))
  for (let at = 0; at < 4; at += 1) {
    const filler = connect({ host: '127.0.0.2', port })
    filler.on('error', () => undefined)
    closers.push(() => filler.destroy())
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  return port
}

test('is reached by its other address', async () => {
  const port = await silentPort()
  const server = createServer((_, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const addresses = [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  const lookup = vi.spyOn(dns, 'lookup')
  const answering = (_: string, __: unknown, done: (error: null, all: typeof addresses) => void): void => done(null, addresses)
  Reflect.apply(lookup.mockImplementation, lookup, [answering])
  const made = fetchTransport({ baseUrl: `http://localhost:${port}` })
  closers.push(() => void made.close())
  const startedMs = performance.now()
  const response = await made.transport({ method: 'GET', path: '/v1/plans', headers: {} })
  expect(await response.text(100)).toBe('here')
  expect(lookup).toHaveBeenCalled()
  expect(performance.now() - startedMs).toBeGreaterThan(200)
  expect(performance.now() - startedMs).toBeLessThan(5000)
})

test('is given up after a while, and nothing was sent', async () => {
  const port = await silentPort()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'] })
  const made = fetchTransport({ baseUrl: `http://127.0.0.2:${port}` })
  closers.push(() => void made.close())
  let failed: unknown
  const waiting = made.transport({ method: 'POST', path: '/v1/things', headers: {} }).catch((error: unknown) => (failed = error))
  while (failed === undefined) {
    vi.advanceTimersByTime(500)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await waiting
  expect(failed).toMatchObject({ sent: false, hopeless: false, message: `127.0.0.2:${port}: connecting took too long (UND_ERR_CONNECT_TIMEOUT)` })
})
