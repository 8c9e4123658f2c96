// A second look, only under plans that remove something: what kinds read for a removal alone (`removalWants`).
import { comparedFields } from '../model/diff/compared-fields.ts'
import { hangingOn, idsIn } from '../model/graph/references.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import { observe } from './observe.ts'

/** The observation with what goes read anew where its kind wants more for that; undefined where everything was read at once. */
export async function withRemovalReads(
  looking: Looking,
  observation: Observation,
  planned: readonly Planned[],
  outcomes: Looking['outcomes'],
): Promise<Observation | undefined> {
  const goers = planned.filter((one) => one.action === 'delete' || one.action === 'replace')
  if (goers.length === 0) return undefined
  // What goes by itself takes itself off.
  const staying = planned.filter((one) => one.action !== 'delete' && !one.deposed)
  // Somebody may have attached them elsewhere than their records say.
  const attachable = new Set(staying.flatMap(({ kind, record }) => (record ? kind.referenceFields : []).flatMap((one) => (one.endsWith ? [] : one.ref))))
  const targets = goers.flatMap((one) => targetOf(observation, one, attachable))
  if (targets.length === 0) return undefined
  const byName = new Map(planned.map(({ kind }) => [kind.name, kind]))
  const records = staying.flatMap((one) => one.record ?? [])
  const hanging = hangingOn(records, (name) => byName.get(name))
  const again = await observe({ ...looking, hanging, staying: idsIn(records), outcomes }, targets)
  const ids = new Set(targets.map(({ kind, id }) => `${kind.name} ${id}`))
  return { ...observation, find: (kind, workspaceId, id) => (ids.has(`${kind} ${id}`) ? again : observation).find(kind, workspaceId, id) }
}

function targetOf(observation: Observation, { kind, workspaceId, objectId, object, desired, record }: Planned, attachable: ReadonlySet<string>): Target[] {
  if (!object || objectId === null || workspaceId === null) return []
  if (kind.removalWants.length === 0) return []
  const isRead = kind.removalWants.every((field) => observation.wanted(kind.name, workspaceId, field))
  // Who holds it is read under the plan alone: before, nobody knows what goes.
  if (isRead && !attachable.has(kind.name) && !kind.holders) return []
  const fields = comparedFields(Object.keys(desired ?? {}), record)
  return [{ kind, workspaceId, id: objectId, fields, parents: [], wants: kind.removalWants }]
}
