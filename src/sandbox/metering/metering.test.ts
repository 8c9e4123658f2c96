// What is metered and when, through the lives of resources; and that looking changes nothing.
import { describe, expect, test } from 'vitest'
import { createBillingBench, period } from '../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../test/builders/billing-bench.ts'
import { fc } from '../../../test/builders/properties.ts'
import { printSnapshot } from '../store/store.ts'

const GIB = 1024 ** 3
const START_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

function spansOf({ tables }: BillingBench, id: string) {
  return tables.spans
    .by('subject', id)
    .map(({ fromMs, toMs, meter }) => [hoursOf(fromMs), toMs === null ? null : hoursOf(toMs), meter.rateMicroUsd, meter.parts])
}
const hoursOf = (atMs: number): number => (atMs - START_MS) / HOUR_MS

describe('instances', () => {
  test('are metered from the end of their making to the end of their deletion', async () => {
    const bench = createBillingBench({ profile: 'realistic' })
    const plan = bench.tables.plans.all().find((one) => one.name === 'ryzen-2')
    const body = { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(plan?.id ?? 0) }
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body })
    const id = bench.tables.instances.all()[0]?.id ?? ''
    expect([bench.tables.subjects.get(id)?.name, spansOf(bench, id)]).toEqual(['web', []])
    // Nobody looks until long after the making has ended.
    await bench.advanceHours(5)
    await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })
    await bench.advanceHours(5)
    await bench.get('/v1/plans')
    const [span, ...more] = bench.tables.spans.by('subject', id)
    expect([span?.fromMs, span?.toMs, more]).toEqual([START_MS + 75_000, START_MS + 5 * HOUR_MS + 20_000, []])
    expect(bench.tables.subjects.get(id)?.state).toBe('TERMINATED')
  })
  test('of a plan cost its rate, with what came with them', async () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    const ip = bench.address({ instanceId: id, grantedWith: id })
    bench.tables.instances.update(id, { ipIds: [ip.id] })
    bench.disk({ instanceId: id, boot: true })
    const address = { type: 'IP', amount: 1, qualifiers: { family: 'IPv4', ddos: false } }
    expect(spansOf(bench, id)).toEqual([[0, null, 15_000, [address]]])
    expect(bench.tables.subjects.all().filter((one) => one.state === 'ACTIVE')).toHaveLength(1)
    expect(bench.tables.spans.by('subject', ip.id)).toEqual([])
  })
  test('of their own size cost their parts, and less or more when these change', async () => {
    const bench = createBillingBench()
    const { id } = bench.instance({
      type: 'CUSTOM',
      cpu: 2,
      memoryBytes: 4 * GIB,
      bandwidth: { uploadBytesSec: 125_000, downloadBytesSec: null },
      state: 'PENDING',
    })
    const disk = bench.disk({ instanceId: id, boot: true, sizeBytes: 10 * GIB })
    const ip = bench.address({ instanceId: id, grantedWith: id, family: 'IPv6' })
    bench.tables.instances.update(id, { ipIds: [ip.id] })
    expect(spansOf(bench, id)).toEqual([])
    bench.tables.instances.update(id, { state: 'AVAILABLE' })
    await bench.advanceHours(1)
    bench.tables.disks.update(disk.id, { sizeBytes: 20 * GIB })
    await bench.advanceHours(1)
    bench.tables.ips.update(ip.id, { instanceId: null, grantedWith: null })
    const size = [
      { type: 'CPU', amount: 2, qualifiers: { service_group: 'RYZEN' } },
      { type: 'MEMORY', amount: 4 * GIB, qualifiers: {} },
      { type: 'BANDWIDTH', amount: 125_000, qualifiers: { direction: 'UPLOAD' } },
    ]
    const storage = (gib: number) => ({ type: 'STORAGE', amount: gib * GIB, qualifiers: { storage_backing: 'LOCAL' } })
    const address = { type: 'IP', amount: 1, qualifiers: { family: 'IPv6' } }
    expect(spansOf(bench, id)).toEqual([
      [0, 1, null, [...size, storage(10), address]],
      [1, 2, null, [...size, storage(20), address]],
      [2, null, null, [...size, storage(20)]],
    ])
    expect(spansOf(bench, ip.id)).toEqual([[2, null, null, [address]]])
  })
  test('on their way out cost what they did, with all their parts until they are gone', async () => {
    const bench = createBillingBench({ readings: { deletion: 'scheduled', scheduledDeletionMs: 2 * HOUR_MS }, profile: 'instant' })
    const { id } = bench.instance({ type: 'CUSTOM' })
    bench.disk({ instanceId: id, boot: true })
    await bench.advanceHours(1)
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
    await bench.advanceHours(3)
    await bench.get('/v1/plans')
    expect(bench.tables.spans.by('subject', id)).toMatchObject([{ fromMs: START_MS, toMs: START_MS + 3 * HOUR_MS, meter: { parts: { length: 3 } } }])
  })
  test('on their way out no longer cost an address that is detached from them, which is then paid for itself', async () => {
    const courses = [{ operation: 'ip.detach', outcome: 'COMPLETED', durationMs: HOUR_MS / 2 } as const]
    const bench = createBillingBench({ readings: { deletion: 'scheduled', busyInstances: 'refuse-none' }, profile: 'instant', courses })
    const { id } = bench.instance({ type: 'CUSTOM' })
    const ip = bench.address({ instanceId: id, grantedWith: id })
    bench.tables.instances.update(id, { ipIds: [ip.id] })
    for (const [method, path, body] of [
      ['POST', '/v1/commands/detach-ip', { ip_id: BigInt(ip.id) }],
      ['DELETE', `/v1/instances/${id}`, undefined],
    ] as const)
      expect((await bench.call({ method, path, body })).status).toBe(202)
    await bench.advanceHours(1)
    await bench.get('/v1/plans')
    const address = { type: 'IP', amount: 1, qualifiers: { family: 'IPv4', ddos: false } }
    expect([spansOf(bench, id), spansOf(bench, ip.id)]).toMatchObject([
      [
        [0, 0.5, null, [{ type: 'CPU' }, { type: 'MEMORY' }, address]],
        [0.5, 1, null, { length: 2 }],
      ],
      [[0.5, null, null, [address]]],
    ])
  })
  test('that fail are not metered, and one that comes again is', async () => {
    const bench = createBillingBench()
    const { id, ...fields } = bench.server({ state: 'FAILED' })
    bench.tables.instances.delete(id)
    expect([spansOf(bench, id), bench.tables.subjects.get(id)?.state]).toEqual([[], 'TERMINATED'])
    bench.tables.instances.insert({ ...fields, id, state: 'AVAILABLE' })
    expect([spansOf(bench, id).length, bench.tables.subjects.get(id)?.state]).toEqual([1, 'ACTIVE'])
  })
  test('that a course of fractions made are billed all the same', async () => {
    const courses = [{ operation: 'instance.create', outcome: 'COMPLETED', durationMs: 0.5, lagMs: 0.25 } as const]
    const bench = createBillingBench({ courses })
    const plan = bench.tables.plans.all().find((one) => one.name === 'ryzen-2')
    const body = { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(plan?.id ?? 0) }
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body })
    await bench.advanceHours(2)
    expect(await bench.get('/v1/wallet/@me')).toMatchObject({ usage: 30_000 })
  })
  test('that were there for no time leave no span', () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    bench.tables.instances.delete(id)
    expect(bench.tables.spans.all().filter((one) => one.subjectId === id)).toEqual([])
  })
  test('follow a plan that gets another rate', async () => {
    const bench = createBillingBench()
    const { id, planId } = bench.server()
    await bench.advanceHours(1)
    bench.tables.plans.update(planId ?? '', { rateMicroUsd: 20_000 })
    expect(spansOf(bench, id)).toEqual([
      [0, 1, 15_000, []],
      [1, null, 20_000, []],
    ])
  })
})

