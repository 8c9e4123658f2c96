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
    ['a create that goes on', [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 2000 }], 'FAILED'],
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
    expect(bench.tables.disks.all()).toMatchObject([{ boot: false, instanceId: null, state: 'AVAILABLE' }])
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

describe('a deletion that fails puts back what it changed, and no more', () => {
  const readings = { busyInstances: 'refuse-none' } as const
  const deletion = { operation: 'instance.delete', outcome: 'FAILED', durationMs: 3000 } as const
  const shown = async ({ call }: Bench, id: string) => (await call({ method: 'GET', path: `/v1/instances/${id}` })).body
  const remove = async ({ call }: Bench, id: string) => (await call({ method: 'DELETE', path: `/v1/instances/${id}` })).status

  test.each([
    ['COMPLETED', 'done', 1000, { state: 'AVAILABLE', online: true }],
    ['FAILED', 'failed', 1000, { state: 'FAILED', online: false }],
    ['COMPLETED', 'done', 5000, { state: 'PENDING', online: false }],
  ] as const)('a create that has ended meanwhile: %s, leaving %s, after %i ms', async (outcome, leaves, durationMs, after) => {
    for (const deletes of ['immediate', 'scheduled-apart'] as const) {
      const courses = [{ operation: 'instance.create', outcome, leaves, durationMs }, deletion] as const
      const bench = createBench({ readings: { ...readings, deletion: deletes, scheduledDeletionMs: 0 }, courses: [...courses] })
      const id = await made(bench)
      expect(await remove(bench, id)).toBe(202)
      await bench.clock.advance(2000)
      expect(await shown(bench, id)).toMatchObject({ state: 'DELETING', online: false })
      await bench.clock.advance(2000)
      expect(await shown(bench, id)).toMatchObject(after)
      expect(bench.tables.disks.all()).toMatchObject([{ state: after.state }, { state: after.state }])
      await bench.clock.advance(2000)
      expect(await shown(bench, id)).toMatchObject(after.state === 'PENDING' ? { state: 'AVAILABLE', online: true } : after)
    }
  })

  test.each([
    ['POWER_OFF', 'immediate', false],
    ['POWER_ON', 'immediate', false],
    ['POWER_OFF', 'scheduled-apart', false],
    ['POWER_ON', 'scheduled-apart', true],
  ] as const)('%s that ends during one that is %s', async (action, deletes, during) => {
    const course = { operation: 'instance.power', outcome: 'COMPLETED', durationMs: 1000 } as const
    const bench = createBench({ readings: { ...readings, deletion: deletes, scheduledDeletionMs: 0 }, courses: [course, deletion] })
    const { id } = bench.instance({ online: action === 'POWER_OFF' })
    await bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action } })
    expect(await remove(bench, id)).toBe(202)
    await bench.clock.advance(2000)
    expect(await shown(bench, id)).toMatchObject({ state: 'DELETING', online: during })
    await bench.clock.advance(2000)
    expect(await shown(bench, id)).toMatchObject({ state: 'AVAILABLE', online: action === 'POWER_ON' })
  })

  test('the keys of the workspace are installed by a create that ends during it', async () => {
    const bench = createBench({ readings, courses: [deletion] })
    const userId = bench.tables.users.all()[0]?.id ?? ''
    bench.tables.sshKeys.insert({ workspaceId: bench.wid, name: 'work', publicKey: 'ssh-ed25519 AAAA', userId })
    const id = await made(bench)
    await remove(bench, id)
    await bench.clock.advance(5000)
    expect(await shown(bench, id)).toMatchObject({ state: 'AVAILABLE' })
    expect(bench.tables.installedKeys.by('instance', id)).toHaveLength(1)
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

test('the storage of an instance is what was asked for, and names the disks of it that are still there', async () => {
  const bench = createBench()
  const id = await made(bench)
  await bench.clock.advance(1000)
  const [boot = '', extra = ''] = bench.tables.disks.all().map((disk) => disk.id)
  const shown = async (): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/instances/${id}` })).body
  const act = async (method: string, path: string, body?: object): Promise<void> => {
    expect((await bench.call({ method, path: `/v1/disks/${path}`, ...(body ? { body } : {}) })).status).toBe(202)
    await bench.clock.advance(1000)
  }
  const there = { ...storage[0], disk_id: boot }
  expect(await shown()).toHaveProperty('storage', [there, { ...storage[1], disk_id: extra }])
  await act('POST', `${boot}/resize`, { size: 20 * GIB })
  await act('POST', `${extra}/detach`)
  expect(await shown()).toHaveProperty('storage', [there, storage[1]])
  await act('POST', `${extra}/attach`, { instance_id: BigInt(id) })
  expect(await shown()).toHaveProperty('storage', [there, { ...storage[1], disk_id: extra }])
  await act('POST', `${extra}/detach`)
  await act('DELETE', extra)
  expect(await shown()).toHaveProperty('storage', [there, storage[1]])
})
