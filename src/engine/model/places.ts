// What the references of a plan point at: by address what is made, by id what is there.
import { hasToken } from '../../base/token.ts'
import { awaitedAddress } from './named-resources.ts'
import type { Planned } from './planned-resource.ts'

/** The resources of a plan, as references mean them. */
export interface Places {
  readonly byAddress: ReadonlyMap<string, Planned>
  readonly byObject: ReadonlyMap<string, Planned>
}

/** Made once for a plan; old halves are pointed at by nothing. */
export function placesOf(planned: readonly Planned[]): Places {
  const byAddress = new Map<string, Planned>()
  const byObject = new Map<string, Planned>()
  for (const one of planned) {
    if (one.deposed) continue
    byAddress.set(one.address, one)
    if (one.objectId !== null) byObject.set(`${one.kind.name} ${one.objectId}`, one)
  }
  return { byAddress, byObject }
}

/** What a value of a reference to some kinds means; undefined for what the plan does not know. */
export function pointedAt(one: Planned, value: string, kinds: readonly string[], { byAddress, byObject }: Places): Planned | undefined {
  if (hasToken(value)) {
    const found = byAddress.get(awaitedAddress(one, value) ?? '')
    return found && kinds.includes(found.kind.name) ? found : undefined
  }
  return kinds.map((kind) => byObject.get(`${kind} ${value}`)).find((found) => found !== undefined)
}
