// Firewall rules: every rule about them, defaults, counts, and their end.
import { expect, test } from 'vitest'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { firewallRulesArea } from './firewall-rules.ts'

const ssh = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 22 }

function create(instanceId: string, fields: object = {}): TestCall {
  return { method: 'POST', path: `/v1/instances/${instanceId}/firewall-rules`, body: { ...ssh, ...fields } }
}
function remove({ tables }: Bench): TestCall {
  return { method: 'DELETE', path: `/v1/firewall-rules/${tables.firewallRules.all()[0]?.id}` }
}
async function filled(bench: Bench): Promise<TestCall> {
  const { id } = bench.instance()
  await bench.call(create(id))
  return create(id)
}
function addIps({ tables, wid }: Bench, instanceId: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const fields = { workspaceId: wid, family: 'IPv4', region: 'fra-1', ddos: false, dns: null, grantedWith: null, state: 'AVAILABLE' } as const
    tables.ips.insert({ ...fields, address: `192.0.2.${index}`, instanceId })
  }
}

describeRules('firewall rules', firewallRulesArea.rules, [
  ...(['PENDING', 'FAILED', 'SUSPENDED', 'DELETING'] as const).map((state) => ({
    rule: 'firewall.instance-state',
    accepted: 201,
    arrange: (bench: Bench) => create(bench.instance({ state }).id),
  })),
  {
    rule: 'firewall.busy',
    accepted: 202,
    async arrange(bench) {
      await bench.call(create(bench.instance().id))
      return remove(bench)
    },
  },
  {
    rule: 'firewall.busy',
    accepted: 202,
    async arrange(bench) {
      await bench.call(create(bench.instance().id))
      await bench.clock.advance(1000)
      bench.sandbox.world.courses.push({ operation: 'firewall.delete', outcome: 'FAILED' })
      await bench.call(remove(bench))
      return remove(bench)
    },
  },
  { rule: 'firewall.quota', accepted: 201, options: { quota: { firewall_rules_per_ip: 1 } }, arrange: filled },
])

test.each([
  ['address', 2, [201, 201, 403]],
  ['address', 0, [201, 403, 403]],
  ['instance', 2, [201, 403, 403]],
  ['off', 1, [201, 201, 201]],
] as const)('a quota of 1, counted by %s with %i addresses', async (firewallQuota, count, statuses) => {
  const bench = createBench({ readings: { firewallQuota }, quota: { firewall_rules_per_ip: 1 } })
  const { id } = bench.instance()
  addIps(bench, id, count)
  const answers: number[] = []
  for (let index = 0; index < 3; index += 1) answers.push((await bench.call(create(id))).status)
  expect(answers).toEqual(statuses)
})

test('a rule is made with its defaults, read, listed newest first, filtered, and gone with its delete', async () => {
  const bench = createBench()
  const { id } = bench.instance()
  const made = await bench.call(create(id))
  const defaults = { port_end: null, remote: '0.0.0.0/0', local: null, bps_limit: null, pps_limit: null, priority: 1, description: null }
  expect(made).toMatchObject({
    status: 201,
    body: { workflow: { name: 'firewall.create' }, firewall_rule: { ...ssh, ...defaults, instance: id } },
  })
  await bench.call(create(id, { type: 'IPv6', protocol: 'ICMP', action: 'DROP', port_start: undefined, bps_limit: 5, pps_limit: 7, priority: 9 }))
  const list = `/v1/instances/${id}/firewall-rules`
  expect(await bench.call({ method: 'GET', path: list })).toMatchObject({
    body: { items: [{ type: 'IPv6', remote: '::/0', port_start: null, bps_limit: null, pps_limit: 7, priority: 9 }, ssh] },
  })
  for (const query of ['type=IPv4', 'protocol=TCP', 'action=ACCEPT']) {
    expect(await bench.call({ method: 'GET', path: `${list}?${query}` })).toMatchObject({ body: { items: [ssh] } })
    expect(await bench.call({ method: 'GET', path: `${list}?${query}` })).not.toMatchObject({ body: { items: [{}, {}] } })
  }
  const [first] = bench.tables.firewallRules.all()
  const path = `/v1/firewall-rules/${first?.id}`
  expect(await bench.call({ method: 'GET', path })).toMatchObject({ status: 200, body: ssh })
  await bench.clock.advance(1000)
  expect(await bench.call({ method: 'DELETE', path })).toMatchObject({ body: { name: 'firewall.delete', state: 'QUEUED' } })
  expect((await bench.call({ method: 'GET', path })).status).toBe(404)
  await bench.clock.advance(1000)
  await bench.call({ method: 'GET', path: list })
  expect(bench.tables.workflows.all().map((one) => [one.state, one.output])).toEqual([
    ['COMPLETED', { firewall_rule_id: first?.id }],
    ['COMPLETED', { firewall_rule_id: bench.tables.firewallRules.all()[0]?.id }],
    ['COMPLETED', null],
  ])
})

test('workflows that fail: no rule after a create, the same rule after a delete', async () => {
  const bench = createBench({
    courses: [
      { operation: 'firewall.create', outcome: 'FAILED' },
      { operation: 'firewall.delete', outcome: 'FAILED' },
    ],
  })
  const { id } = bench.instance()
  await bench.call(create(id))
  await bench.clock.advance(1000)
  await bench.call(create(id, { description: 'second' }))
  expect(bench.tables.firewallRules.all()).toMatchObject([{ description: 'second' }])
  await bench.clock.advance(1000)
  const path = `/v1/firewall-rules/${bench.tables.firewallRules.all()[0]?.id}`
  await bench.call({ method: 'DELETE', path })
  await bench.clock.advance(1000)
  expect((await bench.call({ method: 'GET', path })).status).toBe(200)
})

test('the create of a rule that goes with its instance fails', async () => {
  const courses = [{ operation: 'firewall.create', outcome: 'COMPLETED', durationMs: 5000 } as const]
  const bench = createBench({ readings: { busyInstances: 'refuse-none' }, courses })
  const { id } = bench.instance()
  await bench.call(create(id))
  await bench.call({ method: 'DELETE', path: `/v1/instances/${id}` })
  await bench.clock.advance(10_000)
  await bench.call({ method: 'GET', path: '/v1/plans' })
  expect(bench.tables.workflows.all()).toMatchObject([
    { name: 'firewall.create', state: 'FAILED', output: null },
    { name: 'instance.delete', state: 'COMPLETED' },
  ])
})

test('counts name instances with rules, or all', async () => {
  for (const firewallCounts of ['with-rules', 'all'] as const) {
    const bench = createBench({ readings: { firewallCounts } })
    const { id } = bench.instance()
    const bare = bench.instance({ name: 'bare' })
    for (let index = 0; index < 2; index += 1) await bench.call(create(id))
    const counts = [{ instance: id, name: 'web', rules: 2 }, ...(firewallCounts === 'all' ? [{ instance: bare.id, name: 'bare', rules: 0 }] : [])]
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/firewall-rules` })).body).toEqual(counts)
  }
})
