// Creates whose answers were lost and of which nothing in a plan will tell: what they made would be in no state, or they stay open for good.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { fillText, hasToken } from '../../../base/token.ts'
import type { Intent } from '../../../state/record.ts'
import { ownersOf } from '../../model/graph/owners.ts'
import { kindFinder } from '../../model/kind-finder.ts'
import type { PlanInput, Planned } from '../../model/planned-resource.ts'
import type { UntoldCreate } from '../../model/untold-creates.ts'
import { distinctCreates, otherAsked, placeOf, staysOpen, uniqueWords, willBeGivenUp } from '../../model/untold-creates.ts'
import { isGoing } from './leaving/cascade.ts'

type Asking = Pick<PlanInput, 'state' | 'kinds' | 'options' | 'project' | 'digest'>

/** A warning for each such create, with what helps; none where what it made ends by this plan. */
export function untoldCreateAdvice(input: Asking, selected: readonly Planned[]): readonly Diagnostic[] {
  // A run that only records makes, and closes, nothing.
  if (input.options.refreshOnly || input.state.open.length === 0) return []
  const kindOf = kindFinder(input.kinds)
  const creates = input.state.open.filter(({ intent }) => intent.creates && !kindOf(intent.kind).readable)
  // Where another one at its address was accepted, settling that tells first.
  const told = new Set(creates.flatMap(({ intent, accepted }) => (accepted ? [intent.address] : [])))
  const untold = creates.flatMap(({ intent }) => (told.has(intent.address) ? [] : [intent]))
  if (untold.length === 0) return []
  const byObject = new Map(selected.map((one) => [`${one.kind.name} ${one.objectId}`, one]))
  return distinctCreates(untold, kindOf).flatMap((intent) => {
    const kind = kindOf(intent.kind)
    const owners = ownersOf(kind, intent.sets).map((owner) => byObject.get(`${owner.kind} ${owner.id}`))
    if (owners.length > 0 && owners.every((owner) => owner && (isGoing(owner) || owner.reason === 'missing'))) return []
    const place = placeOf(kind, intent.sets, (name, id) => byObject.get(`${name} ${id}`)?.address)
    return adviceOn(input, { kind, intent, place }, selected) ?? []
  })
}

function adviceOn(input: Asking, one: UntoldCreate, selected: readonly Planned[]): Diagnostic | undefined {
  const here = selected.find(({ address, deposed }) => address === one.intent.address && !deposed)
  if (!here) return input.options.destroy ? staysOpen(one, false) : willBeGivenUp(one, input.project.partial)
  const { action, desired, declared, record } = here
  if (action !== 'create' && action !== 'replace') return staysOpen(one, action === 'import' || (record !== undefined && action !== 'forget' && !isGoing(here)))
  if (!desired || !asksForOther(input, one.intent, here)) return undefined
  const [field] = Array.isArray(one.kind.unique) ? one.kind.unique : []
  return otherAsked(one, uniqueWords(one.kind, desired), declared?.positionOf(field === undefined ? '' : `/${field}`))
}

/** Whether a create is of another object than an earlier one, so that its answer says nothing of that; false where that is not known yet. */
function asksForOther({ digest }: Asking, { natural_key, workspace_id }: Intent, { kind, desired, workspaceId }: Planned): boolean {
  const key = desired && kind.naturalKey(desired)
  if (workspaceId === null || key === undefined || isUnknown(key)) return false
  return (hasToken(key) ? digest(key) : key) !== natural_key || workspaceId !== (workspace_id ?? '')
}

function isUnknown(key: string): boolean {
  let found = false
  fillText(key, (token) => {
    found ||= token.is === 'unknown'
    return ''
  })
  return found
}
