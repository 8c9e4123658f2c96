// A reference model of instances, disks, addresses and VPCs: what the service must answer and show, in few words and without its code.
import { durationMs } from '../../src/sandbox/time/durations.ts'

const GIB = 1024 ** 3

/** Small enough to be reached within a few commands. */
export const modelQuota = { max_instances: 3, max_storage_bytes: 120 * GIB, max_floating_ipv4: 3, max_floating_ips: 4, max_vpcs: 2 }

/** How the document's silence about a deleted instance is read. */
export interface ModelReadings {
  readonly extraDisks: 'detached' | 'deleted'
  readonly grantedIps: 'deleted' | 'kept'
}

/** What a workflow that fails leaves behind. */
export type Leftover = 'nothing' | 'failed'

export interface Instance {
  readonly id: string
  readonly region: string
  readonly vpcs: string[]
  state: string
  online: boolean
  busy: boolean
}
export interface Disk {
  readonly id: string
  readonly boot: boolean
  readonly region: string
  size: number
  grows: number
  state: string
  instance: string | null
  busy: boolean
}
export interface Ip {
  readonly id: string
  readonly family: string
  readonly region: string
  state: string
  instance: string | null
  granted: string | null
  busy: boolean
}
interface Pending {
  readonly dueMs: number
  /** The instance that holds what it works on, or will hold it. */
  readonly on: string | null
  run(): void
}

/** All that the model knows; `made` lists every id that ever was, oldest first. */
export interface Model {
  readonly wid: string
  readonly readings: ModelReadings
  readonly instances: Map<string, Instance>
  readonly disks: Map<string, Disk>
  readonly ips: Map<string, Ip>
  readonly vpcs: Map<string, string[]>
  readonly made: Readonly<Record<'instances' | 'disks' | 'ips' | 'vpcs', string[]>>
  pending: Pending[]
  nowMs: number
}

/** Makes a model of an empty workspace. */
export function createModel(wid: string, readings: ModelReadings): Model {
  const made = { instances: [], disks: [], ips: [], vpcs: [] }
  return { wid, readings, instances: new Map(), disks: new Map(), ips: new Map(), vpcs: new Map(), made, pending: [], nowMs: 0 }
}

/** Moves the model's time, and carries out what is due by then in order of time. */
export function advanceModel(model: Model, ms: number): void {
  model.nowMs += ms
  const isDue = ({ dueMs }: Pending): boolean => dueMs <= model.nowMs
  const due = model.pending.filter(isDue).toSorted((one, other) => one.dueMs - other.dueMs)
  model.pending = model.pending.filter((one) => !isDue(one))
  for (const one of due) one.run()
}

/** The model's side of every list, in the order of the lists. */
export function shownByModel({ instances, disks, ips, vpcs }: Model) {
  return {
    instances: [...instances.values()].map(({ id, state, online, vpcs: joined }) => ({ id, state, online, vpcs: joined })).toReversed(),
    disks: [...disks.values()].map(({ id, boot, size, state, instance }) => ({ id, boot, size, state, instance })),
    ips: [...ips.values()].map(({ id, instance }) => ({ id, instance })),
    vpcs: [...vpcs].map(([id, members]) => ({ id, members })),
  }
}

interface Workflow {
  readonly operation: string
  readonly subject: { busy: boolean }
  readonly on?: string | null
  done(): void
  failed?(leaves: Leftover): void
}

/** Begins a workflow; it ends after its operation's time, for good or, with `fails`, not. */
export function start(model: Model, { operation, subject, on = null, done, failed }: Workflow, fails: Leftover | undefined): void {
  subject.busy = true
  const dueMs = model.nowMs + durationMs(operation, 'fast')
  model.pending.push({
    dueMs,
    on,
    run() {
      subject.busy = false
      if (fails === undefined) done()
      else failed?.(fails)
    },
  })
}

/** The storage that is taken, resizes under way included. */
export function bytesOf({ disks }: Model): number {
  return [...disks.values()].reduce((sum, { size, grows }) => sum + Math.max(size, grows), 0)
}

/** Whether the quota has room for one more address. */
export function ipsLeft({ ips }: Model, family: string): boolean {
  const all = [...ips.values()]
  const ofFamily = all.filter((ip) => ip.family === family).length
  return all.length < modelQuota.max_floating_ips && (family === 'IPv6' || ofFamily < modelQuota.max_floating_ipv4)
}

/** Whether an action on a disk or an address must wait. */
export function isUnsettled(row: Disk | Ip | undefined): boolean {
  return row !== undefined && (row.busy || row.state === 'PENDING' || row.state === 'DELETING')
}

/** Whether a disk or an address is on an instance that is being deleted, and goes with it. */
export function isGoing({ instances, readings }: Model, row: Disk | Ip | undefined): boolean {
  if (!row || instances.get(row.instance ?? '')?.state !== 'DELETING') return false
  if ('boot' in row) return row.boot || readings.extraDisks === 'deleted'
  return row.granted === row.instance && readings.grantedIps === 'deleted'
}

/** What goes with an instance, and what stays. */
export function removeInstance(model: Model, id: string, everything: boolean): void {
  const { instances, disks, ips, vpcs, readings } = model
  for (const [vpc, members] of vpcs)
    vpcs.set(
      vpc,
      members.filter((member) => member !== id),
    )
  for (const disk of disks.values()) {
    if (disk.instance !== id) continue
    if (disk.boot || everything || readings.extraDisks === 'deleted') disks.delete(disk.id)
    else disk.instance = null
  }
  for (const ip of ips.values()) {
    if (ip.instance !== id) continue
    if (ip.granted === id && (everything || readings.grantedIps === 'deleted')) ips.delete(ip.id)
    else Object.assign(ip, { instance: null, granted: null })
  }
  instances.delete(id)
}

/** The parts that came with an instance end as it does. */
export function settleParts({ disks, ips }: Model, id: string, state: string): void {
  for (const disk of disks.values()) if (disk.instance === id) disk.state = state
  for (const ip of ips.values()) if (ip.granted === id) ip.state = state
}
