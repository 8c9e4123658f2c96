// Instances: virtual servers, their power and their memberships in VPCs.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { undocumentedRoutes } from '../api/routes/commands.ts'
import { routes } from '../api/routes/routes.ts'
import { bytes, createOnly, immutable, mark, ref, region } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Lookup, Problem, Seen, Status, Step, View, Wanted } from './definition/kind.ts'
import { filled, resourceStates, statusOf } from './definition/live-fields.ts'
import { checkAttachments, checkInstance } from './instance-checks.ts'
import { priceInstance, quotaListedIn, quotaOfInstance } from './instance-cost.ts'
import { instanceExamples } from './instance-examples.ts'
import { addressesLeft, listInstances, live, outputs, outputsOf, readInstance } from './instance-live.ts'
import type { Live } from './instance-live.ts'
import { instanceOperations, power } from './instance-operations.ts'
import { addressesAlongside, detachments, disksLeft, priceOfDisksLeft } from './instance-removal.ts'

const address = z.strictObject({
  family: z.enum(['IPv4', 'IPv6']).describe('family of the address'),
  ddos: z.boolean().describe('whether it is protected against DDoS'),
})
const disk = z.strictObject({
  size_bytes: bytes().describe('size in bytes'),
  boot: z.boolean().describe('whether it is the boot disk; exactly one is'),
  backing: z.string().min(1).describe('what it stands on, such as LOCAL'),
})
const bandwidth = z.strictObject({
  upload_bytes_sec: bytes().describe('upload in bytes per second'),
  download_bytes_sec: bytes().describe('download in bytes per second'),
})
// A disk that is attached or grown shows among those it came with, and a plan may be shown of what has its sizes of its own.
const asAsked = { immutable: true, asAsked: true } as const
const atBoot = <T extends z.ZodType>(schema: T, usual: string | boolean): T => mark(schema, { disruptive: 'restart', usual })

const spec = z.strictObject({
  name: mark(z.string().min(1), { shown: true }).describe('name of the instance'),
  type: mark(z.enum(['PLAN', 'CUSTOM']), asAsked).describe('whether a plan says its size, or cpu, memory_bytes and storage do'),
  plan: immutable(ref('Plan')).optional().describe('plan, by id or name; with type PLAN'),
  region: immutable(region()).optional().describe('code of the region, or PRIVATE_CLOUD; exactly one of region and node'),
  node: immutable(ref('Node')).optional().describe('compute node of the workspace to place it on'),
  group: immutable(z.enum(['LIGHTNING', 'RYZEN', 'DEDICATED']))
    .optional()
    .describe('group of nodes; with type CUSTOM'),
  cpu: immutable(z.int().positive()).optional().describe('vCPU cores; with type CUSTOM'),
  memory_bytes: immutable(bytes()).optional().describe('memory in bytes; with type CUSTOM'),
  storage: mark(z.array(disk), asAsked).optional().describe('disks that come with it; with type CUSTOM'),
  bandwidth: mark(bandwidth, asAsked).optional().describe('caps on traffic; with type CUSTOM'),
  image: immutable(ref()).optional().describe('id of a template or backup for the boot disk, or of an ISO to attach'),
  ips: immutable(z.array(address)).optional().describe('addresses to come with it; a plan grants one of each family when omitted'),
  vpcs: mark(z.array(ref('Vpc')), { unordered: true, emptied: true })
    .optional()
    .describe('VPCs it is a member of, each with an interface of its own; left alone when omitted'),
  boot: atBoot(z.enum(['DISK', 'ISO']), 'DISK')
    .optional()
    .describe('what it boots from'),
  uefi: atBoot(z.boolean(), false).optional().describe('whether its firmware is UEFI'),
  secure_boot: atBoot(z.boolean(), false).optional().describe('whether secure boot is on'),
  attach_virtio_cd: atBoot(z.boolean(), false).optional().describe('whether the CD with virtio drivers is attached'),
  sync_hostname: mark(z.boolean(), { usual: false }).optional().describe('whether the hostname follows the name'),
  firewall_enabled: z.boolean().optional().describe('whether its firewall rules are enforced'),
  os_name: z.string().optional().describe('name of the operating system'),
  cloud_init: mark(z.string(), { createOnly: true, secret: true }).optional().describe('user data run on first boot'),
  disable_cloud_init: createOnly(z.boolean()).optional().describe('whether cloud-init is left out on first boot'),
  start: createOnly(z.boolean()).default(true).describe('whether it is started once it is made'),
  power: mark(z.enum(['ON', 'OFF']).optional().describe('power state that is kept; left alone when omitted'), { passing: true }),
})
type Spec = z.output<typeof spec>

