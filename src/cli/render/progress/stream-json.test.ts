// The stream of an apply: the shapes that OpenTofu's readers expect.
import { expect, test } from 'vitest'
import { changeFor } from '../../../../test/builders/change.ts'
import type { Event } from '../../../engine/model/events.ts'
import { createUnderWay } from './running-operations.ts'
import { eventLines, outputsLine, planLines, streamText, versionLine } from './stream-json.ts'

function streamOf(events: readonly Event[]): unknown[] {
  const under = createUnderWay()
  return events.flatMap((event) => {
    const before = 'task' in event ? under.of(event) : undefined
    under.take(event)
    const running = event.type === 'step' || event.type === 'progress' ? under.of(event) : before
    return eventLines(event, running).map((line) => JSON.parse(streamText(line, '2026-01-01T00:00:00.000Z')))
  })
}

const about = { address: 'Instance/web["a"]', task: 'make', action: 'create' } as const

test('an operation from start to end', () => {
  const lines = streamOf([
    { type: 'begin', operations: 1 },
    { type: 'start', ...about, id: null, atMs: 0 },
    { type: 'step', address: about.address, task: 'make', step: 'create', workflowId: 'w-1', atMs: 1000 },
    {
      type: 'progress',
      address: about.address,
      task: 'make',
      workflowId: 'w-1',
      progress: { completed: 2, total: 6, activity: 'restore-image' },
      waitingFor: '',
      atMs: 2900,
    },
    { type: 'complete', ...about, id: '12', elapsedMs: 4700, scheduled: false },
    { type: 'end' },
  ])
  const resource = {
    addr: 'Instance/web["a"]',
    module: '',
    resource: 'Instance/web["a"]',
    implied_provider: 'iac',
    resource_type: 'Instance',
    resource_name: 'web',
    resource_key: 'a',
  }
  expect(lines).toEqual([
    {
      '@level': 'info',
      '@message': 'Instance/web["a"]: Creating...',
      '@module': 'iac.ui',
      '@timestamp': '2026-01-01T00:00:00.000Z',
      hook: { resource, action: 'create' },
      type: 'apply_start',
    },
    expect.objectContaining({ type: 'apply_progress', hook: { resource, action: 'create', elapsed_seconds: 1, workflow_id: 'w-1', step: 'create' } }),
    expect.objectContaining({
      type: 'apply_progress',
      '@message': 'Instance/web["a"]: Still creating 2/6 restore-image... [2s elapsed]',
      hook: {
        resource,
        action: 'create',
        elapsed_seconds: 2,
        workflow_id: 'w-1',
        step: 'create',
        progress: { completed: 2, total: 6, activity: 'restore-image' },
      },
    }),
    expect.objectContaining({
      type: 'apply_complete',
      '@message': 'Instance/web["a"]: Creation complete after 4s [id=12]',
      hook: { resource, action: 'create', id_key: 'id', id_value: '12', elapsed_seconds: 4, workflow_id: 'w-1' },
    }),
  ])
})

test('what failed and what was not begun are errors', () => {
  const lines = streamOf([
    { type: 'start', ...about, id: null, atMs: 0 },
    {
      type: 'failed',
      ...about,
      elapsedMs: 1000,
      diagnostics: [{ code: 'operation_failed', severity: 'error', summary: `${about.address}: no room` }],
      inFlight: false,
      stopped: false,
    },
    { type: 'skipped', address: 'Vpc/a', task: 'remove', id: '7', because: 'Instance/web["a"]', stopped: false },
  ])
  expect(lines.slice(1)).toMatchObject([
    { '@level': 'error', type: 'apply_errored', '@message': 'Instance/web["a"]: Creation errored after 1s: no room' },
    { '@level': 'error', type: 'apply_errored', '@message': 'Vpc/a: Not begun: Instance/web["a"]', hook: { action: 'delete' } },
  ])
})

test('what was stopped, and what was not begun for it, keep their shape and are no errors', () => {
  const stopped = { code: 'interrupted', severity: 'error', summary: `${about.address}: stopped before its next request` } as const
  const lines = streamOf([
    { type: 'start', ...about, id: null, atMs: 0 },
    { type: 'failed', ...about, elapsedMs: 25_000, diagnostics: [stopped], inFlight: false, stopped: true },
    { type: 'skipped', address: 'Vpc/a', task: 'remove', id: '7', because: 'Instance/web["a"]', stopped: true },
  ])
  expect(lines.slice(1)).toMatchObject([
    { '@level': 'info', type: 'apply_errored', '@message': 'Instance/web["a"]: Creation stopped after 25s', hook: { elapsed_seconds: 25 } },
    { '@level': 'info', type: 'apply_errored', '@message': 'Vpc/a: Not begun: Instance/web["a"]', hook: { action: 'delete' } },
  ])
})

test('a create that an earlier run began is one that goes on, from its recovery to the summary', () => {
  const hook = { resource: { addr: about.address }, action: 'create' }
  const recovered = streamOf([
    { type: 'recovering', ...about, step: 'create', workflowId: 'w', atMs: 0 },
    {
      type: 'progress',
      address: about.address,
      task: 'make',
      workflowId: 'w',
      progress: { completed: 1, total: 6, activity: undefined },
      waitingFor: '',
      atMs: 9000,
    },
    { type: 'recovered', ...about, id: '12', elapsedMs: 9000, end: 'done' },
  ])
  expect(recovered).toMatchObject([
    { type: 'apply_start', hook },
    { type: 'apply_progress', '@message': expect.stringContaining('Still creating 1/6'), hook },
    { type: 'apply_complete', '@message': `${about.address}: What an earlier run began is done`, hook },
  ])
  const nothing = streamOf([{ type: 'recovered', ...about, id: null, elapsedMs: 9000, end: 'closed' }])
  expect(nothing).toMatchObject([{ '@level': 'info', type: 'apply_errored', '@message': `${about.address}: What an earlier run began came to nothing`, hook }])
  const change = changeFor({ address: about.address, kind: 'Instance', action: 'update', reason: 'resumed' })
  const summary = { create: 1, update: 0, replace: 0, delete: 0, import: 0, forget: 0, no_op: 0 }
  expect(planLines({ changes: [change], summary })).toMatchObject([
    { message: `${about.address}: Plan to create`, rest: { change: { action: 'create', reason: 'resumed' } } },
    { rest: { changes: { add: 1, change: 0 } } },
  ])
})

test('each line is one line, and sensitive outputs have no value', () => {
  const line = streamText(outputsLine({ a: { value: 'x\n##[error]', sensitive: false }, b: { value: 'secret', sensitive: true } }), 'now')
  expect(line.trimEnd()).not.toMatch(/\n|##\[|secret/)
  expect(JSON.parse(line)).toMatchObject({ type: 'outputs', outputs: { a: { sensitive: false, value: 'x\n##[error]' }, b: { sensitive: true } } })
  expect(JSON.parse(streamText(versionLine('1.2.3'), 'now'))).toMatchObject({ type: 'version', iac: '1.2.3', '@message': 'iac 1.2.3' })
})
