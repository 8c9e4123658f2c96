// The one look of a plan without a refresh: what its deletions take along, which no state tells of, and which would be gone unseen.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Looking, Observation, Target } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import { observe } from './observe.ts'

/** The observation with lists of the kinds that what goes takes along; undefined where nothing does. */
export async function withCascadeLists(
  looking: Looking,
  observation: Observation,
  goers: readonly Planned[],
  kindOf: (name: string) => AnyKind,
): Promise<Observation | undefined> {
  const targets = goers.flatMap(({ kind, workspaceId }) =>
    kind.takes.map((name): Target => ({ kind: kindOf(name), workspaceId: workspaceId ?? '', id: undefined, fields: [], parents: [] })),
  )
  if (targets.length === 0) return undefined
  const { listed } = await observe(looking, targets)
  return { ...observation, listedAlong: listed }
}
