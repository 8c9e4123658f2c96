// A second look, only under plans that remove something: what kinds read for a removal alone (`removalWants`).
import type { Looking, Observation, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned.ts'
import { observe } from './observe.ts'

/** The observation with what goes read anew where its kind wants more for that; undefined where everything was read at once. */
export async function withRemovalReads(looking: Looking, observation: Observation, planned: readonly Planned[]): Promise<Observation | undefined> {
  const targets = planned.filter((one) => one.action === 'delete' || one.action === 'replace').flatMap((one) => targetOf(observation, one))
  if (targets.length === 0) return undefined
  const again = await observe(looking, targets)
  const ids = new Set(targets.map(({ kind, id }) => `${kind.name} ${id}`))
  return { ...observation, find: (kind, workspaceId, id) => (ids.has(`${kind} ${id}`) ? again : observation).find(kind, workspaceId, id) }
}

function targetOf(observation: Observation, { kind, workspaceId, objectId, object, desired, record }: Planned): Target[] {
  if (!object || objectId === null || workspaceId === null) return []
  if (kind.removalWants.every((field) => observation.wanted(kind.name, workspaceId, field))) return []
  const fields = [...new Set([...Object.keys(desired ?? {}), ...Object.keys(record?.spec ?? {})])]
  return [{ kind, workspaceId, id: objectId, fields, parents: [], wants: kind.removalWants }]
}
