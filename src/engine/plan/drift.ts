// Recorded → live: what others changed or removed.
import type { ResourceRecord } from '../../state/record.ts'
import { drifts } from '../model/diff/diff.ts'
import type { Difference } from '../model/diff/diff.ts'
import { withIgnored } from '../model/diff/ignored.ts'
import type { needsOf } from '../model/graph/needs.ts'
import { boundTo, isLeaving } from '../model/graph/owners.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import type { PlanInput, Planned } from '../model/planned-resource.ts'
import { straysOf } from '../model/view.ts'
import { changeOf, maskObject, outputsBefore, patchBetween } from './change.ts'
import { unhealthy } from './checks/health.ts'

/** What others changed, and the addresses of what differs and is not selected: `changing`, or in a plan that records what others changed of it. */
export function driftAndLeftOut(
  { options }: PlanInput,
  selected: readonly Planned[],
  needs: ReturnType<typeof needsOf>,
  changing: readonly string[],
): Pick<Plan, 'drift' | 'left_out'> {
  const drift = options.unread ? null : driftOf(selected, needs)
  const out = new Set(options.refreshOnly ? selected.filter((one) => one.leftOut).map((one) => one.address) : [])
  const left = options.refreshOnly ? (drift ?? []).map((one) => one.address).filter((address) => out.has(address)) : changing
  return { drift: drift && drift.filter((one) => !out.has(one.address)), ...(left.length === 0 ? {} : { left_out: left }) }
}

/** Recorded → live, of everything that the state holds: what others changed or removed. */
function driftOf(selected: readonly Planned[], needs: ReturnType<typeof needsOf>): readonly Change[] {
  const goesWithOurs = leavingWithOurs(selected)
  return selected.flatMap((one): Change[] => {
    if (!one.record || one.deposed || !one.kind.readable) return []
    // What a manifest makes of it is no matter of what others did.
    const shown = () => ({ ...changeOf({ ...one, action: 'no-op' }, needs.get(one.address), false), after_unknown: [], unresolved: {}, digests: {} })
    if (!one.object) {
      if (one.record.status === 'deleting') return []
      const gone = { action: 'delete', before: maskObject(one.record.spec), after: null } as const
      return [{ ...shown(), ...gone, reason: 'drifted', ...outputsBefore({ ...one, ...gone }) }]
    }
    const leaves = isLeaving(one.kind, one.object, one.situation.nowMs)
    // It changes as it leaves, and that is our doing.
    if (leaves && goesWithOurs(one)) return []
    const found = unignoredDrifts(one, one.record, one.object)
    const status = leaves && one.record.status === 'ready' ? 'deleting' : unhealthy(one)
    if (found.length === 0 && status === undefined) return []
    const [was, is] = status === undefined ? [{}, {}] : [{ status: 'ready' }, { status }]
    const before = { ...Object.fromEntries(found.map((each) => [each.field, each.before ?? null])), ...was }
    const after = { ...Object.fromEntries(found.map((each) => [each.field, each.after ?? null])), ...is }
    return [
      {
        ...shown(),
        action: 'update',
        reason: 'drifted',
        before: maskObject(before),
        after: maskObject(after),
        patch: patchBetween(before, after),
      },
    ]
  })
}

/** Whether the state deletes a resource, or what takes it along. */
function leavingWithOurs(selected: readonly Planned[]): (one: Planned) => boolean {
  const going = selected.filter(({ record, deposed }) => record?.status === 'deleting' && !deposed)
  const ids = new Set(going.map(({ kind, objectId }) => `${kind.name} ${objectId}`))
  const taken = new Set(going.flatMap(({ kind, workspaceId }) => kind.takes.map((name) => `${workspaceId} ${name}`)))
  return ({ kind, record, workspaceId }) =>
    record?.status === 'deleting' ||
    boundTo(kind, record?.spec ?? {}).some((owner) => ids.has(`${owner.kind} ${owner.id}`)) ||
    taken.has(`${workspaceId} ${kind.name}`)
}

/** The fields that others changed, without those whose changes the manifest ignores. */
function unignoredDrifts(
  { kind, declared, situation }: Planned,
  { spec, uncertain }: Pick<ResourceRecord, 'spec' | 'uncertain'>,
  { seen }: LiveObject,
): readonly Difference[] {
  const pointers = declared?.lifecycle.ignoreChanges ?? []
  const strays = straysOf(situation)
  if (pointers.length === 0) return drifts(kind, { recorded: spec, seen, uncertain, strays })
  const told = Object.fromEntries(Object.entries(strays).filter(([field]) => !pointers.includes(`/${field}`)))
  const kept = withIgnored(spec, { desired: spec, recorded: spec, seen, imported: false }, pointers)
  return drifts(kind, { recorded: kept, seen, uncertain, strays: told })
}
