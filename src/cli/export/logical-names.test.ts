// Names for what the service gives none: short, telling, and alike for what differs in its owner alone.
import { expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { kinds } from '../../kinds/registry.ts'
import type { LiveThing } from './exported.ts'
import { logicalNames } from './logical-names.ts'

function thing(name: string, id: string, seen: JsonObject): LiveThing {
  const kind = kinds.find((one) => one.name === name)
  if (!kind) throw new Error(`no kind is called ${name}`)
  return { kind, workspaceId: '1', id, seen, outputs: {}, hiddenKeys: {} }
}

/** The names of objects, in their order; servers that they point at are called by their names. */
function named(things: readonly LiveThing[], servers: Readonly<Record<string, string>> = {}): readonly string[] {
  const targets = Object.entries(servers).map(([id, name]) => thing('Instance', id, { name }))
  const pointed = (one: LiveThing, field: string): LiveThing | undefined => targets.find(({ id }) => id === one.seen[field])
  return [...logicalNames([...targets, ...things], () => [], pointed).values()].slice(targets.length)
}

const rule = (id: string, seen: JsonObject): LiveThing => thing('FirewallRule', id, { instance: '7', type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', ...seen })
const servers = { '7': 'web', '8': 'db' }

test.each<[string, readonly LiveThing[], readonly string[]]>([
  ['one is called by its owner and what it is about', [rule('1', { port_start: 22, remote: '203.0.113.0/24', priority: 90 })], ['web-22']],
  ['several by what tells them apart', [rule('1', { port_start: 22 }), rule('2', { port_start: 443, protocol: 'UDP' })], ['web-tcp-22', 'web-udp-443']],
  [
    'no more than that is said',
    [rule('1', { port_start: 22, remote: '203.0.113.0/24' }), rule('2', { port_start: 22, remote: '198.51.100.7/32' }), rule('3', { port_start: 80 })],
    ['web-22-203-0-113-0-24', 'web-22-198-51-100-7-32', 'web-80'],
  ],
  [
    'those of another owner are called alike',
    [rule('1', { port_start: 22 }), rule('2', { port_start: 22, instance: '8' }), rule('3', { port_start: 80 })],
    ['web-22', 'db-22', 'web-80'],
  ],
  ['what nothing tells apart is counted', [rule('1', { port_start: 22 }), rule('2', { port_start: 22 })], ['web-22', 'web-22-2']],
  ['a word of a few says too little alone', [rule('1', { protocol: 'ICMP' }), rule('2', { port_start: 80 })], ['web-icmp', 'web-tcp-80']],
])('%s', (_, things, names) => {
  expect(named(things, servers)).toEqual(names)
})

test('what belongs to nothing is called by its values, amounts left out and days of instants kept', () => {
  const price = (id: string, seen: JsonObject): LiveThing =>
    thing('Price', id, { type: 'CPU', region: 'fra-1', unit_rate: 3000, effective_from: '2026-01-31T00:00:00.000Z', ...seen })
  const prefix = thing('BgpPrefix', '9', { prefix: '198.51.100.0/24', enabled: true, community: 'DEFAULT' })
  expect(named([price('CPU/1', {}), price('CPU/2', { effective_from: '2027-01-31T00:00:00.000Z' }), price('IP/3', { type: 'IP' }), prefix])).toEqual([
    'cpu-fra-1-2026-01-31',
    'cpu-fra-1-2027-01-31',
    'ip-fra-1',
    'bgp-prefix-198-51-100-0-24',
  ])
})
