// A service that means harm: whatever it answers, memory and time stay bounded, and the error names the route.
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { randomOf } from '../../test/builders/random-of.ts'
import { answer, double } from '../../test/builders/wire-double.ts'
import { realClock, virtualClock } from '../base/clock.ts'
import { bounds, createAllowance } from './answers/bounds.ts'
import { ApiError, call } from './calls/call.ts'
import { compatSchema } from './calls/compat.ts'
import { UnreachableError } from './calls/failed-call.ts'
import type { Client } from './client.ts'
import { createClient } from './client.ts'
import { routes } from './routes/routes.ts'
import { createBodies } from './transport/large-bodies.ts'
import { wireResponse } from './transport/received.ts'
import { socketTransport } from './transport/socket-transport.ts'
import { logLines } from './transport/sse.ts'
import type { WireResponse } from './transport/wire.ts'
import { createWatcher } from './workflows/workflows.ts'

const vpcs = call(routes.listVpcs, { wid: '1' })
const vpc = call(routes.getVpc, { vid: '5' })
const uuids = [1, 2].map((one) => `00000000-0000-4000-8000-00000000000${one}`)

function parts() {
  return { token: 't', random: randomOf(1), compat: compatSchema.parse({}), userAgent: 'iac/0' }
}

function world(handle: (count: number, path: string) => WireResponse | Promise<WireResponse>) {
  const clock = virtualClock()
  const wire = double((request, count) => handle(count, request.path))
  return { clock, client: createClient({ ...parts(), clock, transport: wire.transport }), ...wire }
}

/** A page with a cursor that was never given before. */
function pageOf(items: readonly unknown[], count: number): WireResponse {
  return answer(200, { items, hasNext: true, hasPrevious: false, after: `c${count}`, before: null })
}

async function thrown(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError || error instanceof UnreachableError) return error.message
  throw new Error('nothing was thrown that names a request', { cause: error })
}

const listRoute = 'the service answered 200 to GET /v1/workspaces/{wid}/vpcs: '

describe('a list', () => {
  test('of pages that each lead to another ends after 10,000 of them', async () => {
    const { client, requests } = world((count) => pageOf([{ id: String(count) }], count))
    expect(await thrown(client.all(vpcs))).toBe(`${listRoute}the pages of this list do not end`)
    // The one beyond is what tells.
    expect(requests).toHaveLength(10_001)
  })

  test.each([
    ['nothing', () => []],
    ['an object without an id', () => [{}]],
    ['the same object', () => [{ id: '1' }]],
    ['the same object with another face', (count: number) => [{ id: '1', name: `n${count}` }]],
  ])('of pages with %s ends after a few', async (_, itemsOf) => {
    const { client, requests } = world((count) => pageOf(itemsOf(count), count))
    await client.all(vpcs).catch((error: unknown) => expect(String(error)).toContain(listRoute))
    expect(requests.length).toBeLessThan(10)
  })

  test('takes no more room than there is, read page after page or all at once', async () => {
    const text = 'x'.repeat(100_000)
    for (const expected of [0, 20_000]) {
      const { client, requests } = world((count) => pageOf([{ id: String(count), name: text }], count))
      const work = client.all(vpcs, { expected, allowance: createAllowance(5_000_000) })
      expect(await thrown(work)).toContain(`${listRoute}this list takes more than half of the memory that node has`)
      expect(requests.length).toBeLessThan(60)
    }
  })

  test('that is gone through again takes the room of the first time', async () => {
    const items = Array.from({ length: 40 }, (_, at) => ({ id: String(at + 1), name: 'x'.repeat(10_000) }))
    // Cursors go in circles, so all of it is read by number once more.
    const { client } = world((_, path) => {
      const page = Number(new URL(path, 'https://host').searchParams.get('page') ?? 1)
      return answer(200, { items: items.slice((page - 1) * 10, page * 10), hasNext: page < 4, after: path.includes('page=') ? null : 'c' })
    })
    expect(await client.all(vpcs, { allowance: createAllowance(900_000) })).toHaveLength(40)
  })

  test('holds a million objects and not one more', async () => {
    const items = (count: number): string => `[${Array.from({ length: count }, (_, at) => `{"id":${at + 1}}`).join(',')}]`
    const { client } = world(() => answer(200, items(1_000_001)))
    expect(await thrown(client.all(vpcs))).toBe(`${listRoute}this list holds more than 1000000 objects`)
  })

  test('of small values is refused before it is made', async () => {
    const { client } = world(() => answer(200, `{"items":[${'{},'.repeat(5_000_000)}{}]}`))
    const before = process.cpuUsage()
    expect(await thrown(client.all(vpcs))).toContain('GET /v1/workspaces/1/vpcs: the answer is invalid JSON: more than 4000000 values')
    expect(process.cpuUsage(before).user).toBeLessThan(4_000_000)
  })

  test('whose cursor grows is refused', async () => {
    const { client, requests } = world(() => answer(200, { items: [{ id: '1' }], hasNext: true, after: 'x'.repeat(5000) }))
    expect(await thrown(client.all(vpcs))).toBe(`${listRoute}its cursor is too long`)
    expect(requests).toHaveLength(1)
  })

  test('that takes its time for each page ends after an hour', async () => {
    const { client, clock, requests } = world(async (count) => {
      await clock.sleep(50_000)
      return pageOf([{ id: String(count) }], count)
    })
    expect(await thrown(client.all(vpcs))).toBe(`${listRoute}this list has not ended within 60 minutes`)
    expect(requests.length).toBeLessThan(80)
  })
})

