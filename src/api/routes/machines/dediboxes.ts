// Dedicated servers and their addresses: section "Dediboxes".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { booleanQuery, family, id, idsQuery, known, name, open, record, secret, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Dediboxes'
const listed = lazy(() => ({ name: z.string(), region: z.unknown(), online: z.boolean().nullable(), plan: z.unknown(), owner: summary.nullable() }))
const dedibox = lazy(() =>
  record({
    ...listed(),
    iso: z.unknown(),
    vnc: open({ port: z.number().nullable(), token: secret(z.string().nullable()), proxied: z.boolean().nullable() }).nullable(),
  }),
)
const address = lazy(() => record({ address: z.string(), type: known(family), dedibox: summary }))
const addressBody = lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('IPv4'), address: z.ipv4() }),
    z.strictObject({ type: z.literal('IPv6'), address: z.ipv6() }),
  ]),
)

export const dediboxes = {
  listDediboxes: route(section, 'GET', '/v1/workspaces/{wid}/dedibox', {
    ...paged(
      lazy(() => record(listed())),
      () => ({ q: z.string(), id: idsQuery, name: z.string(), region: z.string(), online: booleanQuery }),
    ),
    access: 'viewer',
  }),
  getDedibox: route(section, 'GET', '/v1/dedibox/{id}', { answer: { shape: 'object', item: dedibox }, access: 'viewer' }),
  updateDedibox: route(section, 'PATCH', '/v1/dedibox/{id}', {
    body: lazy(() => z.strictObject({ name: name(4, 32) }).partial()),
    answer: { shape: 'object', item: dedibox },
    access: 'editor',
  }),
  powerDedibox: route(section, 'POST', '/v1/commands/dedibox-power-cycle', {
    body: lazy(() => z.strictObject({ dedibox_id: id, action: z.enum(['POWER_ON', 'POWER_OFF', 'POWER_CYCLE']) })),
    answer: { shape: 'workflow' },
    statuses: [202],
    access: 'editor',
  }),
  resetDediboxVnc: route(section, 'POST', '/v1/commands/dedibox-reset-vnc', {
    body: lazy(() => z.strictObject({ dedibox_id: id })),
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  listWorkspaceDediboxIps: route(section, 'GET', '/v1/workspaces/{workspace}/dedibox/ips', {
    ...paged(address, () => ({ q: z.string(), id: idsQuery, dedibox: idsQuery, address: z.string(), type: family })),
    access: 'viewer',
  }),
  listDediboxIps: route(section, 'GET', '/v1/dedibox/{id}/ips', { ...paged(address, () => ({})), access: 'viewer' }),
  createDediboxIp: route(section, 'POST', '/v1/dedibox/{id}/ips', {
    body: addressBody,
    answer: { shape: 'object', item: address },
    statuses: [202],
    access: 'editor',
  }),
  getDediboxIp: route(section, 'GET', '/v1/dedibox/{id}/ips/{ip}', { answer: { shape: 'object', item: address }, access: 'viewer' }),
  updateDediboxIp: route(section, 'PUT', '/v1/dedibox/{id}/ips/{ip}', {
    body: addressBody,
    answer: { shape: 'object', item: address },
    access: 'editor',
  }),
  deleteDediboxIp: route(section, 'DELETE', '/v1/dedibox/{id}/ips/{ip}', { answer: { shape: 'empty' }, statuses: [202], access: 'editor' }),
}
