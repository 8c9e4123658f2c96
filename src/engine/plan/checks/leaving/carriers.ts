// What carries others, as a node does services, and goes by a plan from under what stays.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { few } from '../../../../base/words/few.ts'
import type { AnyKind } from '../../../../kinds/definition/kind.ts'
import { carriedPlace, uncarried, uncarriedPlace } from '../../../model/graph/carriers.ts'
import { push } from '../../../model/graph/needs.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { isGoing } from './cascade.ts'

/** An error for each carrier that a plan takes away, by deletion or to another place, from under what stays. */
export function carriersLost(kinds: readonly AnyKind[], planned: readonly Planned[]): readonly Diagnostic[] {
  const goers = planned.filter((one) => one.kind.carries.length > 0 && isGoing(one) && !one.deposed)
  if (goers.length === 0) return []
  const under = new Map<string, string[]>()
  for (const each of uncarried(kinds, planned)) push(under, `${each.carrier.name} ${each.by} ${uncarriedPlace(each)}`, each.one.address)
  return goers.flatMap((one) => {
    const names = one.kind.carries.flatMap(({ by }) => under.get(`${one.kind.name} ${by} ${carriedPlace(one, by)}`) ?? [])
    return names.length === 0 ? [] : [lost(one, [...new Set(names)])]
  })
}

function lost({ address, action, kind, declared }: Planned, names: readonly string[]): Diagnostic {
  const what = action === 'replace' ? 'replaced' : 'deleted'
  const text = `${address} cannot be ${what}: ${few(names)} ${names.length === 1 ? 'stands' : 'stand'} on it, and nothing takes its place`
  const field = kind.carries[0]?.field ?? ''
  const hint = `leave ${address} as it is, or take its place out of ${field} as well; if it has another address now, \`moved\` says so`
  return diagnostic('plan_impossible', text, { address, position: declared?.position(), hint })
}