describe('many reads', () => {
  test('share the room of those who keep them together', async () => {
    const { client } = world(() => answer(200, { id: '5', name: 'x'.repeat(100_000) }))
    const allowance = createAllowance(1_000_000)
    const reads = Array.from({ length: 20 }, () => client.read(vpc, { allowance }))
    const ended = await Promise.allSettled(reads)
    expect(ended.filter((one) => one.status === 'fulfilled')).toHaveLength(9)
    await expect(client.all(vpcs, { allowance: createAllowance(100) })).rejects.toThrow(ApiError)
  })

  test('take in sixteen long bodies at a time', async () => {
    const textOf = createBodies(virtualClock())
    let resident = 0
    let most = 0
    async function* body(): AsyncIterable<Uint8Array> {
      for (let at = 0; at < 4; at += 1) {
        if (at === 3) most = Math.max(most, (resident += 1))
        yield Buffer.alloc(500_000, 0x20)
      }
      resident -= 1
    }
    const broken = async function* (): AsyncIterable<Uint8Array> {
      yield Buffer.alloc(2_000_000)
      throw new Error('reset')
    }
    const respond = (chunks: AsyncIterable<Uint8Array>): WireResponse => wireResponse({ status: 200, headers: {}, body: chunks }, 'host')
    await Promise.allSettled(Array.from({ length: 40 }, () => textOf(respond(broken()), 10_000_000)))
    const texts = await Promise.all(Array.from({ length: 100 }, () => textOf(respond(body()), 10_000_000)))
    expect(texts.every((one) => one.length === 2_000_000)).toBe(true)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(16)
  })
})

