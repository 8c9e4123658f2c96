// Where a project's own data lies: checked before anything is read or written there.
import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { failure } from '../diagnostic.ts'
import { checkOwnFolder, unsafePlace } from '../own-files.ts'
import { trackedBelow } from './git-index.ts'
import type { Surroundings } from './surroundings.ts'

/** What holds the state, the sandbox's data and caches of a project. */
export const OWN_FOLDER = '.iac'

type Around = Pick<Surroundings, 'userId' | 'environment'>

/** Throws Failure 9 for an `.iac` that is a link, another's, open to other writers, or tracked by the repository, and for such a folder below it on the way to `path`. */
export function checkOwnPlace({ userId }: Pick<Around, 'userId'>, folder: string, path: string): void {
  const own = join(folder, OWN_FOLDER)
  if (!lstatSync(own, { throwIfNoEntry: false })) return
  checkOwnFolder(folder, own, userId)
  const tracked = trackedBelow(folder, OWN_FOLDER)
  if (tracked !== undefined)
    throw unsafePlace(
      own,
      `came with the repository: it tracks ${tracked}`,
      `git rm -r --cached ${OWN_FOLDER}, and remove the folder unless its content is yours`,
    )
  checkOwnFolder(folder, dirname(path), userId)
}

/**
 * Checks the path of a local state: below the project's own folder as checkOwnPlace() does, elsewhere inside the project, links followed, or below the
 * folder that IAC_STATE_DIR names. Throws Failure 3 for any other place (contract.md, section 1).
 */
export function checkStatePlace(around: Around, folder: string, path: string): void {
  if (isInside(join(folder, OWN_FOLDER), path)) {
    checkOwnPlace(around, folder, path)
    checkOwnPlace(around, folder, join(`${path}.history`, 'any'))
    return
  }
  const { IAC_STATE_DIR: named } = around.environment
  const allowed = [folder, ...(named === undefined || named === '' || !isAbsolute(named) ? [] : [named])]
  const real = realOf(dirname(path))
  if (allowed.some((one) => isInside(realOf(one), real))) return
  throw failure('invalid_value', `state.path ${path} lies outside of the project`, {
    detail: 'A project could otherwise make iac write anywhere.',
    hint: 'use a path inside the project, or name the folder for states in IAC_STATE_DIR (an absolute path)',
  })
}

/** A path with the links of as much of it as is there resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), relative(dirname(path), path))
  }
}

function isInside(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path))
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
