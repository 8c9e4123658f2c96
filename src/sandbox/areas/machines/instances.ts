// Virtual servers from create to delete: section "Instances".
import * as z from 'zod'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { Exchange } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered, named, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { InstanceRow, WorkflowRow } from '../../store/rows.ts'
import { instanceRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { isBusy, isInstanceBusy, startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { canonicalAddress } from '../network/addresses.ts'
import { dataOf } from '../workflow-data.ts'
import { createRules, insertInstance } from './instance-create.ts'
import { removeInstance } from './instance-removal.ts'
import { instanceView } from './instance-view.ts'
import { installSshKeys } from './ssh-keys.ts'

const rules = [
  ...createRules,
  rule({
    id: 'instances.deleting',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['updateInstance', 'powerInstance', 'deleteInstance'],
    status: 409,
    message: 'the instance is being deleted',
    broken: ({ world, params }) => instanceOf(world, params.id).state === 'DELETING',
  }),
  rule({
    id: 'instances.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['updateInstance', 'powerInstance', 'deleteInstance'],
    status: 409,
    message: 'a workflow on the instance is under way',
    broken({ world, name, params }) {
      const reading = world.readings.busyInstances
      if (reading === 'refuse-none' || (name === 'updateInstance' && reading !== 'refuse-all')) return false
      if (instanceOf(world, params.id).state === 'DELETING') return false
      // A delete takes along what others work on: disks, addresses, rules.
      return name === 'deleteInstance' ? isInstanceBusy(world, params.id) : isBusy(world, 'instances', params.id)
    },
  }),
  rule({
    id: 'instances.power-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['powerInstance'],
    status: 409,
    message: 'the instance is not available',
    broken: ({ world, params }) => !['AVAILABLE', 'DELETING'].includes(instanceOf(world, params.id).state) && !isBusy(world, 'instances', params.id),
  }),
  rule({
    id: 'instances.power-same',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['powerInstance'],
    status: 409,
    message: 'the instance is in that state already',
    broken({ world, params, body: { action } }) {
      // A power cycle leads to no state that it could be in.
      if (world.readings.powerSame !== 'refuse' || action === 'POWER_CYCLE') return false
      return (action === 'POWER_ON') === instanceOf(world, params.id).online
    },
  }),
  rule({
    id: 'instances.cluster-node',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['deleteInstance'],
    status: 409,
    message: 'the instance is a node of the managed cluster',
    broken: ({ world, params }) => world.readings.clusterInstances === 'refuse' && world.tables.clusterNodes.first('instance', params.id) !== undefined,
  }),
]

const createInput = z.object({ start: z.boolean() })
const powerInput = z.object({ action: z.enum(['POWER_ON', 'POWER_OFF', 'SHUTDOWN', 'POWER_CYCLE']) })
const deleteInput = instanceRow.pick({ state: true, online: true }).partial()

/** Of what a deletion changed, how the instance stands but for it: what it goes back to when the deletion fails. */
type Hidden = Partial<Pick<InstanceRow, 'state' | 'online'>>

const effects: Effects = {
  'instance.create': {
    done(world, { subject: { id }, input }) {
      const row = world.tables.instances.get(id)
      settleParts(world, id, 'AVAILABLE')
      // A deletion may have left it FAILED.
      if (!row || stateOf(world, row) !== 'PENDING') return undefined
      installSshKeys(world, row)
      settle(world, id, { state: 'AVAILABLE', online: createInput.parse(input).start })
      return dataOf(world, 'instance', id)
    },
    failed(world, { subject: { id } }, leaves) {
      const row = world.tables.instances.get(id)
      if (!row) return
      if (leaves === 'nothing') return removeInstance(world, row, true)
      settleParts(world, id, 'FAILED')
      if (stateOf(world, row) === 'PENDING') settle(world, id, { state: 'FAILED' })
    },
    misses: ({ tables }, { subject: { id } }) => !tables.instances.get(id),
  },
  'instance.power': {
    done(world, { subject: { id }, input }) {
      const { action } = powerInput.parse(input)
      const fields = { online: action === 'POWER_ON' || action === 'POWER_CYCLE' }
      const isHidden = deletionOf(world, id)?.hidden.online !== undefined
      return isHidden ? settle(world, id, fields) : patchRow(world.tables.instances, id, fields)
    },
    misses: ({ tables }, { subject: { id } }) => !tables.instances.get(id),
  },
  'instance.delete': {
    done(world, { subject: { id } }) {
      const row = world.tables.instances.get(id)
      if (row) removeInstance(world, row, false)
      return undefined
    },
    failed: ({ tables }, { subject: { id }, input }, leaves) =>
      patchRow(tables.instances, id, leaves === 'failed' ? { state: 'FAILED', online: false } : hiddenIn(input)),
  },
}

/** Lists, makes, changes, switches and deletes instances. */
export const instancesArea = area(
  {
    listInstances({ world, params, query }) {
      const rows = filtered(world.tables.instances.by('workspace', params.wid), filtersOf(world, query))
      return listing('instance', rows, (row) => instanceView(world, row))
    },
    createInstance(exchange) {
      const { world, body } = exchange
      const row = insertInstance(exchange)
      const start = body.start ?? world.readings.startDefault === 'yes'
      const workflow = startWorkflow(world, { ...startOf('create', row), input: { start } })
      return { workflow, kind: 'instance', view: instanceView(world, row) }
    },
    getInstance: ({ world, params }) => ({ kind: 'instance', view: instanceView(world, instanceOf(world, params.id)) }),
    updateInstance: ({ world, params, body }) => ({ kind: 'instance', view: instanceView(world, world.tables.instances.update(params.id, patchOf(body))) }),
    powerInstance({ world, params, body: { action } }) {
      const row = instanceOf(world, params.id)
      return { workflow: startWorkflow(world, { ...startOf('power', row), input: { action } }) }
    },
    deleteInstance({ world, params }) {
      const row = instanceOf(world, params.id)
      const { deletion, scheduledDeletionMs } = world.readings
      const isScheduled = deletion !== 'immediate'
      world.tables.instances.update(row.id, isScheduled ? { state: 'DELETING' } : { state: 'DELETING', online: false })
      const input = isScheduled ? { state: row.state } : { state: row.state, online: row.online }
      const when = deletion === 'scheduled' ? { delayMs: scheduledDeletionMs } : deletion === 'scheduled-apart' ? { lagMs: scheduledDeletionMs } : {}
      return { workflow: startWorkflow(world, { ...startOf('delete', row), input, ...when }) }
    },
  },
  { rules, effects },
)

function instanceOf({ tables }: World, id: string): InstanceRow {
  return found(tables.instances.get(id), 'instance')
}

function startOf(verb: 'create' | 'power' | 'delete', { id, workspaceId }: InstanceRow) {
  return { operation: `instance.${verb}`, workspaceId, instanceId: id, subject: { table: 'instances', id } }
}

/** The deletion of an instance that is under way, and what it hides. */
function deletionOf({ tables }: World, id: string) {
  const workflow = tables.workflows.by('busy', `instances/${id}`).find(({ operation }) => operation === 'instance.delete')
  return workflow && { id: workflow.id, hidden: hiddenIn(workflow.input) }
}

function hiddenIn(input: WorkflowRow['input']): Hidden {
  return defined(deleteInput.parse(input))
}

/** The state of an instance but for a deletion under way. */
function stateOf(world: World, { id, state }: InstanceRow): InstanceRow['state'] {
  return deletionOf(world, id)?.hidden.state ?? state
}

/** Changes how an instance stands; during a deletion that shows once the deletion has failed. */
function settle(world: World, id: string, fields: Hidden): undefined {
  const deletion = deletionOf(world, id)
  if (deletion) world.tables.workflows.update(deletion.id, { input: { ...deletion.hidden, ...fields } })
  else patchRow(world.tables.instances, id, fields)
}

/** The disks and addresses that came with an instance end as it does. */
function settleParts({ tables }: World, id: string, state: 'AVAILABLE' | 'FAILED'): void {
  for (const disk of tables.disks.by('instance', id)) tables.disks.update(disk.id, { state })
  for (const ip of tables.ips.by('instance', id)) if (ip.grantedWith === id) tables.ips.update(ip.id, { state })
}

function patchOf(body: Exchange<'updateInstance'>['body']): Partial<InstanceRow> {
  return defined({
    name: body.name,
    boot: body.boot,
    uefi: body.uefi,
    secureBoot: body.secure_boot,
    attachVirtioCd: body.attach_virtio_cd,
    syncHostname: body.sync_hostname,
    firewallEnabled: body.firewall_enabled,
    osName: body.os_name,
  })
}

function filtersOf(world: World, query: Exchange<'listInstances'>['query']) {
  const addressesOf = ({ id }: InstanceRow): readonly string[] => world.tables.ips.by('instance', id).map((ip) => ip.address)
  const { ip } = query
  return [
    among(query.id, (row: InstanceRow) => row.id),
    among(query.node, (row: InstanceRow) => row.nodeId),
    among(query.plan, (row: InstanceRow) => row.planId),
    among(query.iso, (row: InstanceRow) => row.isoId),
    equals(query.online, (row: InstanceRow) => row.online),
    equals(query.state, (row: InstanceRow) => row.state),
    named<InstanceRow>(world, query.name),
    ip === undefined ? undefined : (row: InstanceRow) => addressesOf(row).includes(canonicalAddress(ip)),
    search(query.q, (row: InstanceRow) => [row.name, row.id, ...addressesOf(row)]),
  ]
}
