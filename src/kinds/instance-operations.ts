// What people do by hand to instances: power and metrics.
import type { Call } from '../api/calls/call.ts'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import type { Operations, PowerAction, Span } from './definition/operations.ts'

const actions = { on: 'POWER_ON', off: 'POWER_OFF', shutdown: 'SHUTDOWN', cycle: 'POWER_CYCLE' } as const

/** The call that switches an instance ("Instances"). */
export function power(id: string, action: PowerAction): Call {
  return call(routes.powerInstance, { id }, { action: actions[action] })
}

export const instanceOperations = Object.freeze({
  reading: (id: string) => call(routes.getInstance, { id }),
  power,
  workflows: (iid: string, wid: string) => call(routes.listInstanceWorkflows, { wid, iid }),
  metrics: (instance: string, span: Span) => call(routes.getMetrics, {}, undefined, { instance, ...span }),
} satisfies Operations)