describe('one answer', () => {
  test('that is too large is not asked for again', async () => {
    const { client, requests } = world(() => ({ ...answer(200), text: async (most) => Promise.reject(new RangeError(String(most))) }))
    expect(await thrown(client.read(vpc))).toBe('the service answered 200 to GET /v1/vpcs/5: the answer is larger than 32 MiB')
    expect(requests).toHaveLength(1)
    const sent = await client.send(call(routes.deleteVpc, { vid: '5' }))
    expect(sent).toMatchObject({ is: 'unknown', why: '200, but the answer is larger than 32 MiB' })
  })

  test.each([400, 404, 422, 503])('with %d is read as far as a reason needs', async (status) => {
    const caps: number[] = []
    const refused = (most: number): Promise<never> => {
      caps.push(most)
      return Promise.reject(new RangeError('too long'))
    }
    const { client } = world(() => ({ ...answer(status), text: refused }))
    const ended = await client.read(vpc, { deadlineMs: 1 }).catch((error: unknown) => String(error))
    expect(ended).toEqual(status === 404 ? undefined : expect.stringContaining(`the service answered ${status} to GET /v1/vpcs/5`))
    expect(new Set(caps)).toEqual(new Set([bounds.refusalBytes]))
  })

  test('keeps its errors short, whatever stands in header and body', async () => {
    const long = 'm'.repeat(15_000)
    const many = Array.from({ length: 2000 }, (_, at) => ({ path: `p${at}`, message: long.slice(0, 50) }))
    const head = { 'x-message': long, 'x-request-id': `\u001b[2J${long}`, location: `https://${long}/` }
    for (const said of [answer(422, { errors: many }, head), answer(302, undefined, head), answer(200, '<html>', head)]) {
      const { client } = world(() => said)
      expect((await thrown(client.read(vpc))).length).toBeLessThan(1200)
      const sent = await client.send(call(routes.deleteVpc, { vid: '5' }))
      expect(JSON.stringify(sent).length).toBeLessThan(10_000)
    }
  })
})

describe('workflows', () => {
  const record = (id: string) => ({
    id,
    name: 'n'.repeat(100_000),
    state: `S${'s'.repeat(100_000)}`,
    data: { instance_id: 7, disk: { id: 8, blob: 'x'.repeat(100_000) }, blob: 'x'.repeat(100_000), list: [1] },
    progress: { completed: 1, total: 2, activities: [{ name: 'a'.repeat(100_000), status: 'RUNNING' }] },
  })

  test('are kept as what is shown of them', async () => {
    const { client, clock } = world((_, path) => answer(200, record(path.split('/').at(-1) ?? '')))
    const warnings: string[] = []
    const watcher = createWatcher({ client, clock, random: () => 0.5, onWarning: (text) => warnings.push(text) })
    const watched = await watcher.watch(undefined, uuids[0] ?? '', { deadlineMs: 10_000 })
    expect(JSON.stringify(watched).length).toBeLessThan(1000)
    expect(watched).toMatchObject({ is: 'timeout', workflow: { data: { instance_id: '7', disk: { id: '8' } } } })
    expect(warnings.map((one) => one.length < 400)).toEqual([true])
  })

  test('with ever new states are warned of a few times', async () => {
    const { client, clock } = world((count, path) => answer(200, { ...record(path.split('/').at(-1) ?? ''), state: `STATE${count}` }))
    const warnings: string[] = []
    const watcher = createWatcher({ client, clock, random: () => 0.5, onWarning: (text) => warnings.push(text) })
    await watcher.watch(undefined, uuids[0] ?? '', { deadlineMs: 30 * 60_000 })
    expect(warnings).toHaveLength(20)
  })

  test('whose listing does not end are fetched singly', async () => {
    const { client, clock, requests } = world((count, path) => {
      const id = /workflows\/([\w-]+)/.exec(path)?.[1]
      return id === undefined ? pageOf([record(uuids[count % 2] ?? ''), { id: `w${count}` }], count) : answer(200, { ...record(id), state: 'COMPLETED' })
    })
    const watcher = createWatcher({ client, clock, random: () => 0.5 })
    const ends = await Promise.all(uuids.map((id) => watcher.watch('1', id, { deadlineMs: 60_000 })))
    expect(ends.map((one) => one.is)).toEqual(['ended', 'ended'])
    expect(requests.length).toBeLessThan(250)
  })
})

