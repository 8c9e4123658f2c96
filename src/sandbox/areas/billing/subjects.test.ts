// Billing subjects: every rule, and what becomes of metering and resources.
import { describe, expect, test } from 'vitest'
import { createBillingBench, period } from '../../../../test/builders/billing-bench.ts'
import type { BillingBench } from '../../../../test/builders/billing-bench.ts'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import { subjectsArea } from './subjects.ts'

type Verb = 'suspend' | 'resume' | 'terminate'

const call = ({ sandbox }: Bench, id: string, verb: Verb) => ({ method: 'POST', path: `/v1/billing/subjects/${id}/${verb}`, token: sandbox.operatorToken })
const act = (bench: BillingBench, id: string, verb: Verb) => bench.call(call(bench, id, verb))

function inState(bench: Bench, state: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED', verb: Verb) {
  const { id } = bench.instance()
  bench.tables.subjects.update(id, { state })
  return call(bench, id, verb)
}
function busy(bench: Bench, table: string, id: string): void {
  startWorkflow(bench.sandbox.world, { operation: 'any', workspaceId: bench.wid, instanceId: table === 'instances' ? id : null, subject: { table, id } })
}

describeRules('billing subjects', subjectsArea.rules, [
  { rule: 'subjects.terminated', accepted: 204, arrange: (bench) => inState(bench, 'TERMINATED', 'suspend') },
  { rule: 'subjects.terminated', accepted: 204, arrange: (bench) => inState(bench, 'TERMINATED', 'resume') },
  { rule: 'subjects.terminated', accepted: 200, arrange: (bench) => inState(bench, 'TERMINATED', 'terminate') },
  { rule: 'subjects.suspended', accepted: 204, arrange: (bench) => inState(bench, 'SUSPENDED', 'suspend') },
  { rule: 'subjects.active', accepted: 204, arrange: (bench) => inState(bench, 'ACTIVE', 'resume') },
  {
    rule: 'subjects.busy',
    accepted: 204,
    arrange(bench) {
      const { id } = bench.instance()
      busy(bench, 'instances', id)
      return call(bench, id, 'suspend')
    },
  },
  {
    rule: 'subjects.busy',
    accepted: 200,
    arrange(bench) {
      const { id } = bench.instance()
      const base = { workspaceId: bench.wid, region: 'fra-1', instanceId: id, state: 'AVAILABLE' } as const
      busy(bench, 'disks', bench.tables.disks.insert({ ...base, name: 'data', sizeBytes: 1, backend: 'LOCAL', boot: false }).id)
      return call(bench, id, 'terminate')
    },
  },
  ...(['suspend', 'terminate'] as const).map((verb) => ({
    rule: 'subjects.busy',
    accepted: verb === 'suspend' ? 204 : 200,
    async arrange(bench: Bench) {
      const { id } = bench.instance()
      const base = { workspaceId: bench.wid, region: 'fra-1', instanceId: null, state: 'AVAILABLE' } as const
      const disk = bench.tables.disks.insert({ ...base, name: 'data', sizeBytes: 1, backend: 'LOCAL', boot: false })
      await bench.call({ method: 'POST', path: `/v1/disks/${disk.id}/attach`, body: { instance_id: BigInt(id) } })
      return call(bench, id, verb)
    },
  })),
  { rule: 'subjects.available', accepted: 204, arrange: (bench) => call(bench, bench.instance({ state: 'FAILED' }).id, 'suspend') },
  {
    rule: 'subjects.dedibox',
    accepted: 202,
    async arrange(bench) {
      const id = bench.tables.dediboxes.all()[0]?.id ?? ''
      await bench.call(call(bench, id, 'suspend'))
      return { method: 'POST', path: '/v1/commands/dedibox-power-cycle', body: { dedibox_id: BigInt(id), action: 'POWER_ON' } }
    },
  },
])

async function minutes(bench: BillingBench, id: string): Promise<unknown> {
  const body = await bench.get(`/v1/workspaces/${bench.wid}/usage/${id}?${period(0, 1_000)}`)
  return typeof body === 'object' && body !== null && 'minutes' in body ? body.minutes : undefined
}

