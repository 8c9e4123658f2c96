// The token that a run calls with, where its own plan deletes it: that comes last, since nothing is answered after it.
import { routes } from '../../api/routes/routes.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { callingTokens } from '../refresh/calling-tokens.ts'
import { ownInvites } from '../refresh/own-invites.ts'

type Asking = Pick<Work, 'run' | 'kindOf'>

/** The ids of those that a plan deletes and of which one is, or may be, the caller's; asked only where it deletes any, and empty where that is not told. */
export async function ownTokens({ run, kindOf }: Asking, plan: Plan): Promise<ReadonlySet<string>> {
  const going = goingIn(plan).filter(({ kind }) => kindOf(kind).calls.removing.includes(routes.deleteToken))
  if (going.length === 0 || run.client.session === true) return new Set()
  const workspaceIds = [...new Set(plan.changes.flatMap((one) => one.workspace_id ?? []))]
  const calling = new Set((await callingTokens(run.client, workspaceIds))?.candidates.map((one) => one.id))
  return new Set(going.flatMap(({ id }) => (id !== null && calling.has(id) ? [id] : [])))
}

/** The ids of the invites that a plan deletes and by which the caller is, or may be, a member. */
export function ownMemberships({ run, kindOf }: Asking, plan: Plan): Promise<ReadonlySet<string>> {
  return ownInvites(
    run.client,
    goingIn(plan).map(({ kind, id, before }) => ({ kind: kindOf(kind), id, seen: before ?? {} })),
  )
}

function goingIn({ changes }: Plan): readonly Change[] {
  return changes.filter(({ action }) => action === 'delete' || action === 'replace')
}
