// The commands of the sandbox's reference model: what each must be answered, and what it changes.
import * as z from 'zod'
import type { TestCall } from './sandbox-bench.ts'
import type { Disk, Instance, Ip, Leftover, Model } from './sandbox-model.ts'
import { bytesOf, ipsLeft, isGoing, isUnsettled, modelQuota, removeInstance, settleParts, start } from './sandbox-model.ts'

const GIB = 1024 ** 3
const NOBODY = '5'
/** The draw that chooses among all that ever was. */
const GONE = 5

/** What a command comes to: the call, the status it must have, the workflow it starts, and how the model changes with it. */
export interface Move {
  readonly call: TestCall
  readonly status: number
  readonly operation?: string
  accept(answer: unknown, fails: Leftover | undefined): void
}

/** What a command is drawn with: `a` and `b` choose among what was made last, `gib` is a size. */
export interface Draw {
  readonly a: number
  readonly b: number
  readonly gib: number
}

type Moves = Readonly<Record<string, (model: Model, draw: Draw) => Move>>

/** Now and then another one, to which nothing of the first can be attached. */
function regionOf(number: number): string {
  return number % 6 === 5 ? 'nyc-1' : 'fra-1'
}

/** One of those that are there, the last ones first; every so often the last that was ever made, be it there or not. */
function pick(model: Model, table: keyof Model['made'], index: number): string {
  return nth(index === GONE ? model.made[table] : [...model[table].keys()], index)
}

/** As `pick`, but mostly one that can be attached. */
function pickLoose(model: Model, table: 'disks' | 'ips', index: number): string {
  const loose = [...model[table].values()].filter((row) => row.instance === null && row.state === 'AVAILABLE').map((row) => row.id)
  return loose.length > 0 && index < 3 ? nth(loose, index) : pick(model, table, index)
}

/** As `pick`, but mostly one that can be detached. */
function pickHeld(model: Model, table: 'disks' | 'ips', index: number): string {
  const held = [...model[table].values()]
    .filter((row) => row.instance !== null && row.state === 'AVAILABLE' && !('boot' in row && row.boot))
    .map((row) => row.id)
  return held.length > 0 && index < 3 ? nth(held, index) : pick(model, table, index)
}

function nth(ids: readonly string[], index: number): string {
  return ids.at(-1 - (index % Math.max(1, ids.length))) ?? NOBODY
}

/** The status of the first check that holds, else that of an accepted call. */
function statusOf(accepted: number, ...checks: readonly (readonly [broken: boolean, status: number])[]): number {
  return checks.find(([broken]) => broken)?.[1] ?? accepted
}

const madeInstance = z.object({
  instance: z.object({
    id: z.string(),
    storage: z.array(z.object({ disk_id: z.string(), size_bytes: z.number(), boot: z.boolean() })),
    ips: z.array(z.object({ id: z.string(), family: z.string() })),
  }),
})
const madeDisk = z.object({ disk: z.object({ id: z.string() }) })
const madeIp = z.object({ ip: z.object({ id: z.string() }) })
const madeVpc = z.object({ id: z.string() })

