// What objects are called in what is said of a plan.
import type { LiveObject } from './live.ts'
import type { Planned } from './planned-resource.ts'

/** A resource; of an old half with the id that tells it from its successor. */
export function resourceName({ address, deposed, objectId }: Pick<Planned, 'address' | 'deposed' | 'objectId'>): string {
  return deposed ? `${address} (old object ${objectId})` : address
}

/** What is in no state: its kind, its name where it has one, and its id. */
export function objectName({ kind, id, seen: { name } }: LiveObject): string {
  return `${kind.name} ${typeof name === 'string' ? `${name} (id ${id})` : id}`
}
