// Writes the stored sessions: all of them at once, under a lock, so that two processes lose nothing of each other.
import { dirname } from 'node:path'
import { Failure, failure } from '../../base/diagnostic.ts'
import { makeOwnFolder, removeLeftovers, replaceOwnFile, codeOf } from '../../base/files/own-files.ts'
import { realFileSystem } from '../../state/backends/local/file-system.ts'
import { takeLock } from '../../state/backends/local/lock-file.ts'
import type { HeldLock } from '../../state/backends/local/lock-file.ts'
import { realMachine } from '../../state/process-identity.ts'
import type { NamedProfile } from '../surroundings/credentials.ts'
import { ownerOf } from '../surroundings/owner.ts'
import { profilesPath, profilesText, readProfiles } from '../surroundings/profiles.ts'
import type { Profiles } from '../surroundings/profiles.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** Writing takes an instant; who holds the lock for longer has been stopped. */
const WAIT_MS = 20_000

/**
 * Replaces the profiles by what `change` makes of those that are there, under the lock; undefined from it writes nothing.
 * Throws Failure 4 for a file that is no list of profiles, 7 where another process does not give the lock back, 9 for a folder that others can write, 1 where the disk refuses.
 */
export async function changeProfiles(surroundings: Surroundings, change: (profiles: Profiles) => Profiles | undefined): Promise<void> {
  const path = profilesPath(surroundings)
  const folder = dirname(path)
  surroundings.heed()
  try {
    makeOwnFolder(dirname(folder), folder, surroundings.userId)
    const lock = await locked(surroundings, path)
    try {
      const next = change(await readProfiles(surroundings))
      if (next === undefined) return
      removeLeftovers(path)
      replaceOwnFile(path, profilesText(next))
    } finally {
      // One that cannot be given back on a full disk is free as soon as this process has ended.
      await lock.release(0).catch(() => undefined)
    }
  } catch (error) {
    if (error instanceof Failure || codeOf(error) === undefined) throw error
    throw failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}

/** Removes the profiles that are meant; their names. Throws like changeProfiles. */
export async function forgetProfiles(surroundings: Surroundings, isMeant: (stored: NamedProfile) => boolean): Promise<readonly string[]> {
  const gone: string[] = []
  await changeProfiles(surroundings, (all) => {
    const kept = Object.entries(all).filter(([name, profile]) => !isMeant({ name, profile }))
    const names = new Set(kept.map(([name]) => name))
    gone.push(...Object.keys(all).filter((name) => !names.has(name)))
    return gone.length === 0 ? undefined : Object.fromEntries(kept)
  })
  return gone
}

async function locked(surroundings: Surroundings, path: string): Promise<HeldLock> {
  const { clock, randomBytes, processId, stop } = surroundings
  const settings = { path: `${path}.lock`, fileSystem: realFileSystem(), clock, randomBytes, machine: await realMachine(processId) }
  try {
    return await takeLock(settings, ownerOf(surroundings, 'profiles'), WAIT_MS, stop)
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== 7) throw error
    const detail = error.diagnostics[0]?.detail
    throw failure('locked', `${path} is being written by another process`, { ...(detail === undefined ? {} : { detail }), hint: 'stop that process' })
  }
}
