// The store that a project's state settings name.
import { failure } from '../../base/diagnostic.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import { realFileSystem } from '../../state/backends/local/file-system.ts'
import { localStore } from '../../state/backends/local/local-store.ts'
import { realMachine } from '../../state/backends/local/process-identity.ts'
import type { StateStore } from '../../state/store.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { checkOwnPlace } from './own-places.ts'
import { statePlace } from './state-place.ts'

/** Opens nothing yet: the store reads and locks when it is asked to. Local paths are relative to the project folder; Failure 9 or 3 for one that is not safe. */
export async function openStore(settings: StateSettings, folder: string, surroundings: Surroundings): Promise<StateStore> {
  const { clock, randomBytes, processId } = surroundings
  surroundings.heed()
  if (settings.backend !== 'local') throw failure('usage', `the state backend ${settings.backend} is not part of this build`, { hint: 'use the backend local' })
  // Never in clear where encryption was asked for.
  if (settings.settings['encryption'] !== undefined)
    throw failure('usage', 'state.encryption is not part of this build', { hint: 'take it out of iac.yaml; the state holds no sensitive value, only digests' })
  const path = statePlace(settings.path, folder, surroundings)
  for (const below of [path, `${path}.history/any`]) checkOwnPlace(surroundings, folder, below)
  return localStore({ path, fileSystem: realFileSystem(), clock, randomBytes, machine: await realMachine(processId) })
}
