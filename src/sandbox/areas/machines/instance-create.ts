// What a new instance is made of: the rules of its create, and its rows from the body (section "Instances").
import type { Exchange } from '../../request/exchange.ts'
import { found, Refusal } from '../../request/refusal.ts'
import { NOT_THERE, rule } from '../../request/rules.ts'
import { limitOf } from '../../seed/quota.ts'
import type { Quota } from '../../seed/seed.ts'
import type { InstanceRow, IpRow, NodeRow, VpcRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { countAddresses, freeAddress } from '../network/addresses.ts'
import { joinVpc, vpcSeenBy } from '../network/vpcs.ts'
import { backingsAt, groupsAt, nodesAt, PRIVATE_CLOUD } from './placement.ts'
import { storedBytes } from './storage.ts'

type Body = Exchange<'createInstance'>['body']
type Address = { readonly family: IpRow['family']; readonly ddos: boolean }
type Granted = Address & { readonly address: string }
type Size = Pick<InstanceRow, 'group' | 'cpu' | 'memoryBytes'>
type Storage = Omit<InstanceRow['storage'][number], 'diskId'>

/** The network, the gateway and the broadcast address of a VPC's range. */
const RESERVED_HOSTS = 3
const PLAN_ADDRESSES: readonly Address[] = [
  { family: 'IPv4', ddos: false },
  { family: 'IPv6', ddos: false },
]

const quotas = 'Workspace quotas | max_instances, max_ssh_keys, max_vpcs, max_floating_ipv4, max_floating_ipv6, max_floating_ips, max_storage_bytes'

const namedRules = [
  rule({
    id: 'instances.plan',
    section: 'Errors',
    quote: NOT_THERE,
    routes: ['createInstance'],
    status: 404,
    open: 'reference',
    field: 'plan',
    message: 'plan not found',
    broken: ({ world, body }) => body.type === 'PLAN' && world.tables.plans.get(body.plan) === undefined,
  }),
  rule({
    id: 'instances.image',
    section: 'Errors',
    quote: NOT_THERE,
    routes: ['createInstance'],
    status: 404,
    open: 'reference',
    field: 'image',
    message: 'image not found',
    broken: ({ world, body: { image } }) => image !== undefined && world.tables.images.get(image) === undefined,
  }),
  rule({
    id: 'instances.node',
    section: 'Errors',
    quote: NOT_THERE,
    routes: ['createInstance'],
    status: 404,
    open: 'reference',
    field: 'node',
    message: 'node not found',
    broken: ({ world, params, body }) => body.node !== undefined && !isVisibleNode(world, params.wid, body.node),
  }),
  rule({
    id: 'instances.vpc',
    section: 'Errors',
    quote: NOT_THERE,
    routes: ['createInstance'],
    status: 404,
    open: 'reference',
    field: 'vpcs',
    message: 'VPC not found',
    broken: ({ world, caller, body: { vpcs = [] } }) => vpcs.some((id) => vpcSeenBy(world, caller, id) === undefined),
  }),
]

const placementRules = [
  rule({
    id: 'instances.plan-disabled',
    section: 'Plan',
    quote: 'unavailable for new instances',
    routes: ['createInstance'],
    status: 400,
    field: 'plan',
    message: 'the plan is disabled',
    broken: ({ world, body }) => body.type === 'PLAN' && world.tables.plans.get(body.plan)?.disabled === true,
  }),
  rule({
    id: 'instances.region',
    section: 'Instances',
    quote: 'region (required, for example a region code or `PRIVATE_CLOUD`',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'region',
    message: 'no such region',
    broken: ({ world, body: { region } }) => region !== undefined && region !== PRIVATE_CLOUD && world.tables.regions.get(region) === undefined,
  }),
  rule({
    id: 'instances.private-cloud',
    section: 'Plans and nodes',
    quote: 'nodes owned by the workspace (private cloud); empty for standard workspaces',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'region',
    message: 'the workspace owns no nodes',
    broken: ({ world, params, body }) => body.region === PRIVATE_CLOUD && world.tables.nodes.by('owner', params.wid).length === 0,
  }),
  rule({
    id: 'instances.plan-group',
    section: 'Plan',
    quote: 'group | string | `LIGHTNING`, `RYZEN`, `DEDICATED`',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'plan',
    message: 'there are no machines of the group of the plan',
    broken: ({ world, params, body }) => body.type === 'PLAN' && lacksGroup(world, params.wid, body),
  }),
  rule({
    id: 'instances.group',
    section: 'Instances',
    quote: 'group (required: `LIGHTNING`, `RYZEN`, `DEDICATED`)',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'group',
    message: 'there are no machines of the group',
    broken: ({ world, params, body }) => body.type === 'CUSTOM' && lacksGroup(world, params.wid, body),
  }),
  rule({
    id: 'instances.capacity',
    section: 'Compute node',
    quote: '`max_memory` (bytes), `cores`',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    message: 'no machine there is that large',
    broken({ world, params, body }) {
      const hosts = hostsOf(world, params.wid, body)
      return hosts.length > 0 && !hosts.some((node) => isLargeEnough(node, sizeOf(world, body)))
    },
  }),
  rule({
    id: 'instances.vpcs',
    section: 'VPCs',
    quote: 'instance and VPC must share a workspace',
    routes: ['createInstance'],
    status: 404,
    open: 'reference',
    field: 'vpcs',
    message: 'instance and VPC are in different workspaces',
    broken: ({ world, caller, params, body: { vpcs = [] } }) => vpcs.some((id) => (vpcSeenBy(world, caller, id)?.workspaceId ?? params.wid) !== params.wid),
  }),
  rule({
    id: 'instances.vpcs-twice',
    section: 'Instances',
    quote: 'vpcs (integer[]; each gets its own NIC)',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'vpcs',
    message: 'a VPC stands there twice',
    broken: ({ world, body: { vpcs = [] } }) => world.readings.sameVpcTwice === 'refuse' && new Set(vpcs).size < vpcs.length,
  }),
  rule({
    id: 'instances.ddos',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: '`FLOATING_IP` (family `IPv4` or `IPv6`; ddos boolean, IPv4 only)',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'ips',
    message: 'only IPv4 has DDoS protection',
    broken: ({ body: { ips = [] } }) => ips.some(({ family, ddos }) => ddos && family === 'IPv6'),
  }),
  rule({
    id: 'instances.backing',
    section: 'Instances',
    quote: 'with backing such as `LOCAL`',
    assumed: true,
    routes: ['createInstance'],
    status: 400,
    field: 'storage',
    message: 'the region has no such storage',
    broken({ world, params, body }) {
      const backings = backingsAt(world, params.wid, regionOf(world, body))
      return body.type === 'CUSTOM' && body.storage.some(({ backing }) => !backings.includes(backing))
    },
  }),
]

const quotaRules = [
  quotaRule('instances.quota', 'max_instances', ({ world, params: { wid } }) => world.tables.instances.by('workspace', wid).length + 1),
  quotaRule('instances.quota-ipv4', 'max_floating_ipv4', (exchange) => addressesAfter(exchange, 'IPv4')),
  quotaRule('instances.quota-ipv6', 'max_floating_ipv6', (exchange) => addressesAfter(exchange, 'IPv6')),
  quotaRule('instances.quota-ips', 'max_floating_ips', (exchange) => addressesAfter(exchange, undefined)),
  quotaRule('instances.quota-storage', 'max_storage_bytes', ({ world, params: { wid }, body }) => {
    return storageOf(world, wid, body).reduce((sum, { sizeBytes }) => sum + sizeBytes, storedBytes(world, wid))
  }),
]

/** Everything that the document demands of a create beyond its schema. */
export const createRules = [...namedRules, ...placementRules, ...quotaRules]

/** Makes the rows of a new instance, all PENDING: itself, disks, granted addresses, memberships. Throws a Refusal before the first of them. */
export function insertInstance({ world, caller, params: { wid: workspaceId }, body }: Exchange<'createInstance'>): InstanceRow {
  const { tables } = world
  const vpcs = [...new Set(body.vpcs)].map((id) => found(vpcSeenBy(world, caller, id), 'VPC'))
  for (const vpc of vpcs) if (isFull(world, vpc)) throw new Refusal(409, 'the VPC has no free address')
  const specs = specsOf(world, body)
  const addresses = grantAddresses(world, body)
  const image = body.image === undefined ? undefined : tables.images.get(body.image)
  const region = regionOf(world, body)
  const row = tables.instances.insert({
    ...specs,
    workspaceId,
    name: body.name,
    type: body.type,
    region,
    nodeId: body.node ?? hostsOf(world, workspaceId, body).find((node) => isLargeEnough(node, specs))?.id ?? null,
    storage: [],
    imageId: image?.id ?? null,
    isoId: image?.kind === 'ISO' ? image.id : null,
    ipIds: [],
    boot: body.boot ?? 'DISK',
    uefi: false,
    secureBoot: false,
    attachVirtioCd: false,
    syncHostname: false,
    firewallEnabled: world.readings.firewallDefault === 'on',
    osName: image?.osName ?? null,
    state: 'PENDING',
    online: false,
  })
  const storage = storageOf(world, workspaceId, body).map((entry, index) => insertDisk(world, row, entry, index))
  const ipIds = addresses.map((address) => insertIp(world, row, address))
  for (const vpc of vpcs) joinVpc(world, row.id, vpc)
  return tables.instances.update(row.id, { storage, ipIds })
}

function quotaRule(id: string, key: keyof Quota, after: (exchange: Exchange<'createInstance'>) => number) {
  return rule({
    id,
    section: 'Limits',
    quote: quotas,
    routes: ['createInstance'],
    status: 403,
    open: 'quota',
    message: `the quota ${key} is reached`,
    broken: (exchange) => after(exchange) > limitOf(exchange.world, exchange.params.wid, key),
  })
}

/** Platform nodes and those of the workspace. */
function isVisibleNode({ tables }: World, workspaceId: string, id: string): boolean {
  const node = tables.nodes.get(id)
  return node !== undefined && (node.ownerWorkspaceId ?? workspaceId) === workspaceId
}

/** A machine of a workspace stands in its private cloud, whichever of both was asked for. */
function regionOf({ tables }: World, { region, node: id }: Body): string {
  if (region !== undefined) return region
  const node = tables.nodes.get(String(id))
  return node?.ownerWorkspaceId ? PRIVATE_CLOUD : (node?.region ?? '')
}

/** What an instance is made of; undefined for a plan that is not there. */
function sizeOf({ tables }: World, body: Body): Size | undefined {
  return body.type === 'PLAN' ? tables.plans.get(body.plan) : { group: body.group, cpu: body.cpu, memoryBytes: body.memory_bytes }
}

function lacksGroup(world: World, workspaceId: string, body: Body): boolean {
  const [size, groups] = [sizeOf(world, body), groupsAt(world, { workspaceId, region: body.region, node: body.node })]
  return size !== undefined && groups !== undefined && !groups.includes(size.group)
}

/** The machines that may take it by their group, of any size. */
function hostsOf(world: World, workspaceId: string, body: Body): readonly NodeRow[] {
  const size = sizeOf(world, body)
  return nodesAt(world, { workspaceId, region: body.region, node: body.node }).filter((node) => node.group === size?.group)
}

/** What runs on a machine already is not counted. */
function isLargeEnough({ cores, maxMemoryBytes }: NodeRow, size: Size | undefined): boolean {
  return size !== undefined && size.cpu <= cores && size.memoryBytes <= maxMemoryBytes
}

function specsOf({ tables }: World, body: Body): Pick<InstanceRow, 'planId' | 'group' | 'cpu' | 'memoryBytes' | 'bandwidth'> {
  if (body.type === 'PLAN') {
    const { id, group, cpu, memoryBytes, uploadBytesSec, downloadBytesSec } = found(tables.plans.get(body.plan), 'plan')
    return { planId: id, group, cpu, memoryBytes, bandwidth: { uploadBytesSec, downloadBytesSec } }
  }
  const { group, cpu, memory_bytes: memoryBytes, bandwidth } = body
  const caps = bandwidth ? { uploadBytesSec: bandwidth.upload_bytes_sec, downloadBytesSec: bandwidth.download_bytes_sec } : null
  return { planId: null, group, cpu, memoryBytes, bandwidth: caps }
}

function storageOf(world: World, workspaceId: string, body: Body): readonly Storage[] {
  if (body.type === 'CUSTOM') return body.storage.map(({ size_bytes: sizeBytes, boot, backing }) => ({ sizeBytes, boot, backing }))
  const plan = world.tables.plans.get(body.plan)
  const backings = backingsAt(world, workspaceId, regionOf(world, body))
  const [backing = 'LOCAL'] = backings.includes('LOCAL') ? [] : backings
  return plan ? [{ sizeBytes: plan.diskBytes, boot: true, backing }] : []
}

function addressesOf(body: Body): readonly Address[] {
  return body.ips ?? (body.type === 'PLAN' ? PLAN_ADDRESSES : [])
}

/** How many addresses of a family the workspace would have; those that come with instances count. */
function addressesAfter({ world, params: { wid }, body }: Exchange<'createInstance'>, family: IpRow['family'] | undefined): number {
  const asked = addressesOf(body).filter((one) => family === undefined || one.family === family).length
  // None asked for breaks no quota, even one that was lowered since.
  return asked === 0 ? 0 : countAddresses(world, wid, family) + asked
}

function isFull({ tables }: World, { id, range }: VpcRow): boolean {
  return tables.memberships.by('vpc', id).length >= 2 ** (32 - Number(range.split('/')[1])) - RESERVED_HOSTS
}

function insertDisk({ tables }: World, row: InstanceRow, { sizeBytes, boot, backing }: Storage, index: number): InstanceRow['storage'][number] {
  const { id, workspaceId, name, region } = row
  const { id: diskId } = tables.disks.insert({
    workspaceId,
    name: boot ? `${name}-boot` : `${name}-${index}`,
    sizeBytes,
    backend: backing === 'CEPH' ? 'CEPH' : 'LOCAL',
    region,
    boot,
    instanceId: id,
    state: 'PENDING',
  })
  return { sizeBytes, boot, backing, diskId }
}

function grantAddresses(world: World, body: Body): readonly Granted[] {
  const granted: Granted[] = []
  for (const { family, ddos } of addressesOf(body)) {
    const taken = granted.map((one) => one.address)
    granted.push({ family, ddos, address: freeAddress(world, family, taken) })
  }
  return granted
}

function insertIp({ tables }: World, { id, workspaceId, region }: InstanceRow, { family, ddos, address }: Granted): string {
  return tables.ips.insert({ workspaceId, family, address, region, ddos, dns: null, instanceId: id, grantedWith: id, state: 'PENDING' }).id
}
