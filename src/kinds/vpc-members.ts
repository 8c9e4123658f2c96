// Memberships of VPCs, read from the VPC's side: a membership names the instance and never the VPC.
import * as z from 'zod'
import { call } from '../api/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import type { Id, Reader } from './definition/kind.ts'
import { allOrNone, groupBy, maybe } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

/** An instance in a VPC, with its private address there. */
export interface Member {
  readonly instance: Id
  readonly vpc: Id
  readonly address?: string | null | undefined
}

const member = defineShape('VpcAttachment', z.object({ instance: idOf, address: maybe(z.string()) }))
const known = defineShape('Vpc', z.object({ id: idOf }))

/** The members of one VPC; none where it is gone. */
export async function membersOf(api: Reader, vpc: Id): Promise<Member[]> {
  const members = await allOrNone(api, call(routes.listVpcMembers, { vid: vpc }), member)
  return members.map(({ instance, address }) => ({ instance, vpc, address }))
}

/** The members of every VPC of a workspace, by instance: one list per VPC, whatever the number of instances. */
export async function membersByInstance(api: Reader, workspaceId: Id): Promise<ReadonlyMap<Id, readonly Member[]>> {
  const vpcs = await api.all(call(routes.listVpcs, { wid: workspaceId }), known)
  const lists = await inTurns(vpcs, (vpc) => membersOf(api, vpc.id))
  return groupBy(lists.flat(), (one) => one.instance)
}
