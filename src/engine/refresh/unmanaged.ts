// Objects that nobody manages, by natural key: one pass over each list, then each question is a look-up.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { LiveObject } from '../model/live.ts'
import type { PlanInput } from '../model/planned-resource.ts'
import { viewOf } from '../model/view.ts'

export interface Unmanaged {
  /** The objects of the kind with this natural key that no record holds and that are not on their way out; those that another environment manages first. */
  find(kind: AnyKind, workspaceId: string, naturalKey: string): readonly LiveObject[]
  /** Every object of the kind that no record holds and that is not on its way out, one for each natural key. */
  all(kind: AnyKind, workspaceId: string): readonly LiveObject[]
  /** An object that looks like a managed one and that nobody manages. */
  twin(object: LiveObject): LiveObject | undefined
  /** The address whose object it is, recorded or by an import of this plan. */
  addressOf(kind: string, id: string): string | undefined
  /** Notes that a manifest takes an object over. */
  take(kind: string, id: string, address: string): void
}

type Index = ReadonlyMap<string, readonly LiveObject[]>

const none: readonly LiveObject[] = []

export function createUnmanaged(input: Pick<PlanInput, 'observation' | 'state' | 'otherEnvironments' | 'nowMs'>): Unmanaged {
  const held = new Map<string, string>()
  for (const record of input.state.resources.values()) {
    held.set(`${record.kind} ${record.id}`, record.address)
    for (const old of record.deposed) held.set(`${record.kind} ${old.id}`, record.address)
  }
  const indexes = new Map<string, Index>()
  const index = (kind: AnyKind, workspaceId: string): Index => {
    const found = new Map<string, readonly LiveObject[]>()
    for (const one of input.observation.listed(kind.name, workspaceId) ?? []) {
      if (held.has(`${kind.name} ${one.id}`) || !(kind.ours?.(one.live) ?? true) || leaves(one)) continue
      const key = kind.naturalKey(one.seen)
      const others = (key !== undefined && found.get(key)) || none
      if (key !== undefined) found.set(key, input.otherEnvironments?.manager(one) ? [one, ...others] : [...others, one])
    }
    return found
  }
  const leaves = ({ kind, id, workspaceId, live }: LiveObject): boolean =>
    kind.status(live, viewOf({ kind, address: '', id, workspaceId, recorded: {}, live, fresh: true, nowMs: input.nowMs })) === 'leaving'
  const indexOf = (kind: AnyKind, workspaceId: string): Index => {
    const place = `${kind.name} ${workspaceId}`
    const known = indexes.get(place) ?? index(kind, workspaceId)
    indexes.set(place, known)
    return known
  }
  return {
    addressOf: (kind, id) => held.get(`${kind} ${id}`),
    take: (kind, id, address) => void held.set(`${kind} ${id}`, address),
    all: (kind, workspaceId) => [...indexOf(kind, workspaceId).values()].flatMap((ones) => ones.at(-1) ?? []),
    find: (kind, workspaceId, naturalKey) => (kind.identifies ? (indexOf(kind, workspaceId).get(naturalKey) ?? none) : none),
    twin({ kind, workspaceId, seen }) {
      if (!kind.identifies) return undefined
      const known = indexOf(kind, workspaceId)
      const key = known.size === 0 ? undefined : kind.naturalKey(seen)
      return key === undefined ? undefined : known.get(key)?.at(-1)
    },
  }
}