const instanceMoves = {
  createInstance(model, { a, b, gib }) {
    const { instances, disks, ips, vpcs, made } = model
    const region = regionOf(gib)
    const storage = [{ size_bytes: 10 * GIB, boot: true, backing: 'LOCAL' }, ...(b % 2 === 0 ? [] : [{ size_bytes: gib * GIB, boot: false, backing: 'CEPH' }])]
    const bytes = storage.reduce((sum, { size_bytes }) => sum + size_bytes, bytesOf(model))
    const withIp = b < 2
    const joined = a === 0 && made.vpcs.length > 0 ? [pick(model, 'vpcs', b)] : []
    const specs = { group: 'RYZEN', cpu: 1, memory_bytes: GIB, storage, vpcs: joined.map(BigInt), ips: withIp ? [{ family: 'IPv4', ddos: false }] : [] }
    return {
      call: { method: 'POST', path: `/v1/workspaces/${model.wid}/instances`, body: { type: 'CUSTOM', name: 'web', region, ...specs } },
      operation: 'instance.create',
      status: statusOf(
        202,
        [joined.some((id) => !vpcs.has(id)), 404],
        [instances.size >= modelQuota.max_instances || bytes > modelQuota.max_storage_bytes || (withIp && !ipsLeft(model, 'IPv4')), 403],
      ),
      accept(answer, fails) {
        const { instance } = madeInstance.parse(answer)
        const { id } = instance
        const row: Instance = { id, region, vpcs: [...joined], state: 'PENDING', online: false, busy: false }
        instances.set(id, row)
        made.instances.push(id)
        for (const vpc of joined) vpcs.get(vpc)?.push(id)
        for (const { disk_id: disk, size_bytes: size, boot } of instance.storage) {
          disks.set(disk, { id: disk, boot, region, size, grows: 0, state: 'PENDING', instance: id, busy: false })
          made.disks.push(disk)
        }
        for (const { id: ip, family } of instance.ips) {
          ips.set(ip, { id: ip, family, region, state: 'PENDING', instance: id, granted: id, busy: false })
          made.ips.push(ip)
        }
        const done = (): void => {
          Object.assign(row, { state: 'AVAILABLE', online: true })
          settleParts(model, id, 'AVAILABLE')
        }
        const failed = (leaves: Leftover): void => {
          if (leaves === 'nothing') return removeInstance(model, id, true)
          row.state = 'FAILED'
          settleParts(model, id, 'FAILED')
        }
        start(model, { operation: 'instance.create', subject: row, done, failed }, fails)
      },
    }
  },
  deleteInstance(model, { a }) {
    const id = pick(model, 'instances', a)
    const row = model.instances.get(id)
    return {
      call: { method: 'DELETE', path: `/v1/instances/${id}` },
      operation: 'instance.delete',
      status: statusOf(202, [!row, 404], [row?.busy === true || model.pending.some(({ on }) => on === id), 409]),
      accept(_, fails) {
        if (!row) return
        const before = { state: row.state, online: row.online }
        Object.assign(row, { state: 'DELETING', online: false })
        const done = (): void => removeInstance(model, id, false)
        const failed = (leaves: Leftover): void => void Object.assign(row, leaves === 'failed' ? { state: 'FAILED', online: false } : before)
        start(model, { operation: 'instance.delete', subject: row, done, failed }, fails)
      },
    }
  },
  powerInstance(model, { a, b }) {
    const id = pick(model, 'instances', a)
    const row = model.instances.get(id)
    return {
      call: { method: 'POST', path: `/v1/instances/${id}/power`, body: { action: b % 2 === 0 ? 'POWER_ON' : 'SHUTDOWN' } },
      operation: 'instance.power',
      status: statusOf(202, [!row, 404], [row?.busy === true || row?.state !== 'AVAILABLE', 409]),
      accept(_, fails) {
        if (row) start(model, { operation: 'instance.power', subject: row, done: () => (row.online = b % 2 === 0) }, fails)
      },
    }
  },
} satisfies Moves

