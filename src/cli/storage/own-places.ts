// Where a project's own data lies: checked before anything is read or written there.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkOwnFolder, isInside, unsafePlace } from '../../base/files/own-files.ts'
import { ofDisk } from '../../state/backends/local/state-files.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { trackedBelow } from './git-index.ts'

/** What holds the state, the sandbox's data and caches of a project. */
export const OWN_FOLDER = '.iac'

type Around = Pick<Surroundings, 'userId' | 'environment' | 'workingFolder'>

/**
 * Throws Failure 9 where `path` lies below an `.iac` of the project that is a link, another's, open to other writers, or tracked by the repository, and for
 * such a folder on the way from there to `path`; Failure 1 where the disk does not let it be looked at. A path elsewhere is not this function's.
 */
export function checkOwnPlace(surroundings: Around, folder: string, path: string): void {
  try {
    check(surroundings, folder, path)
  } catch (error) {
    throw ofDisk(path, error)
  }
}

function check(surroundings: Around, folder: string, path: string): void {
  const { userId } = surroundings
  const own = join(folder, OWN_FOLDER)
  if (!isInside(own, path) || !lstatSync(own, { throwIfNoEntry: false })) return
  checkOwnFolder(folder, own, userId)
  const tracked = trackedBelow(folder, OWN_FOLDER, surroundings)
  if (tracked !== undefined)
    throw unsafePlace(
      own,
      `came with the repository: it tracks ${tracked}`,
      `git rm -r --cached ${OWN_FOLDER}, and remove the folder unless its content is yours`,
    )
  checkOwnFolder(folder, dirname(path), userId)
}
