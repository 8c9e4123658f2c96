// Replacements that are backed out of while the new half is being made: the old object is what the manifests say, so that it stays, and the new half goes.
import type { Folded } from '../../state/fold.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { isObjectStill, withAbandoned } from '../../state/slot.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import { isSeenStanding } from './decide/verdict.ts'

/** What is recorded, once successors count as abandoned that `first` would replace while what they were to replace may stay; undefined where there are none. `draft` plans with another record. */
export function withoutAbandoned(
  folded: Folded,
  first: readonly Planned[],
  draft: (folded: Folded) => { readonly planned: readonly Planned[] },
): Folded | undefined {
  const abandoned = new Map<string, ResourceRecord>()
  const abandon = (one: Planned): void => {
    const address = recordedAt(one)
    const record = abandoned.get(address) ?? folded.resources.get(address)
    if (record) abandoned.set(address, withAbandoned(record))
  }
  for (const one of first) if (isUnwanted(one, first)) abandon(one)
  while (abandoned.size > 0) {
    const next = { ...folded, resources: new Map([...folded.resources, ...abandoned]) }
    const { planned } = draft(next)
    const replaced = planned.filter((one) => isReplaced(one) && abandoned.has(recordedAt(one)))
    if (replaced.length === 0) return next
    for (const one of replaced) {
      // Behind a successor that is not wanted may stand another one.
      if (isUnwanted(one, planned)) abandon(one)
      else abandoned.delete(recordedAt(one))
    }
  }
  return undefined
}

/** What a plan abandons at an address. */
interface Abandoned {
  /** The record with each successor in front, in the order in which they are abandoned. */
  readonly successors: readonly ResourceRecord[]
  /** The record as the plan takes it. */
  readonly kept: ResourceRecord
}

/** By the addresses before a plan where that abandons successors: it keeps the old object, and deletes what stands in front of that. */
export function abandonedIn(plan: Pick<Plan, 'changes'>, records: ReadonlyMap<string, ResourceRecord>): ReadonlyMap<string, Abandoned> {
  const going = oldGoingIn(plan)
  const abandoned = plan.changes.flatMap((one) => {
    const successors: ResourceRecord[] = []
    let kept = keeps(one) ? records.get(addressBefore(one)) : undefined
    while (kept?.status === 'creating' && kept.id !== one.id && going.has(`${kept.address} ${kept.id}`)) {
      successors.push(kept)
      kept = withAbandoned(kept)
    }
    return successors.length > 0 && kept?.id === one.id ? [[kept.address, { successors, kept }] as const] : []
  })
  return new Map(abandoned)
}

/** The changes that leave an object where it stands for whose sake successors go that failed, or count as failed, by these records: without it nothing would be left. */
export function keptInsteadOfSuccessors(plan: Pick<Plan, 'changes'>, records: ReadonlyMap<string, ResourceRecord>): ReadonlySet<Change> {
  const going = oldGoingIn(plan)
  const isForIt = (one: Change): boolean =>
    records.get(addressBefore(one))?.deposed.some(({ id, status }) => status === 'failed' && going.has(`${addressBefore(one)} ${id}`)) === true
  return new Set(plan.changes.filter((one) => keeps(one) && isForIt(one)))
}

function oldGoingIn({ changes }: Pick<Plan, 'changes'>): ReadonlySet<string> {
  return new Set(changes.flatMap((one) => (one.deposed && one.action === 'delete' ? [`${addressBefore(one)} ${one.id}`] : [])))
}

function keeps({ deposed, action }: Change): boolean {
  return !deposed && (action === 'no-op' || action === 'update')
}

/** Whether a successor that never was ready is not as its manifest says by now, or failed, while the old object is seen beside it. */
function isUnwanted({ address, action, reason, record, deposed }: Planned, all: readonly Planned[]): boolean {
  if (deposed || action !== 'replace' || (reason !== 'immutable_field' && reason !== 'failed') || record?.status !== 'creating') return false
  const standing = new Set(all.flatMap((one) => (one.address === address && one.deposed && isThere(one) ? [one.objectId] : [])))
  return record.deposed.some((old) => isObjectStill(record, old) && standing.has(old.id))
}

function isThere({ kind, situation, action }: Planned): boolean {
  return action === 'delete' && (!kind.readable || isSeenStanding(situation))
}

function isReplaced({ action, deposed }: Planned): boolean {
  return !deposed && (action === 'replace' || action === 'create')
}

function recordedAt({ address, previousAddress }: Planned): string {
  return previousAddress ?? address
}

function addressBefore({ address, previous_address: previous }: Change): string {
  return previous ?? address
}
