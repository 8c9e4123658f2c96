// What only a login session may make is not begun with another token: asked once, before anything is changed.
import * as z from 'zod'
import type { Call } from '../../api/call.ts'
import type { Route } from '../../api/routes/route.ts'
import { Failure, diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'

/** The call without any path parameter by which a kind is made, where only a session may send it (Authentication 4). */
function sessionRoute({ calls }: AnyKind): Route | undefined {
  return calls.making.find((route) => route.session === true && !route.path.includes('{'))
}

/** The changes of a plan that only a session can carry out. */
function needing({ changes }: Pick<Plan, 'changes'>, kindOf: (name: string) => AnyKind) {
  return changes.flatMap((change) => {
    const route = change.action === 'create' || change.action === 'replace' ? sessionRoute(kindOf(change.kind)) : undefined
    return route ? [{ change, route }] : []
  })
}

/** A warning where it is not known whether the caller is a session, and the plan needs one. */
export function sessionAdvice(plan: Pick<Plan, 'changes'>, kindOf: (name: string) => AnyKind, isSession: boolean | undefined): readonly Diagnostic[] {
  const [first] = isSession === true ? [] : needing(plan, kindOf)
  if (!first) return []
  const { address } = first.change
  const text = `${address}: only a login session makes it, and whether the token of this run is one shows when it is applied`
  return [diagnostic('advice', text, { address, hint: 'sign in with `iac login`' })]
}

/** Throws a Failure 4 where the service says that the caller is no session: by a creation without any field, which no service carries out. */
export async function refuseWithoutSession({ run, kindOf }: Work, plan: Plan): Promise<void> {
  const [first] = run.client.session === true ? [] : needing(plan, kindOf)
  if (!first) return
  const { change, route } = first
  const empty: Call = { route: { ...route, body: () => z.strictObject({}) }, params: {}, body: {} }
  const outcome = await run.client.send(empty, { signal: run.stop })
  if (outcome.is !== 'rejected' || outcome.error.status !== 403) return
  const text = `${change.address}: the token of this run is no login session, and only one makes ${change.kind}s`
  throw new Failure(4, [diagnostic('unauthorized', text, { address: change.address, detail: outcome.error.message, hint: 'sign in with `iac login`' })])
}
