// The place of the state that a first plan is for: no lineage tells it from the state of another project of the same name.
import type { StateStore } from '../../state/store.ts'
import type { Digest } from './live.ts'

/** What a plan may say of a place: addresses are nobody's to read in a file. */
export function placeDigest({ place, where }: Pick<StateStore, 'place' | 'where'>, digest: Digest): string {
  return digest(place ?? where)
}
