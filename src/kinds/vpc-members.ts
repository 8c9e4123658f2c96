// Memberships of VPCs, read from the VPC's side: a membership names the instance and never the VPC.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import type { HolderOutcomes, Holder, Id, Reader } from './definition/kind.ts'
import { allOrNone, groupBy, maybe, resourceStates, statusOf } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { instanceState, isInstanceGone } from './instance-state.ts'

/** An instance in a VPC, with its private address there. */
export interface Member {
  readonly instance: Id
  readonly vpc: Id
  readonly address?: string | null | undefined
}

const member = defineShape('VpcAttachment', () => z.object({ instance: idOf, address: maybe(z.string()) }))
const known = defineShape('Vpc', () => z.object({ id: idOf }))

/** The members of one VPC; none where it is gone. */
export async function membersOf(api: Reader, vpc: Id): Promise<Member[]> {
  const isThere = async (): Promise<boolean> => (await api.one(call(routes.getVpc, { vid: vpc }), known)) !== undefined
  const members = await allOrNone(api, call(routes.listVpcMembers, { vid: vpc }), member, isThere)
  return members.map(({ instance, address }) => ({ instance, vpc, address }))
}

/** The members of every VPC of a workspace, by instance: one list per VPC, whatever the number of instances. */
export async function membersByInstance(api: Reader, workspaceId: Id): Promise<ReadonlyMap<Id, readonly Member[]>> {
  const vpcs = await api.all(call(routes.listVpcs, { wid: workspaceId }), known)
  const lists = await inTurns(vpcs, (vpc) => membersOf(api, vpc.id))
  return groupBy(lists.flat(), (one) => one.instance)
}

/** Who holds a VPC, and the instance that is its member by that. */
export interface HoldingMember extends Holder {
  readonly instance: Id
}

/** What becomes of a member of a VPC that goes. */
export const doings = ['lets go', 'to be taken off', 'stays', 'in no state'] as const

/** Who is in a VPC that goes: by a VpcAttachment of the state, else the instance itself; without what is leaving anyway. */
export async function holdersOf(api: Reader, vpc: Id, outcomes: HolderOutcomes): Promise<HoldingMember[]> {
  const held = { kind: 'Vpc', id: vpc }
  const found = await inTurns(await membersOf(api, vpc), async ({ instance }): Promise<HoldingMember[]> => {
    const attachment = { kind: 'VpcAttachment', id: `${instance}/${vpc}` }
    const byAttachment = outcomes.holding(attachment.kind, attachment.id, held)
    const does = byAttachment ?? outcomes.holding('Instance', instance, held) ?? 'in no state'
    if (does !== 'lets go' && (await isInstanceGone(api, instance))) return []
    return [{ ...(byAttachment === undefined ? { kind: 'Instance', id: instance } : attachment), does, instance }]
  })
  return found.flat()
}

/** Whether every instance of a workspace goes: none that could hold a VPC of it is left, and one that still does goes first by itself. */
export async function nothingStays(api: Reader, workspaceId: Id, outcomes: HolderOutcomes): Promise<boolean> {
  const there = await api.all(call(routes.listInstances, { wid: workspaceId }), instanceState)
  return there.length > 0 && there.every(({ id, state }) => outcomes.deletes('Instance', id) || statusOf(resourceStates, state, false) === 'leaving')
}