describe('what never came to be', () => {
  const scheduled = { deletion: 'scheduled', scheduledDeletionMs: 2 * HOUR_MS, busyInstances: 'refuse-none' } as const
  const hour = { outcome: 'COMPLETED', durationMs: HOUR_MS } as const
  const remove = async ({ call }: BillingBench, path: string): Promise<void> => expect((await call({ method: 'DELETE', path })).status).toBe(202)

  test('costs nothing while it is deleted', async () => {
    const courses = ['disk.delete', 'ip.delete'].map((operation) => ({ operation, ...hour }))
    const bench = createBillingBench({ readings: scheduled, courses })
    const [instance, disk, ip] = [bench.server({ state: 'FAILED' }), bench.disk({ state: 'FAILED' }), bench.address({ state: 'FAILED' })]
    for (const path of [`/v1/instances/${instance.id}`, `/v1/disks/${disk.id}`, `/v1/ips/${ip.id}`]) await remove(bench, path)
    expect([bench.tables.instances, bench.tables.disks, bench.tables.ips].map((table) => table.all()[0]?.state)).toEqual(Array(3).fill('DELETING'))
    await bench.advanceHours(3)
    await bench.get('/v1/plans')
    expect([bench.tables.instances.all(), bench.tables.spans.all()]).toEqual([[], []])
  })
  test.each([
    ['COMPLETED', [[1, 2]]],
    ['FAILED', []],
  ] as const)('costs what it does from when it has: a making that ends %s during a deletion', async (outcome, spans) => {
    const courses = [
      { operation: 'instance.create', outcome, leaves: outcome === 'FAILED' ? 'failed' : 'done', durationMs: HOUR_MS } as const,
      { operation: 'instance.delete', outcome: 'COMPLETED', durationMs: 0 } as const,
    ]
    const bench = createBillingBench({ readings: scheduled, courses })
    const plan = bench.tables.plans.all().find((one) => one.name === 'ryzen-2')
    const body = { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(plan?.id ?? 0) }
    await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body })
    const id = bench.tables.instances.all()[0]?.id ?? ''
    await remove(bench, `/v1/instances/${id}`)
    await bench.advanceHours(3)
    await bench.get('/v1/plans')
    expect([bench.tables.instances.get(id), spansOf(bench, id).map(([from, to]) => [from, to])]).toEqual([undefined, spans])
  })
})

