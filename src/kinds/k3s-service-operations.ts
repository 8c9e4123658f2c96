// What people do by hand to services of the managed cluster: restarts, the previous revision, logs.
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import type { Operations } from './definition/operations.ts'

export const k3sServiceOperations: Operations = Object.freeze({
  reading: (id: string, wid: string) => call(routes.getK3sService, { wid, id }),
  redeploy: (id: string, wid: string) => call(routes.redeployK3sService, { wid, id }),
  rollback: (id: string, wid: string) => call(routes.rollbackK3sService, { wid, id }),
  logs: (id, wid, query) => call(routes.getK3sServiceLogs, { wid, id }, undefined, query),
} satisfies Operations)
