// A store that tells of a journal whose last line was cut off: it is left out, and whoever reads the state is to know it.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import type { StateStore } from '../../state/store.ts'
import { lookedStore } from './looked-store.ts'

/** The same store; `tell` hears of each such journal once. */
export function tellingOfTorn(store: StateStore, tell: (one: Diagnostic) => void): StateStore {
  const told = new Set<string>()
  return lookedStore(store, ({ torn, tornBeside }) => {
    const all = [...(torn ? [`the journal of ${store.where}`] : []), ...(tornBeside === undefined ? [] : [tornBeside])]
    for (const what of all.filter((one) => !told.has(one))) {
      told.add(what)
      tell(diagnostic('note', `the last line of ${what} was cut off, and is left out`, { detail: 'A run was ended while it wrote that line.' }))
    }
  })
}
