// The folder of the project, which every command knows without reading what is in it.
import { resolve } from 'node:path'
import { findProject } from '../../project/files/find-project.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { Given } from '../arguments/flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** The folder that --dir names, else the nearest upwards with a project file; throws a Failure 3 for a --dir that is no folder. */
export function projectFolder(globals: Given, surroundings: Surroundings): string {
  const named = globals.text('dir')
  if (named === undefined) return findProject(nodeFiles, surroundings.workingFolder)
  const folder = resolve(surroundings.workingFolder, named)
  if (nodeFiles.kindOf(folder) !== 'folder') throw usageFailure(`--dir ${named} is no folder`)
  return folder
}
