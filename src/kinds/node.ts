// Compute nodes that a workspace owns (private cloud): looked up by name, never managed.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { defineKind } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { codeOf, defineShape, idOf, regionOf } from './definition/shape.ts'

const spec = z.strictObject({
  name: z.string().describe('name of the node'),
})

const live = defineShape('Node', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    group: maybe(codeOf),
    region: maybe(regionOf),
    max_memory: maybe(z.number()),
    cores: maybe(z.number()),
    flags: maybe(z.array(z.string())),
  }),
)

export const Node = defineKind({
  name: 'Node',
  plural: 'nodes',
  about: "A compute node of the workspace's private cloud, on which an Instance can be placed.",
  section: 'Plans and nodes',
  scope: 'workspace',
  managed: false,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the node' },
    name: { type: 'string', about: 'its name' },
    group: { type: 'string', about: 'LIGHTNING, RYZEN or DEDICATED' },
    region: { type: 'string', about: 'region where it stands' },
    max_memory: { type: 'integer', about: 'memory in bytes', form: 'bytes' },
    cores: { type: 'integer', about: 'number of cores' },
    flags: { type: 'list', about: 'CEPH where network storage can be used' },
  },
  examples: [],
  list: (api, at) => api.all(call(routes.listWorkspaceNodes, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getNode, { id }), live),
  id: (one) => one.id,
  toSpec: (one) => ({ name: one.name }),
  outputsOf: (one) => present(one),
  status: () => 'ready',
  naturalKey: (one) => `${one.name}`,
  steps: () => [],
  removal: () => [],
})
