// Writes a file that its user named and that only its owner may read, all at once.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { replaceOwnFile, wayProblem } from '../../base/files/own-files.ts'
import type { Surroundings } from './surroundings.ts'

interface Around {
  readonly folder: string
  readonly surroundings: Pick<Surroundings, 'workingFolder'>
}

/** Why a file that a flag names is not written to: a link in its place, or on the way to it inside of the project or the working folder; undefined where nothing is wrong. */
export function namedFileProblem({ folder, surroundings }: Around, file: string): string | undefined {
  const path = resolve(surroundings.workingFolder, file)
  return wayProblem(folder, path) ?? wayProblem(surroundings.workingFolder, path)
}

/** Throws a Failure 3 where something stands in the place of a file that is not to be lost, or 1 where it cannot be written to. */
export function assertNewFile(around: Around, file: string): void {
  const problem = namedFileProblem(around, file)
  if (problem !== undefined) throw failure('file_unwritable', `nothing was done: ${problem}`)
  const path = resolve(around.surroundings.workingFolder, file)
  if (existsSync(path))
    throw failure('usage', `${path} is there already, and nothing is overwritten`, { hint: 'name a file that is not there, or remove that one' })
}

/** Replaces a file that a flag names, mode 0600; who reads it sees the old one or the new one. Throws a Failure `file_unwritable`. */
export function writePrivate(around: Around, file: string, text: string): void {
  const path = resolve(around.surroundings.workingFolder, file)
  const problem = namedFileProblem(around, file)
  if (problem !== undefined) throw failure('file_unwritable', `${path} cannot be written: ${problem}`)
  try {
    replaceOwnFile(path, text)
  } catch (error) {
    throw failure('file_unwritable', `${path} cannot be written`, { detail: error instanceof Error ? error.message : '' })
  }
}
