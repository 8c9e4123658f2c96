// What only one object may have at a time, and a plan cannot hand on: two that exchange it, or one that keeps it because it is left out.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { few } from '../../../base/few.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Claims } from '../../model/claims.ts'
import { claimsOf, letGo, taken } from '../../model/claims.ts'
import type { Change } from '../../model/plan-data.ts'
import type { Planned } from '../../model/planned-resource.ts'

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

/** An error for each change that takes what something has that this plan leaves as it is. */
export function keptElsewhere(planned: readonly Planned[], changes: readonly Change[], kindOf: (name: string) => AnyKind): Diagnostic[] {
  const kept = new Map<string, string>()
  for (const { address, leftOut, kind, record, workspaceId, workspaceAddress } of planned)
    if (leftOut && record && record.status !== 'deleting')
      for (const claim of claimsOf(kind, workspaceId ?? workspaceAddress ?? null, record.spec).keys()) kept.set(claim, address)
  if (kept.size === 0) return []
  return changes.flatMap((one) => problemsOf(one, taken(kindOf(one.kind), one), kept))
}

function problemsOf({ address }: Change, claims: Claims, kept: ReadonlyMap<string, string>): Diagnostic[] {
  return [...claims].flatMap(([claim, fields]) => {
    const holder = kept.get(claim)
    if (holder === undefined || holder === address) return []
    const text = `${address} cannot get its ${fields.join(', ')}: ${holder} has it, and is left out of this plan`
    return [diagnostic('plan_impossible', text, { address, hint: `take ${holder} along, or apply it first` })]
  })
}

function addressOf(id: string): string {
  return id.split('#')[0] ?? id
}
