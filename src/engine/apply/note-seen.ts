// What is there before a run makes anything: nothing of it is what a create of the run has made.
import type { Entry } from '../../state/record.ts'
import { declaredBy } from '../model/diff/compared-fields.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { Target } from '../model/observation.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { observe } from '../refresh/observe.ts'

/** Looks, before anything is created, at what is there of each kind that the plan creates; gives what notes it, for once it is sure that the plan is carried out. */
export async function lookForSeen(work: Work, plan: Plan): Promise<() => void> {
  const targets = creationTargets(plan, work.kindOf)
  const at = work.run.client.serverNow()
  const observation = await observe(work.looking, targets)
  const entries = new Map<string, Entry>()
  for (const { kind, workspaceId } of targets) {
    const listed = observation.listed(kind.name, workspaceId)
    // Where nobody looked nothing is said.
    if (listed)
      entries.set(`${kind.name} ${workspaceId}`, {
        t: 'seen',
        kind: kind.name,
        workspace_id: workspaceId === '' ? null : workspaceId,
        ids: listed.map((one) => one.id),
        at,
      })
  }
  return () => {
    if (entries.size > 0) work.ledger.note(...entries.values()).catch(() => undefined)
  }
}

function creationTargets(plan: Plan, kindOf: Work['kindOf']): Target[] {
  return plan.changes.flatMap((one): Target[] => {
    if (one.action !== 'create' && one.action !== 'replace') return []
    const kind = kindOf(one.kind)
    if (!kind.readable || (one.workspace_id === null && one.workspace_address !== null)) return []
    return [{ kind, workspaceId: one.workspace_id ?? '', id: undefined, fields: declaredBy(one), parents: parentsOf(kind, one.after) }]
  })
}
