// DHCP settings of an instance: section "Floating IPs, reverse DNS, DHCP".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { id, open } from '../fields.ts'
import { route } from '../route.ts'

const section = 'Floating IPs, reverse DNS, DHCP'
// Empty while addressing is automatic: `{}`, null or no body. An address is an id or a summary.
const settings = lazy(() => open({ enabled: z.boolean().nullable(), v4: z.unknown(), v6: z.unknown() }).nullish())

export const dhcp = {
  getDhcp: route(section, 'GET', '/v1/instances/{id}/dhcp', {
    answer: { shape: 'object', item: settings },
    statuses: [200, 204],
    access: 'viewer',
  }),
  setDhcp: route(section, ['PUT', 'PATCH'], '/v1/instances/{id}/dhcp', {
    body: lazy(() => z.strictObject({ enabled: z.boolean(), v4: id, v6: id }).partial()),
    answer: { shape: 'workflow' },
    access: 'editor',
  }),
  resetDhcp: route(section, 'DELETE', '/v1/instances/{id}/dhcp', { answer: { shape: 'workflow' }, access: 'editor' }),
}
