// The live side of instances: the record itself, and what is composed beside it (memberships, extra disks, addresses).
import * as z from 'zod'
import { ApiError, call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import type { At, Id, Reader, Remnant, Output } from './definition/kind.ts'
import { anyCase, groupBy, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf, refOf, regionOf } from './definition/shape.ts'
import { membersByInstance } from './vpc-members.ts'

const storage = z.object({ size_bytes: z.number(), boot: z.boolean(), backing: z.string() })
const address = z.object({ id: maybe(idOf), address: maybe(z.string()) })

/** What is read of an instance; the last two members are composed, never part of an answer. */
export const live = defineShape('Instance', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    state: maybe(z.string()),
    online: maybe(z.boolean()),
    type: maybe(anyCase(['PLAN', 'CUSTOM'])),
    plan: maybe(refOf),
    region: maybe(regionOf),
    image: maybe(refOf),
    group: maybe(anyCase(['LIGHTNING', 'RYZEN', 'DEDICATED'])),
    cpu: maybe(z.number()),
    memory_bytes: maybe(z.number()),
    storage: maybe(z.array(storage)),
    bandwidth: maybe(z.object({ upload_bytes_sec: z.number(), download_bytes_sec: z.number() })),
    boot: maybe(anyCase(['DISK', 'ISO'])),
    uefi: maybe(z.boolean()),
    secure_boot: maybe(z.boolean()),
    attach_virtio_cd: maybe(z.boolean()),
    sync_hostname: maybe(z.boolean()),
    firewall_enabled: maybe(z.boolean()),
    os_name: maybe(z.string()),
    ips: maybe(z.array(address)),
    memberships: maybe(z.array(z.object({ vpc: z.string(), address: maybe(z.string()) }))),
    extra_disks: maybe(z.array(z.object({ id: z.string(), name: maybe(z.string()), size: maybe(z.number()), backend: maybe(z.string()) }))),
    own_addresses: maybe(z.array(z.string())),
  }),
)
/** An instance as it is there. */
export type Live = z.output<typeof live.schema>

const disk = defineShape('Disk', () =>
  z.object({ id: idOf, name: maybe(z.string()), size: maybe(z.number()), backend: maybe(z.string()), boot: maybe(z.boolean()), instance: maybe(idOf) }),
)
const ip = defineShape('FloatingIp', () => z.object({ id: idOf, address: maybe(z.string()), instance: maybe(idOf) }))
type Disk = z.output<typeof disk.schema>
type Ip = z.output<typeof ip.schema>

/** All instances of a workspace; memberships and disks only where somebody asks for them. */
export async function listInstances(api: Reader, at: At): Promise<Live[]> {
  const [all, members, disks] = await Promise.all([
    api.all(call(routes.listInstances, { wid: at.workspaceId }), live),
    wantedMembers(api, at),
    at.wants('disks') ? disksOf(api, at) : undefined,
  ])
  const ids = all.map(({ id }) => id)
  const addresses = at.wants('disks') ? await addressesOnGoers(api, at, ids) : undefined
  const attached = disks && groupBy(disks, (one) => one.instance ?? '')
  const hung = addresses && groupBy(addresses, (one) => one.instance ?? '')
  return all.map((one) => {
    const own_addresses = hung && (hung.get(one.id) ?? []).map(({ id }) => id)
    return compose({ ...one, own_addresses }, members, attached && (attached.get(one.id) ?? []))
  })
}

/** One instance; its addresses are sought in the workspace's list where the record does not carry them. */
export async function readInstance(api: Reader, id: Id, at: At): Promise<Live | undefined> {
  const one = await api.one(call(routes.getInstance, { id }), live)
  if (!one) return undefined
  const [members, disks, ips, own_addresses] = await Promise.all([
    wantedMembers(api, at),
    at.wants('disks') ? disksOf(api, at, id) : undefined,
    one.ips ?? addressesOf(api, at.workspaceId, id),
    at.wants('disks') ? ownAddresses(api, at, id) : undefined,
  ])
  return compose({ ...one, ips, own_addresses }, members, disks)
}

/** What an instance gives to others. */
export const outputs: Readonly<Record<string, Output>> = {
  id: { type: 'string', about: 'id of the instance' },
  ip4: { type: 'string', about: 'first IPv4 address' },
  ip6: { type: 'string', about: 'first IPv6 address' },
  ips: { type: 'list', about: 'ids of its addresses' },
  state: { type: 'string', about: 'its state: PENDING, AVAILABLE, FAILED, SUSPENDED, DELETING or UNPLACED' },
  online: { type: 'boolean', about: 'whether it runs', follows: ['power'] },
  vpc_addresses: { type: 'map', about: 'its private address by VPC id, where it declares vpcs', follows: ['vpcs'] },
}

/** What other resources can use; what a slim list item does not carry is left out. */
export function outputsOf(one: Live) {
  const addresses = one.ips?.flatMap((ip) => ip.address ?? [])
  const members = one.memberships?.flatMap((member) => (typeof member.address === 'string' ? [[member.vpc, member.address] as const] : []))
  return present({
    id: one.id,
    ip4: addresses && (addresses.find((text) => !text.includes(':')) ?? null),
    ip6: addresses && (addresses.find((text) => text.includes(':')) ?? null),
    ips: one.ips?.flatMap((ip) => ip.id ?? []),
    state: one.state,
    online: one.online,
    vpc_addresses: members && Object.fromEntries(members),
  })
}

