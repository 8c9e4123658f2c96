// Secrets of the managed cluster, whose values are never answered: section "Managed cluster".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { ClusterSecretRow } from '../../store/rows.ts'
import { heldRevisions } from '../service-revisions.ts'
import { clusterOf } from './cluster.ts'

const rules = [
  rule({
    id: 'k3s.secret-name',
    section: 'Managed cluster',
    quote: 'name (required, unique in workspace), data (object of key-value pairs, required)',
    routes: ['createK3sSecret'],
    status: 409,
    open: 'taken',
    field: 'name',
    message: 'a secret of the workspace has this name',
    broken: ({ world, params, body }) => world.tables.clusterSecrets.first('name', `${params.wid}/${body.name}`) !== undefined,
  }),
  rule({
    id: 'k3s.secret-used',
    section: 'Managed cluster',
    quote: '409 while a service references it in secret_refs',
    routes: ['deleteK3sSecret'],
    status: 409,
    message: 'a service references the secret',
    broken({ world, params }) {
      const name = world.tables.clusterSecrets.get(params.id)?.name
      return (
        name !== undefined &&
        world.tables.clusterServices
          .by('workspace', params.wid)
          .some((row) => heldRevisions(world.tables, row).some((revision) => revision.secretRefs.includes(name)))
      )
    },
  }),
]

/** Names and key names of secrets. */
export const clusterSecretsArea = area(
  {
    listK3sSecrets: ({ world, params }) => listing('secret', world.tables.clusterSecrets.by('workspace', params.wid), secretView, 'oldest'),
    createK3sSecret({ world, params: { wid }, body: { name, data } }) {
      found(clusterOf(world, wid), 'cluster')
      return { kind: 'secret', view: secretView(world.tables.clusterSecrets.insert({ workspaceId: wid, name, data })) }
    },
    updateK3sSecret: ({ world, params, body: { data } }) => ({
      kind: 'secret',
      view: secretView(world.tables.clusterSecrets.update(params.id, { data })),
    }),
    deleteK3sSecret({ world, params }) {
      world.tables.clusterSecrets.delete(params.id)
      return undefined
    },
  },
  { rules },
)

function secretView({ id, name, data }: ClusterSecretRow): JsonObject {
  return { id, name, keys: Object.keys(data) }
}
