// What people do by hand to dedicated servers: power and the token of the console.
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import type { Operations } from './definition/operations.ts'

const actions = { on: 'POWER_ON', off: 'POWER_OFF', cycle: 'POWER_CYCLE' } as const

/** "Dedibox power action SHUTDOWN is rejected". */
export const dediboxOperations: Operations = Object.freeze({
  reading: (id: string) => call(routes.getDedibox, { id }),
  power: (id, action) => (action === 'shutdown' ? undefined : call(routes.powerDedibox, {}, { dedibox_id: id, action: actions[action] })),
  resetConsole: (id: string) => call(routes.resetDediboxVnc, {}, { dedibox_id: id }),
} satisfies Operations)
