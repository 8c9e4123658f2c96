// Workflows under a clock that the test moves.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import type { Effects } from './workflow-engine.ts'
import { isBusy, settle, startWorkflow, workflowView } from './workflow-engine.ts'

function start(options: Parameters<typeof createBench>[0] = {}, operation = 'disk.create') {
  const bench = createBench(options)
  const { world } = bench.sandbox
  const log: string[] = []
  const effects: Effects = {
    [operation]: {
      done: (_, workflow, atMs) => {
        log.push(`done ${workflow.subject.id} at ${atMs - Date.UTC(2026, 0, 1)}`)
        return { disk_id: workflow.subject.id }
      },
      failed: (_, workflow, leaves) => void log.push(`failed ${workflow.subject.id} leaves ${leaves}`),
    },
  }
  const begin = (id: string) => startWorkflow(world, { operation, workspaceId: bench.wid, subject: { table: 'disks', id } }).id
  const look = async (id: string, ms = 0) => {
    await bench.clock.advance(ms)
    settle(world, effects)
    const row = bench.tables.workflows.get(id)
    return row && workflowView(world, row, true)
  }
  return { bench, world, log, begin, look }
}

describe('a workflow', () => {
  test('is queued, runs, completes and has its effect when its time has come', async () => {
    const { bench, world, log, begin, look } = start()
    const id = begin('7')
    expect(await look(id)).toMatchObject({
      state: 'QUEUED',
      duration: 0,
      data: null,
      started: '2026-01-01T00:00:00.000Z',
      progress: { completed: 0, total: 2 },
    })
    expect(await look(id, 15)).toMatchObject({ state: 'RUNNING', duration: 15 })
    expect(await look(id, 65)).toMatchObject({ state: 'RUNNING', progress: { completed: 1, activities: [{ status: 'COMPLETED' }, { status: 'RUNNING' }] } })
    expect([log, isBusy(world, 'disks', '7')]).toEqual([[], true])
    expect(await look(id, 1000)).toMatchObject({ state: 'COMPLETED', duration: 150, data: { disk_id: '7' }, progress: { completed: 2 } })
    expect([log, isBusy(world, 'disks', '7')]).toEqual([['done 7 at 150'], false])
    expect(bench.tables.workflows.by('open', 'open')).toEqual([])
  })

  test('effects come in order of time, whenever someone looks', async () => {
    const { bench, log, begin, look } = start({ courses: [{ operation: 'disk.create', outcome: 'COMPLETED', durationMs: 500 }] })
    begin('slow')
    await bench.clock.advance(100)
    const id = begin('fast')
    await look(id, 10_000)
    expect(log).toEqual(['done fast at 250', 'done slow at 500'])
  })

  test('profiles: instant is done at the next look, realistic takes its time', async () => {
    const instant = start({ profile: 'instant' })
    expect(await instant.look(instant.begin('1'))).toMatchObject({ state: 'COMPLETED', duration: 0 })
    const realistic = start({ profile: 'realistic' })
    expect(await realistic.look(realistic.begin('1'), 9_999)).toMatchObject({ state: 'RUNNING' })
  })

  test.each(['FAILED', 'ABORTED', 'TIMED_OUT'] as const)('may end %s, with nothing left, something, or all', async (outcome) => {
    const leaves = ['nothing', 'failed', 'done'] as const
    const { log, begin, look } = start({ courses: leaves.map((one) => ({ operation: 'disk.create', outcome, leaves: one })) })
    const ids = ['1', '2', '3'].map(begin)
    for (const id of ids) expect(await look(id, 200)).toMatchObject({ state: outcome })
    expect(log).toEqual(['failed 1 leaves nothing', 'failed 2 leaves failed', 'done 3 at 150'])
  })

  test('keeps whole milliseconds, whatever its course says', async () => {
    const { bench, begin, look } = start({ courses: [{ operation: 'disk.create', outcome: 'COMPLETED', durationMs: 99.5, lagMs: 0.75 }] })
    const id = begin('1')
    const { queuedAtMs } = bench.tables.workflows.get(id) ?? { queuedAtMs: 0 }
    expect(bench.tables.workflows.get(id)).toMatchObject({ runsAtMs: queuedAtMs + 9, endsAtMs: queuedAtMs + 99, effectAtMs: queuedAtMs + 99 })
    expect(await look(id, 99)).toMatchObject({ state: 'COMPLETED', duration: 99 })
  })

  test('may hang, running or queued, and may complete before its effect shows', async () => {
    const { log, begin, look } = start({
      courses: [
        { operation: 'disk.create', outcome: 'RUNNING' },
        { operation: 'disk.create', outcome: 'QUEUED' },
        { operation: 'disk.create', outcome: 'COMPLETED', lagMs: 5_000 },
      ],
    })
    const [running = '', queued = '', lagging = ''] = ['1', '2', '3'].map(begin)
    expect(await look(running, 1_000_000)).toMatchObject({ state: 'RUNNING' })
    expect(await look(queued)).toMatchObject({ state: 'QUEUED' })
    const again = start({ courses: [{ operation: 'disk.create', outcome: 'COMPLETED', lagMs: 5_000 }] })
    const id = again.begin('9')
    expect([await again.look(id, 200), again.log]).toMatchObject([{ state: 'COMPLETED', data: null }, []])
    await again.look(id, 5_000)
    expect(again.log).toEqual(['done 9 at 5150'])
    expect([await look(lagging), log]).toMatchObject([{ state: 'COMPLETED' }, ['done 3 at 5150']])
  })
})

