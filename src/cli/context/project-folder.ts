// The folder of the project, which every command knows without reading what is in it.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { nearest } from '../../base/words/nearest.ts'
import { pathWord } from '../../base/words/shell-word.ts'
import { findProject, projectFileName } from '../../project/files/find-project.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { Given } from '../arguments/flags.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** The folder that --dir names, else the nearest upwards with a project file; throws a Failure 3 for a --dir that is no folder. */
export function projectFolder(globals: Given, surroundings: Surroundings): string {
  const { workingFolder } = surroundings
  const named = globals.text('dir')
  if (named === undefined) return findProject(nodeFiles, workingFolder)
  const folder = resolve(workingFolder, named)
  if (nodeFiles.kindOf(folder) !== 'folder') throw noFolder(named, folder, workingFolder)
  return folder
}

/** A file of a folder, which is iac.yaml unless another is named, by the path that leads to it from the working folder. */
export function pathFromHere(folder: string, { workingFolder }: Pick<Surroundings, 'workingFolder'>, name = projectFileName): string {
  return relative(workingFolder, join(folder, name))
}

/** What stands there instead, and the way out: the folder that was meant, or a new project. */
function noFolder(named: string, folder: string, workingFolder: string): Failure {
  const shown = (path: string): string => pathWord(isAbsolute(named) ? path : relative(workingFolder, path) || '.')
  const there = nearestAbove(folder)
  if (nodeFiles.kindOf(there) === 'file')
    return failure(
      'usage',
      `--dir ${named} is no folder: ${there === folder ? 'it' : shown(there)} is ${existsSync(there) ? 'a file' : 'a link that leads nowhere'}`,
      {
        hint: `the folder that it lies in is --dir ${shown(dirname(there))}`,
      },
    )
  const near = nearFolder(there, folder)
  const made = `\`iac init ${pathWord(named)}\` makes it, with a project in it`
  const above = there === workingFolder ? '' : `; the nearest folder that is there is --dir ${shown(there)}`
  const hint = near === undefined ? `${made}${above}` : `did you mean --dir ${shown(near)}? Else ${made}`
  return failure('usage', `--dir ${named} is no folder: nothing is there`, { hint })
}

/** The nearest place upwards that is there. */
function nearestAbove(path: string): string {
  let at = path
  while (nodeFiles.kindOf(at) === undefined && dirname(at) !== at) at = dirname(at)
  return at
}

/** The folder whose name is nearest to the first one on the way that is not there, and what is below it if that is there. */
function nearFolder(there: string, folder: string): string | undefined {
  const [missing = '', ...rest] = relative(there, folder).split(sep)
  const near = nearest(missing, foldersIn(there))
  if (near === undefined) return undefined
  const whole = join(there, near, ...rest)
  return nodeFiles.kindOf(whole) === 'folder' ? whole : join(there, near)
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => nodeFiles.kindOf(join(folder, name)) === 'folder')
  } catch {
    return []
  }
}