describe('an instance', () => {
  test.each([[true], [false]])('that was online %s is suspended and resumed; the gap is not billed', async (online) => {
    const bench = createBillingBench()
    const { id } = bench.server({ online })
    await bench.clock.advance(90_000)
    expect(await act(bench, id, 'suspend')).toMatchObject({ status: 204, body: null })
    expect(bench.tables.instances.get(id)).toMatchObject({ state: 'SUSPENDED', online: false })
    expect((await bench.call({ method: 'POST', path: `/v1/instances/${id}/power`, body: { action: 'POWER_ON' } })).status).toBe(409)
    await bench.advanceHours(10)
    expect(await minutes(bench, id)).toBe(1)
    expect((await act(bench, id, 'resume')).status).toBe(204)
    expect(bench.tables.instances.get(id)).toMatchObject({ state: 'AVAILABLE', online })
    await bench.clock.advance(90_000)
    expect(await minutes(bench, id)).toBe(3)
    expect(await bench.get(`/v1/workspaces/${bench.wid}/usage/${id}?${period(0, 1_000)}`)).toMatchObject({ cost: 15_000 / 20 })
  })
  test('goes on where suspending is about metering alone', async () => {
    const bench = createBillingBench({ readings: { suspension: 'metering' } })
    const { id } = bench.server()
    await act(bench, id, 'suspend')
    expect(bench.tables.instances.get(id)).toMatchObject({ state: 'AVAILABLE', online: true })
    await bench.advanceHours(1)
    await act(bench, id, 'resume')
    await bench.advanceHours(1)
    expect([await minutes(bench, id), bench.tables.instances.get(id)?.online]).toEqual([60, true])
  })
  test('that is deleted while it is suspended is not metered any more', async () => {
    const bench = createBillingBench({ profile: 'instant' })
    const { id } = bench.server()
    await bench.advanceHours(1)
    await act(bench, id, 'suspend')
    expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
    await bench.advanceHours(1)
    expect([await minutes(bench, id), bench.tables.subjects.get(id)?.state]).toEqual([60, 'TERMINATED'])
  })
  test('is terminated with its dependents, each billed to the instant', async () => {
    const bench = createBillingBench()
    const { id } = bench.server()
    const kept = bench.disk()
    const disk = bench.disk({ instanceId: id })
    bench.disk({ instanceId: id, boot: true })
    const ip = bench.address({ instanceId: id })
    const granted = bench.address({ instanceId: id, grantedWith: id })
    await bench.advanceHours(2)
    const { status, body } = await act(bench, id, 'terminate')
    expect([status, body]).toEqual([
      200,
      [
        { id, kind: 'INSTANCE' },
        { id: ip.id, kind: 'FLOATING_IP' },
        { id: disk.id, kind: 'DISK' },
      ],
    ])
    await bench.advanceHours(2)
    expect([await minutes(bench, id), await minutes(bench, disk.id), await minutes(bench, ip.id), await minutes(bench, kept.id)]).toEqual([120, 120, 120, 240])
    const { instances, disks, ips } = bench.tables
    expect([instances.get(id), ips.get(ip.id), ips.get(granted.id), disks.all().map((one) => one.id)]).toEqual([undefined, undefined, undefined, [kept.id]])
  })
  test('stays where terminating is about metering alone, and is never metered again', async () => {
    const bench = createBillingBench({ readings: { termination: 'metering' } })
    const { id } = bench.server()
    await bench.advanceHours(1)
    expect((await act(bench, id, 'terminate')).body).toEqual([{ id, kind: 'INSTANCE' }])
    bench.tables.instances.update(id, { cpu: 9 })
    await bench.advanceHours(1)
    expect([await minutes(bench, id), bench.tables.instances.get(id)?.state]).toEqual([60, 'AVAILABLE'])
  })
})

describe('other subjects', () => {
  test('disks and addresses are suspended and terminated, too', async () => {
    const bench = createBillingBench()
    for (const [table, { id }] of [
      ['disks', bench.disk()],
      ['ips', bench.address()],
    ] as const) {
      await act(bench, id, 'suspend')
      expect(bench.tables[table].get(id)?.state).toBe('SUSPENDED')
      await act(bench, id, 'resume')
      expect([bench.tables[table].get(id)?.state, bench.tables.spans.first('open', id)?.fromMs]).toEqual(['AVAILABLE', Date.UTC(2026, 0, 1)])
      expect((await act(bench, id, 'terminate')).body).toHaveLength(1)
      expect(bench.tables[table].get(id)).toBeUndefined()
    }
  })
  test('an address that is terminated is in no DHCP settings any more', async () => {
    const bench = createBillingBench()
    const { id: instanceId } = bench.server()
    const { id } = bench.address({ instanceId })
    const settings = bench.tables.dhcpSettings.insert({ instanceId, enabled: true, v4: id, v6: null })
    await act(bench, id, 'terminate')
    expect(bench.tables.dhcpSettings.get(settings.id)?.v4).toBeNull()
  })
  test('dediboxes are offline while they are suspended, and go with their addresses', async () => {
    const bench = createBillingBench()
    const vnc = { host: '', port: 1, proxied: true, resets: 0 }
    const base = { workspaceId: bench.wid, name: 'metal' }
    const { id } = bench.tables.dediboxes.insert({ ...base, region: 'fra-1', planId: bench.tables.plans.all()[0]?.id ?? '', online: true, isoId: null, vnc })
    bench.tables.dediboxIps.insert({ workspaceId: bench.wid, dediboxId: id, type: 'IPv4', address: '198.51.100.7', canonical: '198.51.100.7' })
    await bench.advanceHours(1)
    await act(bench, id, 'suspend')
    expect(bench.tables.dediboxes.get(id)?.online).toBe(false)
    await bench.advanceHours(1)
    await act(bench, id, 'resume')
    expect([bench.tables.dediboxes.get(id)?.online, await minutes(bench, id)]).toEqual([true, 60])
    expect((await act(bench, id, 'terminate')).body).toEqual([{ id, kind: 'DEDIBOX' }])
    expect([bench.tables.dediboxes.get(id), bench.tables.dediboxIps.all()]).toEqual([undefined, []])
  })
  test('that are not there are 404, and not for everyone', async () => {
    const bench = createBillingBench()
    const boot = bench.disk({ boot: true, instanceId: bench.server().id })
    for (const verb of ['suspend', 'resume', 'terminate'] as const) {
      expect([(await act(bench, '5', verb)).status, (await act(bench, boot.id, verb)).status]).toEqual([404, 404])
      expect((await bench.call({ method: 'POST', path: `/v1/billing/subjects/5/${verb}` })).status).toBe(403)
    }
  })
})

test('what is resumed stays FAILED where a delete has failed since it was suspended', async () => {
  const bench = createBillingBench({ courses: [{ operation: 'instance.delete', outcome: 'FAILED', leaves: 'failed' }] })
  const { id } = bench.server()
  await act(bench, id, 'suspend')
  expect((await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })).status).toBe(202)
  await bench.clock.advance(1000)
  expect((await act(bench, id, 'resume')).status).toBe(204)
  expect(bench.tables.instances.get(id)).toMatchObject({ state: 'FAILED', online: false })
})
