// Events are numbered, kept for a while, and told to who listens.
import { expect, test } from 'vitest'
import type { HubEvent } from './event-hub.ts'
import { createEventHub, publishChange } from './event-hub.ts'

test('who begins where nothing has happened has missed nothing; who names an event that was never, has', () => {
  const hub = createEventHub()
  expect([hub.since(0), hub.since(5)]).toEqual([
    { events: [], missed: false },
    { events: [], missed: true },
  ])
})

test('the last thousand at least are kept, and who asks for more is told so', () => {
  const hub = createEventHub()
  for (let count = 0; count < 2500; count += 1) hub.publish('clock', {})
  const { events, missed } = hub.since(1499)
  expect([events.length, events[0]?.id, missed, hub.lastId]).toEqual([1001, 1500, false, 2500])
  expect([hub.since(0).missed, hub.since(2499).events.length, hub.since(2500).events]).toEqual([true, 1, []])
})

test('a change of a row tells what became of it; that of a workflow its state, too', () => {
  const hub = createEventHub()
  let heard = 0
  const stop = hub.listen(() => (heard += 1))
  const row = { id: '7', createdAt: '', operation: 'disk.create', state: 'QUEUED' }
  const running = { ...row, state: 'RUNNING' }
  publishChange(hub, { table: 'disks', id: '7', before: undefined, after: row, last: 1 })
  publishChange(hub, { table: 'workflows', id: '7', before: row, after: running, last: 1 })
  stop()
  publishChange(hub, { table: 'workflows', id: '7', before: row, last: 1 })
  expect(heard).toBe(3)
  expect(hub.since(0).events.map(({ type, data }: HubEvent) => [type, ...Object.values(data)].map(String).join(' '))).toEqual([
    'row disks 7 inserted',
    'row workflows 7 updated',
    'workflow 7 disk.create RUNNING',
    'row workflows 7 deleted',
  ])
})