describe('a deletion that fails', () => {
  test.each([
    ['failed', 'FAILED', [[0, 1]]],
    ['nothing', 'AVAILABLE', [[0, null]]],
  ] as const)('and leaves %s leaves a disk %s', async (leaves, state, spans) => {
    const bench = createBillingBench({ courses: [{ operation: 'disk.delete', outcome: 'FAILED', leaves, durationMs: HOUR_MS }] })
    const { id } = bench.disk()
    await bench.call({ method: 'DELETE', path: `/v1/disks/${id}` })
    await bench.advanceHours(2)
    await bench.get('/v1/plans')
    expect([bench.tables.disks.get(id)?.state, spansOf(bench, id).map(([from, to]) => [from, to])]).toEqual([state, spans])
    await bench.call({ method: 'DELETE', path: `/v1/disks/${id}` })
    await bench.advanceHours(1)
    await bench.get('/v1/plans')
    expect(bench.tables.spans.by('subject', id)).toHaveLength(1)
  })
})

describe('other resources', () => {
  test('extra disks and floating addresses for themselves, attached or not', async () => {
    const bench = createBillingBench()
    const disk = bench.disk()
    const ip = bench.address({ ddos: true })
    await bench.advanceHours(1)
    bench.tables.disks.update(disk.id, { instanceId: bench.server().id })
    bench.tables.ips.delete(ip.id)
    expect(spansOf(bench, disk.id)).toEqual([[0, null, null, [{ type: 'STORAGE', amount: 100 * GIB, qualifiers: { storage_backing: 'LOCAL' } }]]])
    expect(spansOf(bench, ip.id)).toEqual([[0, 1, null, [{ type: 'IP', amount: 1, qualifiers: { family: 'IPv4', ddos: true } }]]])
    expect([bench.tables.subjects.get(disk.id)?.kind, bench.tables.subjects.get(ip.id)]).toMatchObject(['DISK', { kind: 'FLOATING_IP', name: '198.51.100.9' }])
  })
  test('dediboxes by their plan, online or not', () => {
    const { tables } = createBillingBench()
    const planId = tables.plans.all()[0]?.id ?? ''
    const vnc = { host: '', port: 1, proxied: true, resets: 0 }
    const { id } = tables.dediboxes.insert({ workspaceId: '7', name: 'metal', region: 'fra-1', planId, online: false, isoId: null, vnc })
    expect(tables.spans.first('open', id)?.meter).toEqual({ region: 'fra-1', rateMicroUsd: 4_500, parts: [] })
    const lost = tables.dediboxes.insert({ workspaceId: '7', name: 'lost', region: 'fra-1', planId: '5', online: false, isoId: null, vnc })
    expect(tables.spans.first('open', lost.id)?.meter.rateMicroUsd).toBe(0)
  })
})

