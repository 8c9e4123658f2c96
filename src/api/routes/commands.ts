// Calls whose shapes the document does not show: attaching and detaching a floating IP ("Network commands").
import * as z from 'zod'
import { lazy } from '../../base/lazy.ts'
import { id } from './fields.ts'
import { route } from './route.ts'

const section = 'Floating IPs, reverse DNS, DHCP'
const open = { answer: { shape: 'undocumented' }, statuses: [200, 201, 202, 204], access: 'editor', asynchronous: true } as const

/** Routes beyond the tables of the document: paths and bodies are assumptions, each with a setting under `provider.compat`. */
export const undocumentedRoutes = Object.freeze({
  attachIp: route(section, 'POST', '/v1/commands/attach-ip', { body: lazy(() => z.strictObject({ ip_id: id, instance_id: id })), ...open }),
  detachIp: route(section, 'POST', '/v1/commands/detach-ip', { body: lazy(() => z.strictObject({ ip_id: id })), ...open }),
})
