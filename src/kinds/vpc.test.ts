// VPCs: their range is judged once it is known, and an update sends what has changed.
import { expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import type { Holding } from './definition/kind.ts'
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
test('that goes takes off the members that nothing else takes off, and tells who holds it', async () => {
  const answers = {
    '/v1/vpcs/1': { id: '1', ...desired },
    '/v1/vpcs': [
      { id: '1', ...desired },
      { id: '2', ...desired },
    ],
    '/v1/workspaces/9/instances': [{ id: '4', state: 'AVAILABLE' }],
    '/v1/vpcs/1/instances': ['3', '4', '5', '6', '7', '8'].map((id) => ({ instance: { id } })),
    '/v1/instances/4': { id: '4', state: 'AVAILABLE' },
    '/v1/instances/5': { id: '5', state: 'AVAILABLE' },
    '/v1/instances/6': { id: '6', state: 'DELETING' },
    '/v1/instances/8': { id: '8', state: 'AVAILABLE' },
  }
  const does: Readonly<Record<string, Holding>> = { 'Instance 3': 'lets go', 'Instance 4': 'to be taken off', 'VpcAttachment 8/1': 'stays' }
  const outcomes = {
    ends: (_: string, id: string) => id === '1',
    deletes: () => false,
    isHeld: () => true,
    holding: (kind: string, id: string) => does[`${kind} ${id}`],
  }
  const at = { ...cannedAt(['holders']), outcomes }
  const one = await Vpc.read(cannedReader(answers), '1', at)
  expect(one && Vpc.holders?.(one)).toMatchObject([
    { kind: 'Instance', id: '3', does: 'lets go' },
    { kind: 'Instance', id: '4', does: 'to be taken off' },
    { kind: 'Instance', id: '5', does: 'in no state' },
    { kind: 'VpcAttachment', id: '8/1', does: 'stays' },
  ])
  expect(Vpc.removal({ id: '1', workspaceId: '9', recorded: {}, live: one, fresh: false, nowMs: 0 })).toMatchObject([
    { name: 'detach instance 4', disruption: 'interruption', call: { params: { iid: '4', vid: '1' } } },
    { name: 'delete', removes: true },
  ])
})
test('is read without its members where it stays, and where nobody knows what goes', async () => {
  const answers = { '/v1/vpcs/1': { id: '1', ...desired } }
  const stays = { ends: () => false, deletes: () => false, isHeld: () => false, holding: () => undefined }
  expect(await Vpc.read(cannedReader(answers), '1', { ...cannedAt(['holders']), outcomes: stays })).not.toHaveProperty('holders')
  expect(await Vpc.read(cannedReader(answers), '1', cannedAt(['holders']))).not.toHaveProperty('holders')
})