const diskMoves = {
  createDisk(model, { gib }) {
    const region = regionOf(gib)
    const size = gib * GIB
    return {
      call: { method: 'POST', path: `/v1/workspaces/${model.wid}/disks`, body: { name: 'data', size, backend: 'CEPH', region } },
      operation: 'disk.create',
      status: statusOf(202, [bytesOf(model) + size > modelQuota.max_storage_bytes, 403]),
      accept(answer, fails) {
        const { id } = madeDisk.parse(answer).disk
        const row: Disk = { id, boot: false, region, size, grows: 0, state: 'PENDING', instance: null, busy: false }
        model.disks.set(id, row)
        model.made.disks.push(id)
        const done = (): void => void (row.state = 'AVAILABLE')
        const failed = (leaves: Leftover): void => void (leaves === 'nothing' ? model.disks.delete(id) : (row.state = 'FAILED'))
        start(model, { operation: 'disk.create', subject: row, done, failed }, fails)
      },
    }
  },
  attachDisk(model, { a, b }) {
    const [id, instance] = [pickLoose(model, 'disks', a), pick(model, 'instances', b)]
    const [row, holder] = [model.disks.get(id), model.instances.get(instance)]
    return {
      call: { method: 'POST', path: `/v1/disks/${id}/attach`, body: { instance_id: BigInt(instance) } },
      operation: 'disk.attach',
      status: attachStatus(row, holder),
      accept(_, fails) {
        if (row) start(model, { operation: 'disk.attach', subject: row, on: instance, done: () => attachTo(model, row, instance) }, fails)
      },
    }
  },
  detachDisk(model, { a }) {
    const id = pickHeld(model, 'disks', a)
    const row = model.disks.get(id)
    return {
      call: { method: 'POST', path: `/v1/disks/${id}/detach` },
      operation: 'disk.detach',
      status: statusOf(202, [!row, 404], [isUnsettled(row) || row?.instance === null || row?.boot === true || isGoing(model, row), 409]),
      accept(_, fails) {
        if (row) start(model, { operation: 'disk.detach', subject: row, on: row.instance, done: () => void (row.instance = null) }, fails)
      },
    }
  },
  resizeDisk(model, { a, gib }) {
    const id = pick(model, 'disks', a)
    const row = model.disks.get(id)
    const size = gib * GIB
    const after = bytesOf(model) - Math.max(row?.size ?? 0, row?.grows ?? 0) + size
    return {
      call: { method: 'POST', path: `/v1/disks/${id}/resize`, body: { size } },
      operation: 'disk.resize',
      status: statusOf(
        202,
        [!row, 404],
        [size <= (row?.size ?? 0), 400],
        [after > modelQuota.max_storage_bytes, 403],
        [isUnsettled(row) || row?.state !== 'AVAILABLE' || isGoing(model, row), 409],
      ),
      accept(_, fails) {
        if (!row) return
        row.grows = size
        const done = (): void => void Object.assign(row, { size, grows: 0 })
        start(model, { operation: 'disk.resize', subject: row, on: row.instance, done, failed: () => void (row.grows = 0) }, fails)
      },
    }
  },
  deleteDisk(model, { a }) {
    const id = pick(model, 'disks', a)
    const row = model.disks.get(id)
    return {
      call: { method: 'DELETE', path: `/v1/disks/${id}` },
      operation: 'disk.delete',
      status: statusOf(202, [!row, 404], [isUnsettled(row) || typeof row?.instance === 'string', 409]),
      accept: (_, fails) => row && startDelete(model, 'disk.delete', row, () => void model.disks.delete(id), fails),
    }
  },
} satisfies Moves

const ipMoves = {
  createIp(model, { b, gib }) {
    const region = regionOf(gib)
    const family = b % 2 === 0 ? 'IPv4' : 'IPv6'
    return {
      call: { method: 'POST', path: `/v1/workspaces/${model.wid}/ips`, body: { type: family, ddos: false, region } },
      operation: 'ip.create',
      status: statusOf(202, [!ipsLeft(model, family), 403]),
      accept(answer, fails) {
        const { id } = madeIp.parse(answer).ip
        const row: Ip = { id, family, region, state: 'PENDING', instance: null, granted: null, busy: false }
        model.ips.set(id, row)
        model.made.ips.push(id)
        const done = (): void => void (row.state = 'AVAILABLE')
        const failed = (leaves: Leftover): void => void (leaves === 'nothing' ? model.ips.delete(id) : (row.state = 'FAILED'))
        start(model, { operation: 'ip.create', subject: row, done, failed }, fails)
      },
    }
  },
  attachIp(model, { a, b }) {
    const [id, instance] = [pickLoose(model, 'ips', a), pick(model, 'instances', b)]
    const [row, holder] = [model.ips.get(id), model.instances.get(instance)]
    return {
      call: { method: 'POST', path: '/v1/commands/attach-ip', body: { ip_id: BigInt(id), instance_id: BigInt(instance) } },
      operation: 'ip.attach',
      status: attachStatus(row, holder),
      accept(_, fails) {
        if (row) start(model, { operation: 'ip.attach', subject: row, on: instance, done: () => attachTo(model, row, instance) }, fails)
      },
    }
  },
  detachIp(model, { a }) {
    const id = pickHeld(model, 'ips', a)
    const row = model.ips.get(id)
    return {
      call: { method: 'POST', path: '/v1/commands/detach-ip', body: { ip_id: BigInt(id) } },
      operation: 'ip.detach',
      status: statusOf(202, [!row, 404], [isUnsettled(row) || row?.instance === null || isGoing(model, row), 409]),
      accept(_, fails) {
        if (row)
          start(
            model,
            { operation: 'ip.detach', subject: row, on: row.instance, done: () => void Object.assign(row, { instance: null, granted: null }) },
            fails,
          )
      },
    }
  },
  deleteIp(model, { a }) {
    const id = pick(model, 'ips', a)
    const row = model.ips.get(id)
    return {
      call: { method: 'DELETE', path: `/v1/ips/${id}` },
      operation: 'ip.delete',
      status: statusOf(202, [!row, 404], [isUnsettled(row) || typeof row?.instance === 'string', 409]),
      accept: (_, fails) => row && startDelete(model, 'ip.delete', row, () => void model.ips.delete(id), fails),
    }
  },
} satisfies Moves

