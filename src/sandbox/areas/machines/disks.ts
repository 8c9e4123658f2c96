// Block disks from create to delete, boot disks among them: section "Disks".
import * as z from 'zod'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { Exchange, Listing } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered, identified } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { DiskRow } from '../../store/rows.ts'
import { mix } from '../../store/table.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { creation, removal } from '../resource-effects.ts'
import { diskRules } from './disk-rules.ts'
import { regionView } from './placement.ts'
import { resizeInput } from './storage.ts'

const attachInput = z.object({ instance_id: z.string() })

const effects: Effects = {
  'disk.create': creation('disks', 'disk'),
  'disk.attach': {
    done(world, { subject: { id }, input }) {
      const { instance_id: instanceId } = attachInput.parse(input)
      return patchRow(world.tables.disks, id, { instanceId })
    },
    misses: ({ tables }, { input }) => !tables.instances.get(attachInput.parse(input).instance_id),
  },
  'disk.detach': {
    done: (world, { subject: { id } }) => patchRow(world.tables.disks, id, { instanceId: null }),
    misses: ({ tables }, { subject: { id } }) => !tables.disks.get(id),
  },
  'disk.resize': {
    done: (world, { subject: { id }, input }) => patchRow(world.tables.disks, id, { sizeBytes: resizeInput.parse(input).size }),
    misses: ({ tables }, { subject: { id } }) => !tables.disks.get(id),
  },
  'disk.delete': removal('disks'),
}

/** Lists, makes, renames, attaches, detaches, enlarges and deletes disks. */
export const disksArea = area(
  {
    listDisks: ({ world, params, query }) => disksOf(world, world.tables.disks.by('workspace', params.wid), query),
    listAllDisks: ({ world, query }) => disksOf(world, world.tables.disks.all(), query),
    createDisk({ world, params, body }) {
      const { name, size: sizeBytes, backend, region } = body
      const row = world.tables.disks.insert({ workspaceId: params.wid, name, sizeBytes, backend, region, boot: false, instanceId: null, state: 'PENDING' })
      return { workflow: startWorkflow(world, startOf('create', row)), kind: 'disk', view: diskView(world, row) }
    },
    getDisk: ({ world, params }) => ({ kind: 'disk', view: diskView(world, diskOf(world, params.did)) }),
    updateDisk: ({ world, params, body: { name } }) => ({
      kind: 'disk',
      view: diskView(world, world.tables.disks.update(params.did, defined({ name }))),
    }),
    attachDisk({ world, params, body: { instance_id: instanceId } }) {
      const start = startOf('attach', { ...diskOf(world, params.did), instanceId })
      return { workflow: startWorkflow(world, { ...start, input: { instance_id: instanceId } }) }
    },
    detachDisk: ({ world, params }) => ({ workflow: startWorkflow(world, startOf('detach', diskOf(world, params.did))) }),
    resizeDisk: ({ world, params, body: { size } }) => ({
      workflow: startWorkflow(world, { ...startOf('resize', diskOf(world, params.did)), input: { size } }),
    }),
    deleteDisk({ world, params }) {
      const { state } = diskOf(world, params.did)
      const row = world.tables.disks.update(params.did, { state: 'DELETING' })
      return { workflow: startWorkflow(world, { ...startOf('delete', row), input: { state } }) }
    },
  },
  { rules: diskRules, effects },
)

function diskOf({ tables }: World, id: string): DiskRow {
  return found(tables.disks.get(id), 'disk')
}

function startOf(verb: 'create' | 'attach' | 'detach' | 'resize' | 'delete', { id, workspaceId, instanceId }: DiskRow) {
  return { operation: `disk.${verb}`, workspaceId, instanceId, subject: { table: 'disks', id } }
}

function disksOf(world: World, rows: readonly DiskRow[], query: Exchange<'listDisks' | 'listAllDisks'>['query']): Listing {
  const shown = filtered(rows, [
    ...identified<DiskRow>(world, query),
    among(query.instance, (row) => row.instanceId),
    among(query.owner, (row) => row.workspaceId),
    equals(query.boot, (row) => row.boot),
    among(query.state, (row) => row.state),
    among(query.backend, (row) => row.backend),
  ])
  return listing('disk', shown, (row) => diskView(world, row), 'oldest')
}

function diskView(world: World, row: DiskRow): JsonObject {
  const { instances } = world.tables
  const isOnline = instances.get(row.instanceId ?? '')?.online === true
  return {
    id: row.id,
    name: row.name,
    backend: row.backend,
    boot: row.boot,
    size: row.sizeBytes,
    instance: summaryOrNull(instances, row.instanceId),
    state: row.state,
    region: regionView(world, row.region),
    live: isOnline ? { usage_pct: mix(world.store.seed, Number(BigInt(row.id) % 1_000_003n), 0) % 100 } : {},
    created_at: row.createdAt,
  }
}
