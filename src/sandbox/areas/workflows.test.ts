// Workflows: the five ways to look at them, their filters, their progress.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { textOf } from '../../../test/builders/text-of.ts'

const start = Date.UTC(2026, 0, 1)

/** A power action on an instance, which takes 120 ms; gives the id of its workflow. */
async function power({ call }: Bench, id: string): Promise<string> {
  return textOf((await call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action: 'POWER_CYCLE' } })).body, 'id')
}
const get = async ({ call }: Bench, path: string, token?: string) => call({ method: 'GET', path, ...(token === undefined ? {} : { token }) })

describe('a workflow', () => {
  test('is queued, runs and completes; single fetches show its progress, lists do not', async () => {
    const bench = createBench()
    const { id } = bench.instance()
    const wfid = await power(bench, id)
    const single = `/v1/workflows/${wfid}`
    const began = { id: wfid, name: 'instance.power', started: new Date(start).toISOString(), data: null }
    const idle = { status: 'PENDING', attempts: { current: 1, limit: 3 } }
    expect((await get(bench, single)).body).toEqual({
      ...began,
      state: 'QUEUED',
      duration: 0,
      progress: {
        activities: [
          { ...idle, name: 'signal' },
          { name: 'verify', status: 'PENDING', attempts: { current: 0, limit: 3 } },
        ],
        children: [],
        completed: 0,
        total: 2,
      },
    })
    await bench.clock.advance(70)
    expect((await get(bench, single)).body).toMatchObject({
      state: 'RUNNING',
      duration: 70,
      data: null,
      progress: { completed: 1, activities: [{ status: 'COMPLETED' }, { status: 'RUNNING' }] },
    })
    await bench.clock.advance(1000)
    const done = { ...began, state: 'COMPLETED', duration: 120 }
    expect((await get(bench, `/v1/workspaces/${bench.wid}/workflows/${wfid}`)).body).toMatchObject({ ...done, progress: { completed: 2 } })
    expect((await get(bench, `/v1/workspaces/${bench.wid}/workflows`)).body).toHaveProperty('items', [done])
    expect((await get(bench, `/v1/workspaces/${bench.wid}/instances/${id}/workflows`)).body).toHaveProperty('items', [done])
  })
  test.each(['FAILED', 'ABORTED', 'TIMED_OUT'] as const)('may end as %s, and says where it stopped', async (outcome) => {
    const bench = createBench({ courses: [{ operation: 'instance.power', outcome }] })
    const wfid = await power(bench, bench.instance().id)
    await bench.clock.advance(1000)
    expect((await get(bench, `/v1/workflows/${wfid}`)).body).toMatchObject({
      state: outcome,
      progress: { completed: 1, activities: [{ status: 'COMPLETED' }, { status: 'FAILED' }] },
    })
  })
  test('may run or wait for ever', async () => {
    const bench = createBench({
      courses: [
        { operation: 'instance.power', outcome: 'RUNNING' },
        { operation: 'instance.power', outcome: 'QUEUED' },
      ],
    })
    const [runs, waits] = [await power(bench, bench.instance().id), await power(bench, bench.instance().id)]
    await bench.clock.advance(86_400_000)
    expect((await get(bench, `/v1/workflows/${runs}`)).body).toMatchObject({ state: 'RUNNING', duration: 86_400_000, progress: { completed: 0 } })
    expect((await get(bench, `/v1/workflows/${waits}`)).body).toMatchObject({
      state: 'QUEUED',
      progress: { completed: 0, activities: [{ status: 'PENDING' }, {}] },
    })
  })
})

