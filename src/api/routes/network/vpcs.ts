// VPCs and their members: section "VPCs".
import * as z from 'zod'
import { isPrivateCidr } from '../../../base/cidr.ts'
import { lazy } from '../../../base/lazy.ts'
import { id, idsQuery, name, open, record, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'VPCs'
const description = lazy(() => z.string().max(240))
const range = lazy(() => z.string().refine(isPrivateCidr, 'a range of RFC 1918').meta({ format: 'cidr' }))

// A VPC as answers show it (VLAN tag under a name that is not shown).
const vpc = lazy(() => record({ name: z.string(), description: z.string().nullable(), range: z.string() }))
// A membership: an instance summary and the private IP in the VPC (its name is not shown).
const membership = lazy(() => open({ instance: summary }))

export const vpcs = {
  listVpcs: route(section, 'GET', '/v1/workspaces/{wid}/vpcs', {
    ...paged(vpc, () => ({ q: z.string(), id: idsQuery, name: z.string(), description: z.string() })),
    access: 'viewer',
  }),
  createVpc: route(section, 'POST', '/v1/workspaces/{wid}/vpcs', {
    body: lazy(() => z.strictObject({ name: name(4, 32), description: description(), range: range() })),
    answer: { shape: 'object', item: vpc },
    statuses: [201],
    access: 'editor',
  }),
  getVpc: route(section, 'GET', '/v1/vpcs/{vid}', { answer: { shape: 'object', item: vpc }, access: 'viewer' }),
  updateVpc: route(section, 'PATCH', '/v1/vpcs/{vid}', {
    body: lazy(() => z.strictObject({ name: name(4, 32), description: description() }).partial()),
    answer: { shape: 'object', item: vpc },
    access: 'editor',
  }),
  deleteVpc: route(section, 'DELETE', '/v1/vpcs/{vid}', { answer: { shape: 'audit' }, access: 'editor' }),
  listVpcMembers: route(section, 'GET', '/v1/vpcs/{vid}/instances', {
    ...paged(membership, () => ({ q: z.string() })),
    access: 'viewer',
  }),
  listInstanceVpcs: route(section, 'GET', '/v1/instances/{iid}/vpcs', {
    ...paged(membership, () => ({ q: z.string() })),
    access: 'viewer',
  }),
  joinVpc: route(section, 'POST', '/v1/instances/{iid}/vpcs', {
    body: lazy(() => z.strictObject({ vpc: id })),
    answer: { shape: 'audit' },
    statuses: [201],
    access: 'editor',
  }),
  leaveVpc: route(section, 'DELETE', '/v1/instances/{iid}/vpcs/{vid}', { answer: { shape: 'audit' }, access: 'editor' }),
}
