// What a saved plan takes along, as it is when the plan is carried out.
import type { AnyKind } from '../kinds/kind.ts'
import type { ResourceRecord } from '../state/record.ts'
import { isGoing } from './endings.ts'
import type { Fate } from './endings.ts'
import { recordedSpec } from './graph.ts'
import type { Looking, Target } from './observation.ts'
import { observe } from './observe.ts'
import { isLeaving } from './owners.ts'
import type { Plan } from './plan-data.ts'
import type { Taken } from './planning.ts'
import { takenAlong } from './taken.ts'

/** What a saved plan takes along, as it is now. */
export async function takenNow(
  looking: Looking,
  plan: Plan,
  { records, kindOf, nowMs }: { readonly records: ReadonlyMap<string, ResourceRecord>; readonly kindOf: (name: string) => AnyKind; readonly nowMs: number },
): Promise<readonly Taken[]> {
  const goers = plan.changes.filter(isGoing)
  if (goers.length === 0) return []
  const targets = goers.flatMap((one) =>
    kindOf(one.kind).takes.map((name): Target => ({ kind: kindOf(name), workspaceId: one.workspace_id ?? '', id: undefined, fields: [], parents: [] })),
  )
  const observation = await observe(looking, targets)
  const fates = plan.changes.map((one): Fate => {
    const { address, id, workspace_id: workspaceId, fingerprint } = one
    const kind = kindOf(one.kind)
    const listed = id === null || !observation.listed(one.kind, workspaceId ?? '') ? undefined : { object: observation.find(one.kind, workspaceId ?? '', id) }
    const isThere = listed ? listed.object !== undefined && !isLeaving(kind, listed.object, nowMs) : fingerprint !== null || !kind.readable
    const record = records.get(one.previous_address ?? address)
    const spec = { ...one.before, ...recordedSpec(record, id ?? '') }
    return { address, kind, workspaceId, id, spec, goes: isGoing(one), stays: !isGoing(one) && id !== null && isThere }
  })
  return takenAlong(fates, { records: records.values(), listed: observation.listed, nowMs })
}
