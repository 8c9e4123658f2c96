// What the document refuses about disks: where they can be, how large, and which state an action wants (section "Disks").
import type { Exchange } from '../../request/exchange.ts'
import { found, referred } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { limitOf } from '../../seed/quota.ts'
import type { DiskRow, InstanceRow } from '../../store/rows.ts'
import { isBusy } from '../../time/workflow-engine.ts'
import { diskEnds, isLeaving } from './instance-removal.ts'
import { backingsAt, isPlace } from './placement.ts'
import { storedBytes, takenBytes } from './storage.ts'

type OneDisk = Exchange<'updateDisk' | 'attachDisk' | 'detachDisk' | 'resizeDisk' | 'deleteDisk'>

const sizeRules = [
  rule({
    id: 'disks.region',
    section: 'Disks',
    quote: 'name, size (bytes), backend (`LOCAL` or `CEPH`), region; all required',
    assumed: true,
    routes: ['createDisk'],
    status: 400,
    field: 'region',
    message: 'no such region',
    broken: ({ world, params, body }) => !isPlace(world, params.wid, body.region),
  }),
  rule({
    id: 'disks.backend',
    section: 'Disks',
    quote: 'backend (`LOCAL` or `CEPH`), region',
    assumed: true,
    routes: ['createDisk'],
    status: 400,
    field: 'backend',
    message: 'the region has no such storage',
    broken: ({ world, params, body }) => isPlace(world, params.wid, body.region) && !backingsAt(world, params.wid, body.region).includes(body.backend),
  }),
  rule({
    id: 'disks.larger',
    section: 'Disks',
    quote: 'larger than current; shrinking unsupported',
    routes: ['resizeDisk'],
    status: 400,
    field: 'size',
    message: 'the size must be larger than the current one',
    broken: (exchange) => exchange.body.size <= diskOf(exchange).sizeBytes,
  }),
  rule({
    id: 'disks.quota',
    section: 'Limits',
    quote: 'max_storage_bytes',
    routes: ['createDisk', 'resizeDisk'],
    status: 403,
    open: 'quota',
    message: 'the quota max_storage_bytes is reached',
    broken(exchange) {
      const { world, workspaceId = '', body } = exchange
      const before = 'did' in exchange.params ? takenBytes(world, found(world.tables.disks.get(exchange.params.did), 'disk')) : 0
      return storedBytes(world, workspaceId) - before + body.size > limitOf(world, workspaceId, 'max_storage_bytes')
    },
  }),
]

const attachRules = [
  rule({
    id: 'disks.attach-visible',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    routes: ['attachDisk'],
    status: 404,
    open: 'reference',
    field: 'instance_id',
    message: 'instance not found',
    broken: (exchange) => instanceOf(exchange).workspaceId !== exchange.workspaceId,
  }),
  rule({
    id: 'disks.attach-region',
    section: 'Disks',
    quote: 'name, size (bytes), backend (`LOCAL` or `CEPH`), region',
    assumed: true,
    routes: ['attachDisk'],
    status: 400,
    field: 'instance_id',
    message: 'disk and instance are in different regions',
    broken: (exchange) => exchange.world.readings.otherRegion === 'refuse' && instanceOf(exchange).region !== diskOf(exchange).region,
  }),
  rule({
    id: 'disks.attach-instance',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['attachDisk'],
    status: 409,
    message: 'the instance is not available',
    broken: (exchange) => instanceOf(exchange).state !== 'AVAILABLE',
  }),
]

const stateRules = [
  rule({
    id: 'disks.deleting',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['updateDisk'],
    status: 409,
    message: 'the disk is being deleted',
    broken: (exchange) => diskOf(exchange).state === 'DELETING',
  }),
  rule({
    id: 'disks.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['attachDisk', 'detachDisk', 'resizeDisk', 'deleteDisk'],
    status: 409,
    message: 'a workflow on the disk is under way',
    broken: (exchange) => isBusy(exchange.world, 'disks', exchange.params.did) || ['PENDING', 'DELETING'].includes(diskOf(exchange).state),
  }),
  rule({
    id: 'disks.attach-detached',
    section: 'Disks',
    quote: 'disk must be detached and AVAILABLE',
    routes: ['attachDisk'],
    status: 409,
    message: 'the disk is attached',
    broken: (exchange) => diskOf(exchange).instanceId !== null,
  }),
  rule({
    id: 'disks.attach-available',
    section: 'Disks',
    quote: 'disk must be detached and AVAILABLE',
    routes: ['attachDisk'],
    status: 409,
    message: 'the disk is not AVAILABLE',
    broken: (exchange) => diskOf(exchange).state !== 'AVAILABLE',
  }),
  rule({
    id: 'disks.detach-attached',
    section: 'Disks',
    quote: 'disk must be attached',
    routes: ['detachDisk'],
    status: 409,
    message: 'the disk is not attached',
    broken: (exchange) => diskOf(exchange).instanceId === null,
  }),
  rule({
    id: 'disks.detach-boot',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['detachDisk'],
    status: 409,
    message: 'the instance boots from the disk',
    broken: (exchange) => diskOf(exchange).boot,
  }),
  rule({
    id: 'disks.instance-deleting',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['detachDisk', 'resizeDisk'],
    status: 409,
    message: 'the disk is deleted with its instance',
    broken: (exchange) => isLeaving(exchange.world, diskOf(exchange)) && diskEnds(exchange.world, diskOf(exchange)),
  }),
  rule({
    id: 'disks.resize-available',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['resizeDisk'],
    status: 409,
    message: 'the disk is not AVAILABLE',
    broken: (exchange) => diskOf(exchange).state !== 'AVAILABLE',
  }),
  rule({
    id: 'disks.delete-detached',
    section: 'Disks',
    quote: 'disk must be detached',
    routes: ['deleteDisk'],
    status: 409,
    message: 'the disk is attached',
    broken: (exchange) => diskOf(exchange).instanceId !== null,
  }),
]

/** All of them: about the body, the instance, the state. */
export const diskRules = [...sizeRules, ...attachRules, ...stateRules]

function diskOf({ world, params }: OneDisk): DiskRow {
  return found(world.tables.disks.get(params.did), 'disk')
}

function instanceOf({ world, body }: Exchange<'attachDisk'>): InstanceRow {
  return referred(world.tables.instances.get(body.instance_id), 'instance', 'instance_id', world.readings)
}