describe('the lists', () => {
  test('newest first, without progress; QUEUED alone filters nothing, with another state it does', async () => {
    const { bench, begin } = start({}, 'clouds.paint')
    const done = begin('1')
    await bench.clock.advance(200)
    const fresh = begin('2')
    const ids = async (query: string): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/workflows${query}` })).body
    expect(await ids('')).toMatchObject({ items: [{ id: fresh }, { id: done }] })
    expect(JSON.stringify(await ids(''))).not.toContain('progress')
    expect(await ids('?status=QUEUED')).toHaveProperty('items.length', 2)
    expect(await ids('?status=COMPLETED')).toHaveProperty('items.length', 1)
    expect(await ids('?status=QUEUED&status=RUNNING')).toMatchObject({ items: [{ id: fresh }] })
    expect(await ids('?started_after=2026-01-01T00:00:00.200Z')).toMatchObject({ items: [{ id: fresh }] })
    expect(await ids('?started_before=2026-01-01T00:00:00.199Z')).toMatchObject({ items: [{ id: done }] })
    expect(await ids(`?id=${done}&id=${fresh}`)).toHaveProperty('items.length', 2)
  })

  test('a single one has progress, through its own path and its workspace, not through another', async () => {
    const { bench, begin } = start()
    const id = begin('1')
    for (const path of [`/v1/workflows/${id}`, `/v1/workspaces/${bench.wid}/workflows/${id}`]) {
      expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ id, progress: { total: 2 } })
    }
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'other' } })
    const other = bench.tables.workspaces.all().at(-1)?.id
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${other}/workflows/${id}` })).status).toBe(404)
  })
})

test('what a workflow was asked with is kept with its numbers exact, and nested as it was', () => {
  const { bench, world } = start()
  const input = { instance: 2n ** 61n + 1n, name: 'web', ports: [1n, { port: 80 }], note: null }
  const { id } = startWorkflow(world, { operation: 'disk.create', workspaceId: bench.wid, subject: { table: 'disks', id: '7' }, input })
  expect(bench.tables.workflows.get(id)?.input).toEqual({ instance: '2305843009213693953', name: 'web', ports: ['1', { port: 80 }], note: null })
})

test('a workflow of an operation that has no course of its own goes on all the same', async () => {
  const { begin, look } = start({}, 'clouds.paint')
  const id = begin('7')
  expect(await look(id)).toMatchObject({ state: 'QUEUED', progress: { completed: 0, total: 1 } })
  expect(await look(id, 100)).toMatchObject({ state: 'COMPLETED', progress: { completed: 1, total: 1 } })
})
