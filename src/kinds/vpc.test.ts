// VPCs: their range is judged once it is known, and an update sends what has changed.
import { expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { Vpc } from './vpc.ts'

const desired = { name: 'main', description: 'a network', range: '10.0.0.0/24' }
const live = { id: '1', ...desired, range: '10.0.0.0/24', vlan: 12 }

test.each([
  ['10.0.0.0/8', 0],
  ['172.31.1.2/16', 0],
  ['192.168.0.0/15', 1],
  ['203.0.113.0/24', 1],
  ['fd00::/8', 1],
  ['10.0.0.1', 1],
  ['\u0001unknown\u0001Vpc/a /range\u0002', 0],
])('the range %j has %i problems', (range, count) => {
  expect(Vpc.check?.({ ...desired, range })).toHaveLength(count)
})
test('is made at once, and updated where its name or description changed', () => {
  const of = (extra: object, seen?: typeof live) => Vpc.steps(wantedView(Vpc, { desired: { ...desired, ...extra }, recorded: desired, live: seen }))
  expect(of({})).toMatchObject([{ name: 'create', creates: true, call: { params: { wid: '9' }, body: desired } }])
  expect(of({}, live)).toEqual([])
  expect(of({ description: '' }, live)).toMatchObject([{ name: 'update', call: { params: { vid: '1' }, body: { name: 'main', description: '' } } }])
})
test('is read with its VLAN tag under any of its names, a number, and its range normalised', async () => {
  const answers = { '/v1/vpcs/1': { ...desired, id: 1, vlan_tag: 12 }, '/v1/vpcs/2': { ...desired, id: '2', range: '10.0.0.5/24', vlan_id: '13' } }
  const [one, other] = [await Vpc.read(cannedReader(answers), '1', cannedAt()), await Vpc.read(cannedReader(answers), '2', cannedAt())]
  expect([one, other].map((vpc) => vpc && Vpc.outputsOf(vpc))).toEqual([
    { id: '1', range: '10.0.0.0/24', vlan: 12 },
    { id: '2', range: '10.0.0.0/24', vlan: 13 },
  ])
})
