// The store that a project's state settings name.
import type { StateSettings } from '../../project/resolving/declared.ts'
import { realFileSystem } from '../../state/backends/local/file-system.ts'
import { localStore } from '../../state/backends/local/local-store.ts'
import { realMachine } from '../../state/backends/local/process-identity.ts'
import type { StateStore } from '../../state/store.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { checkOwnPlace } from './own-places.ts'
import { statePlace } from './state-place.ts'

type Open<Name> = (settings: StateSettings & { readonly backend: Name }, folder: string, surroundings: Surroundings) => StateStore | Promise<StateStore>

/** How a state is opened, for each backend. */
const backends: { readonly [Name in StateSettings['backend']]: Open<Name> } = {
  async local({ path: written }, folder, surroundings) {
    const { clock, randomBytes, processId } = surroundings
    const path = statePlace(written, folder, surroundings)
    for (const below of [path, `${path}.history/any`]) checkOwnPlace(surroundings, folder, below)
    return localStore({ path, fileSystem: realFileSystem(), clock, randomBytes, machine: await realMachine(processId) })
  },
}

/** Opens nothing yet: the store reads and locks when it is asked to. Local paths are relative to the project folder; Failure 9 or 3 for one that is not safe. */
export async function openStore(settings: StateSettings, folder: string, surroundings: Surroundings): Promise<StateStore> {
  surroundings.heed()
  return await backends[settings.backend](settings, folder, surroundings)
}
