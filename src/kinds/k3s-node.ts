// Worker nodes: instances that joined the managed cluster of their workspace.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { mark, ref } from './definition/fields.ts'
import { defineKind } from './definition/kind.ts'
import type { Problem, Reader, Seen, Status, Target } from './definition/kind.ts'
import { allOrNone, maybe, present, statusOf } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { isToken } from './definition/token.ts'
import { powerAfter } from './instance-power.ts'
import { hasCluster } from './k3s-cluster.ts'

const spec = z.strictObject({
  instance: mark(ref('Instance'), { immutable: true, shown: true, bound: true }).describe('the instance that joins; online and of the same workspace'),
})

const live = defineShape('K3sNode', () =>
  z.object({
    id: idOf,
    instance: maybe(idOf),
    node_name: maybe(z.string()),
    status: maybe(z.string()),
  }),
)
type Live = z.output<typeof live.schema>
type Spec = z.output<typeof spec>

const states: Readonly<Record<string, Status>> = { JOINING: 'pending', READY: 'ready', DRAINING: 'leaving', FAILED: 'failed' }

export const K3sNode = defineKind({
  name: 'K3sNode',
  plural: 'k3snodes',
  about: "An instance as a worker node of the workspace's managed cluster; deleting it drains it first.",
  section: 'Managed cluster',
  scope: 'workspace',
  handle: 'node_name',
  confirmedByLists: true,
  calls: { making: [routes.createK3sNode], removing: [routes.deleteK3sNode] },
  spec,
  billed: true,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the node' },
    node_name: { type: 'string', about: 'its name in the cluster' },
    status: { type: 'string', about: 'its status: JOINING, READY, DRAINING or FAILED' },
  },
  examples: [
    {
      title: 'A worker node',
      spec: { instance: 'worker' },
      beside: [
        { kind: 'K3sCluster', name: 'main', spec: {} },
        ...['worker', 'spare'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      ],
      changes: { instance: 'spare' },
    },
  ],
  list: (api, at) => allOrNone(api, call(routes.listK3sNodes, { wid: at.workspaceId }), live, () => hasCluster(api, at.workspaceId)),
  read: (api, id, at) => api.one(call(routes.getK3sNode, { wid: at.workspaceId, id }), live),
  find: (api, { instance }) => ofInstance(api, instance),
  id: (one) => one.id,
  toSpec: (one) => ({ instance: one.instance }),
  outputsOf: (one) => present({ id: one.id, node_name: one.node_name, status: one.status }),
  status: (one, { fresh }) => statusOf(states, one.status, fresh),
  naturalKey: (one) => `${one.instance}`,
  unique: ['instance'],
  suits: refuseOffline,
  keeps: ({ cluster_instances }) => (cluster_instances === 'refuse' ? 'instance' : undefined),
  carries: [{ kind: 'K3sService', field: 'target_instances', by: 'instance' }],
  provides: (one) => (one.instance ? [`node:${one.instance}`] : []),
  needs: (_, workspaceId) => [`k3s:${workspaceId}`],
  steps({ workspaceId, desired, live }) {
    if (live) return []
    const body = { instance_id: desired.instance }
    return [{ name: 'create', creates: true, call: call(routes.createK3sNode, { wid: workspaceId }, body), sets: desired }]
  },
  removal: ({ id, workspaceId }) => [
    { name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteK3sNode, { wid: workspaceId, id }), sets: {} },
  ],
})

/** Only an instance that runs joins; one that is a node already may be off. */
function refuseOffline(_: Seen<Spec>, field: string, target: Target, isSent: boolean): Problem[] {
  if (!isSent || powerAfter(target) !== 'OFF') return []
  const message = `${target.address} is off, and only an instance that runs joins the cluster`
  return [
    {
      path: [field],
      message,
      hint: 'power: ON in its manifest, without start: false, starts it; or `iac power` does, where its manifest leaves its power alone',
    },
  ]
}

/** The node that an instance is; the answer need not say of which it is, since that was asked for. */
async function ofInstance(api: Reader, instance: string | null | undefined): Promise<Live | undefined> {
  if (typeof instance !== 'string' || isToken(instance)) return undefined
  const found = await api.one(call(routes.getInstanceK3sNode, { iid: instance }), live)
  return found && { ...found, instance: found.instance ?? instance }
}
