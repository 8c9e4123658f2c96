// The token that a run calls with, where its own plan deletes it: that comes last, since nothing is answered after it.
import { routes } from '../../api/routes/routes.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { callingTokens } from '../refresh/calling-tokens.ts'

/** The ids of those that a plan deletes and of which one is, or may be, the caller's; asked only where it deletes any, and empty where that is not told. */
export async function ownTokens({ run, kindOf }: Pick<Work, 'run' | 'kindOf'>, plan: Plan): Promise<ReadonlySet<string>> {
  const going = plan.changes.filter(
    ({ kind, action }) => (action === 'delete' || action === 'replace') && kindOf(kind).calls.removing.includes(routes.deleteToken),
  )
  if (going.length === 0 || run.client.session === true) return new Set()
  const workspaceIds = [...new Set(plan.changes.flatMap((one) => one.workspace_id ?? []))]
  const calling = new Set((await callingTokens(run.client, workspaceIds))?.candidates.map((one) => one.id))
  return new Set(going.flatMap(({ id }) => (id !== null && calling.has(id) ? [id] : [])))
}