test('a log line of a million bytes, each of which comes alone, takes time in proportion', async () => {
  async function* bytes(length: number): AsyncIterable<Uint8Array> {
    for (let at = 0; at < length; at += 1) yield Uint8Array.of(0x78)
    yield Buffer.from('\r')
    yield Buffer.from('\nnext')
  }
  const linesOf = async (length: number): Promise<{ lengths: number[]; spentMs: number }> => {
    const before = process.cpuUsage()
    const lengths: number[] = []
    for await (const line of logLines(bytes(length), false)) lengths.push(line.length)
    const { user, system } = process.cpuUsage(before)
    return { lengths, spentMs: (user + system) / 1000 }
  }
  expect((await linesOf(1000)).lengths).toEqual([1000, 4])
  const { lengths, spentMs } = await linesOf(1_000_000)
  expect(lengths).toEqual([1_000_000, 4])
  expect(spentMs).toBeLessThan(20_000)
  expect((await linesOf(1024 * 1024 + 5)).lengths).toEqual([1024 * 1024, 5, 4])
})

describe('over a socket', () => {
  /** A client of a server that writes `serve` to each request; what it wrote is counted. */
  async function talking(serve: (socket: Socket) => void, use: (client: Client, connections: () => number) => Promise<void>): Promise<void> {
    let connections = 0
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => {
        connections += 1
        serve(socket)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const { transport, close } = socketTransport({ baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })
    try {
      await use(createClient({ ...parts(), clock: realClock(), transport }), () => connections)
    } finally {
      await close()
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
  /** Writes for as long as somebody reads. */
  function flood(socket: Socket, head: string, again: string): void {
    socket.write(head)
    const more = (): void => {
      while (!socket.destroyed && socket.write(again));
      socket.once('drain', more)
    }
    more()
  }

  test('a body of little that unpacks to much is cut off, and not asked for again', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20))
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    await talking(
      (socket) => {
        socket.write(head)
        socket.write(bomb)
      },
      async (client, connections) => {
        expect(await thrown(client.all(vpcs))).toBe('the service answered 200 to GET /v1/workspaces/1/vpcs: the answer is larger than 32 MiB')
        expect(connections()).toBe(1)
      },
    )
  })

  test.each([
    ['a body in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `10000\r\n${' '.repeat(65_536)}\r\n`, 'larger than 32 MiB', 30_000],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(100), '1xx without end', 1000],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x-h: v\r\n'.repeat(1000), 'Headers Overflow', 1000],
    [
      'trailers',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n',
      'x-t: v\r\n'.repeat(1000),
      'the body of the answer is not complete',
      1000,
    ],
  ])('%s without end are ended here', async (_, head, again, says, deadlineMs) => {
    await talking(
      (socket) => flood(socket, head, again),
      async (client) => {
        const { user } = process.cpuUsage()
        const error = await thrown(client.read(vpc, { deadlineMs }))
        expect(error).toContain('GET /v1/vpcs/5')
        expect(error).toContain(says)
        expect(process.cpuUsage().user - user).toBeLessThan(8_000_000)
      },
    )
  })

  test('extensions of a chunk without end are cut off long before the time is over', async () => {
    await talking(
      (socket) => flood(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;', 'x=y;'.repeat(10_000)),
      async (client, connections) => {
        expect(await thrown(client.read(vpc, { deadlineMs: 10_000 }))).toContain('GET /v1/vpcs/5: 200, but the body of the answer is not complete')
        // One that is read until the time is over is not asked again.
        expect(connections()).toBeGreaterThan(2)
      },
    )
  })

  test('a body of small chunks comes whole, however much surrounds it', async () => {
    await talking(
      (socket) => socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1;x=y\r\n \r\n'.repeat(1_000_000)}2\r\n{}\r\n0\r\n\r\n`),
      async (client, connections) => {
        await client.read(vpc, { deadlineMs: 20_000 }).catch((error: unknown) => expect(String(error)).not.toContain('is not complete'))
        expect(connections()).toBe(1)
      },
    )
  })
})
