// Firewall rules: their steps, the order within an instance, their checks and warnings.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import { cidrContains, parseCidr } from '../base/cidr.ts'
import type { Peer, Turn } from './definition/kind.ts'
import { readShape } from './definition/shape.ts'
import { findShadowed } from './firewall-rule-shadows.ts'
import type { Rule } from './firewall-rule-shadows.ts'
import { FirewallRule } from './firewall-rule.ts'

const ssh = { instance: '1', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', port_start: 22, priority: 1 } as const
const peer = (name: string, spec: Peer['spec']): Peer => ({
  address: `FirewallRule/${name}`,
  kind: 'FirewallRule',
  workspace: '9',
  spec: { ...ssh, instance: 'Instance/web', ...spec },
})
const web = (spec: Peer['spec']): Peer => ({ address: 'Instance/web', kind: 'Instance', workspace: '9', spec })
const unknown = '\u0001unknown'

describe('one spelling', () => {
  test('a default that the service fills in is as absent', () => {
    const seen = FirewallRule.toSpec(
      readShape(FirewallRule.live, { id: '1', ...ssh, port_end: 22, remote: '0.0.0.0/0', local: null, description: '', priority: null }, {}),
    )
    expect(seen).toMatchObject({ remote: null, local: null, port_end: null, description: null, priority: 1 })
    expect(FirewallRule.naturalKey(seen)).toBe(FirewallRule.naturalKey(ssh))
  })
  test('a field that a slim item lacks stays unknown', () => {
    const seen = FirewallRule.toSpec(readShape(FirewallRule.live, { id: '1', type: 'IPv4' }, {}))
    expect([seen.remote, seen.port_end, seen.description]).toEqual([undefined, undefined, undefined])
  })
  test('what says no more than its absence is absent in a manifest', () => {
    expect(FirewallRule.normalise?.({ ...ssh, remote: '0.0.0.0/0', local: '0.0.0.0/0', port_end: 22, description: '' })).toEqual(ssh)
    expect(FirewallRule.normalise?.({ ...ssh, remote: '10.0.0.0/8', port_end: 23 })).toEqual({ ...ssh, remote: '10.0.0.0/8', port_end: 23 })
  })
  test('the natural key tells rules apart by each field', () => {
    const others = [
      { instance: '2' },
      { port_end: 23 },
      { remote: '10.0.0.0/8' },
      { local: '10.0.0.0/8' },
      { priority: 2 },
      { description: 'x' },
      { pps_limit: 1 },
    ]
    expect(new Set([{}, ...others].map((other) => FirewallRule.naturalKey({ ...ssh, ...other }))).size).toBe(others.length + 1)
  })
})

test('new rules open before old ones close, SSH first and last', () => {
  const rank = (spec: object, turn: Turn) => FirewallRule.place?.({ ...ssh, ...spec }, turn)?.rank
  const order = [
    rank({}, 'new'),
    rank({ port_start: 80 }, 'new'),
    rank({ action: 'DROP' }, 'new'),
    rank({ action: 'DROP' }, 'old'),
    rank({ port_start: 80 }, 'old'),
    rank({}, 'old'),
    rank({}, 'next'),
    rank({ port_start: 80 }, 'next'),
    rank({ action: 'DROP' }, 'next'),
    rank({}, 'late'),
    rank({ port_start: 80 }, 'late'),
    rank({ action: 'DROP' }, 'late'),
  ]
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(FirewallRule.place?.(ssh, 'new')?.group).toBe('firewall:1')
  expect(rank({ port_start: undefined }, 'new')).toBe(0)
  expect(rank({ port_start: 20, port_end: 30 }, 'old')).toBe(5)
  expect(rank({ protocol: 'UDP' }, 'new')).toBe(1)
})

test('lists begin with the counts: instances without rules cost no call', async () => {
  const reader = cannedReader({
    '/v1/workspaces/9/firewall-rules': [
      { instance: { id: '1' }, name: 'web', rules: 2 },
      { instance: '2', name: 'api', rules: 0 },
      { instance: '3', name: 'old', rules: 1 },
    ],
    '/v1/instances/1/firewall-rules': [{ id: '5', ...ssh, instance: null }],
  })
  const rules = await FirewallRule.list(reader, cannedAt([], ['1', '2', '3']))
  expect(rules.map((rule) => [rule.id, rule.instance])).toEqual([['5', '1']])
  expect(reader.asked).toEqual(['/v1/workspaces/9/firewall-rules', '/v1/instances/1/firewall-rules', '/v1/instances/3/firewall-rules', '/v1/instances/3'])
  expect(await FirewallRule.list(reader, cannedAt())).toEqual([])
})

describe('checks', () => {
  test.each([
    [{}, []],
    [{ bps_limit: 1, pps_limit: 1 }, ['pps_limit']],
    [{ protocol: 'ICMP' }, ['port_start']],
    [{ port_start: undefined, port_end: 22 }, ['port_end']],
    [{ port_start: 23, port_end: 22 }, ['port_end']],
    [{ remote: '2001:db8::/32' }, ['remote']],
    [{ type: 'IPv6', local: '10.0.0.0/8' }, ['local']],
    [{ remote: '10.0.0.0/33' }, ['remote']],
    [{ remote: '10.1.2.3' }, []],
    [JSON.parse('{"remote":"\\u0001r","port_start":"\\u0001p","port_end":5}'), []],
  ])('%o', (other, fields) => {
    expect(FirewallRule.check?.({ ...ssh, ...other }).map((problem) => problem.path[0])).toEqual(fields)
  })
  test('two that are the same on one instance are an error, unless something is not known', () => {
    const twins = [
      peer('a', {}),
      peer('b', { remote: '0.0.0.0/0', port_end: 22 }),
      peer('c', { instance: 'Instance/api' }),
      peer('d', { remote: unknown }),
      peer('e', { remote: unknown }),
      ...['f', 'g'].map((name) => ({ ...peer(name, {}), spec: {} })),
    ]
    expect(FirewallRule.checkAll?.(twins).map((problem) => problem.address)).toEqual(['FirewallRule/b'])
  })
})

describe('advice', () => {
  const answers = [peer('tcp', { port_start: 1024, port_end: 65535 }), peer('udp', { protocol: 'UDP', port_start: 1024, port_end: 65535 })]
  const advice = (peers: Peer[]) => FirewallRule.advise?.(peers).map((problem) => `${problem.address} ${problem.message}`) ?? []

  test('is silent when SSH and return traffic are accepted', () => {
    expect(advice([web({ firewall_enabled: true }), peer('ssh', {}), ...answers])).toEqual([])
  })
  test('warns when nothing accepts SSH, and when nothing accepts answers', () => {
    expect(advice(answers)).toEqual([expect.stringContaining('TCP 22')])
    expect(advice([peer('ssh', {}), peer('low', { port_start: 1024, port_end: 3000 }), peer('high', { port_start: 3001, port_end: 65535 })])).toEqual([
      expect.stringContaining('over UDP'),
    ])
    expect(advice([peer('ssh', {})])).toEqual([expect.stringContaining('over TCP or UDP')])
  })
  test('does not warn about reach where rules are not enforced or not known', () => {
    expect(advice([web({ firewall_enabled: false }), peer('http', { port_start: 80 })])).toEqual([])
    expect(advice([peer('http', { port_start: 80 }), peer('x', { port_start: unknown })])).toEqual([])
  })
  test('names the rule that shadows another', () => {
    const wide = peer('wide', { action: 'DROP', port_start: 1, port_end: 65535, priority: 50 })
    const found = advice([wide, peer('ssh', { remote: '10.0.0.0/8', priority: 10 }), ...answers]).filter((text) => text.includes('never decides'))
    expect(found).toEqual([expect.stringMatching(/^FirewallRule\/ssh .*FirewallRule\/wide/), expect.stringMatching(/^FirewallRule\/tcp /)])
  })
})

test('shadows are those that comparing every pair finds', () => {
  const network = fc
    .constantFrom('0.0.0.0/0', '0.0.0.0/0', '0.0.0.0/0', '10.0.0.0/8', '10.1.2.0/24', '192.168.0.0/16')
    .map((text) => parseCidr(text) ?? { family: 4 as const, bits: 0n, prefix: 0 })
  const ports = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 8 }))
  const rule = fc.record({
    protocol: fc.constantFrom('TCP', 'UDP'),
    priority: fc.integer({ min: 1, max: 15 }),
    remote: network,
    local: network,
    ports,
    limited: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 40, size: 'max' }), (drawn) => {
      const rules: Rule[] = drawn.map(({ ports: [first, more], protocol, priority, remote, local, limited }, index) => ({
        address: `${index}`,
        type: 'IPv4',
        protocol,
        action: 'ACCEPT',
        priority,
        remote,
        local,
        limited,
        first,
        last: first + more,
      }))
      const covers = (a: Rule, b: Rule) =>
        !a.limited &&
        a.priority > b.priority &&
        a.protocol === b.protocol &&
        a.first <= b.first &&
        a.last >= b.last &&
        cidrContains(a.remote, b.remote) &&
        cidrContains(a.local, b.local)
      const expected = rules.filter((one) => rules.some((other) => covers(other, one))).map((one) => one.address)
      expect(
        findShadowed(rules)
          .map((problem) => problem.address)
          .toSorted(),
      ).toEqual(expected.toSorted())
    }),
    { numRuns: 500 },
  )
})

test('shadows of 40,000 rules on one instance are found at once', () => {
  const any = { family: 4 as const, bits: 0n, prefix: 0 }
  const rules: Rule[] = Array.from({ length: 40_000 }, (_, index) => ({
    address: `${index}`,
    type: 'IPv4',
    protocol: 'TCP',
    action: 'ACCEPT',
    priority: 1 + (index % 100),
    remote: any,
    local: any,
    limited: false,
    first: 1 + index * 3,
    last: 2 + index * 3,
  }))
  const { result, spentMs } = cpuTime(() => findShadowed(rules))
  expect(result).toEqual([])
  expect(spentMs).toBeLessThan(2000)
}, 60_000)
