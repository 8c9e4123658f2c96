// A store whose states are looked at as they are read, whichever way.
import type { Lease, Loaded, StateStore } from '../../state/store.ts'

/** The same store: `look` sees all that is read of it before whoever asked, and throws where that must not go on. */
export function lookedStore(store: StateStore, look: (loaded: Loaded) => void | Promise<void>): StateStore {
  async function looked(reading: Promise<Loaded>): Promise<Loaded> {
    const loaded = await reading
    await look(loaded)
    return loaded
  }
  const { stamps } = store
  return Object.freeze({
    ...store,
    read: () => looked(store.read()),
    ...(stamps && {
      stamps: {
        now: () => stamps.now(),
        async read() {
          const found = await stamps.read()
          await look(found.loaded)
          return found
        },
      },
    }),
    async lock(owner, timeoutMs, signal) {
      const lease = await store.lock(owner, timeoutMs, signal)
      return Object.freeze({ ...lease, read: () => looked(lease.read()) } satisfies Lease)
    },
  } satisfies StateStore)
}
