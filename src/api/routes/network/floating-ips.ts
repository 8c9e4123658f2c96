// Floating IPs and their reverse DNS: section "Floating IPs, reverse DNS, DHCP".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { booleanQuery, family, filled, hostname, idsQuery, known, record } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Floating IPs, reverse DNS, DHCP'
// The family may stand under `type`; attached instance and range details under names that are not shown.
const ip = lazy(() => record({ address: z.string(), family: known(family), type: known(family), dns: z.string().nullable() }))

export const floatingIps = {
  listFloatingIps: route(section, 'GET', '/v1/workspaces/{wid}/ips', {
    ...paged(ip, () => ({
      q: z.string(),
      address: z.string(),
      instance: idsQuery,
      available: booleanQuery,
      dns: z.string(),
      region: z.string(),
      type: family,
    })),
    access: 'viewer',
  }),
  createFloatingIp: route(section, 'POST', '/v1/workspaces/{wid}/ips', {
    body: lazy(() => z.strictObject({ type: family, ddos: z.boolean(), region: filled })),
    answer: { shape: 'workflow+resource', item: ip },
    access: 'editor',
  }),
  getFloatingIp: route(section, 'GET', '/v1/networking/ips/{id}', { answer: { shape: 'object', item: ip }, access: 'viewer' }),
  deleteFloatingIp: route(section, 'DELETE', '/v1/ips/{fid}', { answer: { shape: 'workflow' }, access: 'editor' }),
  setDns: route(section, ['PUT', 'POST'], '/v1/networking/ips/{id}/dns', {
    body: lazy(() => z.strictObject({ dns: hostname })),
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  resetDns: route(section, 'DELETE', '/v1/networking/ips/{id}/dns', { answer: { shape: 'workflow' }, access: 'editor' }),
}
