// What only a login session may make is not begun with another token: asked once, before anything is changed.
import * as z from 'zod'
import type { Call } from '../../api/calls/call.ts'
import { Failure, diagnostic } from '../../base/diagnostic.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { sessionOnly } from '../plan/checks/caller/session-only.ts'

/** Throws a Failure 4 where the service says that the caller is no session: by a creation without any field, which no service carries out. */
export async function refuseWithoutSession({ run, kindOf }: Work, plan: Plan): Promise<void> {
  const [first] = run.client.session === true ? [] : sessionOnly(plan, kindOf)
  if (!first) return
  const { change, route } = first
  const empty: Call = { route: { ...route, body: () => z.strictObject({}) }, params: {}, body: {} }
  const outcome = await run.client.send(empty, { signal: run.stop })
  if (outcome.is !== 'rejected' || outcome.error.status !== 403) return
  const text = `${change.address}: the token of this run is no login session, and only one makes ${change.kind}s`
  throw new Failure(4, [diagnostic('unauthorized', text, { address: change.address, detail: outcome.error.message, hint: 'sign in with `iac login`' })])
}
