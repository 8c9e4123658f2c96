// Logs of pods: which lines there are, and following them through all that happens to a pod.
import { describe, expect, test } from 'vitest'
import { addService as add, createdService as created, k3s, readyCluster as cluster } from '../../../../test/builders/cluster-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'
import { virtualClock } from '../../../base/clock.ts'
import type { SandboxResponse } from '../../request/exchange.ts'
import type { ClockMode, SandboxClock } from '../../time/sandbox-clock.ts'
import { sandboxClock } from '../../time/sandbox-clock.ts'

const START_MS = Date.UTC(2026, 0, 1)

describe('lines', () => {
  test('the last 100 lines, or as many as asked for, since an instant, of one pod', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const path = `/services/${add(bench)}/logs`
    await bench.clock.advance(2_000_000)
    const whole = (await textOf(bench, path)).split('\n')
    expect([whole.length, whole[0], whole[99]]).toEqual([101, '2026-01-01T00:16:50.000Z web-1-0 alive 101', '2026-01-01T00:33:20.000Z web-1-0 alive 200'])
    expect(await textOf(bench, `${path}?tail=2`)).toBe('2026-01-01T00:33:10.000Z web-1-0 alive 199\n2026-01-01T00:33:20.000Z web-1-0 alive 200\n')
    const since = Date.UTC(2026, 0, 1) / 1000 + 1_995
    expect(await textOf(bench, `${path}?since_seconds=${since}`)).toBe('2026-01-01T00:33:20.000Z web-1-0 alive 200\n')
    expect(await textOf(bench, `${path}?tail=0`)).toBe('')
    expect((await rawOf(bench, `${path}?pod_index=1`)).status).toBe(404)
    const { headers } = await rawOf(bench, path)
    expect(headers['content-type']).toMatch(/^text\/plain/)
  })

  test('a pod that failed says why', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const path = `/services/${add(bench, { status: 'FAILED' })}/logs`
    expect(await textOf(bench, path)).toMatch(/starting nginx:1\n.*error: container exited with code 1\n$/)
  })

  test.each(['COMPLETED', 'FAILED'] as const)(
    'name the image that their pod was started with, also while an update is under way that ends %s',
    async (outcome) => {
      const leaves = outcome === 'FAILED' ? 'nothing' : 'done'
      const bench = createBench({ courses: [{ operation: 'k3s.service.update', outcome, leaves }] })
      cluster(bench, 1)
      const path = `/services/${add(bench)}`
      expect(await textOf(bench, `${path}/logs`)).toMatch(/ web-1-0 starting nginx:1\n$/)
      await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
      expect(await textOf(bench, `${path}/logs`)).toMatch(/ web-1-0 starting nginx:1\n$/)
      await bench.clock.advance(1000)
      expect(await textOf(bench, `${path}/logs`)).toMatch(outcome === 'FAILED' ? / web-1-0 starting nginx:1\n$/ : / web-2-0 starting nginx:2\n$/)
    },
  )
  test('are those of the pods of the update, where it fails and leaves these', async () => {
    const bench = createBench({ courses: [{ operation: 'k3s.service.update', outcome: 'FAILED', leaves: 'failed' }] })
    cluster(bench, 1)
    const path = `/services/${add(bench)}`
    await bench.clock.advance(60_000)
    await bench.call(k3s(bench, 'PUT', path, { image: 'nginx:2', target_instances: [] }))
    await bench.clock.advance(1000)
    expect(await textOf(bench, `${path}/logs`)).toMatch(/^2026-01-01T00:01:00.000Z web-2-0 starting nginx:2\n.* web-2-0 error: .*\n$/)
  })

  test('no more than the last 10,000 lines, however many are asked for', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const path = `/services/${add(bench)}/logs`
    await bench.clock.advance(10 * 365 * 86_400_000)
    expect((await textOf(bench, `${path}?tail=999999999999999`)).split('\n')).toHaveLength(10_001)
  })

  test('of the last of very many pods, without a look at the others', async () => {
    const bench = createBench({ without: ['k3s.service-capacity'] })
    cluster(bench, 1)
    const path = await created(bench, { replicas: 5_000_000_000 })
    await bench.clock.advance(1000)
    expect(await textOf(bench, `${path}/logs?pod_index=4999999999`)).toMatch(/ web-1-4999999999 starting nginx:1.27\n$/)
    expect((await rawOf(bench, `${path}/logs?pod_index=5000000000`)).status).toBe(404)
  })
})

