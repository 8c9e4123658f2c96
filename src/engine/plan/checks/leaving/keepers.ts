// What keeps an object from going by being there, as a node of the cluster does its instance where the service is said to refuse that.
import type { Compat } from '../../../../api/calls/compat.ts'
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { few } from '../../../../base/words/few.ts'
import { keptIds, push } from '../../../model/graph/needs.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { resourceName } from '../../../model/spoken-names.ts'
import { plannedOutcome, isGoing } from './cascade.ts'

/** An error for each object that is to go (for an old half a warning) while something of the state that keeps it stays: left out, left to others, or forgotten. */
export function keptFromGoing(compat: Compat, all: readonly Planned[]): readonly Diagnostic[] {
  const goers = all.filter(isGoing)
  if (goers.length === 0) return []
  const keepers = new Map<string, Planned[]>()
  for (const one of all) {
    if (one.kind.keeps?.(compat) === undefined) continue
    const outcome = plannedOutcome(one)
    if (outcome.stays) for (const { kinds, id } of keptIds(one.kind, outcome.spec, compat)) for (const kind of kinds) push(keepers, `${kind} ${id}`, one)
  }
  if (keepers.size === 0) return []
  return goers.flatMap((one) => {
    const found = keepers.get(`${one.kind.name} ${one.objectId}`)
    return found === undefined ? [] : [keptText(one, found)]
  })
}

function keptText(one: Planned, keepers: readonly Planned[]): Diagnostic {
  const { address, action, declared, deposed } = one
  const names = [...new Set(keepers.map((each) => each.address))]
  const isLeftOut = keepers.some((each) => each.leftOut)
  const what = `${resourceName(one)} cannot be ${action === 'replace' ? 'replaced' : 'deleted'}`
  const [is, they] = names.length === 1 ? ['is', 'stands'] : ['are', 'stand']
  const stays = isLeftOut ? `${is} left out of this plan` : `${is} left there by it`
  return diagnostic(deposed ? 'advice' : 'plan_impossible', `${what}: ${few(names)} ${they} on it, and ${stays}`, {
    address,
    position: declared?.position(),
    detail: 'By provider.compat the service refuses the delete of what these stand on.',
    hint: isLeftOut ? `take ${few(names)} along; or leave ${address} in place` : `let a first apply delete ${few(names)}; or leave ${address} in place`,
  })
}