describe('lists', () => {
  async function three() {
    const bench = createBench()
    const [one, two] = [bench.instance().id, bench.instance().id]
    const first = await power(bench, one)
    await bench.clock.advance(1000)
    const second = await power(bench, two)
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/ips`, body: { type: 'IPv4', ddos: false, region: 'fra-1' } })
    return { bench, one, first, second }
  }
  test('are newest first, and narrowed by every filter', async () => {
    const { bench, one, first, second } = await three()
    const ids = async (query: string) => {
      const { body } = await get(bench, `/v1/workspaces/${bench.wid}/workflows?${query}`)
      return body
    }
    expect(await ids('')).toMatchObject({ items: [{ name: 'ip.create' }, { id: second }, { id: first }] })
    expect(await ids(`id=${first}&id=${second}`)).toMatchObject({ items: [{ id: second }, { id: first }] })
    expect(await ids('name=instance')).toHaveProperty('items.length', 2)
    expect(await ids(`instance=${one}`)).toMatchObject({ items: [{ id: first }] })
    expect(await ids('workspace=5')).toMatchObject({ items: [] })
    expect(await ids(`q=${first}`)).toMatchObject({ items: [{ id: first }] })
    expect(await ids('status=COMPLETED')).toMatchObject({ items: [{ id: first }] })
    expect(await ids('status=QUEUED&status=RUNNING')).toHaveProperty('items.length', 2)
  })
  test('`QUEUED` alone has no effect; both bounds of the time are inclusive', async () => {
    const { bench, first } = await three()
    const at = (ms: number): string => new Date(start + ms).toISOString()
    const count = async (query: string) => (await get(bench, `/v1/workspaces/${bench.wid}/workflows?${query}`)).body
    expect(await count('status=QUEUED')).toHaveProperty('items.length', 3)
    expect(await count(`started_after=${at(1000)}`)).toHaveProperty('items.length', 2)
    expect(await count(`started_after=${at(1001)}`)).toHaveProperty('items.length', 0)
    expect(await count(`started_before=${at(0)}`)).toMatchObject({ items: [{ id: first }] })
    // A day is the beginning of it, in UTC.
    expect(await count('started_after=2026-01-01')).toHaveProperty('items.length', 3)
    expect(await count('started_after=2026-01-02')).toHaveProperty('items.length', 0)
    expect(await count('started_before=2026-01-01')).toMatchObject({ items: [{ id: first }] })
    expect(await count(`started_after=${at(0)}&started_before=${at(999)}`)).toMatchObject({ items: [{ id: first }] })
  })
  test('of all workspaces are for staff', async () => {
    const { bench } = await three()
    expect((await get(bench, '/v1/workflows', bench.sandbox.operatorToken)).body).toHaveProperty('items.length', 3)
    expect((await get(bench, '/v1/workflows')).status).toBe(403)
  })
})

test('a workflow is found by its own workspace and its own instance alone', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const wfid = await power(bench, id)
  const made = await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'other' } })
  const other = `/v1/workspaces/${textOf(made.body, 'id')}`
  expect((await get(bench, `${other}/workflows/${wfid}`)).status).toBe(404)
  expect((await get(bench, `${other}/instances/${id}/workflows`)).status).toBe(404)
  expect((await get(bench, `${other}/instances/5/workflows`)).status).toBe(404)
  expect((await get(bench, `/v1/workflows/${wfid}`, bench.member(undefined))).status).toBe(404)
  expect((await get(bench, '/v1/workflows/00000000-0000-0000-0000-000000000000')).status).toBe(404)
})

test('whoever may read what a workflow is about may follow it', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const { tables, wid } = bench
  const dedibox = BigInt(tables.dediboxes.all()[0]?.id ?? 0)
  const template_id = tables.appTemplates.all().find((one) => one.environment.length === 0)?.id
  const calls = [
    ['INSTANCE', `instances/${id}/power`, { action: 'POWER_CYCLE' }],
    ['INSTANCE', `instances/${id}/firewall-rules`, { type: 'IPv4', protocol: 'ICMP', action: 'ACCEPT' }],
    ['APP', `instances/${id}/apps/from-template`, { template_id, name: 'app' }],
    ['DISK', `workspaces/${wid}/disks`, { name: 'data', size: 5, backend: 'LOCAL', region: 'fra-1' }],
    ['FLOATING_IP', `workspaces/${wid}/ips`, { type: 'IPv4', ddos: false, region: 'fra-1' }],
    ['DEDIBOX', 'commands/dedibox-power-cycle', { dedibox_id: dedibox, action: 'POWER_ON' }],
    ['WORKSPACE', `workspaces/${wid}/k3s`, undefined],
  ] as const
  for (const [kind, path, body] of calls) {
    const begun = await bench.call({ method: 'POST', path: `/v1/${path}`, ...(body ? { body } : {}), token: bench.token({ grants: { [kind]: 'WRITE' } }) })
    expect([path, begun.status < 300]).toEqual([path, true])
    const wfid = tables.workflows.all().at(-1)?.id
    for (const single of [`/v1/workflows/${wfid}`, `/v1/workspaces/${wid}/workflows/${wfid}`])
      for (const granted of ['WORKSPACE', 'INSTANCE', 'APP', 'DISK', 'FLOATING_IP', 'DEDIBOX', 'IMAGE'] as const) {
        const { status } = await get(bench, single, bench.token({ grants: { [granted]: 'READ' } }))
        expect([path, granted, status]).toEqual([path, granted, granted === kind || granted === 'WORKSPACE' ? 200 : 403])
      }
  }
  const ofInstance = { subject: 'RESOURCE', subjectId: id, userId: null, workspaceId: wid, grants: { INSTANCE: 'WRITE' } } as const
  expect((await get(bench, `/v1/workflows/${tables.workflows.all()[0]?.id}`, bench.token(ofInstance))).status).toBe(200)
  for (const list of ['workflows', `instances/${id}/workflows`])
    expect((await get(bench, `/v1/workspaces/${wid}/${list}`, bench.token({ grants: { INSTANCE: 'WRITE' } }))).status).toBe(403)
})

test('an id of a workflow is one however its letters are written', async () => {
  const bench = createBench()
  const wfid = await power(bench, bench.instance().id)
  const upper = wfid.toUpperCase()
  expect(upper).not.toBe(wfid)
  for (const path of [`workflows/${upper}`, `workspaces/${bench.wid}/workflows/${upper}`])
    expect((await get(bench, `/v1/${path}`)).body).toMatchObject({ id: wfid })
  expect((await get(bench, `/v1/workspaces/${bench.wid}/workflows?id=${upper}`)).body).toMatchObject({ items: [{ id: wfid }] })
})

test('the workflows of an instance outlive it', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })
  await bench.clock.advance(1000)
  expect((await get(bench, `/v1/instances/${id}`)).status).toBe(404)
  expect((await get(bench, `/v1/workspaces/${bench.wid}/instances/${id}/workflows`)).body).toMatchObject({
    items: [{ name: 'instance.delete', state: 'COMPLETED' }],
  })
})
