// The log keeps the last requests, whatever became of them.
import { expect, test } from 'vitest'
import { textResponse } from '../../faults/faults.ts'
import type { LogEntry } from './request-log.ts'
import { createRequestLog } from './request-log.ts'

const entry = (path: string, more: Partial<LogEntry> = {}): Omit<LogEntry, 'id'> => ({
  atMs: Date.UTC(2026, 0, 1),
  durationMs: 1,
  request: { method: 'GET', path, headers: {} },
  operation: undefined,
  fault: undefined,
  unread: [],
  outcome: 'answered',
  response: textResponse(200, {}, ''),
  ...more,
})

test('the last 500 are kept and found by id, and the oldest of them is known', () => {
  const log = createRequestLog()
  expect(log.firstId).toBe(1)
  log.add(entry('/v1/plans'))
  expect(log.firstId).toBe(1)
  for (let count = 2; count <= 1001; count += 1) log.add(entry(`/v1/plans/${count}`))
  expect([log.firstId, log.list().length, log.list()[0]?.id, log.list({ since: 999 }).map((one) => one.id)]).toEqual([502, 500, 502, [1000, 1001]])
  expect(log.get(1001)).toMatchObject({ id: 1001, path: '/v1/plans/1001', operation: null, status: 200 })
  expect(log.get(1)).toBeUndefined()
  log.clear()
  expect([log.list(), log.firstId]).toEqual([[], 1002])
})

test('an answer that nobody got is not shown', () => {
  const log = createRequestLog()
  log.add(entry('/v1/plans', { outcome: 'lost-after', operation: 'listPlans' }))
  log.add(entry('/v1/plans', { outcome: 'lost-before', response: undefined }))
  expect(log.list()).toMatchObject([
    { status: null, operation: 'listPlans' },
    { status: null, operation: null },
  ])
  expect(log.list({ operation: 'listPlans', limit: 1 })).toHaveLength(1)
})

test('of a long answer only its length is kept', () => {
  const log = createRequestLog()
  log.add(entry('/v1/plans', { response: textResponse(200, { 'x-message': 'so' }, 'x'.repeat(20_000)) }))
  expect(log.get(1)).toMatchObject({ status: 200, message: 'so', answerBody: { omitted: 'too long', length: 20_000 } })
})

test('of a long request, too', () => {
  const log = createRequestLog()
  const body = 'x'.repeat(20_000)
  log.add(entry('/v1/plans', { request: { method: 'POST', path: '/v1/plans', headers: {}, body } }))
  expect(log.get(1)).toMatchObject({ requestBody: { omitted: 'too long', length: 20_000 } })
})

test('none are asked for', () => {
  const log = createRequestLog()
  log.add(entry('/v1/plans'))
  expect([log.list({ limit: 0 }), log.list({ limit: 5 }).length]).toEqual([[], 1])
})
