// The managed k3s cluster of a workspace: a singleton without settings.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { lazy } from '../base/lazy.ts'
import { defineKind } from './definition/kind.ts'
import type { Id, Reader, Status } from './definition/kind.ts'
import { maybe, present, statusOf } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const members = lazy(() => ({ name: maybe(z.string()), status: maybe(z.string()) }))
const live = defineShape('K3sCluster', () => z.object({ id: idOf, ...members() }))
/** Whether a workspace without a cluster answers 404 or something empty is open. */
const answer = defineShape('K3sCluster', () => z.object({ id: idOf.nullish(), ...members() }))

const states: Readonly<Record<string, Status>> = { PROVISIONING: 'pending', ACTIVE: 'ready', DEPROVISIONING: 'leaving', FAILED: 'failed' }
const empty: ReadonlySet<string> = new Set(['PROVISIONING', 'DEPROVISIONING', 'FAILED'])

export const K3sCluster = defineKind({
  name: 'K3sCluster',
  plural: 'k3sclusters',
  about: 'The managed k3s cluster of a workspace; a workspace has one. Its nodes, services and secrets end with it.',
  section: 'Managed cluster',
  scope: 'workspace',
  calls: { making: [routes.createK3s], removing: [routes.deleteK3s] },
  unique: 'singleton',
  takes: ['K3sNode', 'K3sSecret', 'K3sService'],
  timeoutsMs: { create: 60 * 60_000, update: 20 * 60_000, delete: 20 * 60_000 },
  spec: z.strictObject({}),
  billed: true,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the cluster' },
    name: { type: 'string', about: 'its namespace identifier' },
    status: { type: 'string', about: 'its status: PROVISIONING, ACTIVE, DEPROVISIONING or FAILED' },
  },
  examples: [{ title: 'The cluster of a workspace', spec: {} }],
  async list(api, at) {
    const one = await readCluster(api, at.workspaceId)
    return one ? [one] : []
  },
  async read(api, id, at) {
    const one = await readCluster(api, at.workspaceId)
    return one?.id === id ? one : undefined
  },
  id: (one) => one.id,
  toSpec: () => ({}),
  outputsOf: (one) => present({ id: one.id, name: one.name, status: one.status }),
  status: (one, { fresh }) => statusOf(states, one.status, fresh),
  naturalKey: () => 'singleton',
  provides: (_, workspaceId) => [`k3s:${workspaceId}`],
  steps: ({ workspaceId, live }) => (live ? [] : [{ name: 'create', creates: true, call: call(routes.createK3s, { wid: workspaceId }), sets: {} }]),
  removal: ({ workspaceId }) => [{ name: 'delete', removes: true, disruption: 'data_loss', call: call(routes.deleteK3s, { wid: workspaceId }), sets: {} }],
})

/** Whether a workspace has one that may have something in it: what is still being made has nothing yet, and what goes, or never came to be, is no ground to believe in any of it. */
export async function hasCluster(api: Reader, workspaceId: Id): Promise<boolean> {
  const one = await readCluster(api, workspaceId)
  return one !== undefined && !empty.has(one.status?.toUpperCase() ?? '')
}

async function readCluster(api: Reader, workspaceId: Id) {
  const one = await api.one(call(routes.getK3s, { wid: workspaceId }), answer)
  return typeof one?.id === 'string' ? { ...one, id: one.id } : undefined
}
