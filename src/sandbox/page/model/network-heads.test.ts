// What is told of networks.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { networkHeads } from './network-heads.ts'

const model = modelOf({
  instances: [instance('a', { name: 'web-1' })],
  vpcs: ['x', 'y'].map((id) => ({ id, workspace_id: 'w', name: `net-${id}`, range: '10.0.0.0/24' })),
  memberships: [
    { id: '1', vpc_id: 'x', instance_id: 'a', address: '10.0.0.2' },
    { id: '2', vpc_id: 'x', instance_id: 'gone', address: '10.0.0.3' },
  ],
  bgpConfigurations: [{ id: 'b', workspace_id: 'w', asn: null, instance_id: null, max_prefixes: 1 }],
})

test.each([
  [
    'vpcs',
    'x',
    [
      ['range', '10.0.0.0/24'],
      ['members', '10.0.0.2 web-1\n10.0.0.3 gone'],
    ],
  ],
  [
    'vpcs',
    'y',
    [
      ['range', '10.0.0.0/24'],
      ['members', 'none'],
    ],
  ],
  ['bgpConfigurations', 'b', [['prefixes', 'at most 1']]],
])('%s %s', (table, id, facts) => {
  expect(networkHeads[table]?.(model, id)?.facts).toEqual(facts)
})

test.each(Object.keys(networkHeads))('of %s that are gone nothing is told', (table) => {
  expect(networkHeads[table]?.(model, 'gone')).toBeUndefined()
})