describe('following', () => {
  test('follow streams what is there and what comes, until the service is gone', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const id = add(bench)
    const response = await rawOf(bench, `/services/${id}/logs?follow&tail=1`)
    expect(response.headers['content-type']).toBe('text/event-stream')
    const { seen, reading } = chunksOf(response)
    await bench.clock.advance(25_000)
    expect(seen).toEqual([
      ': open\n\n',
      'data: 2026-01-01T00:00:00.000Z web-1-0 starting nginx:1\n\n',
      'data: 2026-01-01T00:00:10.000Z web-1-0 alive 1\n\n',
      'data: 2026-01-01T00:00:20.000Z web-1-0 alive 2\n\n',
    ])
    bench.tables.clusterServices.delete(id)
    await bench.clock.advance(10_000)
    await reading
    expect(seen.length).toBe(4)
  })

  test('following ends with the pod, when another takes its place', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const id = add(bench)
    const response = await rawOf(bench, `/services/${id}/logs?follow`)
    const { seen, reading } = chunksOf(response)
    await bench.clock.advance(1000)
    await bench.call(k3s(bench, 'POST', `/services/${id}/redeploy`))
    await bench.clock.advance(1000)
    await bench.call(k3s(bench, 'GET', '/services'))
    await bench.clock.advance(20_000)
    await reading
    expect(seen.length).toBe(2)
  })

  test('following ends when the caller leaves', async () => {
    const bench = createBench()
    cluster(bench, 1)
    const caller = new AbortController()
    const response = await rawOf(bench, `/services/${add(bench)}/logs?follow=true`, caller.signal)
    const seen: string[] = []
    for await (const chunk of response.chunks()) {
      seen.push(Buffer.from(chunk).toString())
      if (seen.length === 2) caller.abort()
    }
    expect(seen.length).toBe(2)
  })

  test('takes no time: a jumping clock stands, and gives what became due when it goes on for another', async () => {
    const { bench, clock } = timed('jumping')
    cluster(bench, 1)
    const { seen } = chunksOf(await rawOf(bench, `/services/${add(bench)}/logs?follow`))
    await turns()
    expect([clock.now(), seen.length]).toEqual([0, 2])
    await clock.sleep(35_000)
    await turns()
    expect([clock.now(), seen.slice(2).map(wordsOf)]).toEqual([35_000, ['web-1-0 alive 1', 'web-1-0 alive 2', 'web-1-0 alive 3']])
  })

  test('while a service is DEPLOYING waits for the pod that comes', async () => {
    const { bench, clock } = timed('frozen')
    cluster(bench, 1)
    const path = await created(bench, {})
    const { seen } = chunksOf(await rawOf(bench, `${path}/logs?follow&tail=1`))
    await clock.advance(30_000)
    expect(seen.slice(1).map(wordsOf)).toEqual(['web-1-0 starting nginx:1.27', 'web-1-0 alive 1', 'web-1-0 alive 2'])
  })

  test('waits for a pod that no node takes, looking now and then', async () => {
    const { bench, clock } = timed('frozen')
    const [target] = cluster(bench, 1)
    bench.tables.instances.update(String(target), { online: false })
    const path = `/services/${add(bench)}/logs`
    const { seen } = chunksOf(await rawOf(bench, `${path}?follow`))
    expect(await clock.advance(600_000)).toBe(60)
    expect(seen).toHaveLength(1)
    bench.tables.instances.update(String(target), { online: true })
    await clock.advance(30_000)
    const lines = seen.slice(1).map((chunk) => chunk.slice('data: '.length, -1))
    expect(lines.join('')).toBe(await textOf(bench, path))
  })

  test('ends when the pod has no node any more', async () => {
    const { bench, clock } = timed('frozen')
    const [target] = cluster(bench, 1)
    const { seen, reading } = chunksOf(await rawOf(bench, `/services/${add(bench)}/logs?follow`))
    await clock.advance(10_000)
    bench.tables.instances.update(String(target), { online: false })
    await clock.advance(10_000)
    await reading
    expect(seen).toHaveLength(3)
  })

  test.each([
    ['FAILED', ['web-1-0 starting nginx:1', 'web-1-0 error: container exited with code 1']],
    ['STOPPED', []],
  ] as const)('of a service that is %s says what there is, and ends', async (status, lines) => {
    const bench = createBench()
    cluster(bench, 1)
    const { seen, reading } = chunksOf(await rawOf(bench, `/services/${add(bench, { status })}/logs?follow`))
    await reading
    expect(seen.slice(1).map(wordsOf)).toEqual(lines)
  })
})

/** A bench whose clock goes as that of a server does. */
function timed(mode: ClockMode): { readonly bench: Bench; readonly clock: SandboxClock } {
  const clock = sandboxClock({ base: virtualClock(START_MS, false), mode })
  const bench = createBench({ clock })
  clock.follow({ nextMs: () => bench.sandbox.nextDueMs(), run: () => bench.sandbox.tick() })
  return { bench, clock }
}
/** A line of a stream without its instant. */
function wordsOf(chunk: string): string {
  return chunk.trim().split(' ').slice(2).join(' ')
}
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
/** The chunks of an answer as they come, and the end of them. */
function chunksOf(response: SandboxResponse): { readonly seen: readonly string[]; readonly reading: Promise<void> } {
  const seen: string[] = []
  const read = async (): Promise<void> => {
    for await (const chunk of response.chunks()) seen.push(Buffer.from(chunk).toString())
  }
  return { seen, reading: read() }
}
function rawOf({ sandbox, wid }: Bench, rest: string, signal?: AbortSignal) {
  const headers = { authorization: `Bearer ${sandbox.token}` }
  return sandbox.handle({ method: 'GET', path: `/v1/workspaces/${wid}/k3s${rest}`, headers, signal })
}
async function textOf(bench: Bench, rest: string): Promise<string> {
  const response = await rawOf(bench, rest)
  return response.text(1_000_000)
}
