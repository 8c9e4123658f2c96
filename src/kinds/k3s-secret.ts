// Secrets of the managed cluster: their values never come back, so they are known by digest and by the names of their keys.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { mark, secret } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Peer, PeerProblem, Reader } from './definition/kind.ts'
import { allOrNone, groupBy, mapOf, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { hidden, knownList, knownText } from './definition/token.ts'
import { hasCluster } from './k3s-cluster.ts'

const spec = z.strictObject({
  name: mark(z.string().min(1), { immutable: true, shown: true }).describe('name, unique in the workspace'),
  data: secret(z.record(z.string().min(1), z.string())).describe('its values by key: environment variables of the services that list it'),
})

const live = defineShape('K3sSecret', () => z.object({ id: idOf, name: maybe(z.string()), keys: maybe(z.array(z.string())) }))

export const K3sSecret = defineKind({
  name: 'K3sSecret',
  plural: 'k3ssecrets',
  about: 'Secret values of the managed cluster, given to the services that list the secret as environment variables.',
  section: 'Managed cluster',
  scope: 'workspace',
  calls: { making: [routes.createK3sSecret, routes.updateK3sSecret], removing: [routes.deleteK3sSecret] },
  singleRead: false,
  goesAlong: true,
  unique: ['name'],
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the secret' },
    name: { type: 'string', about: 'its name, which services list' },
    keys: { type: 'list', about: 'the names of its keys', follows: ['data'] },
  },
  examples: [
    {
      title: 'The password of a database',
      spec: { name: 'database', data: { DB_PASSWORD: '${vars.db_password}' } },
      beside: [{ kind: 'K3sCluster', name: 'main', spec: {} }],
      changes: { name: 'database-2', data: { DB_PASSWORD: '${vars.db_password}', DB_USER: 'shop' } },
    },
  ],
  list: (api, at) => listSecrets(api, at.workspaceId),
  read: async (api, id, at) => (await listSecrets(api, at.workspaceId)).find((one) => one.id === id),
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name']),
  outputsOf: (one) => present({ id: one.id, name: one.name, keys: one.keys }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  advise: adviseRestart,
  needs: (_, workspaceId) => [`k3s:${workspaceId}`],
  strays({ recorded, live }) {
    const data = mapOf(recorded.data)
    if (!data || !live?.keys || sameNames(Object.keys(data), live.keys)) return {}
    return { data: Object.fromEntries(live.keys.map((key) => [key, hidden])) }
  },
  steps({ id, workspaceId, desired, live, changed }) {
    if (!live) return [{ name: 'create', creates: true, call: call(routes.createK3sSecret, { wid: workspaceId }, desired), sets: desired }]
    if (!changed('data')) return []
    const sets = pick(desired, ['data'])
    return [{ name: 'update', call: call(routes.updateK3sSecret, { wid: workspaceId, id }, sets), sets }]
  },
  removal: ({ id, workspaceId }) => [{ name: 'delete', removes: true, call: call(routes.deleteK3sSecret, { wid: workspaceId, id }), sets: {} }],
})

function listSecrets(api: Reader, workspaceId: Id) {
  return allOrNone(api, call(routes.listK3sSecrets, { wid: workspaceId }), live, () => hasCluster(api, workspaceId))
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  const names = new Set(a)
  return a.length === b.length && b.every((name) => names.has(name))
}

/** Services keep the values they were started with; those that this plan makes get the new ones. */
function adviseRestart(peers: readonly Peer[]): PeerProblem[] {
  const updated = peers.filter((one) => one.kind === 'K3sSecret' && one.action === 'update')
  if (updated.length === 0) return []
  const listings = peers
    .filter((one) => one.kind === 'K3sService' && one.action !== 'create' && one.action !== 'replace' && one.restarts !== true)
    .flatMap(({ address, spec }) => knownList(spec.secret_refs).map((secretRef) => ({ address, secretRef: knownText(secretRef) })))
  const services = groupBy(listings, (one) => one.secretRef ?? '')
  return updated.flatMap(({ address, spec }) => {
    const named = [address, knownText(spec.name) ?? address].flatMap((name) => services.get(name) ?? [])
    const users = [...new Set(named.map((one) => one.address))]
    if (users.length === 0) return []
    const hint = `lifecycle: { redeploy_triggered_by: [${address}] } in ${users[0]} restarts it with every update`
    return [{ address, path: ['data'], message: `${users.join(', ')} will not be restarted by this`, hint }]
  })
}