const replacing = ['type', 'plan', 'region', 'node', 'group', 'cpu', 'memory_bytes', 'storage', 'bandwidth', 'image', 'ips'] as const
const onlyPatched = ['uefi', 'secure_boot', 'attach_virtio_cd', 'sync_hostname', 'firewall_enabled', 'os_name'] as const
const patched = ['name', 'boot', ...onlyPatched] as const
const restarting = ['boot', 'uefi', 'secure_boot', 'attach_virtio_cd'] as const
const posted = ['name', 'boot', 'vpcs', 'cloud_init', 'disable_cloud_init', ...replacing] as const

export const Instance = defineKind({
  name: 'Instance',
  plural: 'instances',
  about: 'A virtual server, sized by a plan or by its own parts.',
  section: 'Instances',
  scope: 'workspace',
  columns: ['state', 'online', 'region', 'plan', 'ip4'],
  calls: {
    making: [routes.createInstance, routes.updateInstance, routes.joinVpc, routes.leaveVpc, routes.powerInstance],
    removing: [routes.detachDisk, undocumentedRoutes.detachIp, routes.deleteInstance],
  },
  removalWants: ['disks'],
  // The addresses that came with it go with it.
  replaceCosts: ['address_loss'],
  spec,
  live,
  outputs,
  examples: instanceExamples,
  list: listInstances,
  read: readInstance,
  id: (one) => one.id,
  toSpec,
  outputsOf,
  status: statusOfInstance,
  naturalKey: (one) => `${one.name}`,
  check: checkInstance,
  checkAll: checkAttachments,
  refuse: refuseDisabled,
  needs: (_, workspaceId) => [`keys:${workspaceId}`],
  needsYield: true,
  price: priceInstance,
  quota: quotaOfInstance,
  quotaListedIn,
  steps: (view) => [...(view.live ? [] : [create(view)]), ...patch(view), ...moveVpcs(view), ...switchPower(view)],
  alongside: addressesAlongside,
  takenOff: disksLeft,
  priceLeft: priceOfDisksLeft,
  remains: addressesLeft,
  operations: instanceOperations,
  workflows: instanceOperations.workflows,
  removal({ id, live }) {
    return [...detachments<Spec>(live), { name: 'delete', removes: true, disruption: 'data_loss', call: call(routes.deleteInstance, { id }), sets: {} }]
  },
})

/** What forces replacement is carried only where it is filled; `node` never, since an instance may be moved by its provider. */
function toSpec(one: Live): Seen<Spec> {
  const type = one.type ?? (one.plan ? 'PLAN' : one.plan === null && one.group && one.cpu ? 'CUSTOM' : undefined)
  return {
    ...pick(one, patched),
    ...filled(one, ['plan', 'region', 'image']),
    ...(type === 'PLAN' ? {} : filled(one, ['group', 'cpu', 'memory_bytes', 'storage', 'bandwidth'])),
    type,
    vpcs: one.memberships?.map((member) => member.vpc),
    power: typeof one.online === 'boolean' ? (one.online ? 'ON' : 'OFF') : undefined,
  }
}

