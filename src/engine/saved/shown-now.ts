// The sensitive values that ignore_changes keeps, as live shows them when a saved plan is carried out.
import type { JsonValue } from '../../base/json.ts'
import type { Project } from '../../project/resolving/declared.ts'
import { withDigests } from '../model/diff/desired.ts'
import { shownSecrets } from '../model/diff/ignored.ts'
import { parentsOf } from '../model/graph/parents.ts'
import type { Looking, Target } from '../model/observation.ts'
import type { Plan } from '../model/plan-data.ts'
import { observe } from '../refresh/observe.ts'

/** Digest token → value: neither variables nor manifests give these, and what is made of them may need them. */
export async function shownNow(looking: Looking, plan: Plan, project: Project): Promise<ReadonlyMap<string, JsonValue>> {
  const keeping = new Map(project.resources.flatMap((one) => (one.lifecycle.ignoreChanges.length > 0 ? [[one.address, one.kind] as const] : [])))
  const kept = plan.changes.flatMap((change) => {
    const kind = keeping.get(change.address)
    const { id, after, deposed, digests } = change
    return kind && id !== null && after && !deposed && Object.keys(digests).length > 0 ? [{ kind, id, after, change }] : []
  })
  const targets = kept.map(({ kind, id, after, change }): Target => {
    return { kind, workspaceId: change.workspace_id ?? '', id, fields: Object.keys(after), parents: parentsOf(kind, after) }
  })
  if (targets.length === 0) return new Map()
  const seen = await observe(looking, targets)
  const values = kept.flatMap(({ kind, id, change }) => {
    const object = seen.find(kind.name, change.workspace_id ?? '', id)
    return [...shownSecrets(withDigests(change), new Map(), object?.seen ?? {}, looking.digest)]
  })
  return new Map(values)
}
