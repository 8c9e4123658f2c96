// What is taken off an instance before it is deleted: the document does not say what goes with it.
import { call } from '../api/call.ts'
import { undocumentedRoutes } from '../api/routes/commands.ts'
import { routes } from '../api/routes/routes.ts'
import type { Step } from './definition/kind.ts'
import type { Live } from './instance-live.ts'

/** Every extra disk, managed or not, and the addresses that are resources of their own. */
export function detachments<S>(live: Live | undefined): Step<S>[] {
  const off = { disruption: 'interruption', sets: {} } as const
  return [
    ...(live?.extra_disks ?? []).map((did) => ({ ...off, name: `detach disk ${did}`, call: call(routes.detachDisk, { did }) })),
    ...(live?.own_addresses ?? []).map((ip) => ({ ...off, name: `detach address ${ip}`, call: call(undocumentedRoutes.detachIp, {}, { ip_id: ip }) })),
  ]
}
