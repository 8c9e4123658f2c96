// What only a login session may make: said under the plan where the caller is none, or may be none.
import type { Route } from '../../../../api/routes/route.ts'
import { isSession } from '../../../../api/token-record.ts'
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import type { AnyKind } from '../../../../kinds/definition/kind.ts'
import type { Change, Plan } from '../../../model/plan-data.ts'
import type { CallingTokens } from '../../../refresh/calling-tokens.ts'
import { tokenWords } from './grants.ts'

/** A change that only a session can carry out, and the call that makes its object. */
export interface SessionOnly {
  readonly change: Change
  readonly route: Route
}

/** The changes of a plan that only a session can carry out (Authentication 4). */
export function sessionOnly({ changes }: Pick<Plan, 'changes'>, kindOf: (name: string) => AnyKind): readonly SessionOnly[] {
  return changes.flatMap((change) => {
    const route = change.action === 'create' || change.action === 'replace' ? sessionRoute(kindOf(change.kind)) : undefined
    return route ? [{ change, route }] : []
  })
}

/** The call without any path parameter by which a kind is made, where only a session may send it. */
function sessionRoute({ calls }: AnyKind): Route | undefined {
  return calls.making.find((route) => route.session === true && !route.path.includes('{'))
}

/** An error where the caller is known to be no session, a warning where that is likely or not known. `tokens` is undefined where nothing is known of them. */
export function sessionAdvice(only: readonly SessionOnly[], tokens: CallingTokens | undefined): readonly Diagnostic[] {
  const [first] = only
  if (!first || tokens?.candidates.every((one) => isSession(one) === true)) return []
  const { address, kind } = first.change
  const hint = 'sign in with `iac login`'
  if (!tokens?.candidates.every((one) => isSession(one) === false)) {
    const text = `${address}: only a login session makes it, and whether the token of this run is one shows when it is applied`
    return [diagnostic('advice', text, { address, hint })]
  }
  const is = tokens.isWithoutSession ? 'is none' : 'seems to be none'
  const text = `${address}: only a login session makes ${kind}s, and ${tokenWords(tokens.candidates)} ${is}`
  return [diagnostic(tokens.isWithoutSession ? 'unauthorized' : 'advice', text, { address, hint })]
}
