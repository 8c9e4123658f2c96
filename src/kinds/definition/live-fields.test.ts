// What every kind makes of words of an answer: their case never counts, an unknown one is not carried.
import { describe, expect, test } from 'vitest'
import { BgpPrefix } from '../bgp-prefix.ts'
import { FirewallRule } from '../firewall-rule.ts'
import { Instance } from '../instance.ts'
import { K3sService } from '../k3s-service.ts'
import { resourceStates, statusOf } from './live-fields.ts'
import { readShape } from './shape.ts'

test.each([
  ['AVAILABLE', false, 'ready'],
  ['available', true, 'ready'],
  ['Deleting', false, 'leaving'],
  ['constructor', false, 'pending'],
  [null, true, 'pending'],
  [undefined, false, 'ready'],
])('the state %j, fresh %s, is %s', (word, fresh, status) => {
  expect(statusOf(resourceStates, word, fresh)).toBe(status)
})

describe('words in another case', () => {
  test('of a firewall rule', () => {
    const rule = { id: '1', instance: '2', type: 'ipv4', protocol: 'tcp', action: 'Accept', port_start: 22, priority: 1 }
    const seen = FirewallRule.toSpec(readShape(FirewallRule.live, rule, {}))
    expect(seen).toMatchObject({ type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' })
    expect(FirewallRule.naturalKey(seen)).toBe(FirewallRule.naturalKey({ ...rule, type: 'IPv4', protocol: 'TCP', action: 'ACCEPT' }))
  })
  test('of an instance, a prefix, a service and its ports', () => {
    expect(readShape(Instance.live, { id: '1', type: 'custom', group: 'ryzen', boot: 'disk' }, {})).toMatchObject({
      type: 'CUSTOM',
      group: 'RYZEN',
      boot: 'DISK',
    })
    expect(readShape(BgpPrefix.live, { id: '1', source: 'manual', community: 'default' }, {})).toMatchObject({ source: 'MANUAL', community: 'DEFAULT' })
    const port = { host_port: 80, container_port: 80, protocol: 'tcp' }
    expect(readShape(K3sService.live, { id: '1', mode: 'spread', update_strategy: 'rolling', ports: [port] }, {})).toMatchObject({
      mode: 'SPREAD',
      update_strategy: 'ROLLING',
      ports: [{ protocol: 'TCP' }],
    })
  })
  test('one that is not known is not carried', () => {
    const live = readShape(Instance.live, { id: '1', group: 'THREADRIPPER', boot: 7 }, {})
    expect([live.group, live.boot]).toEqual([undefined, undefined])
  })
})
