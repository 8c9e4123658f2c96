// VPCs and their members: section "VPCs".
import { cidrHost, normaliseCidr } from '../../../base/cidr.ts'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { levelIn } from '../../request/caller.ts'
import { defined } from '../../request/defined.ts'
import type { Caller } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, contains, filtered, named, search } from '../../request/lists/filters.ts'
import { found, Refusal } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import { limitOf } from '../../seed/quota.ts'
import type { MembershipRow, VpcRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

const FIRST_VLAN = 100
/** The last of the tags that a frame can carry: 4095 is reserved. */
const LAST_VLAN = 4094

const rules = [
  rule({
    id: 'vpcs.quota',
    section: 'Limits',
    quote: 'Workspace quotas | max_instances, max_ssh_keys, max_vpcs',
    routes: ['createVpc'],
    status: 403,
    open: 'quota',
    message: 'the quota max_vpcs is reached',
    broken: ({ world, params: { wid } }) => world.tables.vpcs.by('workspace', wid).length >= limitOf(world, wid, 'max_vpcs'),
  }),
  rule({
    id: 'vpcs.vlan',
    section: 'VPC',
    quote: 'the full object includes the normalized range and an assigned VLAN tag',
    assumed: true,
    routes: ['createVpc'],
    status: 409,
    message: 'no VLAN tag is free',
    broken: ({ world }) => freeVlan(world) > LAST_VLAN,
  }),
  rule({
    id: 'vpcs.attached',
    section: 'VPCs',
    quote: '400 if any instance attached',
    routes: ['deleteVpc'],
    status: 400,
    message: 'instances are attached to the VPC',
    broken: ({ world, params: { vid } }) => world.tables.memberships.by('vpc', vid).length > 0,
  }),
  rule({
    id: 'vpcs.workspace',
    section: 'VPCs',
    quote: 'instance and VPC must share a workspace',
    routes: ['joinVpc'],
    status: 404,
    open: 'reference',
    field: 'vpc',
    message: 'VPC not found in the workspace of the instance',
    broken: ({ world, caller, body, workspaceId }) => vpcSeenBy(world, caller, body.vpc)?.workspaceId !== workspaceId,
  }),
  rule({
    id: 'vpcs.instance-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['joinVpc'],
    status: 409,
    message: 'the instance is not available',
    broken: ({ world, params: { iid } }) => world.tables.instances.get(iid)?.state !== 'AVAILABLE',
  }),
  rule({
    id: 'vpcs.instance-pending',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['leaveVpc'],
    status: 409,
    message: 'the instance is being made',
    broken: ({ world, params: { iid } }) => world.tables.instances.get(iid)?.state === 'PENDING',
  }),
  rule({
    id: 'vpcs.member',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['joinVpc'],
    status: 409,
    message: 'the instance is in the VPC already',
    broken: ({ world, params: { iid }, body }) => world.tables.memberships.first('pair', `${iid}/${body.vpc}`) !== undefined,
  }),
]

/** Lists, makes and changes VPCs; lets instances join and leave. */
export const vpcsArea = area(
  {
    listVpcs({ world, params, query }) {
      const rows = filtered(world.tables.vpcs.by('workspace', params.wid), [
        among(query.id, (row) => row.id),
        named(world, query.name),
        contains(query.description, (row) => row.description),
        search(query.q, (row) => [row.name, row.description, row.range, row.id]),
      ])
      return listing('vpc', rows, vpcView, 'oldest')
    },
    createVpc({ world, params, body }) {
      const range = found(normaliseCidr(body.range), 'range')
      const row = world.tables.vpcs.insert({ ...body, workspaceId: params.wid, range, vlan: freeVlan(world) })
      return { kind: 'vpc', view: vpcView(row) }
    },
    getVpc: ({ world, params }) => ({ kind: 'vpc', view: vpcView(found(world.tables.vpcs.get(params.vid), 'VPC')) }),
    updateVpc: ({ world, params, body }) => ({ kind: 'vpc', view: vpcView(world.tables.vpcs.update(params.vid, defined(body))) }),
    deleteVpc({ world, params }) {
      for (const { id } of world.tables.memberships.by('vpc', params.vid)) world.tables.memberships.delete(id)
      world.tables.vpcs.delete(params.vid)
      return { action: 'vpc.delete', subjectId: params.vid }
    },
    listVpcMembers: ({ world, params, query }) => membersOf(world, world.tables.memberships.by('vpc', params.vid), query.q),
    listInstanceVpcs: ({ world, params, query }) => membersOf(world, world.tables.memberships.by('instance', params.iid), query.q),
    joinVpc({ world, caller, params, body }) {
      const vpc = found(vpcSeenBy(world, caller, body.vpc), 'VPC')
      joinVpc(world, params.iid, vpc)
      return { action: 'vpc.join', subjectId: vpc.id }
    },
    leaveVpc({ world, params }) {
      const membership = found(world.tables.memberships.first('pair', `${params.iid}/${params.vid}`), 'membership')
      world.tables.memberships.delete(membership.id)
      return { action: 'vpc.leave', subjectId: params.vid }
    },
  },
  { rules },
)

/** The VPC of an id, where the caller can see it. */
export function vpcSeenBy(world: World, caller: Caller, id: string): VpcRow | undefined {
  const vpc = world.tables.vpcs.get(id)
  return vpc && levelIn(world, caller, vpc.workspaceId) !== undefined ? vpc : undefined
}

/** Gives an instance a private address in a VPC; throws a Refusal when the range has none left. */
export function joinVpc(world: World, instanceId: string, vpc: VpcRow): MembershipRow {
  return world.tables.memberships.insert({ vpcId: vpc.id, instanceId, address: freeAddress(world, vpc) })
}

/** The lowest tag that is free. */
function freeVlan({ tables }: World): number {
  const taken = new Set(tables.vpcs.all().map((row) => row.vlan))
  let vlan = FIRST_VLAN
  while (taken.has(vlan)) vlan += 1
  return vlan
}

/** The first host is the gateway, the last address the broadcast. */
function freeAddress(world: World, vpc: VpcRow): string {
  const size = 2 ** (32 - Number(vpc.range.split('/')[1]))
  for (let host = 2; host < size - 1; host += 1) {
    const address = cidrHost(vpc.range, host)
    if (world.tables.memberships.first('address', `${vpc.id}/${address}`) === undefined) return address
  }
  throw new Refusal(409, 'the VPC has no free address')
}

function vpcView({ id, name, description, range, vlan, createdAt }: VpcRow): JsonObject {
  return { id, name, description, range, vlan, created_at: createdAt }
}

function membersOf(world: World, rows: readonly MembershipRow[], q: string | undefined) {
  const instanceOf = ({ instanceId }: MembershipRow) => summaryOf(world.tables.instances, instanceId)
  const vpcOf = ({ vpcId }: MembershipRow) => (world.readings.membershipVpc === 'named' ? { vpc: summaryOf(world.tables.vpcs, vpcId) } : {})
  const view = (row: MembershipRow): JsonObject => ({ instance: instanceOf(row), ...vpcOf(row), address: row.address, created_at: row.createdAt })
  return listing('membership', filtered(rows, [search(q, (row) => [instanceOf(row).name, row.address, row.instanceId])]), view, 'oldest')
}
