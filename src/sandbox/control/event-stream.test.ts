// Events as they come, after a loss of the connection, and while nothing happens.
import { describe, expect, test } from 'vitest'
import { CONTROL_TOKEN, transports, withHost } from '../../../test/builders/host-bench.ts'
import { virtualClock } from '../../base/clock.ts'
import { createPlace } from '../time/place.ts'
import { eventStream } from './event-stream.ts'

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }
const headers = { authorization: `Bearer ${CONTROL_TOKEN}` }

/** Reads a stream until the text holds what is waited for. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.getReader()
  let text = ''
  while (reader && !text.includes(wanted)) {
    const { value, done } = await reader.read()
    if (done) break
    text += Buffer.from(value).toString()
  }
  await reader?.cancel()
  return text
}

describe.each(transports)('%s', (way) => {
  test('changes of rows and workflows, requests, the clock and resets, with ids to go on from', () =>
    withHost(way, {}, async ({ send, call, wid }) => {
      const response = await send('/_sandbox/events', { headers })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: vpc })
      await call({ method: 'POST', path: `/v1/workspaces/${wid}/k3s` })
      await call({ method: 'POST', path: '/_sandbox/clock/advance', body: { ms: 60_000 } })
      await call({ method: 'POST', path: '/_sandbox/reset', body: {} })
      const text = await readUntil(response, 'event: reset')
      expect(text).toMatch(/^retry: 1000\n: open\n\n/)
      const events = [...text.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g)].map(([, id, type, data = '']) => ({
        id: Number(id),
        type,
        data: JSON.parse(data),
      }))
      expect(events.map((one) => one.id)).toEqual(events.map((one) => (events[0]?.id ?? 0) + events.indexOf(one)))
      expect(
        events.map(({ type, data }) => `${type} ${data.table ?? data.state ?? data.operation ?? data.mode ?? ''} ${data.change ?? data.status ?? ''}`),
      ).toEqual([
        'row tokens updated',
        'row vpcs inserted',
        'request createVpc 201',
        'row clusters inserted',
        'row workflows inserted',
        'workflow QUEUED ',
        'request createK3s 202',
        'row workflows updated',
        'workflow RUNNING ',
        'row clusters updated',
        'row workflows updated',
        'workflow RUNNING ',
        'row workflows updated',
        'workflow COMPLETED ',
        'clock frozen ',
        'reset  ',
      ])
      const again = await send('/_sandbox/events', { headers: { ...headers, 'last-event-id': String(events[13]?.id) } })
      expect(await readUntil(again, 'event: reset')).not.toContain('event: row')
    }))
})

function listen(lastId?: number) {
  const base = virtualClock(Date.UTC(2026, 0, 1), false)
  const place = createPlace({ base, mode: 'real' })
  const stop = new AbortController()
  const stream = eventStream(place, base, lastId, stop.signal)[Symbol.asyncIterator]()
  const next = async (): Promise<string> => Buffer.from((await stream.next()).value ?? '').toString()
  return { base, place, stop, next }
}

test('a heartbeat comes while nothing happens, and the stream ends with who listens', async () => {
  const { base, next, stop } = listen()
  expect(await next()).toContain(': open')
  const quiet = next()
  await base.advance(14_999)
  expect(await Promise.race([quiet, Promise.resolve('nothing')])).toBe('nothing')
  await base.advance(1)
  expect(await quiet).toBe(': heartbeat\n\n')
  const end = next()
  stop.abort()
  expect(await end).toMatch(/^(?:: heartbeat\n\n)?$/)
})

test('what is due happens in its time while somebody listens, without any request', async () => {
  const { base, place, next } = listen()
  const { sandbox } = place
  await sandbox.handle({ method: 'POST', path: `/v1/workspaces/${sandbox.workspaceId}/k3s`, headers: { authorization: `Bearer ${sandbox.token}` } })
  await next()
  const event = next()
  await base.advance(100)
  expect(await event).toContain('"state":"RUNNING"')
  expect(sandbox.world.tables.workflows.all()[0]?.state).toBe('RUNNING')
})

test('who was away too long, or at another sandbox, is told to look anew', async () => {
  const { place, next } = listen(0)
  for (let count = 0; count < 2500; count += 1) place.sandbox.hub.publish('clock', {})
  await next()
  expect(await next()).toContain('event: missed')
  const other = listen(77)
  await other.next()
  expect(await other.next()).toContain('event: missed')
})

test('what happens while a listener is busy comes next, without a pause', async () => {
  const { place, next } = listen()
  const { hub } = place.sandbox
  await next()
  for (let count = 0; count < 3; count += 1) {
    hub.publish('clock', { mode: 'real' })
    expect(await next()).toBe(`id: ${hub.lastId}\nevent: clock\ndata: {"mode":"real"}\n\n`)
  }
})
