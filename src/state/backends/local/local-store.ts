// The local backend: state, journal, lock and history as files beside each other.
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { checkedGeneration, decodeDocument } from '../../document.ts'
import type { Machine } from '../../process-identity.ts'
import type { Sealing } from '../../sealing.ts'
import type { Loaded, StateStore } from '../../store.ts'
import type { FileSystem } from './file-system.ts'
import { openLease } from './local-lease.ts'
import { breakDamagedLock, breakLock, lockHolder, lockObstacle, lockSerial, takeLock } from './lock-file.ts'
import type { LockSettings } from './lock-file.ts'
import { generationPath, generations, loadedFrom, onDisk, rawBytes, readSnapshot, signsOf, stampOf, statePaths } from './state-files.ts'
import type { StatePaths } from './state-files.ts'

/** What the local backend needs from outside; `path` is the state file's absolute path. */
export interface LocalStoreOptions {
  readonly path: string
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Machine
  readonly sealing: Sealing
}

/** The state at a path of this machine. */
export function localStore(options: LocalStoreOptions): StateStore {
  const { path, fileSystem, clock } = options
  const paths = statePaths(path, options.sealing)
  const settings: LockSettings = { ...options, path: paths.lock }

  async function read(): Promise<Loaded> {
    const signs = await signsOf(fileSystem, paths, await lockSerial(settings))
    return loadedFrom(paths, await readSnapshot(fileSystem, paths, clock), signs)
  }
  const stamp = (): Promise<string> => onDisk(path, async () => await stampOf(fileSystem, paths, await lockSerial(settings)))
  return Object.freeze({
    where: path,
    folder: paths.folder,
    read: () => onDisk(path, read),
    stamps: {
      async read() {
        const before = await stamp()
        const loaded = await onDisk(path, read)
        return { loaded, stamp: (await stamp()) === before ? before : undefined }
      },
      now: stamp,
    },
    lock: (owner, timeoutMs, signal) =>
      onDisk(path, async () => {
        await checkPlaces(fileSystem, paths)
        await fileSystem.makeFolder(paths.folder)
        const lock = await takeLock(settings, owner, timeoutMs, signal)
        return openLease({ fileSystem, paths, lock, randomBytes: options.randomBytes }).catch(async (error: unknown) => {
          await lock.release(lock.serialBefore).catch(() => undefined)
          throw error
        })
      }),
    holder: () => onDisk(path, () => lockHolder(settings)),
    obstacle: () => onDisk(path, () => lockObstacle(settings)),
    unlock: (id) => onDisk(path, () => breakLock(settings, id)),
    unlockDamaged: () => onDisk(path, () => breakDamagedLock(settings)),
    history: () => onDisk(path, () => generations(fileSystem, paths)),
    generation: (serial) =>
      onDisk(path, async () => {
        const bytes = Number.isSafeInteger(serial) ? await rawBytes(fileSystem, generationPath(paths, serial), options.sealing) : undefined
        if (!bytes) throw failure('state_command', `there is no generation ${serial} of ${path}`, { hint: 'see `iac state history`' })
        const at = generationPath(paths, serial)
        return checkedGeneration(decodeDocument(bytes, at, { sealing: options.sealing }), serial, at)
      }),
  } satisfies StateStore)
}

/** Everything that must be a file or a folder is one, or is not there yet. */
async function checkPlaces(fileSystem: FileSystem, paths: StatePaths): Promise<void> {
  const places = [
    { path: paths.state, type: 'file' },
    { path: paths.journal, type: 'file' },
    { path: paths.lock, type: 'file' },
    { path: paths.history, type: 'folder' },
  ]
  for (const { path, type } of places) {
    const found = await fileSystem.look(path)
    if (found && found.type !== type)
      throw failure('state_io', `${path} is no ${type === 'file' ? 'regular file' : 'folder'}`, { hint: 'move it away, or set another state.path' })
  }
}
