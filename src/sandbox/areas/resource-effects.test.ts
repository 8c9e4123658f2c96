// How creates and deletes of what has a state end when they fail: without a trace, or with something FAILED that can be deleted.
import { describe, expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'

const place = { region: 'fra-1', instanceId: null } as const

/** How one is made and removed by the API, and put there in a state. */
const resources = {
  disks: {
    operation: 'disk',
    body: { name: 'data', size: 10, backend: 'LOCAL', region: 'fra-1' },
    insert: ({ tables, wid }: Bench, state: 'AVAILABLE' | 'FAILED') =>
      tables.disks.insert({ ...place, workspaceId: wid, name: 'data', sizeBytes: 10, backend: 'LOCAL', boot: false, state }),
  },
  ips: {
    operation: 'ip',
    body: { type: 'IPv4', ddos: false, region: 'fra-1' },
    insert: ({ tables, wid }: Bench, state: 'AVAILABLE' | 'FAILED') =>
      tables.ips.insert({ ...place, workspaceId: wid, family: 'IPv4', address: '198.19.0.1', ddos: false, dns: null, grantedWith: null, state }),
  },
} as const

describe.each(['disks', 'ips'] as const)('%s', (table) => {
  const { operation, body, insert } = resources[table]
  const create = ({ wid }: Bench): TestCall => ({ method: 'POST', path: `/v1/workspaces/${wid}/${table}`, body })
  const remove = (bench: Bench, state: 'AVAILABLE' | 'FAILED' = 'AVAILABLE'): TestCall => ({
    method: 'DELETE',
    path: `/v1/${table}/${insert(bench, state).id}`,
  })

  /** The states of what is there once the call was accepted and has ended. */
  async function after(failing: string, leaves: 'nothing' | 'failed', call: (bench: Bench) => TestCall): Promise<readonly string[]> {
    const bench = createBench({ courses: [{ operation: failing, outcome: 'FAILED', leaves }] })
    expect((await bench.call(call(bench))).status).toBe(202)
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/plans' })
    return bench.tables[table].all().map((row) => row.state)
  }
  test.each([
    ['create', 'nothing', []],
    ['create', 'failed', ['FAILED']],
    ['delete', 'nothing', ['AVAILABLE']],
    ['delete', 'failed', ['FAILED']],
  ] as const)('a %s that fails and leaves %s', async (verb, leaves, states) => {
    expect(await after(`${operation}.${verb}`, leaves, verb === 'create' ? create : remove)).toEqual(states)
  })
  test('a create whose resource has gone meanwhile fails', async () => {
    const bench = createBench()
    await bench.call(create(bench))
    for (const { id } of bench.tables[table].all()) bench.tables[table].delete(id)
    await bench.clock.advance(1000)
    await bench.call({ method: 'GET', path: '/v1/plans' })
    expect(bench.tables.workflows.all()).toMatchObject([{ name: `${operation}.create`, state: 'FAILED', output: null }])
  })
  test('what is FAILED can be deleted', async () => {
    expect(await after('other', 'nothing', (bench) => remove(bench, 'FAILED'))).toEqual([])
  })
  test('a delete that fails puts back what was FAILED before', async () => {
    expect(await after(`${operation}.delete`, 'nothing', (bench) => remove(bench, 'FAILED'))).toEqual(['FAILED'])
  })
})