function wantedMembers(api: Reader, at: At) {
  return at.wants('vpcs') ? membersByInstance(api, at.workspaceId) : Promise.resolve(undefined)
}

function compose(one: Live, members: Awaited<ReturnType<typeof wantedMembers>>, disks: readonly Disk[] | undefined): Live {
  return {
    ...one,
    memberships: members && (members.get(one.id) ?? []).map(({ vpc, address }) => ({ vpc, address })),
    extra_disks:
      disks && disks.filter((disk) => disk.instance === one.id && disk.boot !== true).map(({ id, name, size, backend }) => ({ id, name, size, backend })),
  }
}

/**
 * A disk goes by what its record says, never by the filter; one that the list shows too thinly is fetched, and so is each that hangs on the
 * instance that is read: lists may lag, and a disk that has moved on must not be taken from where it is now. Where the state has moved it on,
 * its word stands above a read that lags, too.
 */
async function disksOf(api: Reader, { workspaceId, recorded }: At, instance?: Id): Promise<Disk[] | undefined> {
  const all = await disksListed(api, workspaceId, instance === undefined ? undefined : { instance: [instance] })
  if (!all) return undefined
  const isDoubtful = (one: Disk): boolean => one.instance === undefined || one.boot === undefined || (one.instance === instance && one.boot !== true)
  const hasMovedOn = ({ id }: Disk): boolean => {
    const place = recorded?.('Disk', id)?.['instance']
    return typeof place === 'string' && place !== instance
  }
  const whole = await inTurns(all, async (one) => (isDoubtful(one) ? await api.one(call(routes.getDisk, { did: one.id }), disk) : one))
  const found = whole.filter((one) => one !== undefined)
  return instance === undefined ? found : found.filter((one) => !hasMovedOn(one))
}

/** A service without the call has no disks that could be attached; any other refusal leaves that open, and nothing is deleted on a guess. */
async function disksListed(api: Reader, wid: Id, filter: { readonly instance: string[] } | undefined): Promise<Disk[] | undefined> {
  try {
    return await api.all(call(routes.listDisks, { wid }, undefined, filter), disk)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 501)) return undefined
    throw error
  }
}

/**
 * Addresses of the state's own that hang on the instance now, by whomever they were attached: whether they would go with it, no answer tells.
 * A detach too many is put right by the next plan, an address that is gone is not.
 */
async function ownAddresses(api: Reader, { hanging, staying, workspaceId }: At, instance: Id): Promise<Id[]> {
  const attached = hanging?.('FloatingIp', 'Instance', instance) ?? []
  const others = staying?.('FloatingIp')
  const listed = !others || others.size === 0 ? [] : await api.all(call(routes.listFloatingIps, { wid: workspaceId }, undefined, { instance: [instance] }), ip)
  // What an item does not tell, a read of it does.
  const moved = listed.filter((one) => others?.has(one.id) && (one.instance === undefined || one.instance === instance))
  const ids = [...new Set([...attached, ...moved.map((one) => one.id)])]
  const found = await Promise.all(ids.map((id) => api.one(call(routes.getFloatingIp, { id }), ip)))
  return found.flatMap((one) => (one?.instance === instance ? [one.id] : []))
}

/** The same of all instances that the plan removes, with the instance on which each hangs. */
async function addressesOnGoers(api: Reader, { hanging, staying, outcomes, workspaceId }: At, instances: readonly Id[]): Promise<Ip[] | undefined> {
  const kept = staying?.('FloatingIp')
  if (!kept || kept.size === 0) return kept && []
  const goers = new Set(instances.filter((id) => outcomes?.ends('Instance', id) === true))
  const attached = [...goers].flatMap((id) => hanging?.('FloatingIp', 'Instance', id) ?? [])
  const listed = await api.all(call(routes.listFloatingIps, { wid: workspaceId }), ip)
  const moved = listed.filter(({ id, instance }) => kept.has(id) && (instance === undefined || (instance !== null && goers.has(instance))))
  const ids = [...new Set([...attached, ...moved.map(({ id }) => id)])]
  return (await inTurns(ids, (id) => api.one(call(routes.getFloatingIp, { id }), ip))).filter((one) => one !== undefined)
}

async function addressesOf(api: Reader, workspaceId: Id, instance: Id) {
  const all = await api.all(call(routes.listFloatingIps, { wid: workspaceId }, undefined, { instance: [instance] }), ip)
  const own = all.filter((one) => one.instance === instance)
  return own.length > 0 ? own.map((one) => ({ id: one.id, address: one.address })) : undefined
}

/** Addresses that came with an instance and are still there without it: nothing tells them from floating IPs, so they are named and kept. */
export async function addressesLeft(api: Reader, outputs: Readonly<Record<string, unknown>>, at: At): Promise<Remnant[]> {
  const own = new Set(Array.isArray(outputs['ips']) ? outputs['ips'].map(String) : [])
  if (own.size === 0) return []
  const all = await api.all(call(routes.listFloatingIps, { wid: at.workspaceId }), ip)
  return all.flatMap((one) => (own.has(one.id) ? [{ kind: 'FloatingIp', id: one.id, words: `address ${one.address ?? 'unknown'} (id ${one.id})` }] : []))
}
