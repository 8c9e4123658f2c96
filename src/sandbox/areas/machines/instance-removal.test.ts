// What goes with an instance, what stays, and workflows on it that overlap.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'

const GIB = 1024 ** 3
const storage = [true, false].map((boot) => ({ size_bytes: 10 * GIB, boot, backing: 'LOCAL' }))
const custom = { type: 'CUSTOM', name: 'web', region: 'fra-1', group: 'RYZEN', cpu: 1, memory_bytes: GIB, storage }

async function made(bench: Bench): Promise<string> {
  expect((await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body: custom })).status).toBe(202)
  return bench.tables.instances.all().at(-1)?.id ?? ''
}
async function workflowsOf({ call, wid }: Bench, id: string) {
  return (await call({ method: 'GET', path: `/v1/workspaces/${wid}/instances/${id}/workflows` })).body
}

describe('workflows that overlap, where an instance does not refuse them', () => {
  const readings = { busyInstances: 'refuse-none' } as const
  const late = { outcome: 'FAILED', durationMs: 2000 } as const

  test.each([
    ['a create that goes on', [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 2000 }], 'COMPLETED'],
    ['a create that fails and leaves nothing', [{ operation: 'instance.create', ...late, leaves: 'nothing' }], 'FAILED'],
    ['a create that fails and leaves a trace', [{ operation: 'instance.create', ...late, leaves: 'failed' }], 'FAILED'],
  ] as const)('%s brings nothing back that was deleted meanwhile', async (_, courses, state) => {
    const bench = createBench({ readings, courses: [...courses] })
    const id = await made(bench)
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
    await bench.clock.advance(5000)
    expect(await workflowsOf(bench, id)).toMatchObject({
      items: [
        { name: 'instance.delete', state: 'COMPLETED' },
        { name: 'instance.create', state },
      ],
    })
    expect(bench.tables.instances.all()).toEqual([])
    expect(bench.tables.disks.all()).toMatchObject([{ boot: false, instanceId: null }])
  })
  test.each(['COMPLETED', 'FAILED'] as const)('a delete and a power action of what a failed create took away: %s', async (outcome) => {
    const after = { outcome, durationMs: 3000 } as const
    const courses = [
      { operation: 'instance.create', ...late },
      { operation: 'instance.power', ...after },
      { operation: 'instance.delete', ...after },
    ]
    const bench = createBench({ readings, courses })
    const id = await made(bench)
    bench.tables.instances.update(id, { state: 'AVAILABLE' })
    expect((await bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action: 'POWER_ON' } })).status).toBe(202)
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
    await bench.clock.advance(5000)
    expect(await workflowsOf(bench, id)).toMatchObject({ items: [{ state: outcome }, { state: 'FAILED' }, { state: 'FAILED' }] })
    expect([bench.tables.instances.all(), bench.tables.disks.all()]).toEqual([[], []])
  })
})

describe('an instance that goes', () => {
  test('is taken out of the BGP configuration where it stands, and leaves one with another instance alone', async () => {
    const bench = createBench()
    const [gone, stays] = [bench.instance().id, bench.instance().id]
    const path = `/v1/workspaces/${bench.wid}/bgp`
    for (const [instance, shown] of [
      [stays, { id: stays, name: 'web' }],
      [gone, null],
    ] as const) {
      await bench.call({ method: 'PATCH', path, body: { instance_id: BigInt(instance) } })
      const other = instance === stays ? bench.instance().id : gone
      await bench.call({ method: 'DELETE', path: `/v1/instances/${other}` })
      await bench.clock.advance(1000)
      expect((await bench.call({ method: 'GET', path })).body).toMatchObject({ data: { instance: shown } })
    }
  })
})

test('a disk that was detached and deleted stands in the storage of its instance as it was asked for', async () => {
  const bench = createBench()
  const id = await made(bench)
  await bench.clock.advance(1000)
  const extra = bench.tables.disks.all().find((disk) => !disk.boot)?.id ?? ''
  for (const [method, rest] of [
    ['POST', '/detach'],
    ['DELETE', ''],
  ] as const) {
    expect((await bench.call({ method, path: `/v1/disks/${extra}${rest}` })).status).toBe(202)
    await bench.clock.advance(1000)
  }
  expect((await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).body).toMatchObject({
    storage: [{ boot: true }, { size_bytes: 10 * GIB, disk_id: extra }],
  })
})
