// Worker nodes of the managed cluster: section "Managed cluster".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { ClusterNodeRow } from '../../store/rows.ts'
import { clusterNodeRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { clashesEverywhere } from '../host-ports.ts'
import { dataOf } from '../workflow-data.ts'
import { clusterOf, hasLivePart, nextSettledMs } from './cluster.ts'

const PODS_PER_NODE = '110'
const KIB = 1024
const moving: ReadonlySet<ClusterNodeRow['status'] | undefined> = new Set(['JOINING', 'DRAINING'])

const rules = [
  rule({
    id: 'k3s.node-workspace',
    section: 'Managed cluster',
    quote: 'instance running and in the same workspace',
    routes: ['createK3sNode'],
    status: 404,
    open: 'reference',
    field: 'instance_id',
    message: 'no such instance in the workspace',
    broken: ({ world, params, body }) => world.tables.instances.get(body.instance_id)?.workspaceId !== params.wid,
  }),
  rule({
    id: 'k3s.node-online',
    section: 'Managed cluster',
    quote: 'instance running and in the same workspace',
    routes: ['createK3sNode'],
    status: 409,
    field: 'instance_id',
    message: 'the instance is not running',
    broken({ world, body }) {
      const instance = world.tables.instances.get(body.instance_id)
      return instance !== undefined && !(instance.online && instance.state === 'AVAILABLE')
    },
  }),
  rule({
    id: 'k3s.node-twice',
    section: 'Managed cluster',
    quote: 'node object with live status for that instance',
    assumed: true,
    routes: ['createK3sNode'],
    status: 409,
    open: 'taken',
    field: 'instance_id',
    message: 'the instance is a node already',
    broken: ({ world, body }) => world.tables.clusterNodes.first('instance', body.instance_id) !== undefined,
  }),
  rule({
    id: 'k3s.node-ports',
    section: 'Managed cluster',
    quote: '`host_port`, `container_port`, `protocol` (`TCP` or `UDP`)',
    assumed: true,
    routes: ['createK3sNode'],
    status: 409,
    field: 'instance_id',
    message: 'a host port of a service that runs on all nodes is taken on the instance',
    broken: ({ world: { tables, readings }, params, body }) => readings.hostPorts === 'refuse' && clashesEverywhere(tables, params.wid, body.instance_id),
  }),
  rule({
    id: 'k3s.node-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['deleteK3sNode'],
    status: 409,
    message: 'the node is joining or draining',
    broken: ({ world, params }) => moving.has(world.tables.clusterNodes.get(params.id)?.status),
  }),
]

/** What a removal that fails without a trace puts back. */
const before = clusterNodeRow.pick({ status: true })

const effects: Effects = {
  'k3s.node.create': {
    done(world, { subject: { id } }) {
      patchRow(world.tables.clusterNodes, id, { status: 'READY' })
      return dataOf(world, 'node', id)
    },
    misses: ({ tables }, { subject: { id } }) => !tables.clusterNodes.get(id),
    failed(world, { subject: { id } }, leaves) {
      if (leaves === 'nothing') world.tables.clusterNodes.delete(id)
      else patchRow(world.tables.clusterNodes, id, { status: 'FAILED' })
    },
  },
  'k3s.node.delete': {
    done(world, { subject: { id } }) {
      world.tables.clusterNodes.delete(id)
      return undefined
    },
    failed: ({ tables }, { subject: { id }, input }, leaves) =>
      patchRow(tables.clusterNodes, id, leaves === 'failed' ? { status: 'FAILED' } : before.parse(input)),
  },
}

/** Instances that join the cluster and leave it. */
export const clusterNodesArea = area(
  {
    listK3sNodes({ world, params, query }) {
      const rows = filtered(world.tables.clusterNodes.by('workspace', params.wid), [
        among(query.id, (row) => row.id),
        equals(query.status, (row) => row.status),
        among(query.instance, (row) => row.instanceId),
      ])
      return listing('cluster_node', rows, (row) => itemView(world, row), 'oldest')
    },
    createK3sNode({ world, params: { wid }, body: { instance_id: instanceId } }) {
      found(clusterOf(world, wid), 'cluster')
      const { name } = found(world.tables.instances.get(instanceId), 'instance')
      const row = world.tables.clusterNodes.insert({ workspaceId: wid, instanceId, nodeName: nodeNameOf(name, instanceId), status: 'JOINING' })
      return { workflow: startWorkflow(world, startOf('create', row)) }
    },
    getK3sNode: ({ world, params }) => ({ kind: 'cluster_node', view: nodeView(world, nodeIn(world, params)) }),
    deleteK3sNode({ world, params }) {
      const row = nodeIn(world, params)
      world.tables.clusterNodes.update(row.id, { status: 'DRAINING' })
      return { workflow: startWorkflow(world, { ...startOf('delete', row), input: { status: row.status } }) }
    },
    getInstanceK3sNode: ({ world, params }) => ({
      kind: 'cluster_node',
      view: itemView(world, found(world.tables.clusterNodes.first('instance', params.iid), 'node')),
    }),
  },
  {
    rules,
    effects,
    nextMs: (world) => (world.readings.liveParts === 'late' ? nextSettledMs(world, world.tables.clusterNodes.all().map(joinedMs)) : undefined),
  },
)

/** Whether pods can run on a node. */
export function isReady({ tables }: World, { status, instanceId }: ClusterNodeRow): boolean {
  return status === 'READY' && tables.instances.get(instanceId)?.online === true
}

function joinedMs({ createdAt }: ClusterNodeRow): number {
  return Date.parse(createdAt)
}

function nodeIn({ tables }: World, { wid, id }: { readonly wid: string; readonly id: string }): ClusterNodeRow {
  const row = tables.clusterNodes.get(id)
  return found(row?.workspaceId === wid ? row : undefined, 'node')
}

function startOf(verb: 'create' | 'delete', { id, workspaceId, instanceId }: ClusterNodeRow) {
  return { operation: `k3s.node.${verb}`, workspaceId, instanceId, subject: { table: 'clusterNodes', id } }
}

/** A name as hosts have it; the id keeps it apart from instances of the same name. */
function nodeNameOf(name: string, instanceId: string): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${word === '' ? 'node' : word.slice(0, 40)}-${instanceId.slice(-8)}`
}

/** "paged nodes with live status", "node object with live status": wrapped or not. */
function itemView(world: World, row: ClusterNodeRow): JsonObject {
  const view = nodeView(world, row)
  return world.readings.nodeItems === 'wrapped' ? view : { ...view.node, live: view.live }
}

function nodeView(world: World, row: ClusterNodeRow): { readonly node: JsonObject; readonly live: JsonObject | null } {
  const { tables } = world
  const { cpu, memoryBytes } = found(tables.instances.get(row.instanceId), 'instance')
  const node = {
    id: row.id,
    workspace: summaryOf(tables.workspaces, row.workspaceId),
    instance: summaryOf(tables.instances, row.instanceId),
    node_name: row.nodeName,
    status: row.status,
  }
  if (!hasLivePart(world, row.workspaceId, joinedMs(row)) || row.status === 'JOINING') return { node, live: null }
  const ready = isReady(world, row)
  return {
    node,
    live: {
      ready,
      conditions: { Ready: ready ? 'True' : 'False', MemoryPressure: 'False', DiskPressure: 'False' },
      allocatable: { cpu: String(cpu), memory: `${Math.floor(memoryBytes / KIB)}Ki`, pods: PODS_PER_NODE },
    },
  }
}
