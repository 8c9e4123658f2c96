// Workspaces with their quota and topology: section "Workspaces, invites, quota".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { idOut, known, name, open, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Workspaces, invites, quota'
const workspaceName = lazy(() => name(4, 32))
const accessLevel = lazy(() => z.enum(['VIEWER', 'EDITOR', 'ADMINISTRATOR', 'OWNER']))
const workspaceSummary = lazy(() => record({ name: z.string(), access_level: known(accessLevel()) }))
const workspace = lazy(() => record({ name: z.string(), owner: summary.nullable(), flags: z.array(z.string()) }))

// The workspace's settings stand in `flags` or beside them: the document shows neither.
const limit = lazy(() => z.number().nullable())
const quota = lazy(() =>
  open({
    max_instances: limit(),
    max_ssh_keys: limit(),
    max_vpcs: limit(),
    max_floating_ipv4: limit(),
    max_floating_ipv6: limit(),
    max_floating_ips: limit(),
    max_storage_bytes: limit(),
    iso_count: limit(),
    iso_storage_bytes: limit(),
    firewall_rules_per_ip: limit(),
  }),
)
const topology = lazy(() =>
  open({
    instances: z.array(record({ name: z.string(), online: z.boolean(), plan: z.unknown(), state: z.string() })),
    ips: z.array(record({ instance_id: idOut.nullable(), address: z.string(), protected: z.boolean() })),
    vpcs: z.array(z.unknown()),
    dediboxes: z.array(z.unknown()),
    net_balancers: z.array(z.unknown()),
  }),
)

export const workspaces = {
  listWorkspaces: route(section, 'GET', '/v1/workspaces', { ...paged(workspaceSummary, () => ({ name: z.string() })), access: 'any' }),
  createWorkspace: route(section, 'POST', '/v1/workspaces', {
    body: lazy(() => z.strictObject({ name: workspaceName() })),
    answer: { shape: 'object', item: workspace },
    access: 'any',
  }),
  getWorkspace: route(section, 'GET', '/v1/workspaces/{id}', { answer: { shape: 'object', item: workspace }, access: 'viewer' }),
  // `name` and `mfa_required` need OWNER; the document names no role for the third.
  updateWorkspace: route(section, 'PATCH', '/v1/workspaces/{id}', {
    body: lazy(() => z.strictObject({ name: workspaceName(), mfa_required: z.boolean(), disable_ssh_password: z.boolean() }).partial()),
    answer: { shape: 'object', item: workspace },
    access: 'editor',
  }),
  getQuota: route(section, 'GET', '/v1/workspaces/{wid}/quota', { answer: { shape: 'object', item: quota }, access: 'viewer' }),
  getTopology: route(section, 'GET', '/v1/workspaces/{wid}/topology', { answer: { shape: 'object', item: topology }, access: 'viewer' }),
}
