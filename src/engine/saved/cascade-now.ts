// What a saved plan takes along, as it is when the plan is carried out.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { recordedSpec } from '../model/graph/graph.ts'
import { isLeaving } from '../model/graph/owners.ts'
import type { Looking, Target } from '../model/observation.ts'
import type { Plan, TakenAlong } from '../model/plan-data.ts'
import type { Cascaded } from '../model/planning-result.ts'
import { cascadeOf, isGoing } from '../plan/checks/leaving/cascade.ts'
import type { PlannedOutcome } from '../plan/checks/leaving/cascade.ts'
import { observe } from '../refresh/observe.ts'

/** What a saved plan takes along, as it is now. */
export async function cascadeNow(
  looking: Looking,
  plan: Plan,
  { records, kindOf, nowMs }: { readonly records: ReadonlyMap<string, ResourceRecord>; readonly kindOf: (name: string) => AnyKind; readonly nowMs: number },
): Promise<readonly Cascaded[]> {
  const goers = plan.changes.filter(isGoing)
  if (goers.length === 0) return []
  const targets = goers.flatMap((one) =>
    kindOf(one.kind).takes.map((name): Target => ({ kind: kindOf(name), workspaceId: one.workspace_id ?? '', id: undefined, fields: [], parents: [] })),
  )
  const observation = await observe(looking, targets)
  const outcomes = plan.changes.map((one): PlannedOutcome => {
    const { address, id, workspace_id: workspaceId, fingerprint } = one
    const kind = kindOf(one.kind)
    const listed = id === null || !observation.listed(one.kind, workspaceId ?? '') ? undefined : { object: observation.find(one.kind, workspaceId ?? '', id) }
    const isThere = listed ? listed.object !== undefined && !isLeaving(kind, listed.object, nowMs) : fingerprint !== null || !kind.readable
    const record = records.get(one.previous_address ?? address)
    const spec = { ...one.before, ...recordedSpec(record, id ?? '') }
    return { address, kind, workspaceId, id, spec, goes: isGoing(one), stays: !isGoing(one) && id !== null && isThere }
  })
  return cascadeOf(outcomes, { records: records.values(), listed: observation.listed, nowMs })
}

/** What goes along by now, and is not among what was told. */
export function untoldIn(now: readonly Cascaded[], told: readonly Omit<TakenAlong, 'by'>[]): readonly Cascaded[] {
  const known = new Set(told.map(keyOf))
  return now.filter((one) => !known.has(keyOf(one)))
}

function keyOf({ kind, id }: Omit<TakenAlong, 'by'>): string {
  return `${kind} ${id}`
}
