// What only one object may have at a time, and a plan cannot hand on: two that exchange it, or one that keeps it because it is left out or forgotten.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { few } from '../../../base/words/few.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Claims } from '../../model/claims.ts'
import { claimsOf, letGo, taken } from '../../model/claims.ts'
import { importCommand } from '../../model/import-command.ts'
import type { Change } from '../../model/plan-data.ts'
import type { Planned, PlanInput } from '../../model/planned-resource.ts'
import { plannedOutcome } from './leaving/cascade.ts'
import { movedEntry } from './moved-entry.ts'

const none: Claims = new Map()

/** An error where operations wait for each other (`stuck`: their ids): by what they exchange, where they do. */
export function circleProblems(stuck: ReadonlySet<string>, changes: readonly Change[], kindOf: (name: string) => AnyKind): Diagnostic[] {
  if (stuck.size === 0) return []
  const waiting = new Set([...stuck].map(addressOf))
  const within = changes.filter((one) => stuck.has(one.address) && !one.deposed)
  const letting = new Map<string, string>()
  for (const one of within) for (const claim of letGo(kindOf(one.kind), one).keys()) letting.set(claim, one.address)
  const fields = new Set<string>()
  const between = new Set<string>()
  for (const one of within)
    for (const [claim, names] of taken(kindOf(one.kind), one)) {
      const other = letting.get(claim)
      if (other === undefined || other === one.address) continue
      for (const address of [one.address, other]) between.add(address)
      for (const name of names) fields.add(name)
    }
  if (between.size === 0) return [diagnostic('plan_impossible', `these operations wait for each other: ${few([...waiting])}`)]
  const text = `${few([...between])} exchange what only one of them may have at a time: ${[...fields].join(', ')}`
  const [address = ''] = between
  return [diagnostic('plan_impossible', text, { address, hint: 'give one of them another value in a first apply, and its own in a second one' })]
}

/** An error for each change that takes what something has that this plan leaves as it is, or forgets. */
export function keptElsewhere(input: Pick<PlanInput, 'kinds' | 'flags'>, planned: readonly Planned[], changes: readonly Change[]): Diagnostic[] {
  const kept = new Map<string, Planned>()
  for (const one of planned) for (const claim of keptBy(one).keys()) kept.set(claim, one)
  if (kept.size === 0) return []
  const kinds = new Map(input.kinds.map((kind) => [kind.name, kind]))
  return changes.flatMap((one) => {
    const kind = kinds.get(one.kind)
    return kind ? problemsOf(input, one, taken(kind, one), kept) : []
  })
}

/** What an object goes on having that no manifest of this plan is about. */
function keptBy(one: Planned): Claims {
  const { leftOut, action, kind, record, workspaceId, workspaceAddress } = one
  const place = (workspaceId === '' ? null : workspaceId) ?? workspaceAddress
  if (leftOut) return record && record.status !== 'deleting' ? claimsOf(kind, place, record.spec) : none
  const outcome = action === 'forget' ? plannedOutcome(one) : undefined
  return outcome?.stays ? claimsOf(kind, place, outcome.spec) : none
}

function problemsOf(input: Pick<PlanInput, 'flags'>, change: Change, claims: Claims, kept: ReadonlyMap<string, Planned>): Diagnostic[] {
  const { address } = change
  return [...claims].flatMap(([claim, fields]) => {
    const keeper = kept.get(claim)
    if (keeper === undefined || keeper.address === address) return []
    const what =
      fields.length === 0
        ? `${address} cannot be made: ${keeper.address} is the one there can be`
        : `${address} cannot get its ${fields.join(', ')}: ${keeper.address} has it`
    if (keeper.leftOut)
      return [diagnostic('plan_impossible', `${what}, and is left out of this plan`, { address, hint: `take ${keeper.address} along, or apply it first` })]
    return [diagnostic('plan_impossible', `${what}, and is forgotten and stays`, { address, hint: wayOut(input, change, keeper) })]
  })
}

/** How an object that is forgotten gets another address, or another one gets what it has. */
export function wayOut(input: Pick<PlanInput, 'flags'>, { address, action }: Pick<Change, 'address' | 'action'>, keeper: Planned): string {
  if (action !== 'create' || keeper.deposed) return `change or delete ${keeper.address} in a first apply, or leave ${address} as it is`
  const imported = importCommand(input, address, keeper.objectId ?? '')
  return `${movedHint(keeper.address, address)}; or take ${address} out for one apply, which forgets it, and take it over with: ${imported}`
}

/** How what stays gets the address of what would be made. */
export function movedHint(from: string, to: string): string {
  return `in iac.yaml, moved: [${movedEntry(from, to)}] keeps it under the new address`
}

function addressOf(id: string): string {
  return id.split('#')[0] ?? id
}
