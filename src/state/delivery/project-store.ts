// A state as the commands of a project use it: what they write tells when and by which command, and one that lies elsewhere by now is refused.
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { isDamage } from '../document.ts'
import type { StateDocument } from '../record.ts'
import type { Lease, Loaded, Stamps, StateStore } from '../store.ts'

/** The same store for everything but moving the state: Failure 9 from reading and locking where it has been moved away. */
export function projectStore(store: StateStore, clock: Pick<Clock, 'wall'>): StateStore {
  return Object.freeze({
    ...store,
    read: async () => stillHere(await store.read(), store),
    ...(store.stamps && { stamps: stampsHere(store.stamps, store) }),
    async history() {
      // What is damaged has a history all the same.
      await store.read().then(
        (loaded) => stillHere(loaded, store),
        (error: unknown) => {
          if (!isDamage(error)) throw error
        },
      )
      return store.history()
    },
    async lock(owner, timeoutMs, signal) {
      const lease = await store.lock(owner, timeoutMs, signal)
      return stamping(lease, store, (document) => ({ ...document, written: { time: new Date(clock.wall()).toISOString(), command: owner.operation } }))
    },
  } satisfies StateStore)
}

function stampsHere({ read, now }: Stamps, store: StateStore): Stamps {
  return {
    now,
    async read() {
      const { loaded, stamp } = await read()
      return { loaded: stillHere(loaded, store), stamp }
    },
  }
}

function stamping(lease: Lease, store: StateStore, stamped: (document: StateDocument) => StateDocument): Lease {
  return Object.freeze({
    ...lease,
    read: async () => stillHere(await lease.read(), store),
    write: (document, keep) => lease.write(stamped(document), keep),
  } satisfies Lease)
}

/** The mark that a move leaves holds nothing else, so that whoever goes on here would make everything anew. */
function stillHere(loaded: Loaded, store: StateStore): Loaded {
  const { where } = store
  const { moved_to: to, moving } = loaded.document ?? {}
  if (moving) throw moveNotDone(store)
  if (to === undefined) return loaded
  throw failure('state_moved', `${where} was moved to ${to}`, {
    detail: 'Nothing is kept here any more, and nothing was changed.',
    hint: 'use the project file that names the new place, or let this one name it',
  })
}

/** What stands in this place waits for the end of a move, Failure 9: the state may still be in the old one, which alone tells. */
export function moveNotDone({ where }: Pick<StateStore, 'where'>): Failure {
  return failure('state_moved', `a move of the state to ${where} is not done`, {
    detail: 'Nobody goes on there before its end, and nothing was changed.',
    hint: 'run `iac state migrate --to FILE` again where it was begun, which ends it: iac.yaml names the old place there, and FILE this one; where the old place is lost, `iac state pull` prints what was brought here, to be pushed there',
  })
}
