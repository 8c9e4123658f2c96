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
  const all = planned.filter((one) => !one.deposed)
  return {
    byAddress: new Map(all.map((one) => [one.address, one])),
    byObject: new Map(all.flatMap((one) => (one.objectId === null ? [] : [[`${one.kind.name} ${one.objectId}`, one] as const]))),
  }
}

/** What a value of a reference to some kinds means; undefined for what the plan does not know. */
export function pointedAt(one: Planned, value: string, kinds: readonly string[], { byAddress, byObject }: Places): Planned | undefined {
  if (hasToken(value)) {
    const found = byAddress.get(awaitedAddress(one, value) ?? '')
    return found && kinds.includes(found.kind.name) ? found : undefined
  }
  return kinds.map((kind) => byObject.get(`${kind} ${value}`)).find((found) => found !== undefined)
}