test('a sandbox that begins from a snapshot goes on metering, and opens nothing twice', async () => {
  const first = createBillingBench()
  const { id } = first.server()
  const second = createBillingBench({ snapshot: JSON.parse(printSnapshot(first.sandbox.snapshot())) })
  expect(second.tables.spans.by('subject', id)).toHaveLength(1)
  await second.advanceHours(3)
  second.tables.instances.delete(id)
  expect(spansOf(second, id)).toEqual([[0, 3, 15_000, []]])
})

type Move = { readonly waitMs: number } & (
  | { readonly do: 'create' | 'delete' | 'resize' | 'suspend' | 'resume' | 'look' }
  | { readonly do: 'topup' | 'credit' | 'refund' | 'rate'; readonly amount: number }
)

const waitMs = fc.integer({ min: 0, max: 400 * HOUR_MS })
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ waitMs, do: fc.constantFrom('create', 'delete', 'resize', 'suspend', 'resume', 'look') }),
  fc.record({ waitMs, do: fc.constantFrom('topup', 'credit', 'refund', 'rate'), amount: fc.integer({ min: 1, max: 40_000_000 }) }),
)

async function carryOut(bench: BillingBench, step: Move): Promise<void> {
  // What is due is carried out first, so that all stories choose the same instance.
  await bench.get('/v1/plans')
  const { operate, wid, tables, ownerId } = bench
  const instance = tables.instances.all()[0]
  const wallet = `/v1/wallet/${ownerId}`
  if (step.do === 'create') {
    const storage = [
      { size_bytes: 20 * GIB, boot: true, backing: 'LOCAL' },
      { size_bytes: 5 * GIB, boot: false, backing: 'CEPH' },
    ]
    const body = { type: 'CUSTOM', name: 'db', region: 'fra-1', group: 'RYZEN', cpu: 1, memory_bytes: GIB, storage, ips: [{ family: 'IPv4', ddos: false }] }
    await bench.call({ method: 'POST', path: `/v1/workspaces/${wid}/instances`, body })
  } else if (step.do === 'delete') await bench.call({ method: 'DELETE', path: `/v1/instances/${instance?.id ?? 1}` })
  else if (step.do === 'resize') {
    const disk = tables.disks.all().find((one) => !one.boot)
    await bench.call({ method: 'POST', path: `/v1/disks/${disk?.id ?? 1}/resize`, body: { size: (disk?.sizeBytes ?? 0) + GIB } })
  } else if (step.do === 'suspend' || step.do === 'resume') await operate('POST', `/v1/billing/subjects/${instance?.id ?? 1}/${step.do}`)
  else if (step.do === 'topup') await operate('POST', `${wallet}/topup`, { amount: step.amount })
  else if (step.do === 'credit') await operate('POST', `${wallet}/coupon`, { amount: step.amount, expiry_days: (step.amount % 40) + 1 })
  else if (step.do === 'refund') await operate('POST', `${wallet}/refund`, { amount: step.amount })
  else if (step.do === 'rate') {
    const rate = tables.rates.by('type', 'CPU').find((one) => one.region === 'fra-1' && one.qualifiers['service_group'] === 'RYZEN')
    await operate('PATCH', `/v1/prices/CPU/${rate?.id ?? 1}`, { unit_rate: step.amount % 10_000 })
  }
}

async function story(moves: readonly Move[], looks: number) {
  const bench = createBillingBench({ profile: 'realistic' })
  for (const step of moves) {
    for (let look = 0; look < looks; look += 1) {
      await bench.clock.advance(Math.floor(step.waitMs / looks))
      await bench.get('/v1/wallet/@me')
    }
    await bench.clock.advance(looks === 0 ? step.waitMs : step.waitMs - looks * Math.floor(step.waitMs / looks))
    await carryOut(bench, step)
  }
  await bench.advanceHours(100)
  const reports = [`/v1/workspaces/${bench.wid}/usage?${period(0, 100_000)}`, `/v1/wallet/@me/history?window=MONTH&${period(0, 100_000)}`, '/v1/wallet/@me']
  const shown: unknown[] = []
  for (const path of reports) shown.push(await bench.get(path))
  return { shown, spans: bench.tables.spans.all() }
}

test('the same happens whether somebody looks never, once, or often', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const never = await story(moves, 0)
      expect(await story(moves, 1)).toEqual(never)
      expect(await story(moves, 3)).toEqual(never)
    }),
    { numRuns: 25 },
  )
}, 60_000)
