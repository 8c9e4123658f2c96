// Who holds an object: found by its id or by what else it shows, among current objects and old halves.
import { expect, test } from 'vitest'
import { recordOf } from '../../../../test/builders/journal.ts'
import { kinds } from '../../../kinds/registry.ts'
import { kindFinder } from '../kind-finder.ts'
import { createReferences, isHeldBy } from './references.ts'

const kindOf = kindFinder(kinds)
const records = [
  recordOf('1', { address: 'Vpc/main', spec: { name: '7' } }),
  recordOf('7/1', { address: 'VpcAttachment/web', kind: 'VpcAttachment', spec: { instance: '7', vpc: '1' } }),
  recordOf('5', {
    address: 'FirewallRule/ssh',
    kind: 'FirewallRule',
    spec: { instance: '8' },
    deposed: [{ id: '4', spec: { instance: '7' }, depends_on: [] }],
  }),
  recordOf('9', { address: 'K3sService/shop', kind: 'K3sService', spec: { target_instances: ['7', '8'], secret_refs: ['db'] } }),
]

test.each([
  ['an instance', { kind: 'Instance', id: '7', shown: {} }, ['VpcAttachment/web', 'FirewallRule/ssh', 'K3sService/shop']],
  ['another one', { kind: 'Instance', id: '8', shown: {} }, ['FirewallRule/ssh', 'K3sService/shop']],
  ['another kind with its id', { kind: 'Vpc', id: '7', shown: {} }, []],
  ['a secret that is pointed at by its name', { kind: 'K3sSecret', id: '3', shown: { name: 'db' } }, ['K3sService/shop']],
  ['one that nothing points at', { kind: 'K3sSecret', id: '3', shown: { name: 'dbx' } }, []],
] as const)('%s', (_, target, addresses) => {
  expect([...createReferences(records, kindOf)(target)].toSorted()).toEqual([...addresses].toSorted())
  const walked = records.filter((one) => [one.spec, ...one.deposed.map((old) => old.spec)].some((spec) => isHeldBy(kindOf(one.kind), spec, target)))
  expect(walked.map((one) => one.address).toSorted()).toEqual([...addresses].toSorted())
})