/** Firmware and firewall settings hold before the first boot: it is made stopped when the create cannot carry them. */
function startsAtOnce(desired: Spec): boolean {
  return desired.start && desired.power !== 'OFF' && onlyPatched.every((name) => desired[name] === undefined)
}

/** `start` is recorded as it was sent: false with a first boot still due is what asks for the power call. */
function create({ workspaceId, desired }: Wanted<Spec, Live>): Step<Spec> {
  const start = startsAtOnce(desired)
  const body = { ...pick(desired, posted), start }
  const power = start === (desired.power === 'ON') ? pick(desired, ['power']) : {}
  return { name: 'create', creates: true, call: call(routes.createInstance, { wid: workspaceId }, body), sets: { ...body, ...power } }
}

/** Made by us and never ready since: what is taken over was made by somebody else, and records no `start`. */
function isBooting({ fresh, recorded }: View<Spec, Live>): boolean {
  return fresh && recorded.start !== undefined
}

function patch(view: Wanted<Spec, Live>): Step<Spec>[] {
  const { id, desired, live, changed } = view
  const due = (live ? patched : onlyPatched).filter((name) => desired[name] !== undefined && changed(name))
  if (due.length === 0) return []
  const sets = pick(desired, due)
  const disruption = live && !isBooting(view) && changed(...restarting) ? ({ disruption: 'restart' } as const) : {}
  return [{ name: 'update', ...disruption, call: call(routes.updateInstance, { id }, sets), sets }]
}

function moveVpcs({ id, desired, live, recorded, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  if (!live || !Array.isArray(desired.vpcs) || !changed('vpcs')) return []
  const wanted = new Set(desired.vpcs)
  let there = live.memberships?.map((member) => member.vpc) ?? recorded.vpcs ?? []
  const steps: Step<Spec>[] = []
  for (const vpc of wanted) {
    if (there.includes(vpc)) continue
    there = there.concat(vpc)
    steps.push({ name: `join VPC ${vpc}`, call: call(routes.joinVpc, { iid: id }, { vpc }), sets: { vpcs: there } })
  }
  for (const vid of there.filter((one) => !wanted.has(one))) {
    there = there.filter((one) => one !== vid)
    steps.push({ name: `leave VPC ${vid}`, disruption: 'interruption', call: call(routes.leaveVpc, { iid: id, vid }), sets: { vpcs: there } })
  }
  return steps
}

function switchPower(view: Wanted<Spec, Live>): Step<Spec>[] {
  const { id, desired, live, recorded, fresh, changed } = view
  const declared = pick(desired, ['power'])
  if (live ? fresh && recorded.start === false && live.online !== true : !startsAtOnce(desired)) {
    const due = desired.start && desired.power !== 'OFF'
    return due ? [{ name: 'power on', call: power(id, 'on'), sets: { ...declared, start: true } }] : []
  }
  // Started by its create, it comes online by itself.
  if (!live || desired.power === undefined || !changed('power') || (isBooting(view) && desired.power === 'ON')) return []
  if (desired.power === 'ON') return [{ name: 'power on', call: power(id, 'on'), sets: declared }]
  return [{ name: 'power off', disruption: 'interruption', call: power(id, 'off'), sets: declared }]
}

function statusOfInstance(one: Live, view: View<Spec, Live>): Status {
  const status = statusOf(resourceStates, one.state, view.fresh)
  const awaited = isBooting(view) && view.recorded.start !== false && view.recorded.power !== 'OFF'
  return status === 'ready' && awaited && one.online !== true ? 'pending' : status
}

function refuseDisabled({ desired, live, changed }: Wanted<Spec, Live>, lookup: Lookup): Problem[] {
  const made = !live || changed(...replacing)
  if (!made || desired.plan === undefined || lookup('Plan', desired.plan)?.disabled !== true) return []
  return [{ path: ['plan'], message: 'the plan is disabled: unavailable for new instances', hint: '`iac get plans` lists the others' }]
}