const vpcMoves = {
  createVpc: (model) => ({
    call: { method: 'POST', path: `/v1/workspaces/${model.wid}/vpcs`, body: { name: 'main', description: '', range: '10.0.0.0/24' } },
    status: statusOf(201, [model.vpcs.size >= modelQuota.max_vpcs, 403]),
    accept(answer) {
      const { id } = madeVpc.parse(answer)
      model.vpcs.set(id, [])
      model.made.vpcs.push(id)
    },
  }),
  deleteVpc(model, { a }) {
    const id = pick(model, 'vpcs', a)
    const members = model.vpcs.get(id)
    return {
      call: { method: 'DELETE', path: `/v1/vpcs/${id}` },
      status: statusOf(200, [!members, 404], [members !== undefined && members.length > 0, 400]),
      accept: () => void model.vpcs.delete(id),
    }
  },
  joinVpc(model, { a, b }) {
    const [id, vpc] = [pick(model, 'instances', a), pick(model, 'vpcs', b)]
    const [row, members] = [model.instances.get(id), model.vpcs.get(vpc)]
    return {
      call: { method: 'POST', path: `/v1/instances/${id}/vpcs`, body: { vpc: BigInt(vpc) } },
      status: statusOf(201, [!row, 404], [!members, 404], [row?.state !== 'AVAILABLE', 409], [members?.includes(id) === true, 409]),
      accept() {
        row?.vpcs.push(vpc)
        members?.push(id)
      },
    }
  },
  leaveVpc(model, { a, b }) {
    const [id, vpc] = [pick(model, 'instances', a), pick(model, 'vpcs', b)]
    const [row, members] = [model.instances.get(id), model.vpcs.get(vpc)]
    return {
      call: { method: 'DELETE', path: `/v1/instances/${id}/vpcs/${vpc}` },
      status: statusOf(200, [row?.state === 'PENDING', 409], [members?.includes(id) !== true, 404]),
      accept() {
        row?.vpcs.splice(row.vpcs.indexOf(vpc), 1)
        members?.splice(members.indexOf(id), 1)
      },
    }
  },
} satisfies Moves

/** Every command by its name. */
export const moves: Moves = { ...instanceMoves, ...diskMoves, ...ipMoves, ...vpcMoves }

function attachStatus(row: Disk | Ip | undefined, holder: Instance | undefined): number {
  return statusOf(
    202,
    [!row || !holder, 404],
    [row?.region !== holder?.region, 400],
    [holder?.state !== 'AVAILABLE' || isUnsettled(row) || typeof row?.instance === 'string' || row?.state !== 'AVAILABLE', 409],
  )
}

/** The instance may have gone since the workflow began. */
function attachTo(model: Model, row: Disk | Ip, instance: string): void {
  if (model.instances.has(instance)) row.instance = instance
}

function startDelete(model: Model, operation: string, row: Disk | Ip, done: () => void, fails: Leftover | undefined): void {
  const before = row.state
  row.state = 'DELETING'
  start(model, { operation, subject: row, done, failed: (leaves) => void (row.state = leaves === 'failed' ? 'FAILED' : before) }, fails)
}
