// The store that a project's state settings name.
import { createHash } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { realPlace } from '../../base/files/real-place.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import { realFileSystem } from '../../state/backends/local/file-system.ts'
import { localStore } from '../../state/backends/local/local-store.ts'
import { deliveringStore } from '../../state/delivery/delivering-store.ts'
import { projectStore } from '../../state/delivery/project-store.ts'
import { undeliveredLines } from '../../state/delivery/undelivered-lines.ts'
import { realMachine } from '../../state/process-identity.ts'
import type { Sealing } from '../../state/sealing.ts'
import type { StateStore } from '../../state/store.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { wayTo } from '../surroundings/way-to.ts'
import { bucketAddress } from './bucket-address.ts'
import { databaseAddress } from './database-address.ts'
import { httpAddress } from './http-address.ts'
import { lockLeaseMs } from './lock-lease.ts'
import { checkOwnPlace, OWN_FOLDER } from './own-places.ts'
import { statePlace } from './state-place.ts'
import { stateSealing } from './state-sealing.ts'
import type { Reads } from './state-sealing.ts'

/** The store as commands use it: Failure 9 where the state was moved away, and where keys are missing for what is read of it. */
export async function openStore(settings: StateSettings, folder: string, surroundings: Surroundings, reads?: Reads): Promise<StateStore> {
  return projectStore(await openAnywhere(settings, folder, surroundings, reads), surroundings.clock)
}

/** The same, also where the state was moved away. */
export async function openAnywhere(settings: StateSettings, folder: string, surroundings: Surroundings, reads?: Reads): Promise<StateStore> {
  const sealing = stateSealing(settings, surroundings, reads)
  const opened = await openBackend({ settings, folder, sealing }, surroundings)
  const store = { ...opened, place: settings.backend === 'local' ? localPlace(folder, opened.where) : placeOf(opened, settings, surroundings) }
  return settings.backend === 'local' ? store : await delivering(store, { settings, folder, sealing }, surroundings)
}

/** A local state by its way from the project, which a plan is often made for in one checkout and carried out in another; outside of that by its path. */
function localPlace(folder: string, where: string): string {
  const way = relative(realPlace(folder), realPlace(where))
  return way.split(sep)[0] === '..' ? realPlace(where) : way
}

/** With a file beside the project for what the backend does not take. */
async function delivering(store: StateStore, { settings, folder, sealing }: Opening, surroundings: Surroundings): Promise<StateStore> {
  const name = createHash('sha256')
    .update(placeOf(store, settings, surroundings))
    .digest('hex')
    .slice(0, 32)
  const path = join(folder, OWN_FOLDER, 'undelivered', `${name}.journal`)
  checkOwnPlace(surroundings, folder, path)
  const lines = undeliveredLines({ fileSystem: realFileSystem(), path, sealing })
  const problems = await lines.problems()
  const opened = deliveringStore(store, lines)
  return problems.length === 0 ? opened : { ...opened, advice: [...(store.advice ?? []), ...problems.map(undeliverable)] }
}

/** Which state a store is of, among all that a machine may know: the query of an address stands in no words, and may tell states apart. */
export function placeOf({ where }: Pick<StateStore, 'where'>, settings: StateSettings, surroundings: Pick<Surroundings, 'environment'>): string {
  const query = settings.backend === 'http' ? new URL(httpAddress(settings, surroundings).state, 'http://localhost').search : ''
  return query === '' ? where : `${where} ${query}`
}

function undeliverable({ path, problem }: { readonly path: string; readonly problem: string }): Diagnostic {
  return diagnostic('advice', `${path} cannot be read: what a run from here could not store is not delivered`, {
    detail: `${problem}. The next apply finds out by itself what became of what that run began.`,
    hint: 'give the key of that run, or remove the file',
  })
}

interface Opening {
  readonly settings: StateSettings
  readonly folder: string
  readonly sealing: Sealing
}

/** Opens nothing yet: the store reads and locks when it is asked to. Local paths are relative to the project folder; Failure 9 or 3 for one that is not safe. */
async function openBackend({ settings, folder, sealing }: Opening, surroundings: Surroundings): Promise<StateStore> {
  const { clock, randomBytes, processId, version } = surroundings
  surroundings.heed()
  switch (settings.backend) {
    case 'local': {
      const path = statePlace(settings.path, folder, surroundings)
      for (const below of [path, `${path}.history/any`]) checkOwnPlace(surroundings, folder, below)
      return localStore({ path, fileSystem: realFileSystem(), clock, randomBytes, machine: await realMachine(processId), sealing })
    }
    case 'postgres': {
      const { schema, name } = settings
      const around = { address: databaseAddress(surroundings), leaseMs: lockLeaseMs(surroundings), clock, randomBytes, machine: await realMachine(processId) }
      // Loaded by whoever uses it alone.
      const { postgresStore } = await import('../../state/backends/postgres/postgres-store.ts')
      return postgresStore({ ...around, schema, name, sealing })
    }
    case 's3': {
      const around = {
        address: bucketAddress(settings, surroundings, {
          clock,
          wayTo: async (origin, isNear) => (await wayTo(origin, isNear ? { environment: {} } : surroundings))(),
        }),
        leaseMs: lockLeaseMs(surroundings),
        clock,
        randomBytes,
        machine: await realMachine(processId),
      }
      const { s3Store } = await import('../../state/backends/s3/s3-store.ts')
      return s3Store({ ...around, sealing, key: settings.key, connect: await wayTo(around.address.origin, surroundings) })
    }
    case 'http': {
      const around = {
        address: httpAddress(settings, surroundings),
        leaseMs: lockLeaseMs(surroundings),
        clock,
        randomBytes,
        machine: await realMachine(processId),
        version,
      }
      const { httpStore } = await import('../../state/backends/http/http-store.ts')
      return httpStore({ ...around, sealing, connect: await wayTo(around.address.origin, surroundings) })
    }
  }
}
