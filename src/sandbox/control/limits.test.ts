// What control routes refuse beyond their schemas: too many, too long, unknown names.
import { describe, expect, test } from 'vitest'
import type { HostBench } from '../../../test/builders/host-bench.ts'
import { CONTROL_TOKEN, transports, withHost } from '../../../test/builders/host-bench.ts'

const headers = { authorization: `Bearer ${CONTROL_TOKEN}`, 'content-type': 'application/json' }

describe.each(transports)('%s', (way) => {
  const asked = async ({ call }: HostBench, method: string, path: string, body?: unknown) => {
    const answer = await call({ method, path: `/_sandbox${path}`, body })
    return [answer.status, answer.headers.get('x-message') ?? '']
  }

  test('a body that is no JSON', () =>
    withHost(way, {}, async ({ send }) => {
      expect((await send('/_sandbox/snapshots', { method: 'POST', headers, body: '{' })).status).toBe(400)
    }))
  test('names that nobody has', () =>
    withHost(way, {}, async (bench) => {
      expect(await asked(bench, 'DELETE', '/faults/presets/zzzzzzzz')).toEqual([404, 'no preset is called zzzzzzzz'])
      expect(await asked(bench, 'DELETE', '/faults/presets/%E0%A4%A')).toEqual([404, 'no such path'])
      expect(await asked(bench, 'POST', '/tenants', { readings: { zzzzzzzzzz: 1 } })).toEqual([400, expect.not.stringContaining('did you mean')])
      expect(await asked(bench, 'DELETE', '/tenants/nobody')).toEqual([404, 'tenant not found'])
    }))
  test('a fault of several operations befalls each of them, and no other', () =>
    withHost(way, {}, async (bench) => {
      const fault = { operation: ['listPlans', 'listWorkspaces'], status: 503, times: 'always' }
      expect((await asked(bench, 'POST', '/faults', fault))[0]).toBe(201)
      const statusOf = async (path: string): Promise<number> => (await bench.call(path)).status
      expect([await statusOf('/v1/plans'), await statusOf('/v1/workspaces'), await statusOf('/v1/users/@me')]).toEqual([503, 503, 200])
    }))
  test('a seed that is none, which changes nothing', () =>
    withHost(way, {}, async (bench) => {
      const { body } = await bench.call('/_sandbox/state')
      expect(await asked(bench, 'POST', '/seed')).toEqual([400, 'the snapshot does not fit: there is no snapshot'])
      expect(await asked(bench, 'POST', '/seed', { kind: 'iac-sandbox-snapshot', schema_version: 1, seed: 1, last: {}, tables: {} })).toEqual([
        400,
        'the snapshot does not fit: a sandbox needs a workspace',
      ])
      expect((await bench.call('/_sandbox/state')).body).toEqual(body)
    }))
  test('a snapshot too many', () =>
    withHost(way, {}, async (bench) => {
      const save = (name: string) => asked(bench, 'POST', '/snapshots', { name })
      let count = 0
      while ((await save(`one-${count}`))[0] === 201) count += 1
      expect(await save('another')).toEqual([409, `at most ${count} snapshots are kept`])
      expect(await save('one-0')).toEqual([201, ''])
    }))
})

test('a body that says it is longer than any is not read', () =>
  withHost('in process', {}, async ({ send }) => {
    const init = { method: 'POST', headers: { ...headers, 'content-length': '300000000' }, body: '{"name":"one"}' }
    expect((await send('/_sandbox/snapshots', init)).status).toBe(413)
  }))

describe.each(transports)('a body that comes in chunks and is longer than any, %s', (way) => {
  /** So many pieces of a megabyte, and how many of them were taken. */
  function chunks(count: number) {
    const piece = new Uint8Array(1024 * 1024).fill(0x20)
    const taken = { count: 0 }
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (taken.count === count) return controller.close()
        taken.count += 1
        controller.enqueue(piece)
      },
    })
    return { body, taken }
  }

  test.each([
    ['/v1/login', 17, 'a body has at most 16777216 bytes'],
    ['/_sandbox/seed', 257, 'a body has at most 268435456 bytes'],
  ])('%s', (path, count, message) =>
    withHost(way, {}, async ({ send, call, host }) => {
      const { body, taken } = chunks(count + 50)
      const answer = await send(path, { method: 'POST', headers, body, duplex: 'half' })
      expect([answer.status, answer.headers.get('x-message')]).toEqual([413, message])
      if (way === 'in process') expect(taken.count).toBeLessThanOrEqual(count + 2)
      expect(host.place.sandbox.log.list()).toEqual([])
      expect((await call('/v1/users/@me')).status).toBe(200)
    }),
  )
})
