// Memberships of instances in VPCs as resources of their own, for instances that do not list `vpcs`.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import { immutable, mark, ref } from './definition/fields.ts'
import { defineKind } from './definition/kind.ts'
import type { Peer, PeerProblem } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { membersOf } from './vpc-members.ts'

const spec = z.strictObject({
  instance: mark(ref('Instance'), { immutable: true, bound: true, declarer: true }).describe('the instance that joins'),
  vpc: immutable(ref('Vpc')).describe('the VPC that it joins, of the same workspace'),
})

const live = defineShape('VpcAttachment', () => z.object({ instance: idOf, vpc: idOf, address: maybe(z.string()) }))

export const VpcAttachment = defineKind({
  name: 'VpcAttachment',
  plural: 'vpcattachments',
  about: 'Membership of an instance in a VPC, with a private address there; an alternative to the `vpcs` of the Instance.',
  section: 'VPCs',
  scope: 'parent',
  parentField: 'vpc',
  calls: { making: [routes.joinVpc], removing: [routes.leaveVpc] },
  singleRead: false,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'ids of instance and VPC, `<instance>/<vpc>`' },
    address: { type: 'string', about: 'private address of the instance in the VPC' },
  },
  unique: ['instance', 'vpc'],
  examples: [
    {
      title: 'An instance joins a VPC',
      spec: { instance: 'web', vpc: 'main' },
      beside: [
        { kind: 'Instance', name: 'web', spec: { type: 'PLAN', name: 'web', plan: 'ryzen-4', region: 'fra-1' } },
        { kind: 'Instance', name: 'api', spec: { type: 'PLAN', name: 'api', plan: 'ryzen-4', region: 'fra-1' } },
        { kind: 'Vpc', name: 'main', spec: { name: 'main', description: 'between the servers', range: '10.20.0.0/24' } },
        { kind: 'Vpc', name: 'data', spec: { name: 'data', description: 'to the databases', range: '10.21.0.0/24' } },
      ],
      changes: { instance: 'api', vpc: 'data' },
    },
  ],
  list: async (api, at) => (await inTurns(at.parents, (vpc) => membersOf(api, vpc))).flat(),
  async read(api, id) {
    const [instance, vpc = ''] = id.split('/')
    const members = await membersOf(api, vpc)
    return members.find((one) => one.instance === instance)
  },
  idForm: /^[1-9]\d{0,18}\/[1-9]\d{0,18}$/,
  id: (one) => `${one.instance}/${one.vpc}`,
  toSpec: (one) => ({ instance: one.instance, vpc: one.vpc }),
  outputsOf: (one) => present({ id: `${one.instance}/${one.vpc}`, address: one.address }),
  status: () => 'ready',
  naturalKey: (one) => `${one.instance} ${one.vpc}`,
  derivedId: (one) => `${one.instance}/${one.vpc}`,
  advise: (peers) => peers.filter(isJoining).map(adviseBoot),
  steps({ desired, live }) {
    if (live) return []
    return [{ name: 'create', creates: true, call: call(routes.joinVpc, { iid: desired.instance }, { vpc: desired.vpc }), sets: desired }]
  },
  removal({ id, recorded, live }) {
    const [instance = '', vpc = ''] = id.split('/')
    const params = { iid: live?.instance ?? recorded.instance ?? instance, vid: live?.vpc ?? recorded.vpc ?? vpc }
    return [{ name: 'delete', removes: true, disruption: 'interruption', call: call(routes.leaveVpc, params), sets: {} }]
  },
})

function isJoining(peer: Peer): boolean {
  return peer.kind === 'VpcAttachment' && (peer.action === 'create' || peer.action === 'replace')
}

function adviseBoot({ address }: Peer): PeerProblem {
  return { address, path: ['instance'], message: "the interface may appear only at the instance's next boot" }
}
